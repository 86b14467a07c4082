"""Figures of the tasks: which sigma^2 solve them, and what is amiss at the others."""

from functools import cached_property

import numpy as np

from workbench.experiments.lessons.fits import FigureGroup
from workbench.settings import BROKEN, FIXED, SETTINGS, SIGMA2_GRID


class GoalFigures(FigureGroup):
    """The sigma^2 that solve each task, where it starts, and what is true there.

    ``best`` is the fewest errors on dev, or no clear difference from that, sought from the far
    end of the slider; ``mild`` the fewest broken words while at least half as many are fixed
    as at the best, sought from there. Empty texts where the start solves the task.
    ``goal_best_at_0.01`` says what is amiss at a sigma^2.
    """

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        fits, text = self.fits, SETTINGS["sigma2"].text
        dev = [fits.at(sigma2).wrong["dev"] for sigma2 in SIGMA2_GRID]
        counts, best = fits.counts, SIGMA2_GRID.index(fits.best)
        least = (counts[best][FIXED] + 1) // 2
        broken = [own[BROKEN] if own[FIXED] >= least else np.inf for own in counts]
        far = 0 if best > len(SIGMA2_GRID) // 2 else len(SIGMA2_GRID) - 1
        lowest = [i for i, value in enumerate(broken) if value == min(broken)]
        found = dict[str, str]()
        for name, start, places in (("best", far, fits.as_good), ("mild", best, lowest)):
            is_open = start not in places
            found[f"goal_{name}"] = ", ".join(text(SIGMA2_GRID[i]) for i in places * is_open)
        for i, n in enumerate(counts):
            place, few = text(SIGMA2_GRID[i]), n[FIXED] < least
            at = f"At σ² = {place}:"
            found[f"goal_best_at_{place}"] = f"{at} {dev[i]:,} are wrong; elsewhere fewer."
            found[f"goal_mild_at_{place}"] = (
                f"{at} {n[FIXED]:,} are fixed, which is too few." if few
                else f"{at} {n[BROKEN]:,} are broken; elsewhere fewer."
            )  # fmt: skip
        mild = lowest[0]
        return found | {
            "goal_best_start": text(SIGMA2_GRID[far]),
            "goal_best_wrong": f"{dev[best]:,} of {len(self.session.corpora['dev']):,}",
            "goal_mild_sigma2": text(SIGMA2_GRID[mild]), "goal_mild_least": f"{least:,}",
            "goal_mild_fixed": f"{counts[mild][FIXED]:,}",
            "goal_mild_broken": f"{counts[mild][BROKEN]:,}",
        }  # fmt: skip
