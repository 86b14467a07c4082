"""The lessons: their steps, read from lessons.toml, whose texts name figures of a session.

See ``LessonFigures`` for the figures.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any
from urllib.parse import urlencode, urlsplit

from workbench.experiments.lessons.figures import LessonFigures
from workbench.experiments.session import Session
from workbench.settings import CUTOFFS, SETTINGS, SIGMA2_GRID

UNCHOSEN, FOUND = -1, -2  # in place of an answer, from 0: it was shown, or a task was solved
# What every step sets unless it says otherwise, so that each can be opened by itself.
_REST = {
    "cutoff": "0", "show": "changed", "word": "", "without": "", "pair": "", "slice": "",
    "section": "slices",
}  # fmt: skip


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson; its texts may name figures in braces. See lessons.toml."""

    text: str
    sets: Mapping[str, str]
    ring: str = ""
    equation: str = ""
    line: str = ""
    source: str = ""
    ask: str = ""
    answers: tuple[str, ...] = ()
    would: tuple[str, ...] = ()
    truth: str = ""
    falling: bool = False
    goal: str = ""
    then: Mapping[str, str] = field(default_factory=dict)
    reveal: str = ""
    veil: str = ""
    veil_then: str = ""
    scale: str = ""
    beside: str = ""
    path: bool = False
    points: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""
    opens: bool = False
    instead: str = ""

    @property
    def names(self) -> set[str]:
        """The figures that it speaks of."""
        texts = (self.text, self.ask, *self.answers, *self.would, self.reveal)
        values = (*self.sets.values(), *self.then.values(), *self.points.values())
        parsed = (part for text in (*texts, *values) for part in Formatter().parse(text))
        found = {name for _, name, _, _ in parsed if name}
        return found | {name for name in (self.truth, self.goal, self.needs) if name}

    def settings(self, figures: Mapping[str, str], is_answered: bool) -> dict[str, str]:
        """Return what it sets, as texts by name of the setting, before or after the answer."""
        chosen = self.then if is_answered and self.then else self.sets
        return _REST | {name: text.format_map(figures) for name, text in chosen.items()}

    def solutions(self, figures: Mapping[str, str]) -> list[str]:
        """Return the values of sigma^2, as texts, that its task asks for; none without a task."""
        return figures[self.goal].split(", ") if self.goal else []

    def hint(self, figures: Mapping[str, str], sigma2: str) -> str:
        """Return why a sigma^2 does not solve its task; "" without one."""
        return figures[f"{self.goal}_at_{sigma2}"] if self.goal else ""

    def right(self, figures: Mapping[str, str]) -> int:
        """Return the number of the right answer, from 0; FOUND where a task is to be solved."""
        if self.goal:
            return FOUND
        number = int(figures[self.truth])
        return len(self.answers) - number if self.falling else number - 1

    def is_right(self, figures: Mapping[str, str], chosen: int) -> bool:
        """Return whether an answer is the right one, or a task is solved."""
        return chosen == self.right(figures)

    def mark(self, figures: Mapping[str, str], answer: int, chosen: int | None) -> str:
        """Return the mark of an answer, from 0: ✓ of the right one, ✗ of a wrong one if chosen."""
        if chosen is None:
            return ""
        if self.is_right(figures, answer):
            return "✓ "
        return "✗ " if answer == chosen else ""

    def verdict(self, figures: Mapping[str, str], chosen: int) -> str:
        """Return whether an answer is right, or a task solved, in words.

        Of a wrong one it says what would have to be true for it to be right.
        """
        if not self.answers:
            return "✓ Found." if chosen == FOUND else ""
        if self.is_right(figures, chosen):
            return "✓ That is right."
        says = f"The right answer is: “{self.answers[self.right(figures)]}”."
        says = says if chosen == UNCHOSEN or not self.would else f"✗ {self.would[chosen]} {says}"
        return says.format_map(figures)

    def say_points(self, figures: Mapping[str, str]) -> dict[str, str]:
        """Return its claims with a sentence of evidence each, where the session has the figures."""
        has_all = {claim: all(figures[own] for _, own, _, _ in Formatter().parse(text) if own)
                   for claim, text in self.points.items()}  # fmt: skip
        return {c: text.format_map(figures) for c, text in self.points.items() if has_all[c]}

    def without_question(self) -> "LessonStep":
        """Return the step as it is where the session lacks what it speaks of."""
        kept = {name: text for name, text in self.sets.items() if name != "word"}
        return LessonStep(self.instead, kept, self.ring)


@dataclass(frozen=True)
class LessonText:
    """A lesson: its name in the link, its title, what one can do after it, and its steps."""

    name: str
    title: str
    aim: str
    steps: tuple[LessonStep, ...]

    @property
    def minutes(self) -> int:
        """About how many minutes it takes, at a step or an answer in 20 seconds."""
        return max(1, round((len(self.steps) + sum(bool(s.ask) for s in self.steps)) / 3))

    @property
    def names(self) -> set[str]:
        """The figures that its steps speak of."""
        return set().union(*(step.names for step in self.steps))

    @property
    def cutoffs(self) -> set[str]:
        """The cut-offs that its steps go to, as texts; all of them if a step is about the map."""
        if any(step.ring == "grid" for step in self.steps):
            return set(map(SETTINGS["cutoff"].text, CUTOFFS))
        chosen = (own for step in self.steps for own in (step.sets, step.then))
        return {own.get("cutoff", _REST["cutoff"]) for own in chosen}

    def fit_to(
        self, figures: Mapping[str, str], may_open: bool = True
    ) -> tuple[LessonStep, ...]:  # fmt: skip
        """Return the steps for a session: those that lack what they need differ or are left out.

        Unless it ``may_open`` the envelope of the test text, so does a step that would.
        """
        found = []
        for step in self.steps:
            if (may_open or not step.opens) and (not step.needs or figures[step.needs]):
                found.append(step)
            elif step.instead:
                found.append(step.without_question())
        return tuple(found)


@cache
def all_lessons() -> dict[str, LessonText]:
    """Return the lessons by name, in the order in which they are offered."""
    text = Path(__file__).with_name("lessons.toml").read_text("utf-8")
    lessons = (
        LessonText(raw["name"], raw["title"], raw["aim"], tuple(_steps(raw)))
        for raw in tomllib.loads(text)["lesson"]
    )
    return {lesson.name: lesson for lesson in lessons}


def _steps(raw):
    return (_step({"scale": raw.get("scale", "")} | step) for step in raw["step"])


def _step(raw):
    whole = {k: _keep_together(text) for k, text in raw.items() if isinstance(text, str)}
    lists = {k: tuple(map(_keep_together, raw.get(k, ()))) for k in ("answers", "would")}
    return LessonStep(**{**raw, **whole, **lists})


def _keep_together(text):
    """Return a text whose lines do not break within "σ² = 1"."""
    return text.replace("σ² = ", "σ²\u00a0=\u00a0")


def say_score(given: Mapping[str, Mapping[int, int]], figures: LessonFigures) -> str:
    """Return how many answers so far were right, in words; "" before the first.

    ``given`` has the answers by lesson and number of the step, from 1. Shown ones do not count.
    """
    if figures.missing():
        return ""
    steps = ((step, own.get(n, UNCHOSEN)) for name, own in given.items()
             for n, step in enumerate(all_lessons()[name].fit_to(figures), 1))  # fmt: skip
    found = [step.is_right(figures, answer) for step, answer in steps
             if step.ask and answer != UNCHOSEN]  # fmt: skip
    return f" · {sum(found)} right of {len(found)} answered" if found else ""


def say_join(address: str | None, query: Mapping[str, str], lesson: str) -> str:
    """Return where a class opens a lesson of a page at an address, with the texts of its link.

    "" where the address is the name by which a computer calls itself: nobody else gets there.

    >>> say_join("http://desk:8501/", {"domain": "nltk-docs", "step": "2"}, "leash")
    ' · join at desk:8501/?domain=nltk-docs&lesson=leash'
    """
    at = urlsplit(address or "")
    if at.hostname in (None, "localhost", "127.0.0.1", "::1"):
        return ""
    texts = {name: text for name, text in query.items() if name in ("background", "domain")}
    return f" · join at {at.netloc}{at.path or '/'}?{urlencode({**texts, 'lesson': lesson})}"


def fill_lesson(name: str, session: Session) -> dict[str, Any]:
    """Return a lesson with a session's figures in its texts, ready for JSON.

    It has ``title``, ``warning``, of texts too small for it, and ``steps``, each with what a file
    can show of it: the fields of a step but ``equation``, with ``truth`` counted from 0.
    """
    figures, lesson = LessonFigures.of(session), all_lessons()[name]
    return {
        "title": lesson.title,
        "warning": figures["too_few"],
        "steps": [_filled(step, figures) for step in lesson.fit_to(figures, may_open=False)],
    }


def _filled(step, figures):
    texts = {name: getattr(step, name).format_map(figures) for name in ("text", "ask", "reveal")}
    given = range(UNCHOSEN, len(step.answers)) if step.answers else (FOUND, UNCHOSEN)
    return texts | {
        "line": step.line, "source": step.source, "ring": step.ring,
        "veil": step.veil, "veilThen": step.veil_then, "scale": step.scale,
        "beside": figures.beside(step.beside), "path": step.path,
        "besideAsk": figures.beside(step.beside, is_open=True) if step.ask else None,
        "points": step.say_points(figures),
        "verdicts": {n: step.verdict(figures, n) for n in given},
        "answers": [text.format_map(figures) for text in step.answers],
        "truth": step.right(figures) if step.truth else None,
        "goal": step.solutions(figures),
        "hints": {s: step.hint(figures, s) for s in map(SETTINGS["sigma2"].text, SIGMA2_GRID)},
        "sets": step.settings(figures, is_answered=False),
        "then": step.settings(figures, is_answered=True),
    }  # fmt: skip
