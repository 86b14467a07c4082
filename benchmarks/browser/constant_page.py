"""The page with its computation replaced by a constant; ``benchmarks.browser.page`` serves it.

Once the curve is complete every position of the slider gets the last answer
again, under its own sigma^2: what is left is Streamlit's and the browser's.
"""

import runpy
from copy import copy
from dataclasses import replace
from pathlib import Path

from workbench.experiments.session import Session


def _answer_alike(first, missing):
    """Return a ``first`` that computes only until nothing is missing, then repeats its answer."""

    def answer(self, sigma2, cutoff=0, part="dev", *arguments, **options):
        if missing(self, cutoff) or "_answer" not in vars(self):
            self._answer = first(self, sigma2, cutoff, part, *arguments, **options)
        tuned, point = copy(self._answer.tuned), self._answer.point  # with the tags it has found
        vars(tuned)["strength"] = {"sigma2": sigma2}
        return replace(self._answer, tuned=tuned, point=point | {"sigma2": sigma2})

    return answer


def _repeat(method, missing):
    """Return a method whose first answer after nothing is missing is its last."""
    answers = {}

    def answer(self, *arguments):
        if missing(self, self._answer.point["cutoff"]):
            return method(self, *arguments)
        if self not in answers:
            answers[self] = method(self, *arguments)
        return answers[self]

    return answer


if not hasattr(Session, "is_constant"):  # a page is run anew at every move
    Session.is_constant = True
    Session.first = _answer_alike(Session.first, Session.missing)
    Session.curve = _repeat(Session.curve, Session.missing)

runpy.run_path(str(Path(__file__).parents[2] / "app.py"))
