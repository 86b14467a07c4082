"""The figures of a session that lessons speak of: named values, as text ready to be read."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

from workbench.experiments.lessons.cutoffs import CutoffFigures, RowFigures
from workbench.experiments.lessons.elsewhere import ElsewhereFigures
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup, LessonFits
from workbench.experiments.lessons.goals import GoalFigures
from workbench.experiments.lessons.halves import HalvesFigures
from workbench.experiments.lessons.little_text import AmountFigures, LittleTextFigures
from workbench.experiments.lessons.path import PathFigures
from workbench.experiments.lessons.pulls import PullFigures
from workbench.experiments.lessons.sealed_test import SealedTestFigures
from workbench.experiments.lessons.sentence import SentenceFigures
from workbench.experiments.lessons.texts import TextFigures
from workbench.experiments.lessons.words import SampleFigures, WordFigures
from workbench.experiments.session import Session
from workbench.experiments.surface import Point
from workbench.settings import CUTOFFS

_HOUR = 3600  # seconds, in which answers count as those of one class


class LessonFigures(Mapping[str, str]):
    """Figures of a session by name, as text; an empty text where the session has no such thing.

    Those that need fits are found when one of their group is asked for. A name with ``answer`` in
    it stands for the number, from 1, of the right answer to a question. Errors are of the
    development text, but for those that begin with ``test``: asking for one opens its envelope.
    """

    def __init__(self, session: Session):
        self.session = session
        self._answers = dict[tuple[str, int], list[tuple[float, int]]]()
        fits = LessonFits(session)
        self.texts, self.path = TextFigures(fits), PathFigures(fits)
        words, other = WordFigures(fits), ElsewhereFigures(fits)
        sentence, pulls = SentenceFigures(fits), PullFigures(fits, words)
        halves, little = HalvesFigures(fits), LittleTextFigures(fits)
        sealed, amounts = SealedTestFigures(fits), AmountFigures(fits, little)
        # By the beginnings of their names; others are of the texts or the path.
        self.groups: dict[str, FigureGroup] = {
            "cut": CutoffFigures(fits), "other": other, "sample": SampleFigures(fits),
            "fixed": words, "broken": words, "hung": sentence, "halves": halves,
            "goal": GoalFigures(fits), "pull": pulls, "little": little, "rows": RowFigures(fits),
            "test": sealed, "amount": amounts,
        }  # fmt: skip
        self._drawings: dict[str, Callable[[bool], dict[str, Any] | None]] = {
            "other": lambda is_open: other.drawn,  # whose step has it veiled
            "trade": self.path.draw_trade, "sentence": sentence.draw,
            "half": halves.draw_half, "halves": halves.draw_choices,
            "pull": pulls.draw_rare, "pulls": pulls.draw_both,
            "slopes": pulls.draw_slopes, "new": pulls.draw_new,
            "changed": lambda is_open: (  # what is asked would stand in it
                pulls.draw_rare(is_open) if is_open else self.path.draw_changed()
            ),
            "little": little.draw, "alone": little.draw_alone, "gaps": little.draw_gaps,
            "amounts": amounts.draw, "sealed": sealed.draw,
        }  # fmt: skip

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the figures of a session, which all who open it share."""
        return session.companions.setdefault(cls.__name__, cls(session))

    def note_answer(self, lesson: str, step: int, place: int) -> None:
        """Count an answer to a step's question; ``place`` is its number, from 0.

        Numbers below 0 are not counted: the answer was only shown, or a task solved.
        """
        if place >= 0:
            self._answers.setdefault((lesson, step), []).append((time.monotonic(), place))

    def answers(self, lesson: str, step: int) -> list[int]:
        """Return the numbers of the answers that all visitors chose within the last hour."""
        noted, since = self._answers.get((lesson, step), ()), time.monotonic() - _HOUR
        return [place for when, place in noted if when > since]

    def __getitem__(self, name: str) -> str:
        if group := self.groups.get(name.split("_")[0]):
            return group.figures[name]
        texts = self.texts.figures
        return texts[name] if name in texts else self.path.figures[name]

    def __iter__(self) -> Iterator[str]:
        for group in dict.fromkeys((self.texts, self.path, *self.groups.values())):
            yield from group.figures

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def missing(self, names: Iterable[str] = ()) -> list[Point]:
        """Return the points that figures still need to be fitted.

        That is those of the path, and of the whole map where one of the ``names`` is about it.
        """
        is_of_all = any(name.startswith("rows_") for name in names)
        return [Point(cutoff, sigma2) for cutoff in (CUTOFFS if is_of_all else (CUTOFF,))
                for sigma2 in self.session.missing(cutoff)]  # fmt: skip

    def beside(self, name: str, is_open: bool = False) -> dict[str, Any] | None:
        """Return what the curve shows in place of the errors on dev; None if nothing else.

        While the step's question ``is_open``, what would answer it is left out. See ``draw`` and
        its kin in the groups.
        """
        draw = self._drawings.get(name)
        return draw(is_open) if draw else None
