"""The inner loops of learning, compiled: arrays in, arrays out.

Only differences of scores count. The first tag is the *reference*: its score is 0 and
has no column, and what belongs to it follows from the others. So K = 5 tags need four
columns, which is a vector register, and half the memory of eight.
Tables of scores are padded to L columns, K - 1 rounded up to whole vector registers;
``padding``, a tuple of L numbers, is 0 for a tag and a large negative number beyond. As a
tuple its length is known when compiling, so that loops over the columns are unrolled.
Events are taken a block at a time and each step runs over the whole block, so
that the compiler can turn exponentials and logarithms into vector code: one
event at a time they cost three times what reading its rows does. All kernels
release the global lock, so that threads may share the events.
"""

import numpy as np

from workbench.numerics.exponentials import exponentiate, take_logarithms
from workbench.numerics.jit import jit

LANES = 4  # doubles in a vector register
_BLOCK = 64  # events, at least
_CELLS = 1024  # scores of a block, unless its events have many: they stay in the first cache
_LOWEST = -700.0  # exp of less is nothing beside 1


@jit
def _fill_scores(table, rows, padding, block, references, tops):
    """Fill block, shape (n, L), and references, shape (n,), with scores less the highest, tops."""
    width = len(padding)
    scores = np.empty(width)
    for b in range(len(rows)):
        for k in range(width):
            scores[k] = padding[k]
        for s in range(rows.shape[1]):
            row = rows[b, s]
            for k in range(width):
                scores[k] += table[row, k]
        highest = 0.0  # the reference's score
        for k in range(width):
            highest = max(highest, scores[k])
        for k in range(width):
            block[b, k] = max(scores[k] - highest, _LOWEST)
        references[b] = max(-highest, _LOWEST)
        tops[b] = highest


@jit
def _share_counts(counts, padding, block, references, bits, totals):
    """Turn scores into count * p(tag | context); log Z less the highest score is log(totals)."""
    width, n = len(padding), len(counts)
    flat = block[:n].reshape(-1)
    exponentiate(flat, bits[: len(flat)])
    exponentiate(references[:n], bits[:n])
    for b in range(n):
        total = references[b]
        for k in range(width):
            total += block[b, k]
        totals[b] = total
        share = counts[b] / total
        references[b] *= share
        for k in range(width):
            block[b, k] *= share


@jit
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


@jit
def _sum_logs(tops, totals, counts, bits):
    """Sum count * log Z; log Z is tops + log(totals)."""
    n, total = len(counts), 0.0
    take_logarithms(totals[:n], bits[:n])
    for b in range(n):
        total += counts[b] * (tops[b] + totals[b])
    return total


@jit
def _bend(block, references, counts, bent, uncertainty, probabilities):
    """Fill bent, shape (n, 1 + L), with count * p * (1 - p), the reference first.

    Their sums over tags fill uncertainty, and p fills probabilities, unless these are empty.
    """
    for b in range(len(bent)):
        share = 1 / counts[b]
        bent[b, 0] = total = references[b] * (1 - references[b] * share)
        for k in range(block.shape[1]):
            p = block[b, k] * share
            bent[b, k + 1] = block[b, k] * (1 - p)
            total += bent[b, k + 1]
            if len(probabilities):
                probabilities[b, k] = p
        if len(uncertainty):
            uncertainty[b] = total


@jit
def sum_events(table, events, padding, expected, second):
    """Sum the normalizers of events and what the model expects of every row.

    Parameters
    ----------
    table : ndarray, shape (n_rows, L)
        Scores of the tags after the reference.
    events : (ndarray, ndarray)
        Rows, in uint32, shape (N, S), sorted by the first column for speed; any order is
        right. Counts, shape (N,).
    padding : tuple of float, L of them
    expected : ndarray, shape (n_rows, L)
        Counts under the model are added to it, unless it has no rows.
    second : (ndarray, ndarray, ndarray)
        What is asked for of the second order. Curvature, shape (n_rows, 1 + L): every
        event's count * p * (1 - p) is added to its rows, the reference's first; if it has no
        rows nothing else is asked for either. Uncertainty, shape (N,), is filled with each
        event's sum of these over tags, and probabilities, shape (N, L), with p(tag | context),
        unless they are empty.

    Returns
    -------
    total : float
        Nats: the sum of count * log Z. What is left of the log-likelihood, the scores of
        the tags that were seen, is linear in the weights.
    """
    (rows, counts), (curvature, uncertainty, probabilities) = events, second
    width = len(padding)
    n = max(_BLOCK, _CELLS // width)
    block, bent = np.empty((n, width)), np.empty((n, 1 + width))
    references, tops, totals = np.empty(n), np.empty(n), np.empty(n)
    bits, held, bent_held = np.empty(n * width, np.int64), np.zeros(width), np.zeros(1 + width)
    holder, bent_holder, total = 0, 0, 0.0
    for first in range(0, len(rows), n):
        part, counted = rows[first : first + n], counts[first : first + n]
        _fill_scores(table, part, padding, block, references, tops)
        _share_counts(counted, padding, block, references, bits, totals)
        total += _sum_logs(tops, totals, counted, bits)
        if len(expected):
            holder = _scatter(block, part, padding, expected, held, holder)
        if len(curvature):
            own = bent[: len(part)]
            _bend(block, references, counted, own, uncertainty[first:], probabilities[first:])
            bent_holder = _scatter(own, part, (0.0, *padding), curvature, bent_held, bent_holder)
    _release(held, holder, expected)
    _release(bent_held, bent_holder, curvature)
    return total


@jit
def _release(held, holder, sums):
    """Add what was held back to its row, if there are any."""
    if len(sums):
        sums[holder] += held
