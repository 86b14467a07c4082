"""Cases for the compiled scores and batches of a chain."""

import numpy as np
from chain_instances import make_batch, make_chain, make_stretches, make_zeros
from kernel_registry import case

from workbench.inference.chain import batches
from workbench.inference.chain import scores as cell_sums
from workbench.inference.chain import scores as word_sums
from workbench.inference.chain.scores import pad_labels

# --- scoring ------------------------------------------------------------------------------


def _storage(rng, n, n_tags):
    """Nine predicates with random weights, n rows that fire two each, stored in all ways."""
    exists = rng.random((9, n_tags)) < 0.5
    first = np.concatenate([[0], np.cumsum(exists.sum(axis=1))]).astype(np.int32)
    fired = rng.integers(0, 9, 2 * n).astype(np.int32)
    edges, labels = np.arange(n + 1, dtype=np.int32) * 2, np.nonzero(exists)[1].astype(np.int8)
    own = exists[fired].reshape(n, 2, n_tags).any(axis=1)
    kind = np.where(own.any(axis=1), rng.integers(0, 2, n), 2)  # of the table, single, none
    places = np.where(kind == 0, np.cumsum(kind == 0) - 1, -1)
    places = np.where(kind == 1, -1 - np.cumsum(kind == 1), places).astype(np.int32)
    starts = np.concatenate([[0, 0], np.cumsum(own[kind == 1].sum(axis=1))]).astype(np.int32)
    storage = cell_sums.Storage(places, starts, np.nonzero(own[kind == 1])[1].astype(np.int8))
    values = np.zeros((np.sum(kind == 0), n_tags)), np.zeros(starts[-1])
    return (cell_sums.Firing(edges, fired, first, labels), storage, cell_sums.CellValues(*values))


def _weights_of_rows(firing, n_tags):
    """Which weights each cell of all rows sums; shape (n_rows, K, F)."""
    f = np.arange(len(firing.labels))
    predicate = np.searchsorted(firing.first, f, side="right") - 1
    sums = np.zeros((len(firing.edges) - 1, n_tags, len(f)))
    for row, (a, b) in enumerate(zip(firing.edges[:-1], firing.edges[1:], strict=True)):
        for p in firing.predicates[a:b]:
            sums[row, firing.labels[predicate == p], f[predicate == p]] += 1
    return sums


def _find_single(storage):
    rows = np.flatnonzero(storage.places < -1)
    return np.repeat(rows, np.diff(storage.starts)[1:]), storage.labels


def _plain_fill(firing, storage, weights, scores):
    dense = _weights_of_rows(firing, scores.table.shape[1]) @ weights
    scores.table[:] = dense[storage.places >= 0]
    scores.singles[:] = dense[_find_single(storage)]


def _plain_gather(firing, storage, values, sums):
    ways = _weights_of_rows(firing, values.table.shape[1])
    dense = np.zeros(ways.shape[:2])
    dense[storage.places >= 0] = values.table
    dense[_find_single(storage)] = values.singles
    sums += np.einsum("ry,ryf->f", dense, ways)


@case(cell_sums.fill_cells, plain=_plain_fill)
def _fill_cells(rng, n, n_tags):
    firing, storage, values = _storage(rng, n, n_tags)
    return [firing, storage, rng.normal(size=len(firing.labels)), values]


@case(cell_sums.gather_cells, plain=_plain_gather)
def _gather_cells(rng, n, n_tags):
    firing, storage, values = _storage(rng, n, n_tags)
    filled = cell_sums.CellValues(*(rng.normal(size=v.shape) for v in values))
    return [firing, storage, filled, rng.normal(size=len(firing.labels))]


def _cells_of_words(words, scores):
    """Number of times that each word sums each cell; (N, table cells) and (N, single cells)."""
    n = len(words.row_edges) - 1
    of_table, of_singles = np.zeros((n, len(scores.table))), np.zeros((n, len(scores.singles)))
    for i in range(n):
        for row in words.rows[words.row_edges[i] : words.row_edges[i + 1]]:
            of_table[i, row] += 1
        for j in range(words.run_edges[i], words.run_edges[i + 1]):
            of_singles[i, words.runs[j] : words.runs[j] + words.sizes[j]] += 1
    return of_table, of_singles


def _places(batch):
    """(row, word) of all words of a batch, and the rows of those where sentences begin."""
    found = [
        (batch.blocks[i] + s, batch.starts[s] + i)
        for s in range(len(batch.starts))
        for i in range(batch.lengths[s])
    ]
    return np.array(found).T, np.flatnonzero(batch.begins)


def _plain_scores(scores, batch, filled):
    of_table, of_singles = _cells_of_words(scores.words, scores)
    by_label = np.zeros((len(scores.singles), len(scores.padding)))
    by_label[np.arange(len(by_label)), scores.words.labels] = scores.singles
    (rows, own), begins = _places(batch)
    filled[rows] = (of_table @ scores.table + of_singles @ by_label)[own]
    filled[begins] += scores.table[-1]


def _plain_add(values, words, batch, sums):
    of_table, of_singles = _cells_of_words(words, sums)
    (rows, own), begins = _places(batch)
    sums.table[:] += of_table[own].T @ values[rows]
    by_label = of_singles[own].T @ values[rows]
    sums.singles[:] += by_label[np.arange(len(by_label)), words.labels]
    sums.table[-1] += values[begins].sum(axis=0)


def _plain_subtract(scores, padding):
    n_tags = padding.count(0.0)
    spread = np.ptp(scores[:, :n_tags], axis=1).max()
    scores += padding - scores[:, :n_tags].max(axis=1, keepdims=True)
    return spread


@case(word_sums.fill_scores, plain=_plain_scores)
def _fill_scores(rng, n, n_tags):
    batch, scores = make_batch(rng, n, n_tags)
    return [scores, batch, np.ones((batch.blocks[-1], len(scores.padding)))]


@case(word_sums.add_to_cells, plain=_plain_add)
def _add_to_cells(rng, n, n_tags):
    batch, scores = make_batch(rng, n, n_tags)
    values = rng.random((batch.blocks[-1], len(scores.padding)))
    return [values, scores.words, batch, make_zeros(scores)]


@case(word_sums.subtract_highest, plain=_plain_subtract)
def _subtract_highest(rng, n, n_tags):
    return [rng.normal(size=(n + 1, len(pad_labels(n_tags)))), pad_labels(n_tags)]


@case(word_sums.count_labels, plain=lambda padding: padding.count(0.0))
def _count_labels(rng, n, n_tags):
    return [pad_labels(n_tags)]


@case(word_sums.transition_rows, plain=lambda table, padding: table[-padding.count(0.0) - 1 :])
def _transition_rows(rng, n, n_tags):
    return [rng.normal(size=(n + n_tags + 1, 8)), pad_labels(n_tags)]


# --- batches ------------------------------------------------------------------------------


@case(batches.batch_size)
def _batch_size(rng, n, n_tags):
    lengths = np.sort(rng.integers(1, 1 << 16, n + 1))[::-1].copy()
    return [lengths, n // 2, 8]


@case(batches.most_words)
def _most_words(rng, n, n_tags):
    return [np.sort(rng.integers(1, 99, n))[::-1].copy(), 8]


@case(batches.make_batch)
def _make_batch(rng, n, n_tags):
    stretches = make_stretches(rng, n + 1)
    first = len(stretches.starts) // 2
    return [stretches, first, len(stretches.starts) - first]


@case(batches.next_batch)
def _next_batch(rng, n, n_tags, max_spread=1e9):
    filled = np.zeros((n + 1, len(pad_labels(n_tags))))
    return [*make_chain(rng, n + 1, n_tags), 0, max_spread, filled]


@case(batches.next_batch)
def _next_batch_out_of_range(rng, n, n_tags):
    return _next_batch(rng, n, n_tags, max_spread=1.0)
