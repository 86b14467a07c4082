"""The loops between weights and cells, compiled; ``Cells`` says what the arrays are.

``firing`` is a tuple: predicates of row i are ``predicates[edges[i]:edges[i + 1]]``, weights
of predicate p those from ``first[p]`` to ``first[p + 1]``, each of the label in ``of_weight``.
``kept`` is another: ``places`` of rows, and of single cells ``starts`` by row and ``labels``.
"""

import numpy as np

from workbench.numerics.jit import jit


@jit
def _mark_labels(firing, row, marked):
    """Mark the labels that a row has a weight for; bool, shape (K,)."""
    edges, predicates, first, of_weight = firing
    marked[:] = False
    for p in predicates[edges[row] : edges[row + 1]]:
        for label in of_weight[first[p] : first[p + 1]]:
            marked[label] = True


@jit
def count_labels_of_rows(firing, n_tags):
    """Count the labels that each row has a weight for; int32, shape (n_rows,)."""
    n_rows = len(firing[0]) - 1
    counts, marked = np.empty(n_rows, np.int32), np.empty(n_tags, np.bool_)
    for row in range(n_rows):
        _mark_labels(firing, row, marked)
        counts[row] = marked.sum()
    return counts


@jit
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


@jit
def find_first_uses(read, slots, n_rows):
    """Find where each row is read first, word by word; int32, shape (n_rows,).

    ``read``, int32, shape (N, S), has the rows that words read, in ``slots`` of its columns.
    """
    uses = np.full(n_rows, len(read) * len(slots), np.int32)
    for i in range(len(read) - 1, -1, -1):
        for s in range(len(slots)):
            uses[read[i, slots[s]]] = i * len(slots) + s
    return uses


@jit
def list_words(read, slots, places, starts):
    """List rows of the table and runs of single cells of each word.

    Parameters
    ----------
    read, slots : ndarray
        As of ``find_first_uses``.
    places : ndarray of int32, shape (n_rows,)
    starts : ndarray of int32

    Returns
    -------
    row_edges, rows, run_edges, runs : ndarray of int32
    sizes : ndarray of uint8
    """
    row_edges, run_edges = np.zeros(len(read) + 1, np.int32), np.zeros(len(read) + 1, np.int32)
    for i in range(len(read)):
        row_edges[i + 1], run_edges[i + 1] = row_edges[i], run_edges[i]
        for s in slots:
            row_edges[i + 1] += places[read[i, s]] >= 0
            run_edges[i + 1] += places[read[i, s]] < -1
    rows, runs = np.empty(row_edges[-1], np.int32), np.empty(run_edges[-1], np.int32)
    sizes, row, run = np.empty(len(runs), np.uint8), 0, 0
    for i in range(len(read)):
        for s in slots:
            place = places[read[i, s]]
            if place >= 0:
                rows[row] = place
                row += 1
            elif place < -1:
                runs[run], sizes[run] = starts[-1 - place], starts[-place] - starts[-1 - place]
                run += 1
    return row_edges, rows, run_edges, runs, sizes


@jit
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


@jit
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
