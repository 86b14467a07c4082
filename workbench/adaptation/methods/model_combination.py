"""Two models as the only features of a third: -log P_OUT and -log P_IN.

As with auxiliary distributions log-normalizers cancel, and the combination is an
MEMM whose weights are -mu_out times the background's and -mu_in times the domain's:
a product of two experts, normalized in each context.
"""

import numpy as np
from scipy import sparse

from workbench.adaptation.folds import fold
from workbench.adaptation.method import Axis, Method, Path
from workbench.adaptation.union import Union
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise

_MU_SIGMA2 = 1e4  # two weights on 100k events need no smoothing


class _InDomain:
    """P_IN of some adaptation data, its weights among the cells of a union."""

    def __init__(self, union, corpus):
        self._likelihood, self._free = union.restrict(corpus)
        self._matrix = selection(self._likelihood.observed > 0)
        self._path = Path(self._fit)

    def _fit(self, start, sigma2):
        prior = GaussianPrior(np.zeros(self._matrix.shape[1]), sigma2)
        combined = Combined([Part(self._likelihood, self._matrix)])
        return maximise(combined, prior, start, tolerance=1e-6)

    def table(self, sigma2):
        """Weights for the variance of the zero-mean prior, shape (P, K)."""
        weights = np.zeros(self._free.shape)
        weights[self._free] = self._matrix @ self._path.at(sigma2=sigma2).weights
        return weights


class EqualWeights:
    """The background's and the domain's model with weights of -1 each.

    Source
    ------
    Plank & van Noord (2008), model combination with equal weights.
    """

    def __init__(self, sources):
        self.union = Union(sources.background, sources.adaptation)
        self._inside = _InDomain(self.union, self.union.corpus)

    def weigh(self, sigma2):
        """The two weights, mu_out and mu_in."""
        return -1.0, -1.0

    def learn(self, sigma2):
        """Return the combination for the variance of P_IN's prior."""
        mu_out, mu_in = self.weigh(sigma2)
        weights = -mu_out * self.union.mean - mu_in * self._inside.table(sigma2)
        mus = {"out": mu_out, "in": mu_in}
        told = {"method": "model-combination", "sigma2": float(sigma2), "estimated": mus}
        return self.union.assemble(weights, **told)


class ModelCombination(EqualWeights):
    """The two models with weights estimated on the adaptation data.

    P_IN knows the data that it was trained on too well to be weighed by them: of five
    folds each is scored by the P_IN of the other four. The final P_IN is that of all.

    Source
    ------
    Plank & van Noord (2008), model combination. They estimate both weights on in-domain
    training data; the folds are ours.
    """

    def __init__(self, sources):
        super().__init__(sources)
        self._folds = [self._fold(*pair) for pair in fold(sources.adaptation)]

    def _fold(self, rest, held):
        return _InDomain(self.union, rest), *self.union.restrict(held)

    def weigh(self, sigma2):
        """The two weights with the highest likelihood of the held-out folds."""
        parts = []
        for inside, likelihood, free in self._folds:
            columns = np.stack([self.union.mean[free], inside.table(sigma2)[free]], axis=1)
            parts.append(Part(likelihood, sparse.csr_matrix(-columns)))
        prior = GaussianPrior(np.zeros(2), _MU_SIGMA2)
        return maximise(
            Combined(parts), prior, np.array([-1.0, -1.0]), tolerance=1e-7
        ).weights.tolist()


# P_IN for two: as the smaller voice it may be smoothed less than a model that stands alone.
_SIGMA2 = Axis((0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0), start=10.0, refinements=1)

METHODS = (
    Method(
        "model-combination",
        "-log P_OUT and -log P_IN as the only features, weights estimated",
        ModelCombination,
        {"sigma2": _SIGMA2},
    ),
    Method("equal-weights", "-log P_OUT and -log P_IN, -1 each", EqualWeights, {"sigma2": _SIGMA2}),
)
