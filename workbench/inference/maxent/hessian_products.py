"""Products of the Hessian of -L(Lambda) with vectors, over some of the events; compiled.

When weights move by v, scores move by d(y | x) = sum over slots of D[row_slot(x), y], where D
are the rows' scores by v as weights; and the expected counts of an event move by::

    # p(y | x) (d(y | x) - sum over y' of p(y' | x) d(y' | x))

which, summed by row and then by predicate, is the product. All is relative to the reference
tag's, whose d is 0. ``workbench.scoring`` says what rows are; only those that the events read,
the *active* ones, are touched.
"""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit
from workbench.scoring.row_sums import FiringRows, scatter_rows, sum_predicates


class UncertainEvents(NamedTuple):
    """The events that a product goes over.

    Attributes
    ----------
    rows : ndarray of uint32, shape (n, S)
    counts : ndarray, shape (n,)
    probabilities : ndarray, shape (n, K - 1)
        p(y | x) of the tags after the reference.
    """

    rows: np.ndarray
    counts: np.ndarray
    probabilities: np.ndarray


class RowScratch(NamedTuple):
    """Scratch of a product; both of shape (n_rows, K - 1)."""

    scores: np.ndarray
    sums: np.ndarray


@jit
def hessian_vector_product(
    moves: np.ndarray, active: FiringRows, events: UncertainEvents, columns: tuple,
    scratch: RowScratch, product: np.ndarray,
) -> None:  # fmt: skip
    """Fill the product by predicate and tag.

    Parameters
    ----------
    moves : ndarray, shape (P, K - 1)
        By how much the scores of predicates move: the vector, relative to the reference tag.
    active : FiringRows
        The rows that the events read.
    events : UncertainEvents
    columns : tuple of K - 1
    scratch : RowScratch
    product : ndarray, shape (P, K - 1)
        Filled.
    """
    sum_predicates(moves, active, columns, scratch.scores)
    _clear(scratch.sums, active.chosen)
    _sum_moves(scratch.scores, events, columns, scratch.sums)
    product[:] = 0
    scatter_rows(scratch.sums, active, columns, product)


@jit
def _clear(sums: np.ndarray, chosen: np.ndarray) -> None:
    """Set the chosen rows to 0."""
    for row in chosen:
        sums[row] = 0.0


@jit
def _sum_moves(
    scores: np.ndarray, events: UncertainEvents, columns: tuple, sums: np.ndarray
) -> None:
    """Add to the rows of each event how its expected counts move with the scores of rows."""
    width, move = len(columns), np.empty(len(columns))
    for b in range(len(events.rows)):
        for k in range(width):
            move[k] = 0.0
        for row in events.rows[b]:
            for k in range(width):
                move[k] += scores[row, k]
        mean = 0.0
        for k in range(width):
            mean += events.probabilities[b, k] * move[k]
        for k in range(width):
            move[k] = events.counts[b] * events.probabilities[b, k] * (move[k] - mean)
        for row in events.rows[b]:
            for k in range(width):
                sums[row, k] += move[k]
