"""The log-likelihood of a linear-chain CRF: value, gradient, Hessian, and the weights' layout.

The score s(T | W) of labels T is the sum of the weights of the features that are active in all
words, those that read the label before among them; P(T | W) = exp s(T | W) / Z(W), and f(T, W) is
how often feature f is active::

    value      L = sum over sentences of (s(T | W) - log Z(W))               nats, total
    gradient   dL / df = sum of (f(T, W) - E f) = observed - expected, where E is by P( . | W)
    Hessian    of -L: sum of (E f g - E f E g); times v in ``inference.chain.hessian``

    weights    F numbers, the features in row-major order of the table (P, K)

Weights become cells of rows and these the scores of words, as ``inference.chain.scores`` says;
the rows of the one slot that reads the last label are a matrix of transitions.

As with events, most words are all but certain once a model fits: a product with the Hessian runs
over the stretches of the others, less than half of the text.
"""

from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from workbench.features.contexts import Sentences
from workbench.inference.chain.batches import Stretches, split_blocks
from workbench.inference.chain.forward_backward import Lattice, find_transitions
from workbench.inference.chain.hessian import (
    TransitionMoves,
    chain_hessian_vector_product,
    list_words,
    sum_pairs,
)
from workbench.inference.chain.scores import Cells, release_words
from workbench.inference.chain.sums import Expansion, add_local_curvature, sum_chains
from workbench.learning.solvers.conjugate_gradients import Block
from workbench.numerics.threads import run_in_threads, thread_count
from workbench.numerics.vectors import dot
from workbench.text.scratch import release

_BLOCK = 1_000  # weights: more take longer to invert than products are saved
_SMALL = 2_000  # words below which a second thread costs more than it saves


class ChainHessian:
    """The Hessian of -L at some weights, over its uncertain words.

    Parameters
    ----------
    forward : ndarray, shape (L, L)
        Factors of the transitions.
    kept : Expansion
        What ``sum_chains`` filled.
    starts : ndarray of int64, shape (sentences + 1,)
    share : float
        Words with less than this share of the mean word's curvature are left out.
    diagonal : ndarray, shape (F,)
        About that of all words: covariances between them are not in it.
    """

    active = slice(None)  # the weights that the words of the sentences have: all

    def __init__(
        self, cells: Cells, forward: np.ndarray, kept: Expansion, starts: np.ndarray,
        share: float, diagonal: np.ndarray,
    ) -> None:  # fmt: skip
        self.diagonal, self._forward, self._cells = diagonal, forward, cells
        found = find_stretches(kept.uncertainty, starts, share)
        self._n = int(found.lengths.sum())
        n_threads = 1 if self._n < _SMALL else thread_count()
        self._parts = [Stretches(*(a[i::n_threads] for a in found)) for i in range(n_threads)]
        rows = [kept.rows[list_words(part, len(forward))] for part in self._parts]
        self._lattices = [Lattice(*(a.take(own, axis=0) for a in kept.lattice)) for own in rows]
        self._pairs = np.zeros_like(forward)
        for part, lattice in zip(self._parts, self._lattices, strict=True):
            sum_pairs(part, lattice, self._pairs)
        self._sums = np.empty((n_threads, len(cells)))

    @cached_property
    def block(self) -> Block:
        """The Hessian's block of the weights of most curvature, as if tags were independent."""
        places = np.argsort(-self.diagonal, kind="stable")[:_BLOCK]
        numbers = np.full(len(self.diagonal), -1, np.int32)
        numbers[places] = np.arange(len(places))
        sums, weights = np.zeros((len(self._parts), *[len(places)] * 2)), self._cells.word_weights()
        run_in_threads(
            lambda part, lattice, own: add_local_curvature(
                list_words(part, len(self._pairs)), lattice.alpha * lattice.beta,
                weights, numbers, own,
            ),
            self._parts, self._lattices, sums,
        )  # fmt: skip
        return Block(places, sums.sum(axis=0))

    def __len__(self) -> int:
        """Return the number of words that a product goes through."""
        return self._n

    def multiply(
        self, vector: np.ndarray, precision: np.ndarray | float, product: np.ndarray
    ) -> float:
        """Fill a product of (Hessian + diagonal precision) with a vector; all of shape (F,).

        Returns the inner product of vector and product.
        """
        cells, forward, n_tags = self._cells, self._forward, self._cells.n_tags
        moves = cells.scores(vector)
        moved = np.zeros_like(forward)
        moved[:n_tags] = forward[:n_tags] * moves.table[-n_tags - 1 : -1]
        transitions = TransitionMoves(forward, moved, forward.T.copy(), moved.T.copy())
        self._sums[:] = 0
        pairs = run_in_threads(
            lambda part, lattice, sums: chain_hessian_vector_product(
                part, lattice, transitions, moves, cells.split(sums)
            ),
            self._parts, self._lattices, self._sums,
        )  # fmt: skip
        total = self._sums.sum(axis=0)
        d_pairs = sum(pairs) * forward + self._pairs * moved
        cells.split(total).table[-n_tags - 1 : -1] += d_pairs[:n_tags]
        product[:] = cells.gather(total) + precision * vector
        return dot(vector, product)

    def __matmul__(self, vector: np.ndarray) -> np.ndarray:
        """Return the product with a vector, shape (F,)."""
        product = np.empty_like(vector)
        self.multiply(vector, np.zeros(len(vector)), product)
        return product


def find_stretches(uncertainty: np.ndarray, starts: np.ndarray, share: float) -> Stretches:
    """Return the stretches of uncertain words, and of one certain word at either end.

    Parameters
    ----------
    uncertainty : ndarray, shape (N,)
        Sum of p * (1 - p) of each word's labels.
    starts : ndarray of int64, shape (sentences + 1,)
    share : float
        A word is uncertain that has this share of the mean, and more than none.
    """
    n = len(uncertainty)
    begins = np.zeros(n + 1, bool)
    begins[starts] = True
    mean = uncertainty.mean() if n else 0.0
    uncertain = (uncertainty > 0) & (uncertainty >= share * mean)
    joined = ~begins[1:n]  # word i and the next are of one sentence
    taken = uncertain.copy()
    taken[1:] |= uncertain[:-1] & joined
    taken[:-1] |= uncertain[1:] & joined
    follows = np.zeros(n + 1, bool)  # whether word i goes on with the stretch of word i - 1
    follows[1:n] = taken[1:] & taken[:-1] & joined
    first = np.flatnonzero(taken & ~follows[:-1])
    lengths = np.flatnonzero(taken & ~follows[1:]) + 1 - first
    order = np.argsort(-lengths, kind="stable")
    return Stretches(first[order], lengths[order], begins[first[order]])


class ChainLogLikelihood:
    """The sum of log P(labels | words) over sentences, as a function of the weights.

    Parameters and attributes are those of ``LogLikelihood``, with sentences for its events.

    Source
    ------
    Lafferty, McCallum & Pereira (2001); total nats, as in eq. 1 of Chelba & Acero (2004).
    """

    def __init__(
        self, sentences: Sentences, firing: sparse.csr_matrix, features: np.ndarray
    ) -> None:
        self.observed = _count(sentences, firing, features)
        self._cells, self._tags = Cells(sentences, firing, features), sentences.tags
        self._starts = sentences.starts
        self._parts = split_blocks(sentences.starts, bool(sentences.memory))
        self._sums = np.empty((len(self._parts), len(self._cells)))
        self._none = np.empty((len(self._parts), 0))
        self._room: tuple[Lattice, np.ndarray] | None = None

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        value = self._sum(self._cells.scores(weights), self._sums, self._none)
        return value, self._gradient()

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return p * (1 - p), summed for every feature, shape (F,): about the Hessian of -L."""
        self._sum(self._cells.scores(weights), self._none, self._sums)
        return self._gather(self._sums)

    def expand(
        self, weights: np.ndarray, share: float = 0.0
    ) -> tuple[float, np.ndarray, ChainHessian]:
        """Return the log-likelihood, its gradient and the ``ChainHessian`` of -L.

        Words with less than this share of the mean word's curvature are left out of the
        Hessian, but not of its diagonal.
        """
        scores, n = self._cells.scores(weights), len(self._tags)
        if self._room is None:  # used again and again
            lattice = Lattice(*np.empty((3, n, len(self._cells.padding))))
            self._room = lattice, np.empty_like(self._sums)
        lattice, curvature = self._room
        kept = Expansion(lattice, np.zeros(n, np.int64), np.zeros(n))
        value = self._sum(scores, self._sums, curvature, kept)
        forward = find_transitions(scores.table, scores.padding).forward
        diagonal = self._gather(curvature)
        hessian = ChainHessian(self._cells, forward, kept, self._starts, share, diagonal)
        return value, self._gradient(), hessian

    def _sum(self, scores, expected, curvature, kept=None):
        """Fill in the sums that are asked for, each thread its own; return the log-likelihood."""
        split, nothing = self._cells.split, Lattice(*np.empty((3, 0, len(scores.padding))))
        kept = kept or Expansion(nothing, np.empty(0, np.int64), np.empty(0))
        expected[:] = curvature[:] = 0
        parts = run_in_threads(
            lambda part, first, second: self._sum_part(
                part, scores, split(first), split(second), kept
            ),
            self._parts, expected, curvature,
        )  # fmt: skip
        return sum(parts)

    def _sum_part(self, part, scores, expected, curvature, kept):
        """Sum a thread's sentences as ``sum_chains``; of those on disk few are in memory."""
        total = 0.0
        for block in part:
            total += sum_chains(scores, self._tags, block.sentences, expected, curvature, kept)
            release_words(scores.words, block.words)
            release(self._tags[block.words])
        return total

    def _gradient(self):
        """Return the gradient, shape (F,), once what is expected has been summed."""
        gradient = self._gather(self._sums)
        return np.subtract(self.observed, gradient, out=gradient)

    def _gather(self, sums):
        """Take the sums of all threads back to features; the first's become those of all."""
        for others in sums[1:]:
            sums[0] += others
        return self._cells.gather(sums[0])


def _count(sentences, firing, features):
    """Count the features that sentences hold, shape (F,); sparsely, for few cells have counts."""
    if not features.any():
        return np.empty(0)
    counts: Any = sparse.csr_matrix(features.shape)
    for slot, fillers in enumerate(sentences.fillers):
        own = slice(fillers.first_row, fillers.first_row + len(fillers))
        counts += firing[own].T @ sentences.count_tags(slot)
    return np.asarray(counts[features.nonzero()], float).ravel()
