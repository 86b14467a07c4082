"""The background as an auxiliary distribution: -log P_OUT as a real-valued feature.

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
from workbench.learning.solvers.fit import maximise
from workbench.learning.warm_start import WarmStarts

MU_SIGMA2 = 1e4  # the weights of auxiliary features are left to the data


class Auxiliary:
    """A MaxEnt model of the domain with its own features and auxiliary ones.

    Source
    ------
    Plank & van Noord (2008): one auxiliary feature. The prior of its weight is wide
    (variance 1e4), that of the domain's own weights is tuned; so the sign is free,
    and the domain may weigh the background as it likes.
    """

    mu_sigma2: float | None = MU_SIGMA2

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
        if self.mu_sigma2 is not None:
            sigma2s[self.n_own :] = self.mu_sigma2
        if start is None:  # at the background: every mu is -1
            start = np.repeat([0.0, -1.0], [self.n_own, len(self.columns)])
        prior = GaussianPrior(np.zeros(len(sigma2s)), sigma2s)
        return maximise(self.log_likelihood, prior, start, tolerance=1e-6)

    def learn(self, sigma2: float) -> Any:
        """Return the model for the variance of the domain's own weights."""
        fit = self.warm_starts.fit(lambda start: self._fit(start, sigma2), sigma2=sigma2)
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


class TiedAuxiliary(Auxiliary):
    """The same with one variance for all features, so that the auxiliary weight is drawn to 0, too.

    Source
    ------
    Plank & van Noord (2008), read as if one variance served all features.
    """

    mu_sigma2 = None


AUXILIARY = Method(
    "auxiliary", "-log P_OUT as one more feature of the domain's own model",
    Auxiliary, {"sigma2": SIGMA2},
)  # fmt: skip
CLASSES = Method(
    "auxiliary-classes", "an auxiliary feature for each class of templates",
    AuxiliaryClasses, {"sigma2": SIGMA2},
)  # fmt: skip
