"""MAP adaptation: a Gaussian prior whose mean is the background's weights."""

from workbench.adaptation.exponential import ExponentialAdaptation
from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.union import MODELS, Union
from workbench.learning.prior import GaussianPrior, check_sigma2


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

    def fit(self, sigma2, start=None, *, solver=None, **options):
        """Return the ``Fit`` of the free weights for a sigma^2; options of ``Union.maximise``."""
        return self.maximise(self.prior(sigma2), start, solver, **options)

    def model(self, fit, sigma2, solver=None):
        """Return the adapted model that the weights of a fit make."""
        weights = self.table(fit.weights, self.mean)
        solver = solver or self.finest_solver("gaussian")
        told = {"prior": "gaussian", "sigma2": float(sigma2), "solver": solver}
        return self.assemble(weights, fit, method="map", **told)


def adapt(background, corpus, sigma2=None, cutoff=0, *, alpha=None, solver=None, **options):
    """Return a background, MEMM or CRF, adapted to a corpus.

    Parameters
    ----------
    background, corpus, cutoff
        As of ``Union``.
    sigma2 : float
        Variance of the Gaussian prior around the background's weights.
    alpha : float, optional
        Rate of an exponential prior around them, in the place of the Gaussian.
    solver : {"newton", "lbfgs", "iis"}
        Newton's method, L-BFGS, or the paper's improved iterative scaling, eq. 4; by
        default the first that can do with the model and the prior.
    **options
        As of ``LogLinear.fit``.
    """
    kind, strength = (MapAdaptation, sigma2) if alpha is None else (ExponentialAdaptation, alpha)
    problem = kind(background, corpus, cutoff)
    return problem.model(problem.fit(strength, solver=solver, **options), strength, solver)


class _Map:
    given: dict

    def __init__(self, sources):
        self._problem = MapAdaptation(sources.background, sources.adaptation)
        self.given = {"cutoff": 0}
        self._path = Path(lambda start, sigma2: self._problem.fit(sigma2, start))

    def learn(self, sigma2):
        """The background's weights, moved."""
        return self._problem.model(self._path.at(sigma2=sigma2), sigma2)


METHOD = Method(
    "map", "MAP adaptation, one sigma2 for all weights", _Map, {"sigma2": SIGMA2}, models=MODELS
)
