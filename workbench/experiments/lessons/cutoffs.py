"""Figures at other cut-offs, and those of the whole map of cut-offs and sigma^2."""

from functools import cached_property

import numpy as np

from workbench.evaluation.number_words import per_cent
from workbench.experiments.lessons.answers import judge, rank
from workbench.experiments.lessons.fits import FigureGroup
from workbench.experiments.surface import fill_paths, grid_points
from workbench.settings import CUTOFFS, SETTINGS, SIGMA2_GRID
from workbench.text.casing import wipe_case

_WITHOUT = "the models with and without new features"
_ROWS = (
    "{good} cut-offs, as far as this text can tell: their lowest errors are {low} to {high}, where "
    "along σ² they are {low_0} to {high_0} with all new features. But without new features fewer "
    "of the {n} values of σ² do, {none} instead of {all}; and at σ² = 100 its inherited weights "
    "are {further:.1f} times as far from the background's."
)


class CutoffFigures(FigureGroup):
    """The figures at cut-offs 0, 5 and none, all at the best sigma^2 of cut-off 0."""

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        fits, best = self.fits, self.fits.best
        points = {
            SETTINGS["cutoff"].text(cutoff): fits.at(best, cutoff).describe()
            for cutoff in (0, 5, None)
        }
        new, five = points["0"]["new_features"], points["5"]["new_features"]
        errors = {name: point["dev_error_rate"] for name, point in points.items()}
        lost = 100 * abs(errors["none"] - errors["0"])
        wrong = {cutoff: fits.is_wrong("dev", best, cutoff) for cutoff in (0, None)}
        dev, known = self.session.corpora["dev"], self.session.background.known_words
        is_unread = np.array([wipe_case(word) not in known for word in dev.words])[dev.word_ids]
        unread = is_unread & fits.is_wrong_before
        n_fixed = int((unread & ~wrong[0]).sum())
        n_still = int((unread & ~wrong[0] & ~wrong[None]).sum())
        return {
            **{f"cut_error_{name}": per_cent(error) for name, error in errors.items()},
            "cut_new": f"{new:,}", "cut_new_5": f"{five:,}",
            "cut_share_5": per_cent(five / new if new else np.nan, 0),
            "cut_inherited": f"{points['none']['free_weights']:,}",
            "cut_points_lost": f"{lost:.2f}",
            **{f"cut_broken{name}": f"{int((wrong[cutoff] & ~fits.is_wrong_before).sum()):,}"
               for name, cutoff in (("", 0), ("_none", None))},
            "cut_says_none": judge(dev, wrong[0], wrong[None], _WITHOUT)[1],
            "cut_answer_5": rank(five / max(1, new), (0.1, 0.5)),
            "cut_answer_none": rank(lost, (0.1, 0.5)),
            "cut_unread": f"{n_fixed:,}" if n_fixed else "", "cut_unread_none": f"{n_still:,}",
            "cut_answer_unread": rank(n_still / max(1, n_fixed), (0.25, 0.75)),
        }  # fmt: skip


class RowFigures(FigureGroup):
    """For how many cut-offs a sigma^2 does not clearly differ from the best of the map."""

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts; fits what is missing of the map."""
        fill_paths(self.session, CUTOFFS)
        points, n = grid_points(self.session, CUTOFFS), len(CUTOFFS)
        good = points.loc[points["near_best"], "cutoff"].nunique(dropna=False)
        match = points[points["near_best"]]["cutoff"].astype(object)
        lowest = points.groupby("cutoff", dropna=False)["error"].min()
        every = points.loc[points["cutoff"] == 0, "error"]
        says = _ROWS.format(
            good=f"All {n}" if good == n else f"{good} of {n}",
            n=len(SIGMA2_GRID), all=(match == 0).sum(), none=match.isna().sum(),
            low=per_cent(lowest.min()), high=per_cent(lowest.max()),
            low_0=per_cent(every.min()), high_0=per_cent(every.max()),
            further=self._moved(None) / self._moved(0),
        )  # fmt: skip
        return {"rows_n": str(n), "rows_answer": rank(good, (3, n)), "rows_says": says}

    def _moved(self, cutoff: int | None) -> float:
        """Return how far the inherited weights are from the background's at the largest sigma^2."""
        fit, problem = (
            self.fits.at(max(SIGMA2_GRID), cutoff),
            self.session.adaptation(cutoff).problem,
        )
        return float(np.linalg.norm((fit.fit.weights - problem.mean)[problem.mean != 0]))
