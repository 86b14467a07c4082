"""Minimum divergence from the background with the adaptation data's features alone."""

from typing import Any

import numpy as np

from workbench.adaptation.method import SIGMA2, Method, Sources
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import Fit, maximise
from workbench.learning.warm_start import WarmStarts


class MinimumDivergence:
    """Deltas on some features over the background's fixed scores.

    With the union's features that is MAP adaptation: a zero-mean prior on what is added to
    the background's scores. With F_adapt alone weights of tags never seen with a predicate
    stay where they are, and what differs is whether that matters.

    Parameters
    ----------
    with_union : bool
        Deltas on all features that fire, as in MAP adaptation; else on those seen.

    Source
    ------
    Chelba & Acero (2004), section 4.1, which leaves open how F_adapt alone compares.
    """

    def __init__(self, sources: Sources, with_union: bool = False):
        self.problem = sources.background.adaptation_problem(sources.adaptation)
        with_delta = np.flatnonzero(self.problem.is_observed | with_union)
        self._matrix = selection(with_delta, self.problem.n_active)
        part = Part(self.problem.log_likelihood, self._matrix, self.problem.mean)
        self._log_likelihood, self.warm_starts = Combined([part]), WarmStarts()

    def fit(self, start: np.ndarray | None, sigma2: float, tolerance: float = 1e-6) -> Fit:
        """Return the ``Fit`` of the deltas for the variance of their prior."""
        prior = GaussianPrior(np.zeros(self._matrix.shape[1]), sigma2)
        return maximise(self._log_likelihood, prior, start, tolerance=tolerance)

    def learn(self, sigma2: float) -> Any:
        """Return the background with deltas for the variance of their prior."""
        fit = self.warm_starts.fit(lambda start: self.fit(start, sigma2), sigma2=sigma2)
        weights = self.problem.mean + self._matrix @ fit.weights
        return self.problem.model(weights, fit, method="mindiv-adapt-only", sigma2=float(sigma2))


MINIMUM_DIVERGENCE = Method(
    "mindiv-adapt-only",
    "background scores fixed, deltas on features of the adaptation data alone",
    MinimumDivergence, {"sigma2": SIGMA2},
)  # fmt: skip
