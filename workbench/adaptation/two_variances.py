"""MAP adaptation with a variance for inherited features and one for new ones."""

import numpy as np

from workbench.adaptation.map import MapAdaptation
from workbench.adaptation.method import Axis, Method, Path
from workbench.adaptation.union import MODELS
from workbench.learning.prior import GaussianPrior, check_sigma2


class TwoVariances:
    """MAP adaptation under sigma2_m for the background's features and sigma2_a for new ones.

    Source
    ------
    Zhang, Qiu, Huang & Wu (2008), on a CRF; one of the "other tying schemes" that Chelba &
    Acero (2004), section 4, leave to later work.
    """

    def __init__(self, sources):
        self.problem, self.given = MapAdaptation(sources.background, sources.adaptation), {}
        self._path = Path(self._fit)

    def prior(self, sigma2_m, sigma2_a):
        """The prior for two variances; InputError unless both are numbers > 0."""
        sigma2_m, sigma2_a = check_sigma2(sigma2_m), check_sigma2(sigma2_a)
        sigma2s = np.where(self.problem.is_inherited, sigma2_m, sigma2_a)
        return GaussianPrior(self.problem.background_weights, sigma2s)

    def _fit(self, start, **sigma2s):
        return self.problem.maximise(self.prior(**sigma2s), start)

    def learn(self, sigma2_m, sigma2_a):
        """The background's weights, moved."""
        fit = self._path.at(sigma2_m=sigma2_m, sigma2_a=sigma2_a)
        weights = self.problem.table(fit.weights, self.problem.mean)
        sigma2s = {"sigma2_m": float(sigma2_m), "sigma2_a": float(sigma2_a)}
        return self.problem.assemble(weights, fit, method="map-two-variances", **sigma2s)


METHOD = Method(
    "map-two-variances",
    "MAP adaptation, sigma2_m for inherited and sigma2_a for new features",
    TwoVariances,
    {
        "sigma2_m": Axis((0.1, 0.3, 1.0, 3.0, 10.0), start=1.0, refinements=1),
        "sigma2_a": Axis((0.1, 0.3, 1.0, 3.0, 10.0, 30.0), start=1.0, refinements=1),
    },
    exhaustive=True,
    models=MODELS,
)
