"""The inner loops of products with the Hessian, compiled; tables and events as in ``kernels``.

Only some rows are *active*: those that uncertain events read.
"""

import numpy as np
from numba import njit

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def fill_rows(dense, active, ends, predicates, padding, table):
    """Fill the active rows of a table with the sums of their predicates' values.

    Parameters
    ----------
    dense : ndarray, shape (P, L)
    active : ndarray of int
    ends, predicates : ndarray of int32
        ``indptr`` and ``indices`` of which predicates each row fires.
    padding : tuple of L
    table : ndarray, shape (n_rows, L)
    """
    width = len(padding)
    for i in range(len(active)):
        row = active[i]
        for k in range(width):
            table[row, k] = 0.0
        for j in range(ends[row], ends[row + 1]):
            for k in range(width):
                table[row, k] += dense[predicates[j], k]


@_compile
def sum_rows(sums, active, ends, predicates, padding, dense):
    """Add the active rows of sums, shape (n_rows, L), to their predicates: the way back."""
    width = len(padding)
    for i in range(len(active)):
        row = active[i]
        for j in range(ends[row], ends[row + 1]):
            for k in range(width):
                dense[predicates[j], k] += sums[row, k]


@_compile
def sum_turns(table, rows, weighted, probabilities, padding, sums):
    """Add to the rows of events how the expected counts turn when scores move.

    Parameters
    ----------
    table : ndarray, shape (n_rows, L)
        By how much the scores of each row move.
    rows : ndarray of int32, shape (n, S)
    weighted, probabilities : ndarray, shape (n, L)
        count * p and p.
    padding : tuple of L
    sums : ndarray, shape (n_rows, L)
    """
    width = len(padding)
    move = np.empty(width)
    for b in range(len(rows)):
        for k in range(width):
            move[k] = table[rows[b, 0], k]
        for s in range(1, rows.shape[1]):
            for k in range(width):
                move[k] += table[rows[b, s], k]
        mean = probabilities[b, 0] * move[0]
        for k in range(1, width):
            mean += probabilities[b, k] * move[k]
        for k in range(width):
            move[k] = weighted[b, k] * (move[k] - mean)
        for s in range(rows.shape[1]):
            for k in range(width):
                sums[rows[b, s], k] += move[k]
