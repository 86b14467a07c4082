"""Sums over the events (y, #, x) of a maximum entropy model in one pass, compiled.

With scores s(y | x), relative to the reference tag's, which is 0::

    p(y | x) = exp s(y | x) / Z(x),   Z(x) = 1 + sum over the other y of exp s(y | x)

    value        sum of # log Z(x)
    expected     E[r, y] = sum of # p(y | x) over the events that read row r
    curvature    C[r, y] = sum of # p(y | x) (1 - p(y | x))
    moves        M[r, y] = sum of # p(y | x) (d(y | x) - sum over y' of p(y' | x) d(y' | x))

where d(y | x) is how the score moves: the sum of the moves of the rows that x reads. What rows,
and ``columns``, are says ``inference.scores``; what the sums are for, ``learning.likelihood``.
Events are taken a block at a time and each step runs over the whole block, so that exponentials
and logarithms become vector code: one event at a time they cost three times what reading its
rows does.
"""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit
from workbench.numerics.vectors import exponentiate, take_logarithms

_CELLS = 1024  # scores of a block: they stay in the first cache
_LOWEST = -700.0  # exp of less is nothing next to 1


class Events(NamedTuple):
    """Events packed for a pass."""

    rows: np.ndarray  # uint32, shape (N, S); sorted they stay in the cache, any order is right
    counts: np.ndarray  # shape (N,)

    def take(self, part: slice | np.ndarray) -> "Events":
        """Return some of the events."""
        return Events(self.rows[part], self.counts[part])


class SecondOrder(NamedTuple):
    """What a pass fills in of the second order; an array without rows is not asked for.

    Every event's # p (1 - p) is added to its rows of the curvature, the reference tag's first.
    If this has no rows the others must not have any either.
    """

    curvature: np.ndarray  # shape (n_rows, K)
    uncertainty: np.ndarray  # shape (N,): sum of # p (1 - p) of each event over the tags
    probabilities: np.ndarray  # shape (N, K - 1): p(y | x)


@jit
def _fill_scores(table, rows, columns, block, references, tops):
    """Fill block, (n, K - 1), and references, (n,), with scores less the highest of each, tops."""
    width, scores = len(columns), np.empty(len(columns))
    for b in range(len(rows)):
        for k in range(width):
            scores[k] = 0.0
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
def _share_counts(counts, columns, block, references, bits, totals):
    """Replace scores by # p(y | x); log Z less the highest score is log(totals)."""
    width, n = len(columns), len(counts)
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
def _scatter(block, rows, columns, sums):
    """Add each row of a block to the rows of its event in the sums."""
    width = len(columns)
    for b in range(len(rows)):
        for s in range(rows.shape[1]):
            row = rows[b, s]
            for k in range(width):
                sums[row, k] += block[b, k]


@jit
def _sum_normalizers(tops, totals, counts, bits):
    """Return the sum of # log Z; log Z is tops + log(totals), and totals are overwritten."""
    n, total = len(counts), 0.0
    take_logarithms(totals[:n], bits[:n])
    for b in range(n):
        total += counts[b] * (tops[b] + totals[b])
    return total


@jit
def _fill_curvature(block, references, counts, curvature, uncertainty, probabilities):
    """Fill the curvature of events, shape (n, K), and what else of the second order has rows."""
    for b in range(len(curvature)):
        share = 1 / counts[b]
        curvature[b, 0] = total = references[b] * (1 - references[b] * share)
        for k in range(block.shape[1]):
            p = block[b, k] * share
            curvature[b, k + 1] = block[b, k] * (1 - p)
            total += curvature[b, k + 1]
            if len(probabilities):
                probabilities[b, k] = p
        if len(uncertainty):
            uncertainty[b] = total


@jit
def sum_events(
    table: np.ndarray, events: Events, columns: tuple, expected: np.ndarray, second: SecondOrder
) -> float:
    """Sum log Z of events and what the model expects of every row.

    Parameters
    ----------
    table : ndarray, shape (n_rows, K - 1)
        Scores of rows, relative to the reference tag's.
    expected : ndarray, shape (n_rows, K - 1)
        Counts under the model are added to it, unless it has no rows.

    Returns
    -------
    float
        Nats: the sum of # log Z. What is left of the log-likelihood is linear in the weights.
    """
    width = len(columns)
    n = _CELLS // max(width, 4)
    block, curved = np.empty((n, width)), np.empty((n, 1 + width))
    references, tops, totals = np.empty(n), np.empty(n), np.empty(n)
    bits, total = np.empty(n * max(width, 1), np.int64), 0.0
    for first in range(0, len(events.rows), n):
        rows, counts = events.rows[first : first + n], events.counts[first : first + n]
        _fill_scores(table, rows, columns, block, references, tops)
        _share_counts(counts, columns, block, references, bits, totals)
        total += _sum_normalizers(tops, totals, counts, bits)
        if len(expected):
            _scatter(block, rows, columns, expected)
        if len(second.curvature):
            own, uncertainty = curved[: len(rows)], second.uncertainty[first:]
            probabilities = second.probabilities[first:]
            _fill_curvature(block, references, counts, own, uncertainty, probabilities)
            _scatter(own, rows, (0.0, *columns), second.curvature)
    return total


class GroupSums(NamedTuple):
    """What is summed for each group, whose events have offsets o(y) added to their scores.

    With p(y) of the shifted scores the value is the sum of # log p(y_seen), its slopes that of
    # ([y is seen] - p(y)), and the curvature that of # (diag(p) - p p'), of tags but the first.
    """

    values: np.ndarray  # nats, shape (G,)
    slopes: np.ndarray  # shape (G, K - 1)
    curvature: np.ndarray  # shape (G, K - 1, K - 1)


@jit
def sum_groups(
    scores: np.ndarray, tags: np.ndarray, counts: np.ndarray, starts: np.ndarray,
    asked: np.ndarray, offsets: np.ndarray, sums: GroupSums,
) -> None:  # fmt: skip
    """Fill the sums of the groups asked for, by number; other groups' stay.

    Group g has the events ``starts[g]`` to ``starts[g + 1]`` of scores, shape (N, K), tags, int,
    and counts, shape (N,); ``offsets``, shape (G, K - 1).
    """
    width = offsets.shape[1]
    shifted, p = np.empty(width + 1), np.empty(width)
    for g in asked:
        value, slopes, curvature = 0.0, sums.slopes[g], sums.curvature[g]
        slopes[:] = 0.0
        curvature[:] = 0.0
        for i in range(starts[g], starts[g + 1]):
            shifted[0] = scores[i, 0]
            for k in range(width):
                shifted[k + 1] = scores[i, k + 1] + offsets[g, k]
            top, total = shifted.max(), 0.0
            own = shifted[tags[i]] - top
            for k in range(width + 1):
                shifted[k] = np.exp(shifted[k] - top)
                total += shifted[k]
            value += counts[i] * (own - np.log(total))
            for k in range(width):
                p[k] = shifted[k + 1] / total
            for k in range(width):
                slopes[k] -= counts[i] * p[k]
                curvature[k, k] += counts[i] * p[k]
                for m in range(width):
                    curvature[k, m] -= counts[i] * p[k] * p[m]
            if tags[i]:
                slopes[tags[i] - 1] += counts[i]
        sums.values[g] = value


class UncertainEvents(NamedTuple):
    """The events that a product goes over."""

    rows: np.ndarray  # uint32, shape (n, S)
    counts: np.ndarray  # shape (n,)
    probabilities: np.ndarray  # shape (n, K - 1): p(y | x) of the tags after the reference


@jit
def sum_moves(moves: np.ndarray, events: UncertainEvents, columns: tuple, sums: np.ndarray) -> None:
    """Add M to sums; these and the moves of the scores of rows have shape (n_rows, K - 1)."""
    width, move = len(columns), np.empty(len(columns))
    for b in range(len(events.rows)):
        for k in range(width):
            move[k] = 0.0
        for row in events.rows[b]:
            for k in range(width):
                move[k] += moves[row, k]
        mean = 0.0
        for k in range(width):
            mean += events.probabilities[b, k] * move[k]
        for k in range(width):
            move[k] = events.counts[b] * events.probabilities[b, k] * (move[k] - mean)
        for row in events.rows[b]:
            for k in range(width):
                sums[row, k] += move[k]
