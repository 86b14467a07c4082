"""The Hessian of a linear chain's log-likelihood, by its products with vectors.

As in ``hessian`` most words are all but certain once a model fits: a product runs over the
stretches of the others, a tenth of the text.
"""

import numpy as np

from workbench.learning.chain_hessian_kernels import turn_chains
from workbench.learning.kernels import dot
from workbench.learning.threads import N_THREADS, run_in_threads

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
        What ``sum_chain_variances`` filled.
    starts : ndarray of int64, shape (sentences + 1,)
    share : float
        Words with less than this share of the mean word's curvature are left out.
    diagonal : ndarray, shape (F,)
        About that of all words: covariances between them are not in it.

    Attributes
    ----------
    felt : slice
        The weights that sentences feel: all.
    """

    felt = slice(None)

    def __init__(self, cells, padding, forward, kept, starts, share, diagonal):
        self.diagonal = diagonal
        self._cells, self._padding, self._blank = cells, padding, (0.0,) * len(padding)
        self._forward, self._kept = forward, kept
        found = find_stretches(_curvature(*kept[:2]), starts, share)
        n_words = int((found[:, 1] - found[:, 0]).sum())
        n_threads = 1 if n_words < _SMALL else N_THREADS
        self._parts, self._n = np.array_split(found, n_threads), n_words
        self._sums = np.empty((n_threads, len(cells)))

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
        moves = self._cells.spread(vector)
        self._sums[:] = 0

        def turn(part, sums):
            turn_chains(
                self._cells.words, self._forward, self._kept, *moves, self._padding, self._blank,
                part, *self._cells.split(sums),
            )  # fmt: skip

        run_in_threads(turn, self._parts, self._sums)
        product[:] = self._cells.gather(self._sums.sum(axis=0)) + precision * vector
        return dot(vector, product)

    def __matmul__(self, vector):
        """Return the product with a vector, shape (F,)."""
        product = np.empty_like(vector)
        self.multiply(vector, np.zeros(len(vector)), product)
        return product


def _curvature(alpha, beta):
    """Sum of p * (1 - p) of each word's labels, p their marginals; shape (N,)."""
    marginals = alpha * beta
    return np.einsum("ik,ik->i", marginals, 1 - marginals)


def find_stretches(curvature, starts, share):
    """Return the stretches of uncertain words, and of one certain word at either end.

    Parameters
    ----------
    curvature : ndarray, shape (N,)
    starts : ndarray of int64, shape (sentences + 1,)
    share : float
        A word is uncertain that has this share of the mean curvature, and more than none.

    Returns
    -------
    stretches : ndarray of int64, shape (n, 3)
        Of each the first word, the end, and whether a sentence begins there.
    """
    n = len(curvature)
    if not n:
        return np.empty((0, 3), np.int64)
    begins = np.zeros(n + 1, bool)
    begins[starts] = True
    taken = (curvature > 0) & (curvature >= share * curvature.mean())
    joined = ~begins[1:n]  # word i and the next are of one sentence
    wide = taken.copy()
    wide[1:] |= taken[:-1] & joined
    wide[:-1] |= taken[1:] & joined
    on = np.concatenate([[False], wide[1:] & wide[:-1] & joined, [False]])  # goes on from i - 1
    first, last = wide & ~on[:-1], wide & ~on[1:]
    a = np.flatnonzero(first)
    return np.column_stack([a, np.flatnonzero(last) + 1, begins[a]])
