"""The log-likelihood of candidate sets, one softmax a sentence, and its derivatives."""

from functools import cached_property
from itertools import pairwise

import numpy as np

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates.candidate_sums import (
    add_curvature,
    add_hessian_product,
    sum_sentences,
)
from workbench.learning.candidates.candidate_dual import CandidateDual, Targets
from workbench.learning.candidates.candidate_slopes import CandidateSlopes
from workbench.learning.prior import GaussianPrior
from workbench.numerics.threads import run_in_threads, thread_count
from workbench.numerics.vectors import add_diagonal_product

_SMALL = 100_000  # entries below which a second thread costs more than it saves


class CandidateLikelihood:
    """L(Lambda): total nats over sentences, as a function of the weights.

    Parameters
    ----------
    columns : SentenceColumns
        Of F features.
    shares : ndarray, shape (C,)
        What is to be learnt, as in ``target_shares``.
    n_features : int
        F.
    offsets : ndarray, shape (C,)
        log q0 of each candidate, the reference distribution's; 0 where there is none.

    Source
    ------
    Plank & van Noord (2008), section 3, eq. 1 and 2.
    """

    def __init__(
        self, columns: SentenceColumns, shares: np.ndarray, n_features: int, offsets: np.ndarray
    ):
        self.n_features = n_features
        self._columns, self._shares, self._offsets = columns, shares, offsets
        self._parts = _divide(columns)
        self._probabilities = np.empty(len(shares))

    @cached_property
    def observed(self) -> np.ndarray:
        """Sentences in which each feature tells candidates apart; shape (F,)."""
        return self._columns.count_sentences(self.n_features).astype(float)

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        gradients = np.zeros((len(self._parts), self.n_features))
        return self._sum(weights, gradients), gradients.sum(axis=0)

    def value(self, weights: np.ndarray) -> float:
        """Return the log-likelihood in nats."""
        return self._sum(weights, np.zeros((len(self._parts), 0)))

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return the diagonal of the Hessian of -L(Lambda), shape (F,)."""
        self.value(weights)
        return self._diagonal()

    def expand(
        self, weights: np.ndarray, share: float = 0.0
    ) -> tuple[float, np.ndarray, "CandidateHessian"]:
        """Return the value, the gradient and the Hessian of -L(Lambda): the Taylor expansion.

        The Hessian is of all sentences, whatever the share that might be left out.
        """
        value, gradient = self(weights)
        return value, gradient, CandidateHessian(self._parts, self._probabilities.copy(),
                                                 self._diagonal())  # fmt: skip

    def dual(self, prior: GaussianPrior, start: np.ndarray | None = None) -> CandidateDual:
        """Return the dual problem under a prior, begun at its mean or about other weights, (F,)."""
        targets, shares, weights = Targets(self._shares, self._offsets), self._shares, prior.mean
        if start is not None:
            weights = prior.mean + prior.sigma2 * self(start)[1]
            shares = self._probabilities
        return CandidateDual(self._columns, targets, prior, shares, weights)

    def slopes(self) -> CandidateSlopes:
        """Return the slopes of the same sentences."""
        return CandidateSlopes(self._columns, self._shares, self._offsets)

    def _sum(self, weights, gradients):
        """Fill the probabilities, and the gradients of the parts where there is room for them."""
        weights = np.ascontiguousarray(weights, float)
        return sum(
            run_in_threads(
                lambda part, gradient: sum_sentences(
                    weights, part, self._offsets, self._shares, self._probabilities, gradient
                ),
                self._parts, gradients,
            )
        )  # fmt: skip

    def _diagonal(self):
        sums = np.zeros((len(self._parts), self.n_features))
        run_in_threads(
            lambda part, own: add_curvature(part, self._probabilities, own), self._parts, sums
        )
        return sums.sum(axis=0)


class CandidateHessian:
    """The Hessian of -L at some weights, by the probabilities, (C,), that they give.

    Attributes
    ----------
    diagonal : ndarray, shape (F,)
    active : ndarray of int
        Numbers of the weights that have more than their diagonal: all.
    """

    block = None  # the diagonal is preconditioner enough

    def __init__(self, parts: list, probabilities: np.ndarray, diagonal: np.ndarray):
        self._parts, self._probabilities, self.diagonal = parts, probabilities, diagonal
        self.active, self._moves = np.arange(len(diagonal)), np.empty(len(probabilities))

    def multiply(self, vector: np.ndarray, precision: np.ndarray, product: np.ndarray) -> float:
        """Fill a product of (Hessian + diagonal precision) with a vector; all of shape (F,).

        Returns the inner product of vector and product.
        """
        sums = np.zeros((len(self._parts), len(vector)))
        run_in_threads(
            lambda part, own: add_hessian_product(
                vector, part, self._probabilities, self._moves, own
            ),
            self._parts, sums,
        )  # fmt: skip
        sums.sum(axis=0, out=product)
        return add_diagonal_product(vector, precision, product)

    def __matmul__(self, vector: np.ndarray) -> np.ndarray:
        """Return the product with a vector, shape (F,)."""
        product = np.empty(len(vector))
        self.multiply(vector, np.zeros(len(vector)), product)
        return product


def _divide(columns):
    """Return the columns in parts of whole sentences, one a thread, with about as many entries."""
    n_sentences, n_entries = len(columns.sentence_starts) - 1, len(columns.values)
    n_parts = 1 if n_entries < _SMALL else min(thread_count(), n_sentences)
    wanted = n_entries * np.arange(n_parts + 1) / n_parts
    edges = np.searchsorted(columns.entry_starts, wanted)
    edges[0], edges[-1] = 0, n_sentences
    return [
        columns._replace(
            sentence_starts=columns.sentence_starts[a : b + 1],
            column_starts=columns.column_starts[a : b + 1],
            pattern_starts=columns.pattern_starts[a : b + 1],
            entry_starts=columns.entry_starts[a : b + 1],
        )
        for a, b in pairwise(edges.tolist())
    ]
