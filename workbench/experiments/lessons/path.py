"""Figures of the path: what happens to words and errors as sigma^2 grows."""

from collections.abc import Mapping
from functools import cached_property
from itertools import count
from typing import Any

from workbench.evaluation.number_words import (
    change_in_words,
    interval_in_words,
    per_cent,
    with_minus,
)
from workbench.experiments.lessons.answers import AS_MANY, FEWER, judge, rank
from workbench.experiments.lessons.fits import CUTOFF, FigureGroup
from workbench.settings import BROKEN, FIXED, SETTINGS, SIGMA2_GRID, SIGMA2_START

_MODELS = "the models at σ² = {} and {}"
_DECADE = 6  # values of sigma^2 between one and ten times as much


class PathFigures(FigureGroup):
    """The figures of the stops, and the answers to what happens between them."""

    @cached_property
    def stops(self) -> dict[str, float]:
        """The values of sigma^2 that lessons return to, by the name that figures end with."""
        best = self.fits.best
        learnt = min(SIGMA2_GRID, key=lambda sigma2: self.fits.at(sigma2).wrong["train"])
        return {
            "learnt": learnt, "tight": min(SIGMA2_GRID), "start": SIGMA2_START, "best": best,
            "loose": max(SIGMA2_GRID),
            "short": SIGMA2_GRID[max(0, SIGMA2_GRID.index(best) - _DECADE)],
        }  # fmt: skip

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        fits, figures = self.fits, dict[str, str]()
        counts = {name: fits.count(sigma2) for name, sigma2 in self.stops.items()}
        for name, sigma2 in self.stops.items():
            figures |= self._of_stop(name, sigma2, counts[name])
        n_changed = {name: own[FIXED] + own[BROKEN] for name, own in counts.items()}
        n_fixed, n_broken = (counts["best"][status] for status in (FIXED, BROKEN))
        diff = self.session.at(fits.best, CUTOFF).diff
        read = diff.loc[fits.is_read(diff["word"]), "status"]
        fixed_read, broken_read = (int((read == status).sum()) for status in (FIXED, BROKEN))
        loosest, text = max(SIGMA2_GRID), SETTINGS["sigma2"].text
        problem = self.session.adaptation(CUTOFF).problem
        tight, best, loose = map(fits.gap, (min(SIGMA2_GRID), fits.best, loosest))
        share = (best - tight) / (loose - tight) if loose > tight else 0.0
        answer_loose, says_loose = self._judge(SIGMA2_START, loosest)
        before, after = fits.is_wrong_before, fits.is_wrong("dev", SIGMA2_START)
        first, says_first = judge(self.session.corpora["dev"], before, after)
        fewer = 1 - after.sum() / max(1, before.sum())
        change = fits.change("dev")
        low = change["interval"][0]
        return figures | {
            "best_sigma2": text(fits.best), "n_new": f"{problem.n_new:,}",
            "n_inherited": f"{problem.n_active - problem.n_new:,}",
            "answer_tight": rank(n_changed["tight"] / max(1, n_changed["start"]), (0.25, 0.75)),
            "answer_loose": answer_loose, "says_loose": says_loose,
            "answer_first": str(1 + (first == FEWER) * int(rank(fewer, (0.1, 0.25)))),
            "fewer_start": per_cent(fewer, 0), "says_first": says_first,
            "says_right": self._judge(loosest, fits.best)[1],
            "change_best": change_in_words(change["relative_change"]),
            "change_interval": "" if low is None else
                interval_in_words(change["interval"], change_in_words),
            "gap_share": per_cent(share, 0), "gap_background": with_minus(f"{fits.gap(None):.2f}"),
            "answer_gap": rank(share, (1 / 3, 2 / 3)),
            **dict(zip(("as_good_from", "as_good_to"), self._around_best(), strict=True)),
            "n_fixed_read": f"{fixed_read:,}",
            "n_broken_read": f"{broken_read:,}" if n_broken else "",
            "answer_broken": rank(broken_read / max(1, n_broken), (2 / 3, 0.9)),
            **{f"{name}_sigma2": text(self.stops[name]) for name in ("short", "learnt")},
            "answer_price": rank(counts["short"][FIXED] / max(1, n_fixed), (0.5, 0.75)),
        }  # fmt: skip

    def _of_stop(self, name: str, sigma2: float, counts: Mapping[str, int]) -> dict[str, str]:
        fit = self.fits.at(sigma2)
        dev, train = (fit.wrong[part] / max(1, len(self.session.corpora[part]))
                      for part in ("dev", "train"))  # fmt: skip
        return {
            f"error_{name}": per_cent(dev), f"train_{name}": per_cent(train),
            f"gap_{name}": with_minus(f"{self.fits.gap(sigma2):.2f}"),
            f"n_changed_{name}": f"{counts[FIXED] + counts[BROKEN]:,}",
            f"n_fixed_{name}": f"{counts[FIXED]:,}", f"n_broken_{name}": f"{counts[BROKEN]:,}",
        }  # fmt: skip

    def _judge(self, before: float, after: float) -> tuple[str, str]:
        """Return what ``judge`` says of two sigma^2; no sentence of one and the same."""
        if before == after:
            return AS_MANY, ""
        models = _MODELS.format(*map(SETTINGS["sigma2"].text, (before, after)))
        wrong = self.fits.is_wrong("dev", before), self.fits.is_wrong("dev", after)
        return judge(self.session.corpora["dev"], *wrong, models)

    def _around_best(self) -> list[str]:
        """Return the first and last sigma^2 around the best between which none clearly differs."""
        place, good = SIGMA2_GRID.index(self.fits.best), self.fits.as_good
        ends = (next(i for i in count(place, step) if i + step not in good) for step in (-1, 1))
        return [SETTINGS["sigma2"].text(SIGMA2_GRID[i]) for i in ends]

    def draw_changed(self) -> dict[str, Any]:
        """Return how many words are fixed or broken at each sigma^2, as in ``draw_trade``."""
        changed = [own[FIXED] + own[BROKEN] for own in self.fits.counts]
        return {"name": "words of dev fixed or broken", "counts": {"words": changed}}

    def draw_trade(self, is_open: bool) -> dict[str, Any] | None:
        """Return how many words are fixed and broken at each sigma^2; None while it is asked.

        As ``counts`` by status, with a ``name``.
        """
        if is_open:
            return None
        counts = {status: [own[status] for own in self.fits.counts] for status in (FIXED, BROKEN)}
        return {"name": "words of dev that adaptation fixes, and breaks", "counts": counts}
