"""The inner loops of products with the Hessian, compiled; tables and events as in ``kernels``.

Only some rows are *active*: those that uncertain events read.
"""

import numpy as np

from workbench.numerics.jit import jit
from workbench.scoring.row_sums import sum_rows


@jit
def turn(dense, active, ways, events, padding, scratch, turned):
    """Find how the expected counts of predicates turn when weights move, over some events.

    Parameters
    ----------
    dense : ndarray, shape (1, P, L)
        By how much scores move, relative to the reference tag's.
    active : ndarray of int
        Rows that the events read.
    ways : (ndarray, ndarray)
        ``indptr`` and ``indices``, in uint32, of which predicates each row fires.
    events : (ndarray, ndarray, ndarray)
        Rows, in uint32, shape (n, S), sorted by the first column for speed; any order is
        right. Counts, shape (n,). Probabilities of the tags, shape (n, L).
    padding : tuple of L
    scratch : (ndarray, ndarray)
        Shape (n_rows, L) both.
    turned : ndarray, shape (P, L)
        Filled.
    """
    (ends, predicates), (table, sums) = ways, scratch
    sum_rows(dense, active, ends, predicates, padding, table)
    _clear(sums, active)
    _sum_turns(table, events, padding, sums)
    turned[:] = 0
    _scatter_rows(sums, active, ends, predicates, padding, turned)


@jit
def _clear(sums, active):
    for row in active:
        sums[row] = 0.0


@jit
def _sum_turns(table, events, padding, sums):
    """Add to the rows of events how their expected counts turn when scores move.

    What goes to the row of the first slot is held back until the next row begins, as
    in ``kernels``.
    """
    (rows, counts, p), width = events, len(padding)
    move, held, holder = np.empty(width), np.zeros(width), rows[0, 0] if len(rows) else 0
    for b in range(len(rows)):
        if rows[b, 0] != holder:
            for k in range(width):
                sums[holder, k] += held[k]
                held[k] = 0.0
            holder = rows[b, 0]
        for k in range(width):
            move[k] = table[holder, k]
        for s in range(1, rows.shape[1]):
            for k in range(width):
                move[k] += table[rows[b, s], k]
        mean = p[b, 0] * move[0]
        for k in range(1, width):
            mean += p[b, k] * move[k]
        for k in range(width):
            move[k] = counts[b] * p[b, k] * (move[k] - mean)
            held[k] += move[k]
        for s in range(1, rows.shape[1]):
            for k in range(width):
                sums[rows[b, s], k] += move[k]
    for k in range(width):
        sums[holder, k] += held[k]


@jit
def _scatter_rows(sums, active, ends, predicates, padding, turned):
    """Add the active rows of sums to their predicates: the way back."""
    width = len(padding)
    for i in range(len(active)):
        row = active[i]
        for j in range(ends[row], ends[row + 1]):
            for k in range(width):
                turned[predicates[j], k] += sums[row, k]
