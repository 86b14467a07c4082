"""Hessian-vector products of the MaxEnt log-likelihood: formula and compiled loops.

When weights move by v, scores move by d(y | x) = sum over slots of D[row_slot(x), y], where D
are the rows' scores by v as weights; and the expected counts of an event move by::

    # p(y | x) (d(y | x) - sum over y' of p(y' | x) d(y' | x))

which, summed by row and then by predicate, is the product. All is relative to the reference
tag's, whose d is 0. ``workbench.scoring`` says what rows are.
"""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit


class UncertainEvents(NamedTuple):
    """The events that a product goes over."""

    rows: np.ndarray  # uint32, shape (n, S)
    counts: np.ndarray  # shape (n,)
    probabilities: np.ndarray  # shape (n, K - 1): p(y | x) of the tags after the reference


@jit
def sum_moves(moves: np.ndarray, events: UncertainEvents, columns: tuple, sums: np.ndarray) -> None:
    """Add to the rows of each event how its expected counts move with the scores of rows.

    Moves, D, and sums are both of shape (n_rows, K - 1).
    """
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
