"""Figures of the texts and the background, known without a fit, and those of the paper."""

from functools import cached_property

import numpy as np

from workbench.evaluation.number_words import per_cent
from workbench.experiments.backgrounds import words_learnt
from workbench.experiments.lessons.answers import rank
from workbench.experiments.lessons.fits import FigureGroup
from workbench.experiments.papers.tables import PRINTED
from workbench.text.casing import Tag

ENOUGH = 30  # errors of the background on dev; fewer hardly tell one setting from another
_TOO_FEW = (
    "Only {n} words of the dev text are wrong before adaptation: too few to tell settings apart."
)


class TextFigures(FigureGroup):
    """The figures of texts and background, and those of the paper."""

    @cached_property
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
        session, dev = self.session, self.session.corpora["dev"]
        tags = np.bincount(dev.tags, minlength=len(Tag)) / max(1, len(dev))
        plain = float(tags[Tag.LOC] + tags[Tag.PNC])
        is_wrong = self.fits.is_wrong_before
        n_wrong = int(is_wrong.sum())
        return {
            "background": str(session.background.info["name"]),
            "domain": session.corpora["train"].name,
            "n_background": f"{words_learnt(session.background.info):,}",
            "n_train": f"{len(session.corpora['train']):,}", "n_dev": f"{len(dev):,}",
            "share_plain": per_cent(plain, 0), "share_raised": per_cent(1 - plain, 0),
            "answer_plain": rank(plain, (0.7, 0.85)),
            "answer_tied": "2", "answer_held": "1",
            "error_background": per_cent(float(is_wrong.mean())),
            "too_few": _TOO_FEW.format(n=n_wrong) if n_wrong < ENOUGH else "",
            **_figures_of_paper(),
        }  # fmt: skip


def _figures_of_paper():
    """Return figures of Chelba & Acero (2004), tables 4 to 6, that lessons compare with ours."""
    matrix, cutoffs = (PRINTED["CA04"][name] for name in ("matrix", "cutoffs"))
    new = {name: own["features"] - cutoffs["none"]["features"] for name, own in cutoffs.items()}
    return {
        "paper_new": f"{new['0']:,}", "paper_new_5": f"{new['5']:,}",
        "paper_error_0": per_cent(1 - cutoffs["0"]["accuracy"]),
        "paper_error_none": per_cent(1 - cutoffs["none"]["accuracy"]),
        "paper_background": per_cent(matrix["background"]["BN-ABC"], 1),
        "paper_small": per_cent(matrix["BN-ABC"]["BN-ABC"], 1),
        "paper_transfer": per_cent(matrix["BN-CNN"]["BN-ABC"], 1),
    }  # fmt: skip
