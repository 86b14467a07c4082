"""The sealed envelope: what of the test text is told, when, and how often it was."""

import json
from dataclasses import replace

import pytest
from pages import make_page, point_of, view_of
from tiny_data import QUERY

from workbench.experiments import envelope as envelope_module
from workbench.experiments.envelope import Envelope
from workbench.experiments.repeat import Source
from workbench.scrub.slider import UNKNOWN
from workbench.settings import Settings
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.storage import kept_folder
from workbench.views.sections import take_away


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder of the test's own, where nothing was opened."""
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    return tmp_path


def text(*sentences):
    return Corpus.from_sentences([sentence.split() for sentence in sentences], "text")


def captions(app):
    return "".join(c.value for c in app.caption).replace("\\", "").replace("\u200b", "")


# --- the list of looks -----------------------------------------------------------------------


def test_a_look_counts_once_for_its_background_and_text_and_outlives_the_object(cache):
    test = text("Rain in Paris .")
    assert Envelope("news", test).looks == []
    assert Envelope("news", test).open("σ² 1") == ["σ² 1"]
    assert Envelope("news", test).open("σ² 1") == ["σ² 1"]
    assert Envelope("news", test).open("σ² 3") == ["σ² 1", "σ² 3"]
    assert Envelope("news", test).looks == ["σ² 1", "σ² 3"]
    (file,) = (cache / "openings").iterdir()  # nothing unfinished stays
    assert json.loads(file.read_text("utf-8"))["looks"] == ["σ² 1", "σ² 3"]
    Envelope("news", text("Rain in Paris .")).open("σ² 1")
    assert Envelope("docs", text("Rain in Paris .")).looks == []
    assert Envelope("news", text("Rain in London .")).looks == []


def test_without_a_folder_looks_are_counted_for_the_life_of_the_server(monkeypatch):
    monkeypatch.setattr(envelope_module, "kept_folder", lambda name: None)
    monkeypatch.setattr(envelope_module, "_unwritten", {})
    test = text("Rain in Paris .")
    Envelope("news", test).open("σ² 1")
    assert Envelope("news", test).looks == ["σ² 1"]


@pytest.mark.parametrize("content", ["", "[]", '{"looks": 3}', "not json"])
def test_a_damaged_file_is_told_and_not_begun_anew(content):
    sealed = Envelope("news", text("Rain in Paris ."))
    (kept_folder("openings") / sealed.name).write_text(content, "utf-8")
    with pytest.raises(InputError, match="count of looks at the test text"):
        sealed.open("σ² 1")
    assert (kept_folder("openings") / sealed.name).read_text("utf-8") == content


# --- on the page -----------------------------------------------------------------------------


def open_envelope(**query):
    """The page of a link, its envelope opened."""
    return make_page(**query).run().button(key="Open the envelope").click().run()


def test_a_link_to_the_test_text_does_not_open_its_envelope(data):
    app = make_page(part="test").run()
    assert view_of(app)["payload"]["part"] == "dev"
    assert "sealed envelope" in captions(app)
    settings, session = Settings(**QUERY), app.session_state["last good result"][1]
    source, option = Source.of(settings), f"--test {QUERY['domain']}"
    assert option not in take_away.report_page(settings, session, source)
    assert option in take_away.report_page(replace(settings, part="test"), session, source)


def test_dev_is_shown_until_the_envelope_is_opened(data):
    app = make_page().run()
    app.segmented_control(key="part").set_value("test").run()
    assert view_of(app)["payload"]["part"] == "dev"
    assert "sealed envelope" in captions(app)
    app.button(key="Open the envelope").click().run()
    assert view_of(app)["payload"]["part"] == "test"
    assert "; opened once on this server: choose on dev, report once" in captions(app)
    row = app.session_state["last good result"][2].models[-1]
    assert f". On test: adapted {100 * row['error_rate']:.2f} % wrong, " in captions(app)
    on_dev = f"{100 * point_of(app)['dev']:.2f} % wrong, "
    assert f"MEMM ca04, σ² 1, cut-off 0. On dev: adapted {on_dev}" in captions(app)
    interval = [
        f"{round(100 * bound):+d} %".replace("-", "−") for bound in row["versus"]["interval"]
    ]
    assert f" (95 % interval: {' to '.join(interval)})" in captions(app)
    app.segmented_control(key="part").set_value("dev").run()
    assert "opened" not in captions(app)


def test_what_is_taken_away_can_be_reported_on_test(data):
    app = make_page(section="take away").run()
    assert "on the dev text: " in captions(app)
    app.button(key="Report on test").click().run()
    assert view_of(app)["payload"]["part"] == "test"
    assert app.segmented_control(key="part").value == "test"
    assert "opened once on this server" in captions(app)
    assert "cut-off 0, on the test text: " in captions(app)
    assert "Report on test" not in [button.key for button in app.button]


def test_every_new_model_counts_and_a_reload_does_not_begin_anew(data):
    app = open_envelope(part="test")
    assert view_of(app)["payload"]["part"] == "test"
    app.select_slider(key="sigma2").set_value("10").run()
    assert "opened 2 times" in captions(app)
    app.select_slider(key="sigma2").set_value("1").run()
    assert "opened 2 times" in captions(app)  # the same again
    app.select_slider(key="cutoff").set_value("none").run()
    assert "opened 3 times" in captions(app)
    assert "opened 3 times" in captions(open_envelope(part="test", cutoff="none"))
    app = open_envelope(part="test", model="CRF")
    assert "opened 4 times" in captions(app)
    app = make_page().run()
    app.segmented_control(key="part").set_value("test").run()
    assert "It has been opened 4 times before." in captions(app)


def test_a_comparison_is_a_look_too(data):
    make_page(view="Compare", methods="map").run()
    app = make_page().run()
    app.segmented_control(key="part").set_value("test").run()
    assert "It has been opened once before." in captions(app)
    make_page(view="Compare", methods="map", background="en-ca04").run()
    app = open_envelope(part="test", background="en-ca04")
    assert "opened 2 times" in captions(app)


def test_a_table_of_a_paper_is_a_look_too(data):
    make_page(view="Papers", table="CA04 table 6").run()
    page = make_page().run()
    page.segmented_control(key="part").set_value("test").run()
    assert "It has been opened once before." in captions(page)


def test_a_pinned_state_is_a_look_too(data):
    app = open_envelope(part="test", pin="0.01, none")
    assert "opened 2 times" in captions(app)


def test_a_word_of_the_test_text_is_explained_without_its_path(data):
    app = open_envelope(part="test")
    session = app.session_state["last good result"][1]
    word = view_of(app)["payload"]["words"][0]
    form = session.corpora["test"].forms[session.corpora["test"].form_ids[word["position"]]]
    app.text_input(key="word").set_value(f"{form} · {word['position']}").run()
    explained = view_of(app)["explained"]
    assert explained["why"]["position"] == word["position"]
    assert explained["path"] is None


def test_one_point_of_the_test_text_is_told_and_the_curve_is_that_of_dev(data):
    app = open_envelope(part="test", sigma2="10")
    dev, test = (view_of(page)["payload"] for page in (make_page(sigma2="10").run(), app))
    session = app.session_state["last good result"][1]
    here = test["sigma2s"].index("10")
    told = [i for i, point in enumerate(test["points"]) if "wrong" in point or "error" in point]
    assert told == [here]
    tags, gold = session.adaptation(0).at(10.0).tags["test"], session.corpora["test"].tags
    assert test["points"][here]["wrong"] == int((tags != gold).sum())
    for name in ("dev", "train"):
        assert [p[name] for p in test["points"]] == [p[name] for p in dev["points"]]
    wrong = (session.background_tags("test") != gold) | (tags != gold)
    assert [word["position"] for word in test["words"]] == wrong.nonzero()[0].tolist()
    for word in test["words"]:
        assert {c for i, c in enumerate(word["path"]) if i != here} == {UNKNOWN}
    assert test["rules"] == [{k: row[k] for k in ("name", "error")} for row in dev["models"]]
    assert test["models"] != dev["models"]
