"""Figures of one sentence: a word that hangs on it, and the fit without it."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from workbench.evaluation.number_words import probability_in_words, with_minus
from workbench.experiments.lessons.answers import rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup
from workbench.experiments.lessons.pulls import without_sum
from workbench.experiments.lessons.words import HARDLY, of_word, seen, sure
from workbench.experiments.session import Snapshot
from workbench.experiments.why import because, influence_of
from workbench.settings import FIXED, SIGMA2_GRID

_NOT_A_TOSS = 0.6  # a probability above that of words that anything would tip
_TRIED = 5  # words that are least sure, of which one is chosen
_MOVES = 61  # along the line between both fits, that are drawn
_LINES = {
    "likelihood": "with the sentence: L", "prior": "what it takes away: −ℓₛ",
    "parabola": "forecast (dotted)", "sum": "without it: L − ℓₛ",
}  # fmt: skip
_STEP = 1e-3  # of the way between both fits, in differences of slopes
_NAMES = (
    "hung_p", "hung_gap", "hung_ratio", "hung_gap_without", "hung_answer",
    "hung_without", "hung_true", "hung_flipped", "hung_sentences", "hung_number", "hung_drawn",
    "hung_plain", "hung_newton", "hung_answer_why",
)  # fmt: skip


class _Hung(NamedTuple):
    """A fixed word that hangs on one sentence."""

    row: dict[Any, Any]  # of the diff
    found: dict[str, Any]  # as ``because``
    snapshot: Snapshot
    without: Snapshot  # fitted without the sentence
    left_out: dict[str, Any]  # what became of the word, as ``Session.left_out``


class _Way(NamedTuple):
    """The straight line from the weights of a fit to those of the fit without a sentence."""

    slope: float  # of minus the sentence's log-likelihood, nats by the whole way
    bend: float  # the objective's curvature there: minus its second derivative
    forecast: float  # by how much the gap falls: the influence function of Koh & Liang

    @property
    def is_drawn(self) -> bool:
        """Whether the top that is forecast lies on the way."""
        return min(self.slope, self.bend, self.forecast) > 0


class SentenceFigures(FigureGroup):
    """The word that hangs on one sentence, and what a fit without the sentence makes of it."""

    @cached_property
    def _hung(self) -> _Hung | None:
        """A fixed word that hangs on one sentence, and the fit without it; None if none does.

        Of the fixed words that are least sure it is the one of whose gap a sentence has most.
        """
        session, snapshot = self.session, self.session.at(self.fits.best, CUTOFF)
        chances, rows = snapshot.tuned.confidence["dev"], seen(snapshot.diff, FIXED)
        rows = rows.assign(p=chances[rows["position"]]).sort_values("p", kind="stable")
        rows = rows[rows["p"] >= _NOT_A_TOSS][:_TRIED]
        hung = [
            (row, because(session, snapshot, row["position"])) for row in rows.to_dict("records")
        ]
        hung = [(row, found) for row, found in hung if found["pushed"]]
        if not hung:
            return None
        row, found = max(hung, key=lambda each: each[1]["pushed"][0]["effect"] / each[1]["gap"])
        fewer = session.without({found["pushed"][0]["sentence"]})
        without = fewer.at(self.fits.best, CUTOFF)
        left_out = fewer.left_out(without, row["position"])
        assert left_out is not None  # one sentence is
        return _Hung(row, found, snapshot, without, left_out)

    @cached_property
    def _way(self) -> _Way | None:
        """The way to the fit without the sentence; None where the gap does not fall on it."""
        if self._hung is None or self._hung.left_out["true"] >= 0:
            return None
        row, found, snapshot, without, _ = self._hung
        fit, other = snapshot.tuned, without.tuned
        start, way = fit.fit.weights, other.fit.weights - fit.fit.weights
        problem, number = fit.adaptation.problem, found["pushed"][0]["sentence"]
        ends = [fit.adaptation.log_likelihood(start + step * way)[1] @ way
                for step in (-_STEP, _STEP)]  # fmt: skip
        bend = (ends[0] - ends[1]) / (2 * _STEP) + way @ way / fit.sigma2
        slope = problem.likelihood_of_sentences([number])(start)[1]
        solved = influence_of(self.session, snapshot).solve(
            self.session.gap_direction(snapshot, row["position"])
        )
        return _Way(float(-slope @ way), float(bend), float(solved @ slope))

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts; empty where no word hangs on one sentence."""
        if self._hung is None:
            return of_word("hung", None) | dict.fromkeys(_NAMES, "")
        row, found, snapshot, without, left_out = self._hung
        pushed, position = found["pushed"][0], row["position"]
        p_with, p = (left_out[side]["p"] for side in ("before", "after"))
        is_wrong = without.tuned.tags["dev"][position] != snapshot.tuned.tags["dev"][position]
        gap, rest = (round(each, 2) for each in (found["gap"], found["gap"] + left_out["true"]))
        values = (  # rounded so that the figures add up
            sure(p_with), f"{gap:.2f}", f"{np.exp(gap):.3g}", with_minus(f"{rest:.2f}"),
            "3" if is_wrong else rank(p_with - p, (HARDLY,)),
            "wrong again" if is_wrong else f"still right, {probability_in_words(p)} sure",
            with_minus(f"{gap - rest:.2f}"), f"{left_out['flipped']:,}",
            f"{self.session.corpora['train'].n_sentences:,}", str(pushed["sentence"]),
            *self._forecast(pushed["effect"], gap - rest),
        )  # fmt: skip
        return of_word("hung", row) | dict(zip(_NAMES, values, strict=True))

    def _forecast(self, newton, fall):
        """Return the texts about two forecasts and the true ``fall``; "" where none is drawn."""
        if self._way is None or not self._way.is_drawn:
            return [""] * 4
        plain = self._way.forecast
        is_of_sentence = abs(newton - plain) > abs(fall - newton)
        return ["yes", f"{plain:.2f}", f"{newton:.2f}", "2" if is_of_sentence else "1"]

    def draw(self, is_open: bool) -> dict[str, Any] | None:
        """Return the objective with and without the sentence, along a line through both optima.

        As ``pulls``, a list of one: ``moves``, by how much the word's gap rises on the way;
        ``gains``, those of the objective with all sentences; ``others``, minus those of the
        sentence's log-likelihood; and ``parabola``, with the slope of the one and the curvature of
        the other where the way begins; nats. With the names of their ``lines``, without that of
        the sum while it is asked. None while the path is not fitted, or where nothing falls.
        """
        if self.session.missing(CUTOFF) or not self._pull:
            return None
        if is_open:
            return {"pulls": [self._pull], "lines": without_sum(_LINES)}
        newton = [self._hung.left_out["forecast"], "with H − Hₛ"] if self._hung else []
        told = self._pull | {"ghosts": [*self._pull["ghosts"], newton]}
        return {"pulls": [told], "lines": _LINES}

    @cached_property
    def _pull(self) -> dict[str, Any] | None:
        if self._hung is None or self._way is None or not self._way.is_drawn:
            return None
        row, found, snapshot, without, left_out = self._hung
        fit, other = snapshot.tuned, without.tuned
        start, way = fit.fit.weights, other.fit.weights - fit.fit.weights
        shares = np.linspace(1.5, -0.5, _MOVES)

        def gains(adaptation):
            def value(share):
                weights = start + share * way
                penalty = ((weights - adaptation.problem.mean) ** 2).sum() / (2 * fit.sigma2)
                return adaptation.log_likelihood(weights)[0] - penalty

            return np.array([value(share) for share in shares]) - value(0)

        whole, fewer = (gains(each.adaptation) for each in (fit, other))
        change, top = left_out["true"], fewer.max()
        parabola = self._way.slope * shares - self._way.bend * shares**2 / 2
        name = (
            f"gap between {found['to']} and {found['from']} at “{row['after']}”, nats, on the "
            "straight line between the weights of both models"
        )
        return {
            "name": name,
            "symbol": "without it", "mean": found["gap"], "moves": (change * shares).tolist(),
            "gains": whole.tolist(), "others": (fewer - whole).tolist(),
            "parabola": parabola.tolist(),
            "best": [change] * len(SIGMA2_GRID), "range": [-2 * top, 3 * top],
            "ghosts": [[0, "with it"], [-self._way.forecast, "forecast, H"]],
        }  # fmt: skip
