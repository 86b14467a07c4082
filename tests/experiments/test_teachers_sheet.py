"""The teacher's sheet against the lessons that it is made of, read as a browser reads it."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from workbench.experiments.lessons.figures import LessonFigures
from workbench.experiments.lessons.steps import all_lessons
from workbench.experiments.lessons.teachers_sheet import teachers_sheet
from workbench.settings import SIGMA2_GRID


class Sheet(HTMLParser):
    """Texts by the element that they stand in; an end without a beginning is a fault."""

    def __init__(self, page):
        super().__init__()
        self.open, self.texts, self.links = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.texts.append(("/".join(self.open), data.strip()))


@pytest.fixture(scope="module")
def figures(tiny_session):
    return LessonFigures(tiny_session)


@pytest.fixture(scope="module")
def sheet(tiny_session):
    return Sheet(teachers_sheet(tiny_session, {"domain": "tiny & small"}, "http://here/"))


@pytest.fixture(scope="module")
def texts(sheet):
    return sheet.texts


def test_every_lesson_has_its_title_minutes_and_link(sheet, texts):
    titles = [text for where, text in texts if where.endswith("h2")]
    assert titles == [lesson.title for lesson in all_lessons().values()]
    stage = "http://here/?domain=tiny+%26+small&lecture=on&lesson="
    assert sheet.links == [stage + name for name in all_lessons()]
    said = [text.split()[1] for _, text in texts if text.startswith("About ")]
    assert said == [str(lesson.minutes) for lesson in all_lessons().values()]
    aims = [lesson.aim for lesson in all_lessons().values()]
    assert [text.removeprefix("· ") for _, text in texts if text.removeprefix("· ") in aims] == aims


def test_every_question_has_its_right_answer_marked_and_what_speaks_for_the_others(figures, texts):
    steps = [step for lesson in all_lessons().values() for step in lesson.fit_to(figures, False)]
    asked = [step for step in steps if step.answers]
    assert len(asked) > 5
    right = [step.answers[step.right(figures)].format_map(figures) for step in asked]
    marked = [text for where, text in texts if where.endswith("ul/li/b")]
    assert marked == [f"✓ {text}" for text in right]
    said = {text for where, text in texts if where.endswith("ul/li/i")}
    for step in asked:
        for n, would in enumerate(step.would):
            assert (would.format_map(figures) in said) is (n != step.right(figures))


def test_two_lessons_end_with_a_curve_that_stands_where_the_errors_are(tiny_session):
    page = teachers_sheet(tiny_session, {}, None)
    one, two = re.findall(r"<svg.*?</svg>", page)
    assert ("adaptation text" in one, "adaptation text" in two) == (False, True)
    fits = [tiny_session.adaptation(0).at(sigma2) for sigma2 in SIGMA2_GRID]
    wrong = {name: [fit.wrong[name] for fit in fits] for name in ("dev", "train")}
    for svg, names in ((one, ["dev"]), (two, ["dev", "train"])):
        lines = re.findall(r'<polyline points="([^"]*)"', svg)
        for line, name in zip(lines, names, strict=True):
            heights = [float(point.split(",")[1]) for point in line.split()]
            order = np.argsort(wrong[name], kind="stable")
            assert np.all(np.diff(np.array(heights)[order]) <= 0.05)  # more errors stand higher
            least = f"{100 * min(wrong[name]) / len(tiny_session.corpora[name]):.2f}\u00a0%"
            assert f">{least}</text>" in svg
