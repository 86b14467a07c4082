"""The page with chunks and parts of speech: F1 or errors, labels in the diff, what is offered."""

from dataclasses import replace

import pytest
from pages import bring, html_of, make_page, pick, point_of, view_of

from workbench.models.kinds import load_model
from workbench.settings import SETTINGS
from workbench.views.sections import take_away

# Five chunk labels and five parts of speech, as many as there are of case: loops for so many are
# compiled anyway.
NEWS = """\
Confidence NN B-NP
moved VBD B-VP
the DT B-NP
pound NN I-NP
. . O

Nobody NN B-NP
expected VBD B-VP
the DT B-NP
fall NN I-NP
. . O
"""
TALK = """\
Cells NN B-NP
moved VBD B-VP
vitro FW B-ADVP
the DT B-NP
pound NN I-NP
. . O
"""
LABELS = {"NN", "DT", "VBD", "FW", "."}
QUERIES = {
    "chunks": {"background": "tiny-chunks", "domain": "talk-chunks"},
    "parts of speech": {"background": "tiny-tags", "domain": "talk-tags"},
}


def tags_of(text):
    return "".join(" ".join(line.split()[:2]) + "\n" for line in text.split("\n"))


@pytest.fixture(scope="module")
def data(data):
    """Backgrounds and domains of both kinds among the data sets; a small domain for one of case."""
    for name, text in (("tiny", NEWS), ("talk", TALK)):
        for kind, end, content in (("chunks", "iob", text), ("tags", "tag", tags_of(text))):
            folder = data / f"{name}-{kind}"
            folder.mkdir()
            for part in ("train", "dev", "test"):
                (folder / f"{part}.{end}").write_text("\n".join([content.strip() + "\n"] * 6))
    with pytest.MonkeyPatch.context() as patch:
        small = replace(SETTINGS["domain"], default="tiny-broadcast")
        patch.setitem(SETTINGS, "domain", small)
        yield data


@pytest.fixture(params=QUERIES, ids=lambda name: name.split()[0])
def page(request, data):
    return make_page(**QUERIES[request.param]).run()


def test_the_page_of_a_task_shows_its_labels_and_leaves_out_what_is_of_case(page, data):
    assert not page.exception
    assert not page.error
    view = view_of(page)
    assert [model["name"] for model in view["payload"]["models"]] == ["background"]
    assert point_of(page)["name"] == "adapted"
    assert view["tagNames"] == []  # the five are of case
    sections = page.segmented_control(key="section").options
    assert sections[0] == "slices"
    assert "try a text" not in sections
    chosen = {"tiny-chunks": "chunk", "tiny-tags": "pos"}
    assert page.text_input(key="templates").value == chosen[page.selectbox(key="background").value]
    assert not page.warning
    assert not [button for button in page.button if str(button.key).startswith("lesson")]
    app = make_page(**QUERIES["chunks"], lesson="leash").run()
    assert not app.exception
    assert "the lessons are about capital letters alone" in app.warning[0].value
    page.selectbox(key="show").set_value("all").run()
    payload = view_of(page)["payload"]
    assert not payload["recases"]
    assert all(word["forms"] == {} for word in payload["words"])
    assert payload["tags"][payload["words"][0]["gold"]].split("-")[0] in {*"BIO", *LABELS}
    assert "vitro" in [word["word"] for word in payload["words"]]


def test_chunks_are_measured_by_f1_and_explained_with_columns_and_added_tags(data):
    page = make_page(**QUERIES["chunks"]).run()
    _, _, snapshot = page.session_state["last good result"]
    f1 = {row["name"]: row["chunks"]["f1"] for row in snapshot.models}
    (background,) = view_of(page)["payload"]["models"]
    assert (background["unit"], background["headline"]) == ("F1", f1["background"])
    assert (point_of(page)["unit"], point_of(page)["headline"]) == ("F1", f1["adapted"])
    assert f1["adapted"] > f1["background"]
    corpus = page.session_state["last good result"][1].corpora["dev"]
    position = [corpus.forms[form] for form in corpus.form_ids].index("vitro")
    page.text_input(key="word").set_value(f"vitro · {position}").run()
    why = view_of(page)["explained"]["why"]
    assert "pos0=FW" in {row["predicate"] for row in why["gap"]["rows"]}
    added = why["tags"].index("B-ADVP")
    assert why["p_background"][added] == 0
    assert why["p_adapted"][added] > 0
    assert [sum(why["p_background"]), sum(why["p_adapted"])] == pytest.approx([1, 1])


def test_a_crf_is_adapted_and_taken_away(data, tmp_path):
    page = make_page(**QUERIES["chunks"], model="CRF").run()
    _, session, snapshot = page.session_state["last good result"]
    path = tmp_path / "adapted.model"
    path.write_bytes(take_away.bytes_of(snapshot.tuned.model.save))
    dev = session.corpora["dev"]
    assert load_model(path).tag(dev).tolist() == snapshot.tuned.tags["dev"].tolist()


def test_templates_follow_the_task_unless_others_are_written(data):
    page = make_page(**QUERIES["chunks"]).run()
    page.toggle(key="other tasks").set_value(True).run()
    pick(page, "background", "tiny-news")
    assert page.text_input(key="templates").value == "ca04"
    page.text_input(key="choice of templates").set_value("ca04 +shape").run()
    pick(page, "background", "tiny-chunks")
    assert page.text_input(key="templates").value == "ca04 +shape"


def test_a_chosen_domain_goes_with_the_background(data):
    app = make_page(background="tiny-chunks", domain="talk-chunks").run()
    app = pick(app, "background", "tiny-news")
    assert app.selectbox(key="domain").value != "talk-chunks"
    assert not app.error
    names = app.selectbox(key="choice of domain").options
    assert not any(name.startswith(("talk-chunks", "tiny-news")) for name in names)
    assert not any("chunks" in name for name in app.selectbox(key="choice of background").options)
    app.toggle(key="other tasks").set_value(True).run()
    assert any("chunks" in name for name in app.selectbox(key="choice of background").options)


@pytest.mark.parametrize("view", ["Tune", "Compare", "Papers"])
def test_texts_of_different_tasks_are_refused_in_one_line(data, view):
    page = make_page(background="tiny-chunks", domain="tiny-broadcast", view=view).run()
    assert not page.exception
    assert [error.value.replace("\\", "") for error in page.error] == [
        "the task of tiny-chunks is chunks, of tiny-broadcast case; both must have the same task"
    ]


def test_own_text_is_a_file_of_the_task(data):
    page = make_page(**QUERIES["chunks"]).run()
    bring(page, "\n".join([TALK] * 10).encode(), "mine.iob")
    assert "adapted to <em>mine.iob (yours)</em>" in html_of(page)
    assert not page.error


def test_only_methods_of_the_task_are_offered_and_stay_chosen(data):
    page = make_page(**QUERIES["chunks"], view="Compare").run()
    assert not page.error
    methods = page.pills(key="methods")
    assert "1-gram" not in methods.options
    assert "map" in methods.value
    table = page.dataframe[0].value
    assert sorted(table["method"]) == sorted(methods.value)
    assert table["F1"].between(0, 100).all()
    page = make_page(view="Compare", methods=["1-gram", "background"]).run()
    assert page.pills(key="methods").value == ["1-gram", "background"]
    page.selectbox(key="background").set_value("tiny-chunks")
    page.selectbox(key="domain").set_value("talk-chunks").run()
    assert not page.exception
    assert page.pills(key="methods").value == ["background"]


def test_only_tables_and_domains_of_the_task_are_offered(data):
    page = make_page(**QUERIES["chunks"], view="Papers").run()
    assert not page.error
    options = page.pills(key="table").options
    assert len(options) == 3
    assert all(option.startswith("CRF08") for option in options)
    assert not any("broadcast" in name for name in page.multiselect[0].options)
    assert {"f1", "accuracy"} <= set(page.dataframe[0].value)
