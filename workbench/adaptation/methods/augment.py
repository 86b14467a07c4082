"""Feature augmentation: weights for all text, for the background's and for the domain's (AUGMENT).

Every feature has three weights: general g, source s and target t; the background
is scored by u = g + s, the domain by v = g + t. Under Gaussian priors u and v are
two Gaussians tied by g, and v = shared * u + e with an e that is independent of u:
MAP adaptation around a shrunken background, of which the domain has its say. In u
and e nothing is counted twice, so that the fit is well conditioned.
"""

from typing import Any

import numpy as np
from scipy import sparse

from workbench.adaptation.method import Axis, Method, Sources
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior, check_positive
from workbench.learning.solvers.fit import Fit, maximise
from workbench.learning.warm_start import WarmStarts


class Augmentation:
    """The joint fit of a background and a domain with augmented features.

    Source
    ------
    Daumé III (2007), section 3.1; as a prior over two models, section 3.2 there and Finkel &
    Manning (2009). Variances of g, s and t are three numbers here, one in the paper.
    """

    def __init__(self, sources: Sources):
        self.problem = sources.background.adaptation_problem(sources.adaptation)
        self._source = self.problem.likelihood_of(sources.corpus)
        n, target = len(self.problem.background_weights), self.problem.places
        self._in_both = np.isin(target, self._source.places)  # of the target; shape (F,)
        # From u to the weights of the target: those of features that fire in both texts.
        self._to_target = (selection(target, n).T @ selection(self._source.places, n)).tocsr()
        self.warm_starts = WarmStarts()

    def fit(self, start: np.ndarray | None, *, tolerance: float = 1e-5, **sigma2s: float) -> Fit:
        """Return the ``Fit`` of (u, e) for three variances."""
        start = self._at_background(**sigma2s) if start is None else start
        likelihood, prior = self._combined(**sigma2s), self.prior(**sigma2s)
        return maximise(likelihood, prior, start, tolerance=tolerance)

    def prior(self, sigma2_g: float, sigma2_s: float, sigma2_t: float) -> GaussianPrior:
        """Return the prior of (u, e); InputError unless all variances are numbers > 0."""
        g, s, t = map(check_positive, (sigma2_g, sigma2_s, sigma2_t))
        of_e = np.where(self._in_both, t + g * s / (g + s), g + t)
        sigma2s = np.concatenate([np.full(len(self._source.places), g + s), of_e])
        return GaussianPrior(np.zeros(len(sigma2s)), sigma2s)

    def _combined(self, sigma2_g, sigma2_s, **_):
        n_source, n_target = len(self._source.places), len(self._in_both)
        from_u = _shared(sigma2_g, sigma2_s) * self._to_target
        source = sparse.eye(n_source, n_source + n_target, format="csr")
        target = sparse.hstack([from_u, sparse.identity(n_target)], "csr")
        likelihoods = self._source.log_likelihood, self.problem.log_likelihood
        return Combined([*map(Part, likelihoods, (source, target))])

    def _at_background(self, sigma2_g, sigma2_s, **_):
        u = self.problem.background_weights[self._source.places]
        of_target = _shared(sigma2_g, sigma2_s) * (self._to_target @ u)
        return np.concatenate([u, self.problem.mean - of_target])

    def learn(self, **sigma2s: float) -> Any:
        """Return the domain's model, g + t, for ``sigma2_g``, ``sigma2_s`` and ``sigma2_t``."""
        fit = self.warm_starts.fit(lambda start: self.fit(start, **sigma2s), **sigma2s)
        shared = _shared(sigma2s["sigma2_g"], sigma2s["sigma2_s"])
        u, e = np.split(fit.weights, [len(self._source.places)])
        weights = np.zeros(len(self.problem.background_weights))
        weights[self._source.places] = shared * u  # what the domain never fires has t = 0
        weights[self.problem.places] = shared * (self._to_target @ u) + e
        return self.problem.model_of_all(weights, fit, method="augment", **sigma2s)


def _shared(sigma2_g, sigma2_s):
    """The share of u = g + s that is g."""
    return sigma2_g / (sigma2_g + sigma2_s)


METHOD = Method(
    "augment", "each feature in a general, a background and a domain version (AUGMENT)",
    Augmentation,
    {
        "sigma2_g": Axis((1.0, 3.0, 10.0, 30.0), start=10.0),
        "sigma2_s": Axis((0.001, 0.01, 0.1, 1.0), start=0.01),
        "sigma2_t": Axis((0.3, 1.0, 3.0, 10.0), start=1.0),
    },
    needs="text",
)  # fmt: skip
