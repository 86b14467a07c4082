"""Products with the Hessian of a linear chain for Newton's method, over uncertain words alone.

As in ``hessian`` most words are all but certain once a model fits: a product runs over the
stretches of the others, less than half of the text.
"""

from functools import cached_property

import numpy as np

from workbench.inference.chain.batches import Stretches
from workbench.inference.chain.chain_hessian_products import (
    TransitionMoves,
    chain_hessian_vector_product,
    list_words,
    sum_pairs,
)
from workbench.inference.chain.chain_sums import Expansion
from workbench.inference.chain.forward_backward import Lattice
from workbench.inference.chain.local_curvature import add_local_curvature
from workbench.learning.solvers.preconditioners import Block
from workbench.numerics.threads import run_in_threads, thread_count
from workbench.numerics.vectors import dot
from workbench.scoring.chain_cells import Cells

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
        self._lattices, self._pairs = [_take(kept, p) for p in self._parts], np.zeros_like(forward)
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


def _take(kept, stretches):
    """Take what is kept of the words of some stretches, in the order of batches."""
    rows = kept.rows[list_words(stretches, kept.lattice.psi.shape[1])]
    return Lattice(*(sums.take(rows, axis=0) for sums in kept.lattice))


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
