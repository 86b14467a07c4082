"""The memory floor of a pass over events: what no kernel that uses these rows can avoid."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, fastmath=True)
def gather_and_scatter(table, rows, padding, sums):
    """Add up the rows of every event and add the outcome to the same rows of the sums.

    Nothing is computed in between. Arrays as in ``sum_events``, whose order is
    kept: what goes to the first slot is held back until its next row begins.
    """
    width = len(padding)
    gathered, held, holder = np.empty(width), np.zeros(width), 0
    for event in range(len(rows)):
        for k in range(width):
            gathered[k] = 0.0
        for s in range(rows.shape[1]):
            row = rows[event, s]
            for k in range(width):
                gathered[k] += table[row, k]
        if rows[event, 0] != holder:
            for k in range(width):
                sums[holder, k] += held[k]
                held[k] = 0.0
            holder = rows[event, 0]
        for k in range(width):
            held[k] += gathered[k]
        for s in range(1, rows.shape[1]):
            row = rows[event, s]
            for k in range(width):
                sums[row, k] += gathered[k]
    for k in range(width):
        sums[holder, k] += held[k]
