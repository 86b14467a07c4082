"""Minimum divergence from the background with the adaptation data's features alone.

With the features of the union that is MAP adaptation: a zero-mean prior on what is
added to the background's scores. With F_adapt alone weights of tags never seen
with a predicate stay where they are, and what differs is whether that matters.
"""

import numpy as np

from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.union import Union
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise


class MinimumDivergence:
    """Deltas on some features over the background's fixed scores.

    Parameters
    ----------
    sources : Sources
    with_union : bool
        Deltas on all features that fire, as in MAP adaptation; else on those seen.

    Source
    ------
    Chelba & Acero (2004), section 4.1, which leaves open how F_adapt alone compares.
    """

    def __init__(self, sources, with_union=False):
        self.union = Union(sources.background, sources.adaptation)
        moved = self.union.is_observed | with_union
        self._matrix = selection(moved)
        part = Part(self.union.log_likelihood, self._matrix, self.union.background_weights)
        self._likelihood, self._path = Combined([part]), Path(self._fit)

    def _fit(self, start, sigma2):
        prior = GaussianPrior(np.zeros(self._matrix.shape[1]), sigma2)
        return maximise(self._likelihood, prior, start, tolerance=1e-6)

    def learn(self, sigma2):
        """Return the background with deltas for the variance of their prior."""
        fit = self._path.at(sigma2=sigma2)
        moved = self.union.background_weights + self._matrix @ fit.weights
        weights = self.union.table(moved, self.union.mean)
        return self.union.assemble(weights, fit, method="mindiv-adapt-only", sigma2=float(sigma2))


METHOD = Method(
    "mindiv-adapt-only",
    "background scores fixed, deltas on features of the adaptation data alone",
    MinimumDivergence,
    {"sigma2": SIGMA2},
)
