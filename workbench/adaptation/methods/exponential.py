"""An exponential prior in place of the Gaussian: few weights leave the mean at all."""

import numpy as np

from workbench.adaptation.method import Axis, Method, Path
from workbench.adaptation.methods.target import Target
from workbench.adaptation.union import Union
from workbench.learning.prior import ExponentialPrior, check_positive
from workbench.learning.solvers.fit import maximise
from workbench.settings import ALPHA_SEARCH, TRAINING

_TOLERANCE = 1e-4  # edges of the cost make the last digits dear


class ExponentialAdaptation(Union):
    """Adaptation under alpha * |weight - background weight|.

    Parameters, attributes and errors are those of ``Union``; the free weights are
    the variables.

    Source
    ------
    Goodman (2004) has weights >= 0 around a mean of 0. Around a background weights must be
    able to fall, or a wrong tag could never be unlearned, so the prior has two sides here
    (Kazama & Tsujii, 2003). Nobody, as far as we know, has adapted with it.
    """

    def __init__(self, background, corpus, cutoff=0):
        super().__init__(background, corpus, cutoff)
        self.given, self._path = {"cutoff": cutoff}, Path(self._follow)

    def prior(self, alpha):
        """The prior for a rate; InputError unless it is a number > 0."""
        return ExponentialPrior(
            self.background_weights, check_positive(alpha, "alpha"), two_sided=True
        )

    def fit(self, alpha, start=None, *, tolerance=_TOLERANCE, solver=None, **options):
        """Return the ``Fit`` of the free weights for a rate; options as of ``Union.maximise``."""
        return self.maximise(self.prior(alpha), start, solver, tolerance=tolerance, **options)

    def _follow(self, start, alpha):
        if start is not None:  # what is predicted to be hardly away is not away
            near = np.abs(start - self.background_weights) < 1e-3
            start = np.where(near, self.background_weights, start)
        return self.fit(alpha, start)

    def learn(self, alpha):
        """The background's weights, some of them moved; fits of other rates show the way."""
        return self.model(self._path.at(alpha=alpha), alpha)

    def model(self, fit, alpha, solver=None):
        """Return the adapted model that the weights of a fit make."""
        weights = self.table(fit.weights, self.mean)
        moved = int((fit.weights != self.background_weights).sum())
        told = {"prior": "exponential", "alpha": float(alpha), "solver": "lbfgs", "moved": moved}
        return self.assemble(weights, fit, method="map-exponential", **told)


class ExponentialTarget(Target):
    """The adaptation data alone, weights >= 0 under Goodman's prior.

    Source
    ------
    Goodman (2004): the penalty is alpha times the sum of the weights.
    """

    def prior(self, alpha):
        """The prior for a rate; InputError unless it is a number > 0."""
        return ExponentialPrior(np.zeros(len(self._features)), check_positive(alpha, "alpha"))

    def _fit(self, start, alpha):
        start = None if start is None else np.maximum(start, 0.0)
        return maximise(self._log_likelihood, self.prior(alpha), start, tolerance=_TOLERANCE)


# Large rates first: few weights are away there, and each smaller rate sends a few more. The
# other way round the first fit alone takes more steps than all of these.
ALPHA = Axis(ALPHA_SEARCH, start=TRAINING["alpha"].default)
METHODS = (
    Method(
        "map-exponential",
        "adaptation with an exponential prior on both sides of the background's weights",
        lambda sources: ExponentialAdaptation(sources.background, sources.adaptation),
        {"alpha": ALPHA},
    ),
    Method(
        "target-exponential",
        "the adaptation data alone, weights >= 0 under Goodman's exponential prior",
        ExponentialTarget,
        {"alpha": ALPHA},
    ),
)
