"""Figures of the sealed test text, on which nothing was chosen."""

from functools import cached_property
from typing import Any

import numpy as np

from workbench.evaluation.number_words import change_in_words, interval_in_words, per_cent, times
from workbench.experiments.envelope import Envelope, name_look
from workbench.experiments.lessons.answers import rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup


class SealedTestFigures(FigureGroup):
    """Errors on test before and after adaptation with the sigma^2 that dev chose.

    Whoever asks for them opens the envelope: the look is counted.
    """

    @cached_property
    def _is_wrong(self) -> tuple[np.ndarray, np.ndarray]:
        """Which words of test background and adapted model get wrong: bool, shape (N,) each."""
        session, best = self.session, self.fits.best
        Envelope.of(session).open(name_look(session, best, CUTOFF))
        before = session.is_wrong("test", session.background_tags("test"))
        return before, self.fits.is_wrong("test", best)

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        before, after = self._is_wrong
        on_test = self.fits.change("test")
        change, interval = on_test["relative_change"], on_test["interval"]
        low, high = self.fits.change("dev")["interval"]
        return {
            "test_error": per_cent(float(after.mean())),
            "test_background": per_cent(float(before.mean())),
            "test_change": change_in_words(change),
            "test_interval": interval_in_words(interval, change_in_words),

            "test_answer": "" if low is None else rank(-change, (-high, -low)),
            "test_looks": times(len(Envelope.of(self.session).looks)),
        }  # fmt: skip

    def draw(self, is_open: bool) -> dict[str, Any]:
        """Return the errors on dev along sigma^2, and once it is told those of both on test.

        ``points`` and ``rules``, as in a payload.
        """
        rules = {"background": self.fits.is_wrong_before}
        if not is_open:
            rules["test, background"], rules["test, adapted"] = self._is_wrong
        return {
            "elsewhere": "dev text" if is_open else "dev and test", "label": "dev, adapted",
            "points": [{"dev": error, "spread": 0} for error in self.fits.on_dev],
            "rules": [{"name": name, "error": float(own.mean())} for name, own in rules.items()],
        }  # fmt: skip
