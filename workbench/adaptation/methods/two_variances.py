"""MAP adaptation with a variance for inherited features and one for new ones."""

import numpy as np

from workbench.adaptation.method import Axis, Method, Path
from workbench.adaptation.union import MODELS, Union
from workbench.learning.prior import GaussianPrior, check_positive


class TwoVariances(Union):
    """MAP adaptation under sigma2_m for the background's features and sigma2_a for new ones.

    Parameters, attributes and errors are those of ``Union``; the free weights are
    the variables.

    Source
    ------
    Zhang, Qiu, Huang & Wu (2008), on a CRF; one of the "other tying schemes" that Chelba &
    Acero (2004), section 4, leave to later work.
    """

    def __init__(self, background, corpus, cutoff=0):
        super().__init__(background, corpus, cutoff)
        self._path = Path(lambda start, **sigma2s: self.fit(**sigma2s, start=start))

    def prior(self, sigma2_m, sigma2_a):
        """The prior for two variances; InputError unless both are numbers > 0."""
        sigma2_m = check_positive(sigma2_m, "sigma2_m")
        sigma2_a = check_positive(sigma2_a, "sigma2_a")
        sigma2s = np.where(self.is_inherited, sigma2_m, sigma2_a)
        return GaussianPrior(self.background_weights, sigma2s)

    def fit(self, sigma2_m, sigma2_a, start=None, *, solver=None, **options):
        """Return the ``Fit`` of the free weights; options of ``Union.maximise``."""
        return self.maximise(self.prior(sigma2_m, sigma2_a), start, solver, **options)

    def learn(self, sigma2_m, sigma2_a):
        """The background's weights, moved; fits of other variances show the way."""
        sigma2s = {"sigma2_m": sigma2_m, "sigma2_a": sigma2_a}
        return self.model(self._path.at(**sigma2s), **sigma2s)

    def model(self, fit, sigma2_m, sigma2_a, solver=None):
        """Return the adapted model that the weights of a fit make."""
        told = {
            "prior": "gaussian", "sigma2_m": float(sigma2_m), "sigma2_a": float(sigma2_a),
            "solver": solver or self.finest_solver("gaussian"),
        }  # fmt: skip
        weights = self.table(fit.weights, self.mean)
        return self.assemble(weights, fit, method="map-two-variances", **told)


METHOD = Method(
    "map-two-variances",
    "MAP adaptation, sigma2_m for inherited and sigma2_a for new features",
    lambda sources: TwoVariances(sources.background, sources.adaptation),
    {
        "sigma2_m": Axis((0.1, 0.3, 1.0, 3.0, 10.0), start=1.0, refinements=1),
        "sigma2_a": Axis((0.1, 0.3, 1.0, 3.0, 10.0, 30.0), start=1.0, refinements=1),
    },
    exhaustive=True,
    models=MODELS,
)
