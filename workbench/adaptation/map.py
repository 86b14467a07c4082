"""MAP adaptation: a Gaussian prior whose mean is the background's weights."""

from workbench.adaptation.exponential import ExponentialAdaptation
from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.union import Union
from workbench.learning.prior import GaussianPrior, check_sigma2
from workbench.learning.training import TO_THE_END


class MapAdaptation(Union):
    """The adaptation of one background to one corpus, made ready for any sigma^2.

    Parameters, attributes and errors are those of ``Union``; the free weights are
    the variables.

    Source
    ------
    Chelba & Acero (2004), section 4, eq. 3.
    """

    def prior(self, sigma2):
        """The prior for a variance; InputError unless it is a number > 0."""
        return GaussianPrior(self.background_weights, check_sigma2(sigma2))

    def fit(self, sigma2, start=None, *, solver="newton", **options):
        """Return the ``Fit`` of the free weights for a sigma^2; options as of ``MEMM.fit``."""
        if solver == "lbfgs":  # its default is for backgrounds; the others measure otherwise
            options = {"tolerance": 1e-6} | options
        return self.maximise(self.prior(sigma2), start, solver, **options)

    def model(self, fit, sigma2, solver="newton"):
        """Return the adapted MEMM that the weights of a fit make."""
        weights = self.table(fit.weights, self.mean)
        told = {"prior": "gaussian", "sigma2": float(sigma2), "solver": solver}
        return self.assemble(weights, fit, method="map", **told)


def adapt(background, corpus, sigma2=None, cutoff=0, *, alpha=None, solver=None, **options):
    """Return a background MEMM adapted to a corpus.

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
        default the first that can do with the prior.
    **options
        As of ``MEMM.fit``.
    """
    kind, strength = (MapAdaptation, sigma2) if alpha is None else (ExponentialAdaptation, alpha)
    problem = kind(background, corpus, cutoff)
    solver = solver or TO_THE_END[problem.prior(strength).name]
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


METHOD = Method("map", "MAP adaptation, one sigma2 for all weights", _Map, {"sigma2": SIGMA2})
