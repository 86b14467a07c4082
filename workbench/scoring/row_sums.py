"""Between predicates and some rows, compiled: ``firing @ table`` and its transpose."""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit


class FiringRows(NamedTuple):
    """Some rows of a firing matrix.

    Attributes
    ----------
    chosen : ndarray of int
        Which rows.
    ends, predicates : ndarray of uint32
        ``indptr`` and ``indices`` of the matrix. Without a sign: of an index that cannot be
        negative nothing has to be checked.
    """

    chosen: np.ndarray
    ends: np.ndarray
    predicates: np.ndarray


@jit
def sum_predicates(table: np.ndarray, firing: FiringRows, columns: tuple, sums: np.ndarray) -> None:
    """Fill the chosen rows of sums, shape (n_rows, K - 1), from a table, shape (P, K - 1)."""
    width = len(columns)
    for row in firing.chosen:
        for k in range(width):
            sums[row, k] = 0.0
        for j in range(firing.ends[row], firing.ends[row + 1]):
            for k in range(width):
                sums[row, k] += table[firing.predicates[j], k]


@jit
def scatter_rows(sums: np.ndarray, firing: FiringRows, columns: tuple, table: np.ndarray) -> None:
    """Add the chosen rows of sums, shape (n_rows, K - 1), to the predicates that they fire."""
    width = len(columns)
    for row in firing.chosen:
        for j in range(firing.ends[row], firing.ends[row + 1]):
            for k in range(width):
                table[firing.predicates[j], k] += sums[row, k]
