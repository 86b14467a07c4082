"""The app's page as Streamlit's own tester opens it, on the tiny data sets."""

import json
from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from tiny_data import QUERY

# Which packages bring components is looked up once, not for every page: it takes 0.7 s.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def make_page(**query):
    """Page of the tiny data sets with more parameters, not yet run."""
    app = AppTest.from_file("../app.py", default_timeout=600)
    for name, value in (QUERY | query).items():
        app.query_params[name] = value
    return app


def html_of(app):
    """All pieces of HTML that the page shows."""
    return "\n".join(element.proto.body for element in app.get("html"))


def view_of(app):
    """What the scrubber on the page is told."""
    told = [json.loads(component.proto.json) for component in app.get("bidi_component")]
    _, shelf, scrubber, *_ = told  # between the visit and what scrolls
    assert shelf["id"] == scrubber["payload"]["id"]
    return {**scrubber, "payload": shelf}


def point_of(app):
    """The errors of the adapted model where the slider stands."""
    view = view_of(app)
    payload = view["payload"]
    return payload["points"][payload["sigma2s"].index(view["at"]["sigma2"])]


def words_that_changed(app):
    """Position of each word that the adapted model tags otherwise than the background."""
    view = view_of(app)
    i = view["payload"]["sigma2s"].index(view["at"]["sigma2"])
    return {
        word["position"]
        for word in view["payload"]["words"]
        if ord(word["path"][i]) - 48 != word["background"]
    }


def ask(app, position):
    """The page with the answer about a word."""
    corpus = app.session_state["last good result"][1].corpora["dev"]
    form = corpus.forms[corpus.form_ids[position]]
    return app.text_input(key="word").set_value(f"{form} · {position}").run()


def said(*elements):
    """What elements of the page say, one after the other, without the escapes of Markdown."""
    return " ".join(each.value for each in elements).replace("\\", "").replace("\u200b", "")


def warnings_of(app):
    """All warnings on the page as plain text."""
    return said(*app.warning)


def bring(app, data, name="mine.txt", slot="domain"):
    """The page with a text or a model of the visitor's own in a slot."""
    app.session_state["own texts are shown"] = True
    (found,) = [each for each in app.run().get("file_uploader") if each.label.endswith(slot)]
    found.set_value((name, data, "application/octet-stream"))
    return app.run()


def paste(app, pasted, slot="domain"):
    """The page with a pasted text in a slot."""
    app.session_state["own texts are shown"] = True
    app.run().text_area(key=f"text to paste {slot}").set_value(pasted)
    return app.button(key=f"use {slot}").click().run()


def own_names(app, slot="domain"):
    """The names of the visitor's own sets that can be chosen."""
    return [name for name in app.selectbox(key=slot).options if name.endswith("(yours)")]


def own_sets(app):
    """The visitor's own sets by name."""
    return app.session_state["what is kept of the visitor"][1].sets


def pick(app, name, value):
    """The page after a choice in the sentence at its head."""
    box = app.selectbox(key=f"choice of {name}")
    return box.select(next(text for text in box.options if text.startswith(value))).run()
