"""MAP adaptation with a variance for each template: one for inherited features, one for new ones.

How far a weight may move depends on what it is of: neighbours of a word are others in a new
domain, its suffixes are much the same. So many variances cannot be searched by errors, value after
value; the gradient of development data's log-likelihood finds all of them at once.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.adaptation.method import MODELS, Method
from workbench.adaptation.tied_variances import LEFT_OUT, TiedVariances, number_places
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import Fit, maximise

_START = {"sigma2_m": 3.0, "sigma2_a": 10.0}  # inherited from the background, and new
_TOLERANCE = 1e-5  # of a fit


class TemplateVariances:
    """The adaptation of one background to one corpus, at any variances of its templates.

    Parameters
    ----------
    background, corpus, cutoff
        As in ``Adaptation``, from which the errors are, too; the background is an MEMM or CRF.

    Attributes
    ----------
    problem : AdaptationProblem
    start : dict of str to float
        Where a search begins: "sigma2_m.suffix1" is the variance of the inherited features of
        the template suffix1, "sigma2_a.suffix1" that of those which the corpus adds.

    Source
    ------
    Chelba & Acero (2004), eq. 3, with one of the "other tying schemes" that section 4 leaves to
    later work; Zhang, Qiu, Huang & Wu (2008), section 4, have two variances.
    """

    method = "map-by-template"

    def __init__(self, background: Any, corpus: Any, cutoff: int | None = 0):
        self.problem = background.adaptation_problem(corpus, cutoff)
        self.given = {"cutoff": cutoff}
        templates, is_new = self.problem.templates(), ~self.problem.is_inherited
        groups = number_places(templates, self.problem.n_features)[self.problem.places]
        self._variances = TiedVariances(is_new.astype(int), groups, _START, list(templates))
        self.start = self._variances.start
        self._last: Fit | None = None

    def prior(self, **values: float) -> GaussianPrior:
        """Return the prior for variances; InputError unless all are numbers > 0.

        "sigma2_m" or "sigma2_a" is that of all templates that are not given by themselves.
        """
        return GaussianPrior(self.problem.mean, self._variances.of_parameters(values))

    def refit(self, **values: float) -> Fit:
        """Return the ``Fit`` of the active weights, begun where the last one ended."""
        start = None if self._last is None else self._last.weights
        prior = self.prior(**values)
        self._last = maximise(self.problem.log_likelihood, prior, start, tolerance=_TOLERANCE)
        return self._last

    def domain_weights(self, fit: Fit) -> np.ndarray:
        """Return all weights, those of a fit and the background's."""
        return self.problem.all_weights(fit.weights)

    def model(self, fit: Fit, **values: float) -> Any:
        """Return the adapted model at a fit; ``values`` are what the fit was made with."""
        record = {"method": self.method, "prior": GaussianPrior.name, "solver": "lbfgs"}
        return self.problem.model(fit.weights, fit, **record | values)

    def learn(self, **values: float) -> Any:
        """Return the adapted model at some variances."""
        return self.model(self.refit(**values), **values)

    def hypergradient(
        self, fit: Fit, slope: np.ndarray, values: Mapping[str, float]
    ) -> dict[str, float]:
        """Return how fast a function of all weights rises with each variance.

        As in ``Hierarchy.hypergradient``, where ``slope`` is the gradient by all weights.
        """
        hessian = self.problem.log_likelihood.expand(fit.weights, LEFT_OUT)[-1]
        own, prior = slope[self.problem.places], self.prior(**values)
        return self._variances.differentiate(hessian, prior, fit.weights, own)[0]


METHOD = Method(
    TemplateVariances.method,
    "MAP adaptation, sigma2_m and sigma2_a for each template, by the gradient of dev's likelihood",
    lambda sources: TemplateVariances(sources.background, sources.adaptation),
    by_gradient=True,
    models=MODELS,
)
