"""The background's scores within the domain's model: weighed as features, or fixed.

The score of a tag is the sum of the domain's own weights and of mu * -log P_OUT.
Log Z of P_OUT is the same for all tags of an event, so what the auxiliary feature
adds is -mu times the background's weights: the model is an MEMM with the union's
features, and decoding stays exact. At mu = -1 and nothing else it is P_OUT.
"""

from typing import Any

import numpy as np
from scipy import sparse

from workbench.adaptation.method import SIGMA2, Method, Sources
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import Fit, maximise
from workbench.learning.warm_starts import WarmStarts

MU_SIGMA2 = 1e4  # the weights of auxiliary features are left to the data


class Auxiliary:
    """A MaxEnt model of the domain with its own features and auxiliary ones.

    Source
    ------
    Plank & van Noord (2008): one auxiliary feature. The prior of its weight is wide
    (variance 1e4), that of the domain's own weights is tuned; so the sign is free,
    and the domain may weigh the background as it likes.
    """

    def __init__(self, sources: Sources):
        self.problem = sources.background.adaptation_problem(sources.adaptation)
        self.columns, active = self._columns(), self.problem.places
        own = selection(np.flatnonzero(self.problem.is_observed), self.problem.n_active)
        scores = np.stack([column[active] for column in self.columns.values()], axis=1)
        self.n_own = own.shape[1]  # features of the domain's own
        self._matrix = sparse.hstack([own, sparse.csr_matrix(-scores)], format="csr")
        self.log_likelihood = Combined([Part(self.problem.log_likelihood, self._matrix)])
        self.warm_starts = WarmStarts()

    def _columns(self):
        """Background weights, of all features, that each auxiliary feature sums; by its name."""
        return {"auxiliary": self.problem.background_weights}

    def _fit(self, start, sigma2):
        sigma2s = np.full(self._matrix.shape[1], float(sigma2))
        sigma2s[self.n_own :] = MU_SIGMA2
        if start is None:  # at the background: every mu is -1
            start = np.repeat([0.0, -1.0], [self.n_own, len(self.columns)])
        prior = GaussianPrior(np.zeros(len(sigma2s)), sigma2s)
        return maximise(self.log_likelihood, prior, start, tolerance=1e-6)

    def learn(self, sigma2: float) -> Any:
        """Return the model for the variance of the domain's own weights."""
        fit = self.warm_starts.fit(lambda start: self._fit(start, sigma2), sigma2)
        mus = dict(zip(self.columns, fit.weights[self.n_own :].tolist(), strict=True))
        weights = -sum(mu * self.columns[name] for name, mu in mus.items())
        weights[self.problem.places] = self._matrix @ fit.weights
        record = {"method": "auxiliary", "sigma2": float(sigma2), "estimated": mus}
        return self.problem.model_of_all(weights, fit, **record)


class AuxiliaryClasses(Auxiliary):
    """One auxiliary feature for each class of templates: the part of the score that it makes.

    Source
    ------
    Plank & van Noord (2008). The normalizer of each class's log-linear score, were there
    one, would cancel like that of the whole.
    """

    def _columns(self):
        columns = {}
        for name, places in self.problem.classes().items():
            columns[name] = np.zeros_like(self.problem.background_weights)
            columns[name][places] = self.problem.background_weights[places]
        return columns


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
        fit = self.warm_starts.fit(lambda start: self.fit(start, sigma2), sigma2)
        weights = self.problem.mean + self._matrix @ fit.weights
        return self.problem.model(weights, fit, method="mindiv-adapt-only", sigma2=float(sigma2))


AUXILIARY = Method(
    "auxiliary", "-log P_OUT as one more feature of the domain's own model",
    Auxiliary, {"sigma2": SIGMA2},
)  # fmt: skip
CLASSES = Method(
    "auxiliary-classes", "an auxiliary feature for each class of templates",
    AuxiliaryClasses, {"sigma2": SIGMA2},
)  # fmt: skip
MINIMUM_DIVERGENCE = Method(
    "mindiv-adapt-only",
    "background scores fixed, deltas on features of the adaptation data alone",
    MinimumDivergence, {"sigma2": SIGMA2},
)  # fmt: skip
