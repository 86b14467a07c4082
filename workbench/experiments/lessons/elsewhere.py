"""Figures of another domain: what adaptation to one does to texts of a third."""

from functools import cached_property
from typing import Any

import numpy as np

from workbench.evaluation.number_words import per_cent
from workbench.evaluation.significance import difference_error
from workbench.experiments.lessons.answers import LOOSE, judge
from workbench.experiments.lessons.fits import FigureGroup
from workbench.settings import SETTINGS, SIGMA2_GRID
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import load

# Domains that come with every installation: the first that is neither background nor domain is
# the one that lessons measure transfer on.
_OTHERS = ("numba-docs", "nltk-docs", "altair-docs")


class ElsewhereFigures(FigureGroup):
    """Errors on dev text of another domain, one of ``_OTHERS``, before and after adaptation."""

    @cached_property
    def _other(self) -> tuple[str, Corpus]:
        """The name and the dev text of a domain that neither model has learnt from."""
        background = self.session.background
        taken = str(background.info["name"]), self.session.corpora["train"].name
        name = next(name for name in _OTHERS if name not in taken)
        return name, load(name, "dev").relabel(background.tag_names)

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        fits, (name, text) = self.fits, self._other
        rates = [point["dev"] for point in self.drawn["points"]]
        adapted = (fits.at(sigma2).model for sigma2 in (fits.best, max(SIGMA2_GRID)))
        wrong = [model.tag(text) != text.tags for model in (self.session.background, *adapted)]
        answer, says_best = judge(text, wrong[0], wrong[1])
        _, says_loose = judge(text, wrong[0], wrong[2], LOOSE)
        shown = zip(("background", "best", "loose"), wrong, strict=True)
        return {f"other_{model}": per_cent(float(own.mean())) for model, own in shown} | {
            "other_name": name, "other_n": f"{len(text):,}",
            "other_says_best": says_best, "other_says_loose": says_loose, "other_answer": answer,
            "other_lowest": per_cent(min(rates)),
            "other_sigma2": SETTINGS["sigma2"].text(SIGMA2_GRID[rates.index(min(rates))]),
        }  # fmt: skip

    @cached_property
    def drawn(self) -> dict[str, Any]:
        """Error rates along sigma^2: ``points`` and ``rules``, as in a payload, and the text."""
        name, text = self._other
        n = np.bincount(text.sentence_ids)
        adapted = (self.fits.at(sigma2).model for sigma2 in SIGMA2_GRID)
        before, *others = (
            (np.bincount(text.sentence_ids, model.tag(text) != text.tags), n)
            for model in (self.session.background, *adapted)
        )
        rates = [float(errors.sum() / n.sum()) for errors, _ in (before, *others)]
        spreads = (1.96 * float(np.nan_to_num(difference_error(each, before))) for each in others)
        return {
            "elsewhere": name, "rules": [{"name": "background", "error": rates[0]}],
            "points": [{"dev": rate, "spread": spread}
                       for rate, spread in zip(rates[1:], spreads, strict=True)],
        }  # fmt: skip
