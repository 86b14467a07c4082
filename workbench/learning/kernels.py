"""The inner loops of learning, compiled: arrays in, arrays out.

Tables of scores are padded to L columns, K rounded up to whole vector
registers; ``padding``, a tuple of L numbers, is 0 for a tag and a large
negative number beyond K. As a tuple its length is known when compiling, so
that loops over the columns are unrolled.
Events are taken a block at a time and each step runs over the whole block, so
that the compiler can turn exponentials and logarithms into vector code: one
event at a time they cost three times what reading its rows does. All kernels
release the global lock, so that threads may share the events.
"""

import math

import numpy as np
from numba import njit

LANES = 8  # doubles in a vector register and in a cache line
_BLOCK = 64  # events; their scores stay in the first cache
_LOWEST = -700.0  # exp of less is nothing beside 1
_LN2 = 0.6931471805599453

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def exponentiate(x, bits):
    """Replace x, each in [-700, 0], by exp(x), to 1e-14; bits is int64 scratch of its size."""
    powers = bits.view(np.float64)
    for i in range(len(x)):
        # exp(x) = 2**n * exp(r): n goes into the exponent's bits, r into Taylor's series.
        n = math.floor(x[i] / _LN2 + 0.5)
        r = x[i] - n * _LN2
        tail = r * (1 / 362880 + r * (1 / 3628800 + r / 39916800))
        tail = r * (1 / 720 + r * (1 / 5040 + r * (1 / 40320 + tail)))
        tail = r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + tail)))
        x[i] = 1 + r * (1 + r * (0.5 + tail))
        bits[i] = (np.int64(n) + 1023) << 52
    for i in range(len(x)):
        x[i] *= powers[i]


@_compile
def take_logarithms(x, bits):
    """Replace x, each a normal number > 0, by log(x), to 1e-15; bits is int64 scratch."""
    source = x.view(np.int64)
    mantissas = bits.view(np.float64)
    for i in range(len(x)):
        # The exponent counts from sqrt(2)/2, so that the mantissa is near 1.
        shifted = source[i] + (np.int64(0x3FF0000000000000) - np.int64(0x3FE6A09E667F3BCD))
        bits[i] = (shifted & 0xFFFFFFFFFFFFF) + np.int64(0x3FE6A09E667F3BCD)
        x[i] = ((shifted >> 52) - 1023) * _LN2
    for i in range(len(x)):
        t = (mantissas[i] - 1) / (mantissas[i] + 1)  # log m = 2 artanh t, |t| < 0.172
        u = t * t
        tail = u * (1 / 11 + u * (1 / 13 + u * (1 / 15 + u / 17)))
        tail = u * (1 / 3 + u * (1 / 5 + u * (1 / 7 + u * (1 / 9 + tail))))
        x[i] += 2 * t * (1 + tail)


@_compile
def _fill_probabilities(table, rows, padding, block, bits, tops, totals):
    """Fill block, shape (n, L), with p(tag | context) of n contexts.

    Their normalizers, log Z, are ``tops + log(totals)``, two arrays of n.
    """
    width = len(padding)
    scores = np.empty(width)
    for b in range(len(rows)):
        for k in range(width):
            scores[k] = padding[k]
        for s in range(rows.shape[1]):
            row = rows[b, s]
            for k in range(width):
                scores[k] += table[row, k]
        highest = scores[0]
        for k in range(width):
            highest = max(highest, scores[k])
        for k in range(width):
            block[b, k] = max(scores[k] - highest, _LOWEST)
        tops[b] = highest
    flat = block[: len(rows)].reshape(-1)
    exponentiate(flat, bits[: len(flat)])
    for b in range(len(rows)):
        total = 0.0
        for k in range(width):
            total += block[b, k]
        totals[b] = total
        share = 1 / total
        for k in range(width):
            block[b, k] *= share


@_compile
def _scatter(block, rows, padding, sums, held, holder):
    """Add the rows of a block to the rows of the events in the sums.

    Events come sorted by the row of their first slot: what goes to it is held
    back in registers until the next row begins.
    """
    width = len(padding)
    for b in range(len(rows)):
        if rows[b, 0] != holder:
            for k in range(width):
                sums[holder, k] += held[k]
                held[k] = 0.0
            holder = rows[b, 0]
        for k in range(width):
            held[k] += block[b, k]
        for s in range(1, rows.shape[1]):
            row = rows[b, s]
            for k in range(width):
                sums[row, k] += block[b, k]
    return holder


@_compile
def _sum_scores(table, part, tags, tops, totals, counts, bits):
    """Sum count * log p(tag | context) of a block of events; log Z is tops + log(totals)."""
    take_logarithms(totals[: len(part)], bits[: len(part)])
    log_likelihood = 0.0
    for b in range(len(part)):
        score = -tops[b] - totals[b]
        for s in range(part.shape[1]):
            score += table[part[b, s], tags[b]]
        log_likelihood += counts[b] * score
    return log_likelihood


@_compile
def sum_events(table, rows, tags, counts, padding, expected):
    """Sum the log-likelihood of events and what the model expects of every row.

    Parameters
    ----------
    table : ndarray, shape (n_rows, L)
    rows : ndarray of uint32, shape (N, S)
        Sorted by the first column for speed; any order is right.
    tags : ndarray of int8, shape (N,)
    counts : ndarray, shape (N,)
    padding : tuple of float, L of them
    expected : ndarray, shape (n_rows, L)
        Counts under the model are added to it.

    Returns
    -------
    log_likelihood : float
        Nats, total: the sum of count * log p(tag | context).
    """
    width = len(padding)
    block, tops, totals = np.empty((_BLOCK, width)), np.empty(_BLOCK), np.empty(_BLOCK)
    bits, held, holder = np.empty(_BLOCK * width, np.int64), np.zeros(width), 0
    log_likelihood = 0.0
    for first in range(0, len(rows), _BLOCK):
        part = rows[first : first + _BLOCK]
        _fill_probabilities(table, part, padding, block, bits, tops, totals)
        log_likelihood += _sum_scores(table, part, tags[first:], tops, totals, counts[first:], bits)
        for b in range(len(part)):
            for k in range(width):
                block[b, k] *= counts[first + b]
        holder = _scatter(block, part, padding, expected, held, holder)
    for k in range(width):
        expected[holder, k] += held[k]
    return log_likelihood


@_compile
def expand_events(
    table, rows, tags, counts, padding, expected, curvature, uncertainty, probabilities
):
    """Sum events to the second order: what ``sum_events`` does, and count * p * (1 - p).

    Parameters
    ----------
    curvature : ndarray, shape (n_rows, L)
        Every event's count * p * (1 - p) is added to its rows.
    uncertainty : ndarray, shape (N,) or empty
        Filled with each event's sum of count * p * (1 - p) over tags, unless empty.
    probabilities : ndarray, shape (N, L) or empty
        Filled with p(tag | context), unless empty.

    The other arrays, and what is returned, are those of ``sum_events``.
    """
    width = len(padding)
    block, tops, totals = np.empty((_BLOCK, width)), np.empty(_BLOCK), np.empty(_BLOCK)
    bits, holders = np.empty(_BLOCK * width, np.int64), (0, 0)
    held, bent = np.zeros(width), np.zeros(width)
    log_likelihood = 0.0
    for first in range(0, len(rows), _BLOCK):
        part = rows[first : first + _BLOCK]
        _fill_probabilities(table, part, padding, block, bits, tops, totals)
        log_likelihood += _sum_scores(table, part, tags[first:], tops, totals, counts[first:], bits)
        for b in range(len(part)):
            for k in range(width):
                block[b, k] *= counts[first + b]
        holder = _scatter(block, part, padding, expected, held, holders[0])
        for b in range(len(part)):
            share, total = 1 / counts[first + b], 0.0
            for k in range(width):
                p = block[b, k] * share
                if len(uncertainty):
                    probabilities[first + b, k] = p
                block[b, k] *= 1 - p
                total += block[b, k]
            if len(uncertainty):
                uncertainty[first + b] = total
        holders = holder, _scatter(block, part, padding, curvature, bent, holders[1])
    for k in range(width):
        expected[holders[0], k] += held[k]
        curvature[holders[1], k] += bent[k]
    return log_likelihood


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
