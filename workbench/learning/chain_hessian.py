"""The Hessian of a linear chain's log-likelihood, by its products with vectors.

As in ``hessian`` most words are all but certain once a model fits: a product runs over the
stretches of the others, less than half of the text.
"""

import numpy as np

from workbench.inference.chain.chain_hessian_products import list_rows, sum_pairs, turn_chains
from workbench.numerics.threads import N_THREADS, run_in_threads
from workbench.numerics.vectors import dot

_SMALL = 2_000  # words below which a second thread costs more than it saves


class ChainHessian:
    """The Hessian of -L at some weights, over its uncertain words.

    Parameters
    ----------
    cells : Cells
    padding : tuple of L
    forward : ndarray, shape (L, L)
        Factors of the transitions.
    kept : tuple of ndarray
        What ``sum_chains`` filled.
    starts : ndarray of int64, shape (sentences + 1,)
    share : float
        Words with less than this share of the mean word's curvature are left out.
    diagonal : ndarray, shape (F,)
        About that of all words: covariances between them are not in it.

    Attributes
    ----------
    active : slice
        Which weights the products are of: all.
    """

    active = slice(None)

    def __init__(self, cells, padding, forward, kept, starts, share, diagonal):
        self.diagonal, self._forward = diagonal, forward
        self._cells, self._blank, self._n_tags = cells, (0.0,) * len(padding), padding.count(0.0)
        ways, place, uncertainty = kept
        found = find_stretches(uncertainty, starts, share)
        self._n = int(found[1].sum())
        n_threads = 1 if self._n < _SMALL else N_THREADS
        self._parts = [
            self._take(ways, place, *(a[i::n_threads] for a in found)) for i in range(n_threads)
        ]
        self._pairs = np.zeros_like(forward)
        for _, lengths, _, own in self._parts:
            sum_pairs(lengths, *own, self._pairs)
        self._sums = np.empty((n_threads, len(cells)))

    def _take(self, ways, place, starts, lengths, begins):
        """What ``turn_chains`` reads of some stretches."""
        rows = place[list_rows(starts, lengths, len(self._blank))]
        return starts, lengths, begins, ways.take(rows, axis=1)

    def __len__(self):
        """Return the number of words that a product goes through."""
        return self._n

    def multiply(self, vector, precision, product):
        """Fill a product of (Hessian + diagonal precision) with a vector; all of shape (F,).

        Returns
        -------
        float
            The inner product of vector and product.
        """
        cells, forward, n = self._cells, self._forward, self._n_tags
        moves = cells.spread(vector)
        moved = np.zeros_like(forward)
        moved[:n] = forward[:n] * moves[0][-n - 1 : -1]
        ways = forward, moved, forward.T.copy(), moved.T.copy()
        self._sums[:] = 0
        products = run_in_threads(
            lambda part, sums: turn_chains(
                cells.words, self._blank, ways, part, moves, cells.split(sums)
            ),
            self._parts, self._sums,
        )  # fmt: skip
        total = self._sums.sum(axis=0)
        turned = sum(products) * forward + self._pairs * moved
        cells.split(total)[0][-n - 1 : -1] += turned[:n]
        product[:] = cells.gather(total) + precision * vector
        return dot(vector, product)

    def __matmul__(self, vector):
        """Return the product with a vector, shape (F,)."""
        product = np.empty_like(vector)
        self.multiply(vector, np.zeros(len(vector)), product)
        return product


def find_stretches(uncertainty, starts, share):
    """Return the stretches of uncertain words, and of one certain word at either end.

    Parameters
    ----------
    uncertainty : ndarray, shape (N,)
        Sum of p * (1 - p) of each word's labels.
    starts : ndarray of int64, shape (sentences + 1,)
    share : float
        A word is uncertain that has this share of the mean, and more than none.

    Returns
    -------
    starts, lengths : ndarray of int64
        Of the stretches, longest first.
    begins : ndarray of bool
        Whether a sentence begins there.
    """
    n = len(uncertainty)
    if not n:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool)
    begins = np.zeros(n + 1, bool)
    begins[starts] = True
    taken = (uncertainty > 0) & (uncertainty >= share * uncertainty.mean())
    joined = ~begins[1:n]  # word i and the next are of one sentence
    wide = taken.copy()
    wide[1:] |= taken[:-1] & joined
    wide[:-1] |= taken[1:] & joined
    on = np.concatenate([[False], wide[1:] & wide[:-1] & joined, [False]])  # goes on from i - 1
    first, last = wide & ~on[:-1], wide & ~on[1:]
    a = np.flatnonzero(first)
    lengths = np.flatnonzero(last) + 1 - a
    order = np.argsort(-lengths, kind="stable")
    return a[order], lengths[order], begins[a[order]]
