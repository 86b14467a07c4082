"""The inner loops of learning, compiled: arrays in, arrays out.

Tables of scores are padded to L columns, K rounded up to whole vector
registers; ``padding`` is 0 for a tag and a large negative number beyond K.
All release the global lock, so that threads may share the events.
"""

import math

import numpy as np
from numba import njit

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def _exponentials(table, rows, padding, scores):
    """Fill scores with exp(score - highest) of one context; return their sum and the highest."""
    for k in range(len(scores)):
        scores[k] = padding[k]
    for row in rows:
        for k in range(len(scores)):
            scores[k] += table[row, k]
    highest = scores[0]
    for k in range(1, len(scores)):
        highest = max(highest, scores[k])
    total = 0.0
    for k in range(len(scores)):
        scores[k] = math.exp(scores[k] - highest)
        total += scores[k]
    return total, highest


@_compile
def sum_events(table, rows, tags, counts, padding, expected):
    """Sum the log-likelihood of events and what the model expects of every row.

    Parameters
    ----------
    table : ndarray, shape (n_rows, L)
    rows : ndarray of int32, shape (N, S)
    tags : ndarray of int8, shape (N,)
    counts : ndarray, shape (N,)
    padding : ndarray, shape (L,)
    expected : ndarray, shape (n_rows, L)
        Counts under the model are added to it.

    Returns
    -------
    log_likelihood : float
        Nats, total: the sum of count * log p(tag | context).
    """
    scores = np.empty(table.shape[1])
    log_likelihood = 0.0
    for i in range(len(rows)):
        total, highest = _exponentials(table, rows[i], padding, scores)
        seen = -highest
        for row in rows[i]:
            seen += table[row, tags[i]]
        log_likelihood += counts[i] * (seen - math.log(total))
        share = counts[i] / total
        for k in range(len(scores)):
            scores[k] *= share
        for row in rows[i]:
            for k in range(len(scores)):
                expected[row, k] += scores[k]
    return log_likelihood


@_compile
def sum_curvature(table, rows, counts, padding, curvature):
    """Add count * p * (1 - p) of every event to its rows; arrays as in ``sum_events``."""
    scores = np.empty(table.shape[1])
    for i in range(len(rows)):
        total, _ = _exponentials(table, rows[i], padding, scores)
        for k in range(len(scores)):
            p = scores[k] / total
            scores[k] = counts[i] * p * (1 - p)
        for row in rows[i]:
            for k in range(len(scores)):
                curvature[row, k] += scores[k]


@_compile
def dot(a, b):
    """Inner product, without waking a pool of threads as BLAS would."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@_compile
def _add_scaled(scale, a, b):
    for i in range(len(a)):
        b[i] += scale * a[i]


@_compile
def quasi_newton_direction(gradient, moves, turns, n_pairs, newest, scale):
    """Multiply a gradient by the inverse Hessian of L-BFGS (the two-loop recursion).

    Parameters
    ----------
    gradient : ndarray, shape (F,)
    moves, turns : ndarray, shape (m, F)
        Differences of successive points and gradients, a ring of the last m.
    n_pairs : int
        How many of them are filled.
    newest : int
        Place of the newest.
    scale : ndarray, shape (F,)
        Diagonal inverse Hessian to begin with.

    Returns
    -------
    direction : ndarray, shape (F,)
    """
    m = len(moves)
    direction, alpha, rho = gradient.copy(), np.empty(m), np.empty(m)
    for back in range(n_pairs):
        j = (newest - back) % m
        rho[j] = 1 / dot(moves[j], turns[j])
        alpha[j] = rho[j] * dot(moves[j], direction)
        _add_scaled(-alpha[j], turns[j], direction)
    stretch = 1.0
    if n_pairs:
        turn = turns[newest]
        stretch = 1 / (rho[newest] * dot(turn * scale, turn))
    for i in range(len(direction)):
        direction[i] *= stretch * scale[i]
    for back in range(n_pairs - 1, -1, -1):
        j = (newest - back) % m
        _add_scaled(alpha[j] - rho[j] * dot(turns[j], direction), moves[j], direction)
    return direction
