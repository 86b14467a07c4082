"""Scores of the words of a chain from cells that features make, and sums back; compiled.

A row is what a slot reads: a word and what it fires, say, or the label before. It gives label y
the sum of the weights of the predicates that it fires, and a *cell* (r, y) exists where one of
these weights does::

    cell(r, y) = sum of weight(p, y) over the predicates p that row r fires
    s_i(y)     = sum of cell(r, y) over the rows r that word i reads;
                 of a sentence's first word also the transition from the boundary to y

With five labels a row has most of its cells; with twenty and more it has one or two, and a table
of all rows would fit neither into the cache nor, at times, into memory. So rows with many cells
are rows of a table, L columns wide (K labels and what rounding up adds), and of any other row
only its cells are kept, one run after another:

    table       y=0  1  2  ..  K-1 | L        singles   score   .7  .2 -.4  .1 ..
    row 3        .2  0 -.1      .5 | 0        labels    y        4   0   9   4 ..
    row 8        .1 .4   0     -.2 | 0        run             row 5  row 6   row 9 ..
    ...
    label 0      the transitions, (K + 1, L): from label 0, ..,
    ...          from K - 1, and from the boundary before the first word
    boundary

Words come in batches of stretches side by side, the longest first, so that those that reach
position i are the first of them, and their words at i are a *block* of rows:

    stretches   a0 a1 a2 a3      rows   a0 b0 c0 | a1 b1 c1 | a2 b2 | a3
                b0 b1 b2         blocks  0          3          6      8    9
                c0 c1
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from workbench.features.contexts import Sentences
from workbench.numerics.jit import jit
from workbench.text.scratch import GrowingArray, release


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
            for y in range(len(sums)):
                scores.table[place, y] = sums[y]
                sums[y] = 0.0
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
            for y in range(len(own)):
                own[y] = values.table[place, y]
        else:
            for cell in range(storage.starts[-1 - place], storage.starts[-place]):
                own[storage.labels[cell]] = values.singles[cell]
        for p in firing.predicates[firing.edges[row] : firing.edges[row + 1]]:
            for f in range(firing.first[p], firing.first[p + 1]):
                sums[f] += own[firing.labels[f]]


class ChainScores(NamedTuple):
    """All that the scores of N words are made of."""

    words: WordCells
    table: np.ndarray  # as in ``CellValues``
    singles: np.ndarray
    padding: tuple[float, ...]  # of length L: 0 for a label, a large negative number beyond K


class Batch(NamedTuple):
    """Stretches of words side by side; word i of stretch s is row ``blocks[i] + s``."""

    starts: np.ndarray  # int64, shape (stretches,): first words
    lengths: np.ndarray  # int64, shape (stretches,), longest first
    begins: np.ndarray  # bool, shape (stretches,): whether a sentence begins there
    blocks: np.ndarray  # int64, shape (lengths[0] + 1,): where blocks begin, and the end


@jit
def count_labels(padding: tuple[float, ...]) -> int:
    """K, the number of columns that are labels."""
    n_tags = 0
    for score in padding:
        n_tags += score == 0
    return n_tags


@jit
def transition_rows(table: np.ndarray, padding: tuple[float, ...]) -> np.ndarray:
    """Rows of transitions, those at the end of a table of cells; shape (K + 1, L)."""
    return table[len(table) - count_labels(padding) - 1 :]


@jit
def fill_scores(scores: ChainScores, batch: Batch, filled: np.ndarray) -> None:
    """Fill in the scores of the words of a batch, shape (n, L)."""
    words, table = scores.words, scores.table
    # Were L known when compiling, loops would be unrolled and not become vector code.
    boundary, width = len(table) - 1, table.shape[1]
    for s in range(len(batch.starts)):
        for i in range(batch.lengths[s]):
            place, w = batch.blocks[i] + s, batch.starts[s] + i
            begins = i == 0 and batch.begins[s]
            for k in range(width):
                filled[place, k] = table[boundary, k] if begins else 0.0
            for j in range(words.row_edges[w], words.row_edges[w + 1]):
                row = words.rows[j]
                for k in range(width):
                    filled[place, k] += table[row, k]
            for j in range(words.run_edges[w], words.run_edges[w + 1]):
                for c in range(words.runs[j], words.runs[j] + words.sizes[j]):
                    filled[place, words.labels[c]] += scores.singles[c]


@jit
def add_to_cells(values: np.ndarray, words: WordCells, batch: Batch, sums: CellValues) -> None:
    """Add values of the words of a batch, shape (n, L), to the cells that they sum."""
    table, boundary, width = sums.table, len(sums.table) - 1, values.shape[1]
    for s in range(len(batch.starts)):
        for k in range(width if batch.begins[s] else 0):
            table[boundary, k] += values[s, k]
        for i in range(batch.lengths[s]):
            place, w = batch.blocks[i] + s, batch.starts[s] + i
            for j in range(words.row_edges[w], words.row_edges[w + 1]):
                row = words.rows[j]
                for k in range(width):
                    table[row, k] += values[place, k]
            for j in range(words.run_edges[w], words.run_edges[w + 1]):
                for c in range(words.runs[j], words.runs[j] + words.sizes[j]):
                    sums.singles[c] += values[place, words.labels[c]]


@jit
def subtract_highest(scores: np.ndarray, padding: tuple[float, ...]) -> float:
    """Take its highest score off each row, shape (n, L); return the largest spread of one."""
    width, n_tags, widest = len(padding), count_labels(padding), 0.0
    tops = np.empty(len(scores))
    for i in range(len(scores)):
        highest = lowest = scores[i, 0]
        for k in range(n_tags):
            highest, lowest = max(highest, scores[i, k]), min(lowest, scores[i, k])
        tops[i], widest = highest, max(widest, highest - lowest)
    for i in range(len(scores)):
        for k in range(width):
            scores[i, k] += padding[k] - tops[i]
    return widest


_LANES = 8  # doubles in a cache line
_NEVER = -1e30  # score of the columns beyond K: their probability is exp(-700), which is nothing
_WORDS = 1 << 14  # whose cells are listed at a time
_FEW = 0.25  # of the labels: rows with no more are kept as single cells


def pad_labels(n_labels: int) -> tuple[float, ...]:
    """Return what is added to a row of L scores: 0 for a label, a very low score for padding."""
    return (0.0,) * n_labels + (_NEVER,) * (-n_labels % _LANES)


class Cells:
    """The layout of the scores of some sentences: weights to cells, and back.

    Parameters
    ----------
    sentences : Sentences
        With N words and K labels.
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        F of them; weights are in row-major order.
    """

    def __init__(
        self, sentences: Sentences, firing: sparse.csr_matrix, features: np.ndarray
    ) -> None:
        first = _edges(features.sum(axis=1))
        labels = np.nonzero(features)[1].astype(np.int8)
        self._firing = Firing(firing.indptr, firing.indices, first, labels)
        weights = sparse.csr_matrix((np.ones(len(labels)), labels, first), features.shape)
        self._storage = _store(firing @ weights, sentences.history_rows)
        list_words = _list_stored_words if sentences.memory else _list_words
        self.words = list_words(sentences, self._storage)
        self.n_tags, self.padding = sentences.n_tags, pad_labels(sentences.n_tags)  # K, L of them
        n_rows = int(self._storage.places.max(initial=-1)) + 1
        n_unread = sentences.n_tags + 1 - len(sentences.history_rows)  # transitions, if none is
        self._shape = n_rows + n_unread, len(self.padding)

    def __len__(self) -> int:
        """Return how many cells are stored, those of tables that no feature makes as well."""
        return self._shape[0] * self._shape[1] + len(self.words.labels)

    def split(self, values: np.ndarray) -> CellValues:
        """Take an array of all cells, or of none, apart; views."""
        n = self._shape[0] * self._shape[1]
        return CellValues(values[:n].reshape(-1, self._shape[1]), values[n:])

    def scores(self, weights: np.ndarray) -> ChainScores:
        """Return the scores that weights, shape (F,), make."""
        values = self.split(np.empty(len(self)))
        fill_cells(self._firing, self._storage, weights, values)
        return ChainScores(self.words, *values, self.padding)

    def word_weights(self) -> WordWeights:
        """Return which weights each word sums."""
        places, starts = self._storage.places, self._storage.starts
        in_table, single = np.flatnonzero(places >= 0), np.flatnonzero(places < -1)
        table_rows = np.zeros(self._shape[0], np.int32)
        table_rows[places[in_table]] = in_table
        single_rows = np.zeros(len(self._storage.labels) + 1, np.int32)
        single_rows[starts[-1 - places[single]]] = single
        return WordWeights(self.words, table_rows, single_rows, self._firing)

    def gather(self, values: np.ndarray) -> np.ndarray:
        """Return the sums of each feature, shape (F,), of sums of all cells: the transpose."""
        sums = np.zeros(len(self._firing.labels))
        gather_cells(self._firing, self._storage, self.split(values), sums)
        return sums


def add_to_words(scores: ChainScores, added: np.ndarray) -> ChainScores:
    """Return the scores with ``added``, a number for each word and label, (N, K), added to them.

    Every word has one more row in the table, of its own.
    """
    words, n_words, n_tags = scores.words, *added.shape
    own = np.zeros((n_words, len(scores.padding)))
    own[:, :n_tags] = added
    first = len(scores.table) - n_tags - 1  # the transitions stay the last
    rows = np.insert(words.rows, words.row_edges[1:], first + np.arange(n_words))
    edges = words.row_edges + np.arange(n_words + 1)
    table = np.concatenate([scores.table[:first], own, scores.table[first:]])
    words = words._replace(rows=rows.astype(np.int32), row_edges=edges.astype(np.int32))
    return scores._replace(words=words, table=table)


def _store(cells, history):
    """Decide where rows are stored, by the cells that exist, shape (n_rows, K)."""
    cells.sort_indices()
    n_labels = np.diff(cells.indptr)
    in_table = n_labels > _FEW * cells.shape[1]
    in_table[history] = False  # the transitions come last
    n_table = np.count_nonzero(in_table)
    places = np.full(len(n_labels), -1, np.int32)
    places[in_table] = np.arange(n_table)
    places[history] = n_table + np.arange(len(history))
    single = np.flatnonzero((places < 0) & (n_labels > 0))
    places[single] = -2 - np.arange(len(single))
    starts = np.concatenate([[0, 0], np.cumsum(n_labels[single])]).astype(np.int32)
    return Storage(places, starts, cells[single].indices.astype(np.int8))


def _list_words(sentences, storage):
    """Return which scores each word of the sentences sums."""
    found = _list_parts(sentences, storage)
    n_rows, rows, n_runs, runs, sizes = map(np.concatenate, zip(*found, strict=True))
    return WordCells(_edges(n_rows), rows, _edges(n_runs), runs, sizes, storage.labels)


def _list_stored_words(sentences, storage):
    """Return what ``_list_words`` does, on disk."""
    row_edges, run_edges = GrowingArray(np.int64), GrowingArray(np.int64)
    rows, runs = GrowingArray(np.int32), GrowingArray(np.int32)
    sizes = GrowingArray(np.uint8)
    for edges in (row_edges, run_edges):
        edges.append(np.zeros(1))
    for n_rows, own_rows, n_runs, own_runs, own_sizes in _list_parts(sentences, storage):
        row_edges.append(len(rows) + np.cumsum(n_rows))
        run_edges.append(len(runs) + np.cumsum(n_runs))
        for array, own in ((rows, own_rows), (runs, own_runs), (sizes, own_sizes)):
            array.append(own)
    lists = row_edges.mapped(), rows.mapped(), run_edges.mapped(), runs.mapped()
    return WordCells(*lists, sizes.mapped(), storage.labels)


def release_words(words: WordCells, part: slice) -> None:
    """Give back the memory that some words on disk take, as ``release`` does."""
    for edges, *arrays in (
        (words.row_edges, words.rows),
        (words.run_edges, words.runs, words.sizes),
    ):
        own = slice(edges[part.start], edges[part.stop])
        for array in arrays:
            release(array[own])
        release(edges[part])


def _list_parts(sentences, storage):
    """Yield the results of ``_list_some`` block by block of words, to save memory."""
    slots = sentences.word_slots
    for first in range(0, max(1, len(sentences.rows)), _WORDS):
        own = sentences.rows[first : first + _WORDS]
        yield _list_some(own[:, slots], storage)
        release(own)


def _list_some(read, storage):
    """Of each of some words how many rows, and these; how many runs, their starts and sizes."""
    places, starts = storage.places[read], storage.starts
    in_table, is_single = places >= 0, places < -1
    runs = -1 - places[is_single]
    sizes = np.diff(starts).astype(np.uint8)[runs]
    return in_table.sum(axis=1), places[in_table], is_single.sum(axis=1), starts[runs], sizes


def _edges(counts):
    """Return where each of N groups of given sizes begins in one list, and its end; (N + 1,)."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
