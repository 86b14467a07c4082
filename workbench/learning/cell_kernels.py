"""The loops between weights and cells, compiled; ``Cells`` says what the arrays are.

``firing`` is a tuple: predicates of row i are ``predicates[edges[i]:edges[i + 1]]``, weights
of predicate p those from ``first[p]`` to ``first[p + 1]``, each of the label in ``of_weight``.
``kept`` is another: ``places`` of rows, and of single cells ``starts`` by row and ``labels``.
"""

import numpy as np
from numba import njit

_compile = njit(cache=True, nogil=True)


@_compile
def _mark_labels(firing, row, marked):
    """Mark the labels that a row has a weight for; bool, shape (K,)."""
    edges, predicates, first, of_weight = firing
    marked[:] = False
    for p in predicates[edges[row] : edges[row + 1]]:
        for label in of_weight[first[p] : first[p + 1]]:
            marked[label] = True


@_compile
def count_labels_of_rows(firing, n_tags):
    """Count the labels that each row has a weight for; int32, shape (n_rows,)."""
    n_rows = len(firing[0]) - 1
    counts, marked = np.empty(n_rows, np.int32), np.empty(n_tags, np.bool_)
    for row in range(n_rows):
        _mark_labels(firing, row, marked)
        counts[row] = marked.sum()
    return counts


@_compile
def list_labels(firing, places, starts, n_tags):
    """List the label of every single cell; int8."""
    labels, marked = np.empty(starts[-1], np.int8), np.empty(n_tags, np.bool_)
    for row in range(len(places)):
        if places[row] < -1:
            _mark_labels(firing, row, marked)
            cell = starts[-1 - places[row]]
            for label in range(n_tags):
                if marked[label]:
                    labels[cell] = label
                    cell += 1
    return labels


@_compile
def list_words(places, starts):
    """List rows of the table and single cells of each word.

    Parameters
    ----------
    places : ndarray of int32, shape (N, S)
        Where the rows of each word are kept.
    starts : ndarray of int32

    Returns
    -------
    row_edges, rows, cell_edges, cells : ndarray of int32
    """
    row_edges, cell_edges = np.zeros(len(places) + 1, np.int32), np.zeros(len(places) + 1, np.int32)
    for i in range(len(places)):
        row_edges[i + 1], cell_edges[i + 1] = row_edges[i], cell_edges[i]
        for place in places[i]:
            if place >= 0:
                row_edges[i + 1] += 1
            else:
                cell_edges[i + 1] += starts[-place] - starts[-1 - place]
    rows, cells = np.empty(row_edges[-1], np.int32), np.empty(cell_edges[-1], np.int32)
    for i in range(len(places)):
        row, next_cell = row_edges[i], cell_edges[i]
        for place in places[i]:
            if place >= 0:
                rows[row] = place
                row += 1
            else:
                for cell in range(starts[-1 - place], starts[-place]):
                    cells[next_cell] = cell
                    next_cell += 1
    return row_edges, rows, cell_edges, cells


@_compile
def spread(firing, kept, weights, table, singles):
    """Fill cells, table and singles, with sums of the weights of the predicates of their rows."""
    edges, predicates, first, of_weight = firing
    places, starts, labels = kept
    sums = np.zeros(table.shape[1])
    table[:] = 0.0
    for row in range(len(places)):
        if places[row] == -1:
            continue
        for p in predicates[edges[row] : edges[row + 1]]:
            for f in range(first[p], first[p + 1]):
                sums[of_weight[f]] += weights[f]
        if places[row] >= 0:
            table[places[row]] = sums
            sums[:] = 0.0
        else:
            for cell in range(starts[-1 - places[row]], starts[-places[row]]):
                singles[cell] = sums[labels[cell]]
                sums[labels[cell]] = 0.0


@_compile
def gather(firing, kept, table, singles, sums):
    """Add each cell to the sums, shape (F,), of the weights that it is a sum of."""
    edges, predicates, first, of_weight = firing
    places, starts, labels = kept
    values = np.zeros(table.shape[1])
    for row in range(len(places)):
        if places[row] == -1:
            continue
        if places[row] >= 0:
            values[:] = table[places[row]]
        else:
            for cell in range(starts[-1 - places[row]], starts[-places[row]]):
                values[labels[cell]] = singles[cell]
        for p in predicates[edges[row] : edges[row + 1]]:
            for f in range(first[p], first[p + 1]):
                sums[f] += values[of_weight[f]]
