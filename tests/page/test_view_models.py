"""A background that is a model without its text: tuned at once, and what needs the text says so."""

from functools import partial

import pytest
from pages import bring, html_of, make_page, point_of, warnings_of

from workbench.experiments.backgrounds import find_background
from workbench.experiments.session import open_session
from workbench.models.adapter import save_adapter
from workbench.models.kinds import load_model
from workbench.views.errors import plain
from workbench.views.sections import take_away


@pytest.fixture
def page(data):
    return make_page(background="en-ca04", section="take away")


def labels_of(app):
    return [widget.label for widget in (*app.selectbox, *app.text_input, *app.segmented_control)]


def test_it_is_adapted_and_taken_away(page, tmp_path):
    _, session, snapshot = page.run().session_state["last good result"]
    assert not page.exception
    assert not page.error
    assert "<em>everyday English</em> adapted to <em>tiny-broadcast</em>" in html_of(page)
    assert session.background.content_hash() == load_model("en-ca04").content_hash()
    rows = {row["name"]: row for row in snapshot.models}
    assert set(rows) == {"1-gram", "background", "adapted"}
    assert point_of(page)["wrong"] == rows["adapted"]["wrong"]
    path = tmp_path / "adapted.model"
    path.write_bytes(take_away.bytes_of(snapshot.tuned.model.save))
    tags = load_model(path).tag(session.corpora["dev"])
    assert tags.tolist() == snapshot.tuned.tags["dev"].tolist()
    # What trains a background is not asked for, and the commands adapt the model.
    assert not {"Templates", "Model"} & set(labels_of(page))
    assert "frequency" not in set(session.slices(snapshot)["kind"])
    codes = [code.value for code in page.code]
    assert any("open_session('en-ca04', 'tiny-broadcast')" in code for code in codes)
    assert any(
        code.startswith("python -m workbench adapt en-ca04 tiny-broadcast") for code in codes
    )


def test_another_kind_of_model_in_the_link_does_not_matter(data):
    app = make_page(background="en-ca04", model="CRF").run()
    assert app.session_state["last good result"][1].background.kind == "memm"
    assert not app.error
    assert not warnings_of(app)


def test_methods_that_need_no_text_are_compared_and_the_others_named(data):
    app = make_page(background="en-ca04", view="Compare").run()
    rows = {row["name"]: row for row in app.session_state["last comparison"]["models"]}
    assert list(rows) == ["1-gram", "background", "target", "map"]
    session = open_session("en-ca04", "tiny-broadcast")
    wrong = session.is_wrong("test", session.background_tags("test"))
    assert rows["background"]["error_rate"] == wrong.mean()
    (left_out,) = [each.value for each in app.caption if each.value.startswith("Not offered: ")]
    assert "weighted" in left_out
    assert "does not hold" in left_out
    offers = [button.label for button in app.button if button.label.endswith("as background")]
    assert offers == ["Use scientific\\-docs as background"]
    assert not app.error
    assert not app.exception


def tables_of(app):
    """The labels of the tables that the view Papers offers beside the background's lack of text."""
    assert not app.exception
    assert not app.error
    assert any("a model, which comes without it" in caption.value for caption in app.caption)
    return [option.content for option in app.pills(key="table").proto.options]


def test_papers_makes_the_tables_that_need_no_text_of_the_background(data):
    app = make_page(background="en-ca04", view="Papers").run()
    assert tables_of(app) == ["CA04 table 4", "CA04 table 5", "CA04 table 6", "CA04 figure 1"]
    assert app.pills(key="table").value == "CA04 table 6"
    shown = app.dataframe[0].value.set_index("trained_on")["error"]
    session = open_session("en-ca04", "tiny-broadcast")
    models = {row["name"]: row for row in session.at(1.0, part="test").models}
    for name in ("1-gram", "background"):
        assert shown[name] == pytest.approx(100 * models[name]["error_rate"])


def test_papers_of_a_model_without_a_1gram_leaves_out_its_table(data, background, tmp_path):
    background.save(tmp_path / "mine.model")
    app = upload(make_page(view="Papers").run(), tmp_path / "mine.model")
    assert tables_of(app) == ["CA04 table 4", "CA04 table 5", "CA04 figure 1"]
    assert set(app.dataframe[0].value["domain"]) == {"tiny-broadcast"}


def test_levels_between_leave_a_model_without_counts(data, background_corpus):
    found = find_background("en-ca04")
    assert found.word_counts is None
    assert found.unigram.tag(background_corpus).shape == (len(background_corpus),)


def upload(app, path):
    return bring(app, path.read_bytes(), path.name, "background")


def test_a_model_of_ones_own_is_adapted_and_its_adapter_taken_away(data, background, tmp_path):
    background.save(tmp_path / "mine.model")
    app = upload(make_page(section="take away").run(), tmp_path / "mine.model")
    assert not app.error
    assert app.selectbox(key="background").value == "mine.model (yours)"
    _, session, snapshot = app.session_state["last good result"]
    assert session.background.content_hash() == background.content_hash()
    assert [row["name"] for row in snapshot.models] == ["background", "adapted"]
    codes = [code.value for code in app.code]
    assert any("open_session('mine.model', 'tiny-broadcast')" in code for code in codes)
    assert any(code.startswith("python -m workbench adapt mine.model") for code in codes)
    save = partial(save_adapter, snapshot.tuned.model, session.background, "mine.model")
    (tmp_path / "mine.adapter").write_bytes(take_away.bytes_of(save))
    loaded = load_model(tmp_path / "mine.adapter")
    assert loaded.content_hash() == snapshot.tuned.model.content_hash()
    again = open_session(str(tmp_path / "mine.model"), "tiny-broadcast").at(1.0)
    assert again.summary == snapshot.summary
    app.button(key="remove mine.model (yours)").click().run()
    assert app.selectbox(key="background").value == "en-ca04"


def test_a_file_that_is_no_background_is_refused_in_a_line(data, unigram, tmp_path):
    unigram.save(tmp_path / "1gram.model")
    (tmp_path / "no.model").write_bytes(b"no model")
    for name, why in (("1gram.model", "a model of kind 1gram"), ("no.model", "not a model")):
        app = upload(make_page().run(), tmp_path / name)
        (error,) = app.error
        assert name in plain(error.value).replace("\\", "")
        assert why in error.value
        assert app.selectbox(key="background").value == "tiny-news"
