"""The fits that lessons look at, and what their figures have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from workbench.adaptation.adaptation import AdaptedFit
from workbench.evaluation.diff import STATUSES, find_changes
from workbench.evaluation.report import paired_row
from workbench.experiments.session import Session
from workbench.experiments.surface import is_near
from workbench.settings import SIGMA2_GRID
from workbench.text.casing import wipe_case

CUTOFF = 0  # of the path that lessons follow, as in the paper


class LessonFits:
    """The fits of a session along sigma^2, made when asked for; at ``CUTOFF`` unless said."""

    def __init__(self, session: Session):
        self.session = session

    def at(self, sigma2: float, cutoff: int | None = CUTOFF) -> AdaptedFit:
        """Return the fit at a sigma^2."""
        return self.session.adaptation(cutoff).at(sigma2)

    def is_wrong(self, part: str, sigma2: float, cutoff: int | None = CUTOFF) -> np.ndarray:
        """Return which words of a part it gets wrong: bool, shape (N,)."""
        return self.session.is_wrong(part, self.at(sigma2, cutoff).tags[part])

    @property
    def is_wrong_before(self) -> np.ndarray:
        """Which words of dev the background gets wrong: bool, shape (N,)."""
        return self.session.is_wrong("dev", self.session.background_tags("dev"))

    @cached_property
    def best(self) -> float:
        """The sigma^2 with the fewest errors on dev; of equals the smallest."""
        return min(SIGMA2_GRID, key=lambda sigma2: self.at(sigma2).wrong["dev"])

    @property
    def on_dev(self) -> list[float]:
        """Error rates on dev, by sigma^2."""
        n = len(self.session.corpora["dev"])
        return [self.at(sigma2).wrong["dev"] / n for sigma2 in SIGMA2_GRID]

    @cached_property
    def as_good(self) -> list[int]:
        """The places of the sigma^2 that do not clearly differ from the best."""
        fits, best = map(self.at, SIGMA2_GRID), self.at(self.best)
        return [i for i, fit in enumerate(fits) if is_near(self.session, fit, best)]

    def count(self, sigma2: float) -> Mapping[str, int]:
        """Return how many words of dev have each status, as in a ``word_diff``."""
        fit, dev = self.at(sigma2), self.session.corpora["dev"]
        tags = self.session.background_tags("dev"), fit.tags["dev"]
        _, statuses = find_changes(dev, *tags, fit.model.mixed_forms)
        counts = np.bincount(statuses, minlength=len(STATUSES)).tolist()
        return dict(zip(STATUSES, counts, strict=True))

    @cached_property
    def counts(self) -> list[Mapping[str, int]]:
        """How many words of dev have each status, by sigma^2."""
        return [self.count(sigma2) for sigma2 in SIGMA2_GRID]

    def change(self, part: str) -> Mapping[str, Any]:
        """Return the ``paired_row`` of background and adapted model at the best sigma^2."""
        session = self.session
        before = session.is_wrong(part, session.background_tags(part))
        models = "background", before, "adapted", self.is_wrong(part, self.best)
        return paired_row(session.corpora[part], *models)

    def gap(self, sigma2: float | None) -> float:
        """Return by how many percentage points more is wrong on dev than on the adaptation text.

        With sigma^2 None, of the background.
        """
        session, texts = self.session, self.session.corpora
        wrong = (session.is_wrong(part, session.background.tag(texts[part])) if sigma2 is None
                 else self.is_wrong(part, sigma2) for part in ("dev", "train"))  # fmt: skip
        dev, train = (100 * float(own.mean()) for own in wrong)
        return dev - train

    def is_read(self, words: pd.Series) -> pd.Series:
        """Return which words the adaptation text has, in whatever letters."""
        train = self.session.corpora["train"]
        read = {train.words[i] for i in np.unique(train.word_ids)}
        return words.map(wipe_case).isin(read)


class FigureGroup(ABC):
    """Figures about one thing, found when they are asked for, and what is drawn of it."""

    def __init__(self, fits: LessonFits):
        self.fits, self.session = fits, fits.session

    @property
    @abstractmethod
    def figures(self) -> dict[str, str]:
        """The figures by name, as texts."""
