"""The page as Streamlit's own tester sees it: what is said, not only that it runs."""

from dataclasses import replace

import pytest
from pages import (
    ask,
    bring,
    html_of,
    make_page,
    paste,
    point_of,
    view_of,
    warnings_of,
    words_that_changed,
)
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest
from tiny_data import QUERY

from workbench.models.kinds import load_model
from workbench.settings import SETTINGS
from workbench.text.tasks import TaskName
from workbench.views.errors import plain
from workbench.views.sections import sections_of, take_away
from workbench.views.tune import page as tune_page
from workbench.views.typography import title_html

EVIL = '<img src="http://example.org/x.png" onerror="alert(1)">'


@pytest.fixture
def page(data):
    """The page of the tiny data sets, not yet run."""
    return make_page()


def test_page_shows_what_the_session_says(page, tmp_path):
    _, session, snapshot = page.run().session_state["last good result"]
    assert not page.exception
    assert not page.error
    assert "<em>tiny-news</em> adapted to <em>tiny-broadcast</em>" in html_of(page)
    view, point, row = view_of(page), point_of(page), snapshot.models[-1]
    assert [model["name"] for model in view["payload"]["models"]] == ["1-gram", "background"]
    assert (point["name"], point["wrong"]) == ("adapted", row["wrong"])
    assert point["interval"] == row["versus"]["interval"]
    assert view["intro"] == ""  # the sentence at the head of the page says it
    assert [tag for tag, _ in view["tagNames"]] == ["LOC", "CAP", "MXC", "AUC", "PNC"]
    changed = snapshot.diff["tag_before"] != snapshot.diff["tag_after"]
    assert words_that_changed(page) == set(snapshot.diff["position"][changed]) != set()
    assert session.missing(0) == []  # the curve is complete when the page rests
    assert None not in view["payload"]["points"]
    assert view["status"] == ""
    path = tmp_path / "adapted.model"
    path.write_bytes(take_away.bytes_of(snapshot.tuned.model.save))
    tags = load_model(path).tag(session.corpora["dev"])
    assert tags.tolist() == snapshot.tuned.tags["dev"].tolist()


def test_sigma2_moves_errors_and_words(page):
    page.run()
    before = point_of(page), words_that_changed(page)
    page.select_slider(key="sigma2").set_value("0.01").run()
    assert point_of(page)["wrong"] != before[0]["wrong"]
    assert words_that_changed(page) < before[1]


def test_lecture_hides_the_choices(data):
    assert ".st-key-sentence, .st-key-start { display: none" in html_of(
        make_page(lecture="on").run()
    )


def test_the_start_goes_when_it_is_used_and_does_not_meet_a_link(data, monkeypatch):
    for name, value in QUERY.items():  # by default, so that no link names them
        monkeypatch.setitem(SETTINGS, name, replace(SETTINGS[name], default=value))

    def ways(app):
        return [button.label for button in app.button if str(button.key).startswith("start ")]

    plain = AppTest.from_file("../../app.py", default_timeout=600)
    app = plain.run()
    assert ways(app) == ["Take the two-minute tour", "Bring your own text", "Just play"]
    app.button(key="start Take the two-minute tour").click().run()
    assert ways(app) == []
    assert app.selectbox(key="lesson").value == "tags"
    assert ways(make_page().run()) == []


def test_a_link_opens_what_it_names(data):
    app = make_page(sigma2="3.2", cutoff="none", part="test", show="all").run()
    app.button(key="Open the envelope").click().run()
    assert app.select_slider(key="sigma2").value == "3.2"
    view = view_of(app)
    assert view["at"]["sigma2"] == "3.2"
    assert view["at"]["cutoff"] == "none"
    assert view["at"]["show"] == "all"
    assert view["payload"]["part"] == "test"
    assert point_of(app)["new_features"] == 0
    assert [i for i, p in enumerate(view["payload"]["points"]) if "wrong" in p] == [
        view["payload"]["sigma2s"].index("3.2")
    ]
    assert not app.warning


def test_a_crf_is_adapted_in_place_of_a_memm(page):
    memm = point_of(page.run())
    page.segmented_control(key="model").set_value("CRF").run()
    assert not page.exception
    models = page.session_state["last good result"][2].models
    assert [row["kind"] for row in models] == ["1gram", "crf", "crf"]
    assert point_of(page) != memm


def test_a_link_leaves_sentences_out_until_another_domain_is_chosen(data):
    app = make_page(without="0, 3").run()
    session = app.session_state["last good result"][1]
    assert session.dropped == {0, 3}
    assert not warnings_of(app)
    (back,) = [button for button in app.button if button.label == "Put all back"]
    assert not back.click().run().session_state["last good result"][1].dropped
    assert app.text_input(key="without").value == ""
    app.text_input(key="without").set_value("1").run()
    lines = (f"The tower of London has {n} steps and Ann counts them ." for n in range(60))
    paste(app, "\n".join(lines))
    assert app.selectbox(key="domain").value != "tiny-broadcast"
    assert app.text_input(key="without").value == ""


def test_numbers_of_no_sentence_are_said_and_do_not_count(data):
    app = make_page(without="2, 99999999").run()
    for text in ("one", "-1", "1.5", ", ".join(map(str, range(99)))):
        assert not app.error
        assert not app.exception
        assert "allowed are some of the sentences 0 to 41; none is left out" in warnings_of(app)
        assert not app.session_state["last good result"][1].dropped
        app.text_input(key="without").set_value(text).run()


def test_a_bad_link_falls_back_and_says_so_once(data):
    app = make_page(sigma2="abc", cutoff="-1").run()
    assert len(app.warning) == 1
    assert "sigma2=abc" in app.warning[0].value.replace("\\", "")
    assert app.select_slider(key="sigma2").value == "1"
    assert point_of(app)
    app.select_slider(key="sigma2").set_value("10").run()
    assert not app.warning


def test_the_templates_of_a_link_are_what_the_models_read(data):
    app = make_page(templates="currentword t-1 +shape").run()
    assert app.text_input(key="templates").value == "currentword t-1 +shape"
    ask(app, min(words_that_changed(app)))
    rows = view_of(app)["explained"]["why"]["gap"]["rows"]
    assert {row["predicate"].split("=")[0] for row in rows} <= {"currentword", "t-1", "shape"}


def test_a_warning_of_a_link_is_told_until_something_else_is_chosen(data):
    app = make_page(view="Compare", methods=["1-gram", "foo"]).run()
    assert app.pills(key="methods").value == ["1-gram"]
    app.pills(key="methods").set_value(["background"]).run()
    assert not app.warning


def test_text_of_the_user_is_escaped_and_a_message_is_no_markdown():
    assert EVIL not in title_html(EVIL, EVIL, [EVIL])
    text = plain("![x](http://e.org/x.png)\n:red[y] :material/home: `z`")
    assert "\n" not in text
    assert "](" not in text
    assert ":r" not in text
    assert ":m" not in text


def test_templates_that_are_none_leave_the_last_good_result(page):
    page.run()
    page.text_input(key="templates").set_value("ca04 +colour").run()
    assert [error.value.split(":")[0] for error in page.error] == ["templates 'colour'"]
    assert point_of(page)


def test_every_section_is_drawn(page):
    page.run()
    for section in sections_of(TaskName.CASE):
        page.segmented_control(key="section").set_value(section).run()
        assert not page.exception
        assert not page.error


def test_what_is_chosen_in_a_section_is_in_the_link(data):
    app = make_page(section="try a text", **{"try": "anna flew to rome", "sure": "0.5"}).run()
    assert app.text_area(key="try").value == "anna flew to rome"
    assert app.select_slider(key="sure").value == 0.5
    app = make_page(section="how little data", tuned="true").run()
    assert app.toggle(key="tuned").value
    assert not app.warning


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ({"view": "Compare", "methods": ["map", "foo"]}, "methods=foo: allowed are 1-gram, "),
        ({"view": "Papers", "table": "CA04 table 9"}, "table=CA04 table 9: allowed are CA04 tab"),
        ({"section": "try a text", "sure": "2"}, "sure=2: allowed are 0, 0.5, 0.6, 0.7, 0.8, 0.9"),
        ({"section": "how little data", "tuned": "maybe"}, "tuned=maybe: allowed are false, true"),
    ],
)
def test_what_a_link_names_in_vain_is_told(data, query, complaint):
    app = make_page(templates="currentword t-1 shape", **query).run()
    assert not app.exception
    assert complaint in warnings_of(app)
    assert len(app.warning) == 1
    assert complaint in warnings_of(app.run())


def test_a_text_is_not_adapted_to_itself_in_any_view(data):
    app = make_page(background="tiny-broadcast").run()
    for view in ("Compare", "Papers", "Tune"):
        assert not app.exception
        assert len(app.error) == 1
        assert "is the background and the domain; choose two" in app.error[0].value
        app.segmented_control(key="view").set_value(view).run()


def test_own_text_becomes_the_domain_and_a_bad_second_file_leaves_it(page):
    page.run()
    text = "\n".join(f"Doctor Watson met Holmes near Baker Street number {i} ." for i in range(40))
    text = html_of(bring(page, text.encode(), "holmes.txt"))
    assert "adapted to <em>holmes.txt (yours)</em>" in text
    assert "<b>holmes.txt (yours)</b>, 400 words" in text
    assert "240 adapted to, 80 dev, 80 test" in text
    page.run()
    bring(page, b"Doctor Watson met Holmes in New York .\n" * 40, "holmes.txt")
    bring(page, b"", "nothing.txt")
    assert len(page.error) == 1
    assert "<em>holmes.txt (yours)</em>" in html_of(page)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("Paris in June".encode("utf-16"), "UTF-16"),
        (b"One sentence .\n", "5 or more are needed"),
        (b"Zyx Wvut sr\n" * 40, "shares no word"),
    ],
)
def test_a_bad_upload_says_why_and_keeps_the_last_good_result(page, content, complaint):
    good = point_of(page.run())
    bring(page, content)
    assert not page.exception
    assert len(page.error) == 1
    message = page.error[0].value.replace("\\", "")
    assert complaint in message
    assert "\n" not in message
    assert point_of(page) == good


def test_a_fault_of_ours_is_one_plain_line(page, monkeypatch, caplog):
    page.run()
    monkeypatch.setattr(tune_page, "make_view", lambda *_, **__: 1 / 0)
    page.run()
    assert not page.exception
    assert [error.value for error in page.error] == [
        "Something went wrong inside the workbench; the terminal it runs in has the details."
    ]
    assert "ZeroDivisionError" in caplog.text


def test_a_run_that_meets_the_last_one_is_repeated(page, monkeypatch, caplog):
    """Seen once on a busy machine: the state of a page changed while a run read it."""
    whole, runs = SessionState.filtered_state.fget, []

    def change(state):
        runs.append(len(runs))
        if runs == [0]:
            raise RuntimeError("dictionary changed size during iteration")
        return whole(state)

    monkeypatch.setattr(SessionState, "filtered_state", property(change))
    page.run()
    assert len(runs) > 1
    assert not page.error
    assert "a view failed" not in caplog.text
    assert view_of(page)


def test_missing_data_folder_is_one_line(data, monkeypatch):
    import streamlit

    streamlit.cache_data.clear()
    monkeypatch.setenv("WORKBENCH_DATA", "/no/such/folder")
    app = AppTest.from_file("../../app.py", default_timeout=600).run()
    assert len(app.error) == 1
    assert "no such folder" in app.error[0].value
    streamlit.cache_data.clear()
