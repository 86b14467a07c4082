"""Sums of weights into the cells of rows, and back, compiled: cell (r, y) = sum of weight(p, y).

The sum runs over the predicates p that row r fires; the way back adds each cell to each of its
weights. What the arrays are, and why some rows are single cells, says ``chain_cells``.
"""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit


class Firing(NamedTuple):
    """Which weights each row sums.

    Row r fires ``predicates[edges[r]:edges[r + 1]]``; the weights of predicate p are those
    from ``first[p]`` to ``first[p + 1]``, and weight f is of label ``labels[f]``.
    """

    edges: np.ndarray  # int32, shape (n_rows + 1,)
    predicates: np.ndarray  # int32
    first: np.ndarray  # int32, shape (P + 1,)
    labels: np.ndarray  # int8, shape (F,)


class Storage(NamedTuple):
    """Where the cells of each row are stored.

    A row's place is a row of the table; or -1, if it has no cell; or less, -1 - j, if it is
    the j-th run of single cells, from ``starts[j]`` to ``starts[j + 1]``. Run 0 has none.
    """

    places: np.ndarray  # int32, shape (n_rows,)
    starts: np.ndarray  # int32, shape (runs + 1,)
    labels: np.ndarray  # int8, of each single cell


class CellValues(NamedTuple):
    """A number for each cell: scores, expected counts, their derivatives."""

    table: np.ndarray  # shape (rows, L); the last K + 1 are transitions, the boundary's last
    singles: np.ndarray  # shape (single cells,)


class WordCells(NamedTuple):
    """The cells that each of N words sums.

    Word i sums ``rows[row_edges[i]:row_edges[i + 1]]`` of the table, and likewise ``runs`` of
    single cells: run j is the ``sizes[j]`` cells from ``runs[j]`` on.
    """

    row_edges: np.ndarray  # int32, shape (N + 1,)
    rows: np.ndarray  # int32
    run_edges: np.ndarray  # int32, shape (N + 1,)
    runs: np.ndarray  # int32
    sizes: np.ndarray  # uint8
    labels: np.ndarray  # int8, of each single cell


class WordWeights(NamedTuple):
    """Which weights each word sums: those of the rows behind its cells."""

    cells: WordCells
    table_rows: np.ndarray  # int32: the row that each row of the table stands for
    single_rows: np.ndarray  # int32, shape (single cells + 1,): likewise where a run begins
    firing: Firing


@jit
def fill_cells(firing: Firing, storage: Storage, weights: np.ndarray, scores: CellValues) -> None:
    """Fill cells with sums of the weights, shape (F,), of the predicates of their rows."""
    sums = np.zeros(scores.table.shape[1])
    scores.table[:] = 0.0
    for row in range(len(storage.places)):
        place = storage.places[row]
        if place == -1:
            continue
        for p in firing.predicates[firing.edges[row] : firing.edges[row + 1]]:
            for f in range(firing.first[p], firing.first[p + 1]):
                sums[firing.labels[f]] += weights[f]
        if place >= 0:
            scores.table[place] = sums
            sums[:] = 0.0
        else:
            for cell in range(storage.starts[-1 - place], storage.starts[-place]):
                scores.singles[cell] = sums[storage.labels[cell]]
                sums[storage.labels[cell]] = 0.0


@jit
def gather_cells(firing: Firing, storage: Storage, values: CellValues, sums: np.ndarray) -> None:
    """Add each cell to the sums, shape (F,), of the weights that it is a sum of."""
    own = np.zeros(values.table.shape[1])
    for row in range(len(storage.places)):
        place = storage.places[row]
        if place == -1:
            continue
        if place >= 0:
            own[:] = values.table[place]
        else:
            for cell in range(storage.starts[-1 - place], storage.starts[-place]):
                own[storage.labels[cell]] = values.singles[cell]
        for p in firing.predicates[firing.edges[row] : firing.edges[row + 1]]:
            for f in range(firing.first[p], firing.first[p + 1]):
                sums[f] += own[firing.labels[f]]
