"""An exponential prior in place of the Gaussian: few weights leave the mean at all."""

import numpy as np

from workbench.adaptation.method import Axis, Method, Path
from workbench.adaptation.target import Target
from workbench.adaptation.union import Union
from workbench.learning.prior import ExponentialPrior, check_alpha
from workbench.learning.solvers import maximise

_TOLERANCE = 1e-4  # edges of the cost make the last digits dear


class ExponentialAdaptation:
    """Adaptation under alpha * |weight - background weight|.

    Source
    ------
    Goodman (2004) has weights >= 0 around a mean of 0. Around a background weights must be
    able to fall, or a wrong tag could never be unlearned, so the prior has two sides here
    (Kazama & Tsujii, 2003). Nobody, as far as we know, has adapted with it.
    """

    def __init__(self, sources):
        self.union, self.given = Union(sources.background, sources.adaptation), {"cutoff": 0}
        self._path = Path(self._fit)

    def prior(self, alpha):
        """The prior for a rate; InputError unless it is a number > 0."""
        return ExponentialPrior(self.union.background_weights, check_alpha(alpha), two_sided=True)

    def _fit(self, start, alpha):
        prior = self.prior(alpha)
        if start is not None:  # what is predicted to be hardly away is not away
            near = np.abs(start - prior.mean) < 1e-3
            start = np.where(near, prior.mean, start)
        return maximise(self.union.log_likelihood, prior, start, tolerance=_TOLERANCE)

    def learn(self, alpha):
        """The background's weights, some of them moved."""
        fit = self._path.at(alpha=alpha)
        weights = self.union.table(fit.weights, self.union.mean)
        moved = int((fit.weights != self.union.background_weights).sum())
        told = {"method": "map-exponential", "alpha": float(alpha), "moved": moved}
        return self.union.assemble(weights, fit, **told)


class ExponentialTarget(Target):
    """The adaptation data alone, weights >= 0 under Goodman's prior.

    Source
    ------
    Goodman (2004): the penalty is alpha times the sum of the weights.
    """

    def prior(self, alpha):
        """The prior for a rate; InputError unless it is a number > 0."""
        return ExponentialPrior(np.zeros(len(self._features)), check_alpha(alpha))

    def _fit(self, start, alpha):
        start = None if start is None else np.maximum(start, 0.0)
        return maximise(self._log_likelihood, self.prior(alpha), start, tolerance=_TOLERANCE)


_ALPHA = Axis((0.03, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0), start=0.3)
METHODS = (
    Method(
        "map-exponential",
        "adaptation with an exponential prior on both sides of the background's weights",
        ExponentialAdaptation,
        {"alpha": _ALPHA},
    ),
    Method(
        "target-exponential",
        "the adaptation data alone, weights >= 0 under Goodman's exponential prior",
        ExponentialTarget,
        {"alpha": _ALPHA},
    ),
)
