"""The inner loops of products with the Hessian, compiled; tables and events as in ``kernels``.

Only some rows are *active*: those that uncertain events read.
"""

import numpy as np
from numba import njit

from workbench.learning.row_kernels import sum_rows

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def turn(dense, active, ends, predicates, rows, counts, p, padding, table, sums, turned):
    """Find how the expected counts of predicates turn when weights move, over some events.

    Parameters
    ----------
    dense : ndarray, shape (1, P, L)
        By how much the weights move.
    active : ndarray of int
        Rows that the events read.
    ends, predicates : ndarray of uint32
        ``indptr`` and ``indices`` of which predicates each row fires.
    rows : ndarray of uint32, shape (n, S)
        Sorted by the first column for speed; any order is right.
    counts : ndarray, shape (n,)
    p : ndarray, shape (n, L)
        Probabilities of the tags.
    padding : tuple of L
    table, sums : ndarray, shape (n_rows, L)
        Scratch.
    turned : ndarray, shape (P, L)
        Filled.
    """
    sum_rows(dense, active, ends, predicates, padding, table)
    _clear(sums, active)
    _sum_turns(table, rows, counts, p, padding, sums)
    turned[:] = 0
    _scatter_rows(sums, active, ends, predicates, padding, turned)


@_compile
def _clear(sums, active):
    for row in active:
        sums[row] = 0.0


@_compile
def _sum_turns(table, rows, counts, p, padding, sums):
    """Add to the rows of events how their expected counts turn when scores move.

    What goes to the row of the first slot is held back until the next row begins, as
    in ``kernels``.
    """
    width = len(padding)
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


@_compile
def _scatter_rows(sums, active, ends, predicates, padding, turned):
    """Add the active rows of sums to their predicates: the way back."""
    width = len(padding)
    for i in range(len(active)):
        row = active[i]
        for j in range(ends[row], ends[row + 1]):
            for k in range(width):
                turned[predicates[j], k] += sums[row, k]


@_compile
def gather(turned, cells, vector, precision, product):
    """Fill a product with what the parts of the events turned, and precision * vector.

    Parameters
    ----------
    turned : ndarray, shape (parts, P, L)
    cells : ndarray of int, shape (F,)
        Places of the weights in (P, L).
    vector, precision, product : ndarray, shape (F,)

    Returns
    -------
    float
        The inner product of vector and product.
    """
    flat, inner = turned.reshape(len(turned), -1), 0.0
    for i in range(len(cells)):
        total = precision[i] * vector[i]
        for part in range(len(flat)):
            total += flat[part, cells[i]]
        product[i] = total
        inner += total * vector[i]
    return inner


@_compile
def advance(length, direction, product, scale, step, rest):
    """Take a step of conjugate gradients; return the new rest's square, scaled."""
    size = 0.0
    for i in range(len(rest)):
        step[i] += length * direction[i]
        rest[i] -= length * product[i]
        size += rest[i] * rest[i] * scale[i]
    return size


@_compile
def conjugate(share, scale, rest, direction):
    """Turn a direction to the scaled rest and a share of itself."""
    for i in range(len(rest)):
        direction[i] = scale[i] * rest[i] + share * direction[i]
