"""Figures of one sentence: a word that hangs on it, and the fit without it."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from workbench.evaluation.number_words import probability_in_words, with_minus
from workbench.experiments.lessons.answers import rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup
from workbench.experiments.lessons.words import HARDLY, TRIED, of_word, seen, sure
from workbench.experiments.session import Snapshot
from workbench.experiments.why import because
from workbench.settings import FIXED, SIGMA2_GRID

_NOT_A_TOSS = 0.6  # a probability above that of words that anything would tip
_MOVES = 61  # along the line between both fits, that are drawn
_LINES = ["with the sentence: L", "what it takes away: −ℓₛ", "without it: L − ℓₛ"]
_NAMES = (
    "hung_p", "hung_effect", "hung_gap", "hung_ratio", "hung_gap_without", "hung_answer",
    "hung_without", "hung_true", "hung_flipped", "hung_sentences", "hung_number", "hung_drawn",
    "hung_low", "hung_high", "hung_answer_near",
)  # fmt: skip


class _Hung(NamedTuple):
    """A fixed word that hangs on one sentence."""

    row: dict[Any, Any]  # of the diff
    found: dict[str, Any]  # as ``because``
    snapshot: Snapshot
    without: Snapshot  # fitted without the sentence
    left_out: dict[str, Any]  # what became of the word, as ``Session.left_out``

    @property
    def is_drawn(self) -> bool:
        """Whether its gap is smaller without the sentence, in truth and by the forecast."""
        return max(self.left_out["true"], self.left_out["forecast"]) < 0


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
        rows = rows[rows["p"] >= _NOT_A_TOSS][:TRIED]
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
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts; empty where no word hangs on one sentence."""
        if self._hung is None:
            return of_word("hung", None) | dict.fromkeys(_NAMES, "")
        row, found, snapshot, without, left_out = self._hung
        pushed, position = found["pushed"][0], row["position"]
        p_with, p = (left_out[side]["p"] for side in ("before", "after"))
        is_wrong = without.tuned.tags["dev"][position] != snapshot.tuned.tags["dev"][position]
        gap, rest = (round(each, 2) for each in (found["gap"], found["gap"] + left_out["true"]))
        bounds = [round(-share * left_out["forecast"], 2) for share in (0.95, 1.05)]
        values = (  # rounded so that the figures add up
            sure(p_with), f"{pushed['effect']:.2f}", f"{gap:.2f}", f"{np.exp(gap):.3g}",
            with_minus(f"{rest:.2f}"),
            "3" if is_wrong else rank(p_with - p, (HARDLY,)),
            "wrong again" if is_wrong else f"still right, {probability_in_words(p)} sure",
            with_minus(f"{gap - rest:.2f}"), f"{left_out['flipped']:,}",
            f"{self.session.corpora['train'].n_sentences:,}", str(pushed["sentence"]),
            *(("yes", *(f"{bound:.2f}" for bound in bounds), rank(gap - rest, bounds))
              if self._hung.is_drawn else [""] * 4),
        )  # fmt: skip
        return of_word("hung", row) | dict(zip(_NAMES, values, strict=True))

    def draw(self, is_open: bool) -> dict[str, Any] | None:
        """Return the objective with and without the sentence, along a line through both optima.

        As ``pulls``, a list of one: ``moves``, by how much the word's gap rises on the way;
        ``gains``, those of the objective with all sentences; and ``others``, minus those of the
        sentence's log-likelihood; nats. With the names of their ``lines``, without that of the sum
        while it is asked. None while the path is not fitted, or where nothing falls.
        """
        if self.session.missing(CUTOFF) or not self._pull:
            return None
        return {"pulls": [self._pull], "lines": _LINES[:-1] if is_open else _LINES}

    @cached_property
    def _pull(self) -> dict[str, Any] | None:
        if self._hung is None or not self._hung.is_drawn:
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
        name = (
            f"gap between {found['to']} and {found['from']} at “{row['after']}”, nats, on the "
            "straight line between the weights of both models"
        )
        return {
            "name": name,
            "symbol": "without it", "mean": found["gap"], "moves": (change * shares).tolist(),
            "gains": whole.tolist(), "others": (fewer - whole).tolist(),
            "best": [change] * len(SIGMA2_GRID), "range": [-2 * top, 3 * top],
            "ghosts": [[0, "with it"], [left_out["forecast"], "without it, forecast"]],
        }  # fmt: skip
