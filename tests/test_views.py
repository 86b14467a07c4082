"""The page as Streamlit's own tester sees it: what is said, not only that it runs."""

import pytest
from pages import html_of, make_page, point_of, view_of
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from workbench.learning.solvers.fit import Step
from workbench.models.kinds import load_model
from workbench.settings import SECTIONS
from workbench.views import progress
from workbench.views.error_messages import plain
from workbench.views.headings import title_html
from workbench.views.sections import file_section
from workbench.views.tune import tune_page

EVIL = '<img src="http://example.org/x.png" onerror="alert(1)">'


@pytest.fixture
def page(data):
    """The page of the tiny data sets, not yet run."""
    return make_page()


def words_that_changed(app):
    """Position of each word that the adapted model tags otherwise than the background."""
    view = view_of(app)
    i = view["payload"]["sigma2s"].index(view["at"]["sigma2"])
    return {
        word["position"]
        for word in view["payload"]["words"]
        if ord(word["path"][i]) - 48 != word["background"]
    }


def test_page_shows_three_models_and_the_words(page):
    page.run()
    assert not page.exception
    assert not page.error
    assert "<em>tiny-news</em> adapted to <em>tiny-broadcast</em>" in html_of(page)
    view = view_of(page)
    assert [model["name"] for model in view["payload"]["models"]] == ["1-gram", "background"]
    assert point_of(page)["name"] == "adapted"
    assert "is adapted with" in view["intro"]
    assert [tag for tag, _ in view["tagNames"]] == ["LOC", "CAP", "MXC", "AUC", "PNC"]
    assert words_that_changed(page)


def test_curve_is_complete_when_the_page_rests(page):
    page.run()
    session = page.session_state["last good result"][1]
    assert session.missing(0) == []
    assert None not in view_of(page)["payload"]["points"]
    assert view_of(page)["status"] == ""


def test_sigma2_moves_errors_and_words(page):
    page.run()
    before = point_of(page), words_that_changed(page)
    page.select_slider(key="sigma2").set_value("0.01").run()
    assert point_of(page)["wrong"] != before[0]["wrong"]
    assert words_that_changed(page) < before[1]


def test_what_the_scrubber_shows_is_what_the_session_says(page):
    *_, snapshot = page.run().session_state["last good result"]
    row = snapshot.models[-1]
    assert point_of(page)["wrong"] == row["wrong"]
    assert point_of(page)["interval"] == row["versus"]["interval"]
    changed = snapshot.diff["tag_before"] != snapshot.diff["tag_after"]
    assert words_that_changed(page) == set(snapshot.diff["position"][changed])


def test_a_link_opens_what_it_names(data):
    app = make_page(sigma2="3.2", cutoff="none", part="test", show="all").run()
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


def test_a_bad_link_falls_back_and_says_so_once(data):
    app = make_page(sigma2="abc", cutoff="-1").run()
    assert len(app.warning) == 1
    assert "sigma2=abc" in app.warning[0].value.replace("\\", "")
    assert app.select_slider(key="sigma2").value == "1"
    assert point_of(app)
    app.select_slider(key="sigma2").set_value("10").run()
    assert not app.warning


def ask(app, position):
    """The page with the answer about a word."""
    corpus = app.session_state["last good result"][1].corpora["dev"]
    form = corpus.forms[corpus.form_ids[position]]
    return app.text_input(key="word").set_value(f"{form} · {position}").run()


def test_the_templates_of_a_link_are_what_the_models_read(data):
    app = make_page(templates="currentword t-1 +shape").run()
    assert app.text_input(key="templates").value == "currentword t-1 +shape"
    ask(app, min(words_that_changed(app)))
    rows = view_of(app)["explained"]["why"]["gap"]["rows"]
    assert {row["predicate"].split("=")[0] for row in rows} <= {"currentword", "t-1", "shape"}


def test_templates_that_are_none_leave_the_last_good_result(page):
    page.run()
    page.text_input(key="templates").set_value("ca04 +colour").run()
    assert [error.value.split(":")[0] for error in page.error] == ["templates 'colour'"]
    assert point_of(page)


def test_words_can_be_filtered_and_tabulated(page):
    page.run()
    page.selectbox(key="show").set_value("fixed").run()
    table = page.dataframe[0].value
    assert set(table["status"]) == {"fixed"}
    assert (table["after"] == table["gold"]).all()
    pair = f"{table['gold_tag'].iloc[0]}>{table['tag_after'].iloc[0]}"
    page.text_input(key="pair").set_value(pair).run()
    assert set(page.dataframe[0].value["gold_tag"]) == {pair.split(">")[0]}


def test_a_slice_filters_text_and_table_and_one_that_is_none_says_so(page):
    page.run()
    page.text_input(key="slice").set_value("reference tag: CAP").run()
    corpus = page.session_state["last good result"][1].corpora["dev"]
    caps = [i for i, tag in enumerate(corpus.tags) if corpus.tag_names[tag] == "CAP"]
    assert view_of(page)["only"] == caps
    assert set(page.dataframe[0].value["gold_tag"]) == {"CAP"}
    page.text_input(key="slice").set_value("colour: red").run()
    assert len(page.error) == 1
    assert "slice colour red:\u200b there is none" in page.error[0].value.replace("\\", "")
    assert point_of(page)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_is_drawn(data, section):
    app = make_page(section=section).run()
    assert not app.exception
    assert not app.error


def test_a_weight_filters_the_words_that_it_changed(data):
    app = make_page(section="weights").run()
    table = app.dataframe[0].value
    first = table[table["helped"] > 0].iloc[0]
    app.text_input(key="slice").set_value(f"weight: {first['predicate']} > {first['tag']}").run()
    assert len(view_of(app)["only"]) == first["helped"]


def test_a_word_is_explained_by_its_predicates(page):
    position = min(words_that_changed(page.run()))
    explained = view_of(ask(page, position))["explained"]
    assert explained["why"]["position"] == position
    gap = explained["why"]["gap"]
    for side in ("background", "adapted"):
        assert sum(row[side] for row in gap["rows"]) == pytest.approx(gap[side])
    assert len(explained["path"]["sigma2s"]) == 25
    assert explained["because"]["pushed"] or explained["because"]["resisted"]


def test_the_word_stays_while_sigma2_moves(page):
    position = min(words_that_changed(page.run()))
    ask(page, position)
    page.select_slider(key="sigma2").set_value("0.01").run()
    assert view_of(page)["at"]["word"] == position


def test_a_link_names_the_word_too(page, data):
    position = min(words_that_changed(page.run()))
    app = make_page(word=ask(page, position).text_input(key="word").value).run()
    assert view_of(app)["at"]["word"] == position
    app = make_page(word="nonsense · 3").run()
    assert view_of(app)["at"]["word"] is None
    assert "word=nonsense · 3: " in warnings_of(app)


def test_a_pinned_state_is_compared_with(page):
    page.run()
    page.text_input(key="pin").set_value("0.01, none").run()
    pinned = view_of(page)["pinned"]
    session = page.session_state["last good result"][1]
    fit = session.tuning(None).at(0.01)
    assert pinned["wrong"] == fit.wrong["dev"]
    gold = session.corpora["dev"].tags
    assert pinned["tags"] == {
        str(i): int(tag) for i, tag in enumerate(fit.tags["dev"]) if tag != gold[i]
    }


def test_a_pin_that_is_none_says_so(data):
    app = make_page(pin="nowhere").run()
    assert len(app.error) == 1
    assert "pin=nowhere" in app.error[0].value.replace("\\", "")
    assert view_of(app)["pinned"] is None


def test_lecture_hides_the_sidebar(data):
    assert "stSidebar] { display: none" in html_of(make_page(lecture="on").run())


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ({"view": "Compare", "compare": "foo"}, "compare=foo: allowed are methods, templates; "),
        ({"view": "Compare", "methods": ["map", "foo"]}, "methods=foo: allowed are 1-gram, "),
        ({"view": "Compare", "methods": "foo"}, "methods=foo: allowed are 1-gram, "),
        ({"view": "Compare", "compare": "templates", "each": "<b>"}, "each=<b>: allowed are with"),
        ({"view": "Papers", "table": "CA04 table 9"}, "table=CA04 table 9: allowed are CA04 tab"),
    ],
)
def test_what_a_link_names_in_vain_is_told(data, query, complaint):
    app = make_page(templates="currentword t-1 shape", **query).run()
    assert not app.exception
    assert complaint in warnings_of(app)
    assert len(app.warning) == 1
    assert complaint in warnings_of(app.run())


def test_it_is_told_until_something_else_is_chosen(data):
    app = make_page(view="Compare", methods=["1-gram", "foo"]).run()
    assert app.pills(key="methods").value == ["1-gram"]
    app.pills(key="methods").set_value(["background"]).run()
    assert not app.warning


@pytest.mark.parametrize("view", ["Tune", "Compare", "Papers"])
def test_a_text_is_not_adapted_to_itself(data, view):
    app = make_page(view=view, background="tiny-broadcast").run()
    assert not app.exception
    assert len(app.error) == 1
    assert "is the background and the domain; choose two" in app.error[0].value


def warnings_of(app):
    return "".join(warning.value for warning in app.warning).replace("\\", "").replace("\u200b", "")


def test_the_model_file_tags_as_the_page_did(page, tmp_path):
    _, session, snapshot = page.run().session_state["last good result"]
    path = tmp_path / "adapted.model"
    path.write_bytes(file_section.model_file(snapshot.tuned.model))
    tags = load_model(path).tag(session.corpora["dev"])
    assert tags.tolist() == snapshot.tuned.tags["dev"].tolist()


def test_a_slow_fit_says_what_it_is_busy_with(monkeypatch):
    clock, lines, yields = [0.0], [], []
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(progress, "yield_run", lambda: yields.append(1))
    line = progress.Progress(_Place(lines))
    line.begin("training σ² = 3, cut-off 5")
    for iteration in range(10):
        clock[0] = iteration / 20
        line.on_step(Step(iteration, -1.0, 0.0, 0.0, clock[0]))
    assert len(yields) == 10  # each step lets a newer run take over
    assert [text.split(": ")[-1] for text in lines] == ["step 7 …</p>", "step 9 …</p>"]
    assert "training σ² = 3, cut-off 5" in lines[0]


@pytest.fixture
def line(monkeypatch):
    """A line of progress without patience, and what its place was given."""
    for name in ("_PATIENCE", "_PAUSE"):
        monkeypatch.setattr(progress, name, -1.0)
    monkeypatch.setattr(progress, "yield_run", lambda: None)
    lines = []
    return progress.Progress(_Place(lines)), lines


def test_a_line_is_gone_when_its_work_is_done(line):
    with line[0] as shown:
        shown.begin("reading")
        shown.on_build(0, 1, "0 words read")
    assert "preparing text, 0 of 1 files" in line[1][0]
    assert line[1][1:] == [""]


def test_a_line_is_gone_when_its_work_fails(line):
    line[0].on_build(0, 1, "")
    with pytest.raises(ValueError, match="on purpose"), line[0]:
        raise ValueError("on purpose")
    assert line[1][-1] == ""


def test_a_line_stays_when_streamlit_halts_the_run(line):
    """It could not be sent anyway; the style sheet says of what is left that it was stopped."""
    line[0].on_build(0, 1, "")
    with pytest.raises(StopException), line[0]:
        raise StopException
    assert len(line[1]) == 1


def test_a_next_task_takes_the_place_of_the_line(line):
    shown, lines = line
    shown.begin("reading")
    shown.on_build(0, 1, "")
    shown.begin("training")
    assert "training …" in lines[-1]


def test_what_is_said_stays(line):
    with line[0] as shown:
        shown.on_build(0, 1, "")
        shown.say("settled")
    assert line[1][-1] == "stays: settled"


def test_who_waits_for_another_visitor_reads_so(line):
    shown, lines = line
    shown.begin("training the background model on <b>news</b>")
    shown.on_wait()
    expected = (
        "waiting: another visitor is training the background model on &lt;b&gt;news&lt;/b&gt; …"
    )
    assert expected in lines[-1]


def test_a_bar_counts_what_is_done_and_is_emptied(monkeypatch):
    monkeypatch.setattr(progress, "yield_run", lambda: None)
    lines = []
    with progress.ProgressBar(_Place(lines), 5, "methods", 2) as bar:
        bar.on_name("map")
        bar.on_try({"sigma2": 0.3})
    assert "2 of 5 methods done · map …" in lines[0]
    assert 'value="2" max="5"' in lines[0]
    assert "map, try 1: sigma2 0.3 …" in lines[1]
    assert lines[2:] == [""]


class _Place:
    def __init__(self, lines):
        self.lines = lines

    def html(self, text):
        self.lines.append(text)

    def caption(self, text):
        self.lines.append(f"stays: {text}")

    def empty(self):
        self.lines.append("")


def upload(app, data, name="mine.txt"):
    app.get("file_uploader")[0].upload(name, data, "text/plain")
    return app.run()


def test_own_text_becomes_the_domain(page):
    page.run()
    text = "\n".join(f"Doctor Watson met Holmes near Baker Street number {i} ." for i in range(40))
    text = html_of(upload(page, text.encode(), "holmes.txt"))
    assert "adapted to <em>holmes.txt (yours)</em>" in text
    assert "holmes.txt (yours), 400 words" in text
    assert "with 240 words of holmes.txt" in view_of(page)["intro"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "empty file"),
        ("Café in Paris".encode("latin-1"), "not UTF-8"),
        ("Paris in June".encode("utf-16"), "UTF-16"),
        (b"\0\1\2", "binary file"),
        (b"all lower case here .\n" * 20, "no capital letter"),
        (b"ALL OF IT IS LOUD\n" * 20, "ALL CAPS"),
        (b"One sentence .\n", "5 or more are needed"),
        (b"Zyx Wvut sr\n" * 40, "shares no word"),
    ],
)
def test_a_bad_upload_says_why_and_keeps_the_last_good_result(page, content, complaint):
    good = point_of(page.run())
    upload(page, content)
    assert not page.exception
    assert len(page.error) == 1
    message = page.error[0].value.replace("\\", "")
    assert complaint in message
    assert "\n" not in message
    assert point_of(page) == good


def test_a_bad_second_file_leaves_the_first(page):
    page.run()
    upload(page, b"Doctor Watson met Holmes in New York .\n" * 40, "holmes.txt")
    upload(page, b"", "nothing.txt")
    assert len(page.error) == 1
    assert "<em>holmes.txt (yours)</em>" in html_of(page)


def test_a_fault_of_ours_is_one_plain_line(page, monkeypatch, caplog):
    page.run()
    monkeypatch.setattr(tune_page, "make_view", lambda *_, **__: 1 / 0)
    page.run()
    assert not page.exception
    assert [error.value for error in page.error] == [
        "Something went wrong inside the workbench; the terminal it runs in has the details."
    ]
    assert "ZeroDivisionError" in caplog.text


def test_missing_data_folder_is_one_line(data, monkeypatch):
    import streamlit

    streamlit.cache_data.clear()
    monkeypatch.setenv("WORKBENCH_DATA", "/no/such/folder")
    app = AppTest.from_file("../app.py", default_timeout=60).run()
    assert len(app.error) == 1
    assert "no such folder" in app.error[0].value
    streamlit.cache_data.clear()


def test_text_of_the_user_is_escaped():
    assert EVIL not in title_html(EVIL, EVIL, [EVIL])


def test_a_message_is_no_markdown():
    text = plain("![x](http://e.org/x.png)\n:red[y] :material/home: `z`")
    assert "\n" not in text
    assert "](" not in text
    assert ":r" not in text
    assert ":m" not in text
