"""Two models as the only features of a third: -log P_OUT and -log P_IN.

As with auxiliary distributions log-normalizers cancel, and the combination is an
MEMM whose weights are -mu_out times the background's and -mu_in times the domain's:
a product of two experts, normalized in each context.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from workbench.adaptation.method import Axis, Method, Sources, fold
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.problem import ActiveLikelihood
from workbench.learning.solvers.fit import maximise
from workbench.learning.warm_start import WarmStarts

_MU_SIGMA2 = 1e4  # two weights on 100k events need no smoothing


class _InDomain:
    """P_IN of some adaptation data, its weights among all of a problem's."""

    def __init__(self, problem, data):
        self._n, self._places = len(problem.background_weights), data.places
        observed = np.flatnonzero(data.log_likelihood.observed > 0)
        self._matrix = selection(observed, len(self._places))
        self._log_likelihood = Combined([Part(data.log_likelihood, self._matrix)])
        self._warm_starts = WarmStarts()

    def weights(self, sigma2):
        """Return all weights for the variance of the zero-mean prior."""
        prior = GaussianPrior(np.zeros(self._matrix.shape[1]), sigma2)

        def solve(start):
            return maximise(self._log_likelihood, prior, start, tolerance=1e-6)

        weights = np.zeros(self._n)
        weights[self._places] = self._matrix @ self._warm_starts.fit(solve, sigma2=sigma2).weights
        return weights


class EqualWeights:
    """The background's and the domain's model with weights of -1 each.

    Source
    ------
    Plank & van Noord (2008), model combination with equal weights.
    """

    def __init__(self, sources: Sources):
        self.problem = sources.background.adaptation_problem(sources.adaptation)
        data = ActiveLikelihood(self.problem.log_likelihood, self.problem.places)
        self._inside = _InDomain(self.problem, data)

    def weigh(self, sigma2: float) -> Sequence[float]:
        """Return the two weights, mu_out and mu_in."""
        return -1.0, -1.0

    def learn(self, sigma2: float) -> Any:
        """Return the combination for the variance of P_IN's prior."""
        mu_out, mu_in = self.weigh(sigma2)
        background = self.problem.background_weights
        weights = -mu_out * background - mu_in * self._inside.weights(sigma2)
        mus = {"out": mu_out, "in": mu_in}
        record = {"method": "model-combination", "sigma2": float(sigma2), "estimated": mus}
        return self.problem.model_of_all(weights, **record)


class ModelCombination(EqualWeights):
    """The two models with weights estimated on the adaptation data.

    P_IN knows the data that it was trained on too well to be weighed by them: of five
    folds each is scored by the P_IN of the other four. The final P_IN is that of all.

    Source
    ------
    Plank & van Noord (2008), model combination. They estimate both weights on in-domain
    training data; the folds are ours.
    """

    def __init__(self, sources: Sources):
        super().__init__(sources)
        likelihood_of = self.problem.likelihood_of
        self.folds = [
            (_InDomain(self.problem, likelihood_of(rest)), likelihood_of(held))
            for rest, held in fold(sources.adaptation)
        ]

    def weigh(self, sigma2: float) -> Sequence[float]:
        """Return the two weights with the highest likelihood of the held-out folds."""
        parts, background = [], self.problem.background_weights
        for inside, (log_likelihood, places) in self.folds:
            columns = np.stack([background[places], inside.weights(sigma2)[places]], axis=1)
            parts.append(Part(log_likelihood, sparse.csr_matrix(-columns)))
        prior, start = GaussianPrior(np.zeros(2), _MU_SIGMA2), np.array([-1.0, -1.0])
        return maximise(Combined(parts), prior, start, tolerance=1e-7).weights.tolist()


# P_IN for two: as the smaller voice it may be smoothed less than a model that stands alone.
_SIGMA2 = Axis((0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0), start=10.0, refinements=1)

COMBINATION = Method(
    "model-combination", "-log P_OUT and -log P_IN as the only features, weights estimated",
    ModelCombination, {"sigma2": _SIGMA2},
)  # fmt: skip
EQUAL_WEIGHTS = Method(
    "equal-weights", "-log P_OUT and -log P_IN, -1 each", EqualWeights, {"sigma2": _SIGMA2},
)  # fmt: skip
