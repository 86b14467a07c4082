"""The memory floor of a pass over events: what no kernel that uses these rows can avoid."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, fastmath=True)
def gather_and_scatter(table, rows, columns, sums):
    """Add up the rows of every event and add the outcome to the same rows of the sums.

    Nothing is computed in between. Arrays as in ``sum_events``.
    """
    width = len(columns)
    gathered = np.empty(width)
    for event in range(len(rows)):
        for k in range(width):
            gathered[k] = 0.0
        for s in range(rows.shape[1]):
            row = rows[event, s]
            for k in range(width):
                gathered[k] += table[row, k]
        for s in range(rows.shape[1]):
            row = rows[event, s]
            for k in range(width):
                sums[row, k] += gathered[k]
