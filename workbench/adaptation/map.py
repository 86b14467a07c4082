"""MAP adaptation: a Gaussian prior whose mean is the background's weights."""

from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.union import MODELS, Union
from workbench.learning.prior import GaussianPrior, check_sigma2
from workbench.learning.solvers import maximise


class MapAdaptation(Union):
    """The adaptation of one background to one corpus, made ready for any sigma^2.

    Parameters, attributes and errors are those of ``Union``; the free weights are
    the variables.

    Source
    ------
    Chelba & Acero (2004), section 4, eq. 3; of CRFs Zhang, Qiu, Huang & Wu (2008).
    """

    def prior(self, sigma2):
        """The prior for a variance; InputError unless it is a number > 0."""
        return GaussianPrior(self.background_weights, check_sigma2(sigma2))

    def fit(self, sigma2, start=None, *, tolerance=1e-5, **options):
        """Return the ``Fit`` of the free weights for a sigma^2; options as in ``maximise``."""
        prior = self.prior(sigma2)
        return maximise(self.log_likelihood, prior, start, tolerance=tolerance, **options)

    def model(self, fit, sigma2):
        """Return the adapted model that the weights of a fit make."""
        weights = self.table(fit.weights, self.mean)
        return self.assemble(weights, fit, method="map", sigma2=float(sigma2))


def adapt(background, corpus, sigma2, cutoff=0, **options):
    """Return a background, MEMM or CRF, adapted to a corpus; see ``MapAdaptation``."""
    problem = MapAdaptation(background, corpus, cutoff)
    return problem.model(problem.fit(sigma2, **options), sigma2)


class _Map:
    given: dict

    def __init__(self, sources):
        self._problem = MapAdaptation(sources.background, sources.adaptation)
        self.given = {"cutoff": 0}
        self._path = Path(lambda start, sigma2: self._problem.fit(sigma2, start, tolerance=1e-6))

    def learn(self, sigma2):
        """The background's weights, moved."""
        return self._problem.model(self._path.at(sigma2=sigma2), sigma2)


METHOD = Method(
    "map", "MAP adaptation, one sigma2 for all weights", _Map, {"sigma2": SIGMA2}, models=MODELS
)
