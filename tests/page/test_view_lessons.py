"""Lessons: every step says, sets and reveals what its session gives, and no more."""

import re
from html import escape
from itertools import pairwise
from string import Formatter

import pytest
import streamlit as st
from pages import html_of, make_page, said, view_of, warnings_of

from workbench.experiments.envelope import Envelope
from workbench.experiments.lessons import figures as lesson_figures
from workbench.experiments.lessons import little_text, texts
from workbench.experiments.lessons.fits import LessonFits
from workbench.experiments.lessons.steps import all_lessons, fill_lesson
from workbench.experiments.lessons.teachers_sheet import teachers_sheet
from workbench.settings import LESSON_STEPS, LESSONS, SETTINGS, SIGMA2_GRID
from workbench.views import controls

RINGS = {"tags", "slider", "cutoff", "curve", "cards", "text", "grid", "because", ""}
FIGURES = {
    "", "pull", "pulls", "slopes", "new", "halves", "half", "trade", "other", "sentence", "little",
    "alone", "gaps", "amounts", "sealed", "changed",
}  # fmt: skip
SOLVED = "goal_best"  # of the tiny texts any σ² solves this task


@pytest.fixture(autouse=True)
def half_is_little(monkeypatch):
    """Half of the tiny text is enough to ask how little is, as a tenth is of others."""
    monkeypatch.setitem(little_text._PARTS, "tenth", 2)
    monkeypatch.setattr(little_text, "_LEAST", 1)


def lesson_of(app):
    """The lesson as the page has opened it: its steps, and the figures of the session."""
    figures = app.session_state["lesson figures"]
    lesson = all_lessons()[app.selectbox(key="lesson").value]
    return lesson.fit_to(figures), figures


def setting_of(app, name):
    widgets = (*app.select_slider, *app.selectbox, *app.text_input, *app.segmented_control)
    return next(widget.value for widget in widgets if widget.key == name)


def answers_of(app):
    return [
        b for b in app.button
        if b.key and b.key.startswith("lesson answer") and not b.disabled
    ]  # fmt: skip


@pytest.mark.parametrize("lesson", all_lessons().values(), ids=list(all_lessons()))
def test_steps_set_what_is_a_setting_and_ring_what_there_is(lesson):
    for step in lesson.steps:
        assert step.ring in RINGS
        assert {*step.sets, *step.then} <= set(SETTINGS)
        assert "sigma2" in step.sets  # so that each step can be opened by itself
        assert bool(step.ask) == bool(step.reveal)
        assert step.ask or not (step.answers or step.goal)
        assert bool(step.answers) == bool(step.truth)
        assert len(step.would) in (0, len(step.answers))
        assert not (step.answers and step.goal)
        assert not step.goal or step.needs == step.goal  # where the start solves it, it is no task
        assert bool(step.equation) == bool(step.line) == bool(step.source)
        assert step.needs or step.opens or not step.instead
        assert step.veil in ("", "curve", "counts", "dev", "effects")
        assert step.beside in FIGURES
        assert step.veil_then in ("", step.veil, "dev", "curve", "counts")
        told = {name for _, name, _, _ in Formatter().parse(step.text) if name}
        assert not (step.ring and told and all(name.startswith("paper") for name in told))
        assert step.veil in ("", "effects") or step.ring != "curve"  # a ring around nothing
        sentences = re.findall(r"[.:?](?= [A-Z]|$)", step.text)
        assert 1 <= len(sentences) <= 3


@pytest.mark.parametrize("lesson", all_lessons().values(), ids=list(all_lessons()))
def test_no_answer_shows_what_the_next_question_is_about(lesson):
    for step, after in pairwise(lesson.steps):
        assert step.veil_then or not (step.ask and after.ask and after.veil)


@pytest.mark.parametrize("name", all_lessons())
def test_a_lesson_that_is_walked_says_sets_asks_and_reveals(data, name):
    app = make_page(lesson=name).run()
    assert not app.error
    steps, figures = lesson_of(app)
    assert steps == tuple(step for step in all_lessons()[name].steps if step.needs != SOLVED)
    for number, step in enumerate(steps, 1):
        assert not app.exception
        assert setting_of(app, "step") == str(number)
        assert escaped(step.text, figures) in html_of(app)
        assert f"step {number} of {len(steps)}" in html_of(app)
        assert [element.value for element in app.latex] == (
            [f"$$\n{step.equation}\n$$"] if step.equation else []
        )
        for setting, text in step.settings(figures, False).items():
            assert setting_of(app, setting) == text
        assert view_of(app)["ring"] == step.ring
        told = view_of(app)["lesson"]
        assert (told["asks"], told["path"]) == (bool(step.ask and not step.goal), step.path)
        assert says_hidden(app) == bool(step.veil)
        if step.answers:
            right = step.right(figures)
            reveals(app, step, figures, (right + 1) % len(step.answers))
        elif step.goal:
            finds(app, step, figures)
        elif step.ask:
            reveals(app, step, figures, None)
        if number < len(steps):
            app.button(key="lesson next").click().run()


def test_an_answer_is_right_or_wrong_and_one_that_was_only_shown_does_not_count(data):
    app = make_page(lesson="leash", step="3").run()
    steps, figures = lesson_of(app)
    for place in (steps[2].right(figures), None):
        reveals(app, steps[2], figures, place)
        forget_answers(app)


def reveals(app, step, figures, place):
    """Check a question: its answer is hidden until one is given; then controls move, too."""
    given = score_of(app)
    assert revealed(step, figures) not in html_of(app)
    assert view_of(app)["lesson"]["veil"] == step.veil
    assert view_of(app)["lesson"]["asks"]
    assert len(answers_of(app)) == len(step.answers)
    number = setting_of(app, "step")
    assert app.button(key="lesson next").label == "Show answer"
    answer = "next" if place is None else f"answer {place + 1}"
    app.button(key=f"lesson {answer}").click().run()
    assert setting_of(app, "step") == number
    assert revealed(step, figures) in html_of(app)
    right = step.right(figures) if step.answers else None
    is_shown = place is None
    is_right, is_wrong = not is_shown and place == right, not is_shown and place != right
    assert ("That is right." in html_of(app)) == is_right
    assert score_of(app) == (given[0] + is_right, given[1] + (not is_shown))
    marks = [b.label[:2] for b in app.button if b.key and b.key.startswith("lesson answer")]
    assert [i for i, mark in enumerate(marks) if mark == "\u2713 "] == [right] * bool(step.answers)
    assert [i for i, mark in enumerate(marks) if mark == "\u2717 "] == [place] * is_wrong
    if step.answers:
        says = f"The right answer is: “{escaped(step.answers[right], figures)}”."
        assert (says in html_of(app)) != is_right
    for other, text in enumerate(step.would):
        assert (escaped(text, figures) in html_of(app)) == (is_wrong and other == place)
    assert view_of(app)["lesson"]["veil"] == step.veil_then
    assert says_hidden(app) == bool(step.veil_then)
    for setting, text in step.settings(figures, True).items():
        assert setting_of(app, setting) == text


def score_of(app):
    """Return how many answers are right, and of how many."""
    found = re.search(r" · (\d+) right of (\d+) answered</p>", html_of(app))
    return tuple(map(int, found.groups())) if found else (0, 0)


def finds(app, step, figures):
    """Nothing is told until σ² solves the task, which moves nothing; or the answer is shown."""
    solutions, start = step.solutions(figures), setting_of(app, "sigma2")
    n_right, n_answered = score_of(app)
    others = [value for value in map(SETTINGS["sigma2"].text, SIGMA2_GRID)
              if value not in (*solutions, start)]  # fmt: skip
    for value in (others[0], solutions[-1]):
        assert revealed(step, figures) not in html_of(app)
        assert view_of(app)["lesson"]["veil"] == step.veil
        app.select_slider(key="sigma2").set_value(value).run()
        assert revealed(step, figures) not in html_of(app)  # until it is chosen
        assert escaped(step.hint(figures, value), figures) not in html_of(app)
        app.button(key="lesson try").click().run()
        assert setting_of(app, "sigma2") == value
        is_solved = value in solutions
        assert (escaped(step.hint(figures, value), figures) in html_of(app)) != is_solved
    assert "✓ Found." in html_of(app)
    assert score_of(app) == (n_right + 1, n_answered + 1)
    assert revealed(step, figures) in html_of(app)
    assert view_of(app)["lesson"]["veil"] == step.veil_then
    app.select_slider(key="sigma2").set_value(others[0]).run()  # it stays found
    assert setting_of(app, "sigma2") == others[0]
    forget_answers(app)
    assert setting_of(app, "sigma2") == start not in solutions
    app.button(key="lesson next").click().run()  # "Show answer"
    assert revealed(step, figures) in html_of(app)
    assert "Found." not in html_of(app)
    assert setting_of(app, "sigma2") in solutions


def says_hidden(app):
    """Whether the section below the text is hidden; its table would answer the question."""
    says = "Hidden while it would tell what the lesson asks." in said(*app.caption)
    assert not (says and app.dataframe)
    return says


def escaped(text, figures):
    return escape(text.format_map(figures))


def revealed(step, figures):
    """What is said after an answer, the first sentence in bold."""
    first, dot, rest = escaped(step.reveal, figures).partition(". ")
    return f"<b>{first}{dot}</b>{rest}"


def forget_answers(app):
    app.session_state["lesson answers"].clear()
    app.run()


def test_lessons_are_opened_from_any_view_walked_and_ended_by_buttons(data):
    app = make_page(view="Papers").run()
    assert app.button(key="lesson leash").label == "The prior is a leash · 5 min"
    assert app.button(key="lesson tags").label.startswith("A tour of the page")
    assert app.button(key="lesson tags").label.endswith(" · 2 min")  # as the start says
    assert app.segmented_control(key="view").value == "Papers"
    app.button(key="lesson leash").click().run()
    assert view_of(app)["ring"] == "slider"
    for number in (2, 3, 3, 4):  # a question is answered first
        app.button(key="lesson next").click().run()
        assert setting_of(app, "step") == str(number)
    app.button(key="lesson back").click().run()
    assert setting_of(app, "step") == "3"
    assert app.button(key="lesson next").label == "Next"  # its answer is kept
    app.selectbox(key="lesson").set_value("cutoff").run()
    app.selectbox(key="step").set_value("1").run()
    app.button(key="lesson back").click().run()  # to the last step of the one before
    assert setting_of(app, "lesson") == "leash"
    assert app.button(key="lesson next").label == "Next: Does the cut-off matter?"
    app.button(key="lesson next").click().run()
    assert (setting_of(app, "lesson"), setting_of(app, "step")) == ("cutoff", "1")
    app.button(key="lesson leash").click().run()  # anew
    for label in ("Next", "Next", "Show answer"):
        assert app.button(key="lesson next").label == label
        app.button(key="lesson next").click().run()
    assert make_page(lesson="tags").run().button(key="lesson back").disabled
    end = make_page(lesson="summary", step="3", lecture="on").run()
    assert end.button(key="lesson next").label == "End: bring your own text"
    assert not end.button(key="lesson next").proto.shortcut  # no key leaves the stage like this
    assert app.button(key="lesson next").proto.shortcut
    end.button(key="lesson next").click().run()
    assert setting_of(end, "lesson") == "none"
    assert end.button(key="close own texts")
    assert setting_of(end, "lecture") == ""
    app.button(key="lesson end").click().run()
    assert view_of(app)["lesson"] is None
    assert setting_of(app, "lesson") == "none"


def test_the_summary_has_a_line_for_each_claim_and_the_score_of_all_lessons(data):
    app = make_page(lesson="leash", step="3").run()
    figures = app.session_state["lesson figures"]
    truth = all_lessons()["leash"].steps[2].truth
    app.button(key=f"lesson answer {figures[truth]}").click().run()
    app.button(key="lesson summary").click().run()
    _, first, second = lesson_of(app)[0]
    app.button(key="lesson next").click().run()
    app.button(key="lesson next").click().run()  # the first showed the answer
    told = first.say_points(figures)
    assert f" {figures['n_changed_loose']} at 100;" in next(iter(told.values()))
    for step in (first, second):
        for claim, text in step.say_points(figures).items():
            assert f"<li><b>{claim}</b> {escape(text)}</li>" in html_of(app)
        assert " \u00b7 1 right of 1 answered</p>" in html_of(app)
        app.button(key="lesson next").click().run()


def test_the_summary_leaves_out_what_the_texts_lack():
    _, first, second = all_lessons()["summary"].steps
    for step, name in ((first, "pull_claim"), (second, "halves_own")):
        figures = dict.fromkeys(step.names, "1")
        assert step.say_points(figures).keys() == step.points.keys()
        assert len(step.say_points(figures | {name: ""})) == len(step.points) - 1


def test_of_another_model_nothing_is_answered_so_far(data):
    app = make_page(lesson="leash", step="3").run()
    app.button(key="lesson answer 1").click().run()
    assert not answers_of(app)
    app.text_input(key="templates").set_value("currentword").run()
    assert len(answers_of(app)) == 3


def test_a_lesson_that_is_ended_leaves_no_word_and_no_choice_of_words(data):
    app = make_page(lesson="sentence", step="1").run()
    assert setting_of(app, "word")
    app.button(key="lesson end").click().run()
    names = ("show", "word", "pair", "slice")
    assert [setting_of(app, name) for name in names] == ["changed", "", "", ""]


def test_of_texts_too_small_for_a_lesson_its_first_step_warns_and_offers_others(data, monkeypatch):
    chosen, put = [], controls.put

    def note(texts):  # and do not open them, which would take long
        chosen.append(texts) if "domain" in texts else put(texts)

    monkeypatch.setattr(texts, "ENOUGH", 100)
    made_anew = lesson_figures.LessonFigures
    monkeypatch.setattr(made_anew, "of", made_anew)  # not those that are kept
    app = make_page(lesson="leash").run()
    monkeypatch.setattr(controls, "put", note)
    assert "too few to tell settings apart" in html_of(app)
    app.button(key="lesson next").click().run()
    assert "too few to tell settings apart" not in html_of(app)
    app.button(key="lesson back").click().run()
    app.button(key="lesson texts").click().run()
    assert chosen == [{name: SETTINGS[name].default for name in ("background", "domain")}]


def test_the_answer_about_a_sentence_shows_the_model_without_it_and_the_next_step_with_it(data):
    app = make_page(lesson="sentence", step="2").run()
    _, figures = lesson_of(app)
    whole = app.session_state["last good result"][1]
    answers_of(app)[0].click().run()
    fewer = app.session_state["last good result"][1]
    assert fewer.dropped == {int(figures["hung_number"])}
    assert lesson_of(app)[1] is figures
    assert figures["hung_without"].startswith(("still right", "wrong again"))
    app.button(key="lesson next").click().run()
    assert app.session_state["last good result"][1] is whole


def test_the_answer_about_test_opens_its_envelope_and_neither_question_nor_file_does(
    data, tmp_path, monkeypatch, fresh_session
):
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    monkeypatch.setattr(lesson_figures.LessonFigures, "of", lesson_figures.LessonFigures)
    change = {"relative_change": -0.3, "interval": [-0.5, -0.1]}  # of so little text it has none
    monkeypatch.setattr(LessonFits, "change", lambda fits, part: change)
    (n,) = (n for n, step in enumerate(all_lessons()["choice"].steps, 1) if step.opens)
    told = fill_lesson("choice", fresh_session)["steps"][n - 1]["text"]
    assert "The workbench keeps it sealed" in told
    assert "The workbench keeps it sealed" in teachers_sheet(fresh_session, {}, None)
    app = make_page(lesson="choice", step=str(n)).run()
    envelope = Envelope.of(app.session_state["last good result"][1])
    assert envelope.looks == []
    answers_of(app)[0].click().run()
    assert len(envelope.looks) == 1
    assert "Test was opened once on this server." in html_of(app)


def test_the_stage_counts_what_a_class_answered_when_the_answer_is_shown(data, monkeypatch):
    pupils = [make_page(lesson="leash", step="3").run() for _ in range(3)]
    lesson_of(pupils[0])[1]._answers.clear()  # of other tests
    for pupil, place in zip(pupils, (0, 1, 1), strict=True):
        answers_of(pupil)[place].click().run()
    assert " of 3" not in " ".join(button.label for button in pupil.button)
    stage = make_page(lesson="leash", step="3", lecture="on").run()
    assert " of 3" not in " ".join(button.label for button in stage.button)
    stage.button(key="lesson next").click().run()  # "Show answer", which is no answer
    labels = [b.label for b in stage.button if b.key and b.key.startswith("lesson answer")]
    assert [label.rpartition(" · ")[2] for label in labels] == [
        f"{n} of 3 votes" for n in (1, 2, 0)
    ]
    assert " join at " not in html_of(stage)  # this computer alone could
    monkeypatch.setattr(type(st.context), "url", "http://desk.local:8501")
    texts = f"background={setting_of(stage, 'background')}&domain={setting_of(stage, 'domain')}"
    joins = escape(f" · join at desk.local:8501/?{texts}&lesson=leash")
    assert joins in html_of(stage.run())
    assert " join at " not in html_of(pupils[0].run())
    monkeypatch.setattr(lesson_figures, "_HOUR", 0)  # those of an earlier class no longer count
    stage.run()
    labels = [b.label for b in stage.button if b.key and b.key.startswith("lesson answer")]
    assert " of 3" not in " ".join(labels)


def test_sliders_and_links_move_a_step_but_no_question_and_the_part_is_dev(data):
    app = make_page(lesson="leash", part="test").run()
    assert view_of(app)["payload"]["part"] == "dev"
    app.select_slider(key="sigma2").set_value("10").run()
    assert view_of(app)["at"]["sigma2"] == "10"
    app.button(key="lesson next").click().run()
    assert view_of(app)["at"]["sigma2"] == "1"
    app = make_page(lesson="leash", step="2", sigma2="10", cutoff="5").run()
    assert (view_of(app)["at"]["sigma2"], view_of(app)["at"]["cutoff"]) == ("10", "5")
    app = make_page(lesson="leash", step="3", sigma2="0.01").run()
    assert view_of(app)["at"]["sigma2"] == "1"


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        (
            {"lesson": "latin"},
            "lesson=latin: allowed are none, tags, leash, cutoff, overfitting, choice, transfer, "
            "little, …; none is used instead",
        ),
        (
            {"lesson": "leash", "step": "11"},
            "step=11: allowed are 1, 2, 3, 4, 5, 6, 7, 8, …; 1 is used instead",
        ),
        ({"lesson": "cutoff", "step": "6"}, "step=6: the lesson has 5; the last is shown"),
        ({"lecture": "true"}, "lecture=true: allowed are on; it is left out"),
    ],
)
def test_a_lesson_or_step_that_is_none_says_so(data, query, complaint):
    app = make_page(**query).run()
    assert not app.exception
    assert complaint in warnings_of(app)
    assert not view_of(app)["corrected"]  # of what the page writes into the address, nothing


def test_no_result_is_written_into_a_lesson():
    texts = [text for lesson in all_lessons().values() for step in lesson.steps
             for text in (step.text, step.reveal, step.instead)]  # fmt: skip
    assert [text for text in texts if re.search(r"\d[.,]?\d* ?%|\d{3}", text)] == [
        text for text in texts if "σ²\u00a0=\u00a0100" in text
    ]


def test_the_table_of_settings_knows_the_lessons():
    assert tuple(all_lessons()) == LESSONS
    assert {len(lesson.steps) for lesson in all_lessons().values()} <= set(LESSON_STEPS)


def test_a_step_that_is_told_otherwise_asks_nothing():
    (told,) = [
        step for step in all_lessons()["transfer"].fit_to(NOTHING)
        if "no broken word" in step.text
    ]  # fmt: skip
    assert not told.ask
    assert told.ring == "text"


NOTHING = dict.fromkeys(
    (
        "sample",
        "fixed_link",
        "broken_link",
        "n_broken_read",
        "hung_link",
        "hung_drawn",
        "little_words",
        "halves_own",
        "goal_best",
        "goal_mild",
        "pull_answer",
        "change_interval",
    ),
    "",
)


# How many steps are left out where there is nothing that they speak of.
LEFT_OUT = {
    "tags": 0, "leash": 3, "choice": 1, "transfer": 2, "sentence": 3, "overfitting": 1,
    "little": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT_OUT)
def test_without_what_it_speaks_of_a_lesson_is_told_otherwise(name):
    lesson = all_lessons()[name]
    steps = lesson.fit_to(NOTHING)
    assert len(steps) == len(lesson.steps) - LEFT_OUT[name]
    assert not any(step.needs for step in steps)
    gone = "fixed_", "broken_", "hung_", "halves_", "goal_", "little_"
    told = {name for step in steps for name in step.names} - {"halves_drawn"}  # never empty
    assert not [name for name in told if name.startswith(gone)]
    assert not any(step.sets.get("word") for step in steps)
