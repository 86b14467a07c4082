"""Scores of the rows that a chain reads, stored sparsely: cells that no feature makes take no room.

A row is what a slot reads: a word and what it fires, say, or the label before. It gives label y
the sum of the weights of the predicates that it fires, and a *cell* (r, y) exists where one of
these weights does. With five labels a row has most of its cells; with twenty and more it has
one or two, and a table of all rows would fit neither into the cache nor, at times, into memory.
So rows with many cells are rows of a table, L columns wide (K labels and what rounding up
adds), and of any other row only its cells are kept, one run after another:

    table       y=0  1  2  ..  K-1 | L        singles   score   .7  .2 -.4  .1 ..
    row 3        .2  0 -.1      .5 | 0        labels    y        4   0   9   4 ..
    row 8        .1 .4   0     -.2 | 0        run             row 5  row 6   row 9 ..
    ...
    label 0      the transitions, (K + 1, L): from label 0, ..,
    ...          from K - 1, and from the boundary before the first word
    boundary

A word sums some rows of the table and some runs of single cells.
"""

import numpy as np
from scipy import sparse

from workbench.features.contexts import Sentences
from workbench.scoring.chain_cell_sums import (
    CellValues,
    Firing,
    Storage,
    WordCells,
    WordWeights,
    fill_cells,
    gather_cells,
)
from workbench.scoring.chain_word_sums import ChainScores
from workbench.text.sources.scratch import GrowingArray, release

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
