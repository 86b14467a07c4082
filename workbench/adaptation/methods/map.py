"""MAP adaptation: a Gaussian prior whose mean is the background's weights."""

from copy import copy

from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.methods.exponential import ExponentialAdaptation
from workbench.adaptation.methods.two_variances import TwoVariances
from workbench.adaptation.union import MODELS, Union
from workbench.features.selection import min_count
from workbench.learning.prior import GaussianPrior, check_positive
from workbench.text.errors import InputError


class MapAdaptation(Union):
    """The adaptation of one background to one corpus, made ready for any sigma^2.

    Parameters, attributes and errors are those of ``Union``; the free weights are
    the variables.

    Source
    ------
    Chelba & Acero (2004), section 4, eq. 3; of CRFs Zhang, Qiu, Huang & Wu (2008).
    """

    def narrow(self, cutoff):
        """Return the adaptation with a higher cut-off, made of what is there: far sooner.

        Parameters
        ----------
        cutoff : int or None

        Returns
        -------
        narrow : MapAdaptation
            As if it were new.
        predicates : ndarray of bool, shape (P,)
            Which it keeps.
        weights : ndarray of bool, shape (F free,)
            Which of the free weights it keeps.

        Raises
        ------
        InputError
            If the cut-off is lower than this one's: what is missing here is not known.
        """
        least = min_count(cutoff)
        if least < min_count(self.cutoff):
            allowed = "none" if self.cutoff is None else f"{self.cutoff} or more, or none,"
            raise InputError(f"cutoff {cutoff}: {allowed} is allowed")
        narrow, exists = copy(self), self.features.exists
        narrow.cutoff = None if cutoff is None else least
        weights = self.is_inherited | (self.log_likelihood.observed >= least)
        exists.ravel()[self._free_cells[~weights]] = False
        features, predicates = self.features.subset(exists)
        narrow._set_up(features, self._firing[:, predicates])
        return narrow, predicates, weights

    def prior(self, sigma2):
        """The prior for a variance; InputError unless it is a number > 0."""
        return GaussianPrior(self.background_weights, check_positive(sigma2))

    def fit(self, sigma2, start=None, *, solver=None, **options):
        """Return the ``Fit`` of the free weights for a sigma^2; options of ``Union.maximise``."""
        return self.maximise(self.prior(sigma2), start, solver, **options)

    def model(self, fit, sigma2, solver=None):
        """Return the adapted model that the weights of a fit make."""
        weights = self.table(fit.weights, self.mean)
        solver = solver or self.finest_solver("gaussian")
        told = {"prior": "gaussian", "sigma2": float(sigma2), "solver": solver}
        return self.assemble(weights, fit, method="map", **told)


_PROBLEMS = {
    ("sigma2",): MapAdaptation,
    ("alpha",): ExponentialAdaptation,
    ("sigma2_m", "sigma2_a"): TwoVariances,
}  # by what is given


def adapt(
    background, corpus, sigma2=None, cutoff=0, *,
    alpha=None, sigma2_m=None, sigma2_a=None, solver=None, **options,
):  # fmt: skip
    """Return a background, MEMM or CRF, adapted to a corpus.

    Parameters
    ----------
    background, corpus, cutoff
        As of ``Union``.
    sigma2 : float
        Variance of the Gaussian prior around the background's weights.
    sigma2_m, sigma2_a : float, optional
        Two variances in its place: of features inherited from the background and of new ones.
    alpha : float, optional
        Rate of an exponential prior around them, in the place of the Gaussian.
    solver : {"newton", "lbfgs", "iis"}
        Newton's method, L-BFGS, or the paper's improved iterative scaling, eq. 4; by
        default the first that can do with the model and the prior.
    **options
        As of ``LogLinear.fit``.

    Raises
    ------
    InputError
        If what is given is not the strength of one prior, or not a number > 0; and as of
        ``Union``.

    Source
    ------
    Chelba & Acero (2004), eq. 3; two variances: Zhang, Qiu, Huang & Wu (2008), section 4.
    """
    asked = {"sigma2": sigma2, "alpha": alpha, "sigma2_m": sigma2_m, "sigma2_a": sigma2_a}
    strength = {name: value for name, value in asked.items() if value is not None}
    if tuple(strength) not in _PROBLEMS:
        told = " and ".join(strength) or "no strength of the prior"
        raise InputError(f"{told}: sigma2, alpha, or sigma2_m and sigma2_a is to be given")
    problem = _PROBLEMS[tuple(strength)](background, corpus, cutoff)
    return problem.model(
        problem.fit(**strength, solver=solver, **options), **strength, solver=solver
    )


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
