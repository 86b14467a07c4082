"""Compiled sums over chains beside plain ones: no word, one, many; any labels; any padding."""

from itertools import pairwise

import numpy as np
import oracles
import pytest

from workbench.inference.chain import batches
from workbench.inference.chain.best_paths import fill_best_paths, fill_log_normalizers
from workbench.inference.chain.forward_backward import Lattice, log_sum_step
from workbench.inference.chain.scores import (
    CellValues,
    ChainScores,
    Firing,
    Storage,
    WordCells,
    add_to_cells,
    fill_cells,
    fill_scores,
    gather_cells,
    pad_labels,
    subtract_highest,
)
from workbench.inference.chain.sums import Expansion, fill_expectations, sum_chains

ROWS, RUNS = 6, 3  # rows of the table but the transitions; runs of single cells
CLOSE = {"rtol": 1e-10, "atol": 1e-10}


@pytest.fixture(params=[1, 2, 5, 8, 9], ids=lambda k: f"{k} labels")
def n_tags(request):
    return request.param


@pytest.fixture(params=[0, 1, 6, 200], ids=lambda n: f"{n} words")
def n(request):
    return request.param


def make_edges(rng, n, most):
    return np.concatenate([[0], np.cumsum(rng.integers(0, most + 1, n))]).astype(np.int32)


@pytest.fixture
def scores(rng, n, n_tags):
    """Each word sums up to five rows and up to two runs."""
    row_edges, run_edges = make_edges(rng, n, 5), make_edges(rng, n, 2)
    sizes = rng.integers(1, n_tags + 1, RUNS).astype(np.uint8)
    starts = (np.cumsum(sizes) - sizes).astype(np.int32)
    labels = [np.sort(rng.choice(n_tags, size, replace=False)) for size in sizes]
    rows, runs = rng.integers(0, ROWS, row_edges[-1]), rng.integers(0, RUNS, run_edges[-1])
    words = WordCells(
        row_edges, rows.astype(np.int32), run_edges, starts[runs], sizes[runs],
        np.concatenate(labels).astype(np.int8),
    )  # fmt: skip
    table = np.zeros((ROWS + n_tags + 1, len(pad_labels(n_tags))))
    table[:, :n_tags] = rng.normal(size=(len(table), n_tags))
    return ChainScores(words, table, rng.normal(size=len(words.labels)), pad_labels(n_tags))


@pytest.fixture
def starts(rng, n):
    """Where sentences of up to nine words begin, and the end."""
    return np.array(sorted({0, n, *rng.integers(0, n + 1, n // 4), *range(0, n, 9)}), np.int64)


@pytest.fixture
def sentences(starts):
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")
    return batches.Stretches(starts[:-1][order], lengths[order], np.ones(len(order), bool))


def count_cells(words, scores):
    """Number of times that each word sums each cell; (N, rows of the table), (N, single cells)."""
    n = len(words.row_edges) - 1
    of_table, of_singles = np.zeros((n, len(scores.table))), np.zeros((n, len(scores.singles)))
    for i in range(n):
        np.add.at(of_table[i], words.rows[words.row_edges[i] : words.row_edges[i + 1]], 1)
        for j in range(words.run_edges[i], words.run_edges[i + 1]):
            of_singles[i, words.runs[j] : words.runs[j] + words.sizes[j]] += 1
    return of_table, of_singles


def score_words(scores, starts):
    """Scores of words, (N, L), without the transition from the boundary."""
    of_table, of_singles = count_cells(scores.words, scores)
    by_label = np.zeros((len(scores.singles), len(scores.padding)))
    by_label[np.arange(len(by_label)), scores.words.labels] = scores.singles
    return of_table @ scores.table + of_singles @ by_label


def add_words(values, words, starts, sums):
    """Add values of words, (N, L), to cells, and those of first words to the boundary's row."""
    of_table, of_singles = count_cells(words, sums)
    sums.table[:] += of_table.T @ values
    by_label = of_singles.T @ values
    sums.singles[:] += by_label[np.arange(len(by_label)), words.labels]
    sums.table[-1] += values[starts[:-1][np.diff(starts) > 0]].sum(axis=0)


def zeros(scores):
    return CellValues(np.zeros_like(scores.table), np.zeros_like(scores.singles))


def sum_plainly(own, between):
    """Log Z of a sentence by logarithms, its marginals, and those of pairs, (n - 1, K, K)."""
    alpha, beta = [own[0]], [np.zeros(own.shape[1])]
    for word in own[1:]:
        alpha.append(word + np.logaddexp.reduce(alpha[-1][:, None] + between, axis=0))
    for word in own[:0:-1]:
        beta.insert(0, np.logaddexp.reduce(between + word + beta[0], axis=1))
    log_z = np.logaddexp.reduce(alpha[-1])
    pairs = [
        np.exp(a[:, None] + between + word + b - log_z)
        for a, word, b in zip(alpha, own[1:], beta[1:], strict=False)
    ]
    marginals = np.exp(np.array(alpha) + np.array(beta) - log_z)
    return log_z, marginals, np.array(pairs).reshape(-1, *between.shape)


@pytest.mark.parametrize("size", [1.0, 300.0], ids=["by factors", "beyond any factor"])
def test_sums_are_those_by_logarithms(rng, scores, sentences, starts, n_tags, size):
    scores = scores._replace(table=size * scores.table, singles=size * scores.singles)
    tags = rng.integers(0, n_tags, starts[-1]).astype(np.int8)
    transitions, own = scores.table[-n_tags - 1 :, :n_tags], score_words(scores, starts)
    own, value, firsts = own[:, :n_tags], 0.0, starts[:-1][np.diff(starts) > 0]
    own[firsts] += transitions[-1]
    marginals, log_z = np.zeros_like(own), np.zeros(starts[-1])
    pairs = np.zeros((len(starts) - 1, n_tags, n_tags))
    means, variances = zeros(scores), zeros(scores)
    for s, (a, b) in enumerate(pairwise(starts.tolist())):
        if a < b:
            log_z[a], marginals[a:b], of_pairs = sum_plainly(own[a:b], transitions[:-1])
            pairs[s] = of_pairs.sum(axis=0)
            means.table[-n_tags - 1 : -1, :n_tags] += pairs[s]
            variances.table[-n_tags - 1 : -1, :n_tags] += (of_pairs * (1 - of_pairs)).sum(axis=0)
            value += own[np.arange(a, b), tags[a:b]].sum() - log_z[a]
            value += transitions[tags[a : b - 1], tags[a + 1 : b]].sum()
    padded = np.pad(marginals, ((0, 0), (0, len(scores.padding) - n_tags)))
    add_words(padded, scores.words, starts, means)
    add_words(padded * (1 - padded), scores.words, starts, variances)

    found, curved, room = zeros(scores), zeros(scores), np.zeros((3, *padded.shape))
    kept = Expansion(Lattice(*room), np.zeros(len(own), np.int64), np.zeros(len(own)))
    got = sum_chains(scores, tags, sentences, found, curved, kept)
    assert got == pytest.approx(value, rel=1e-10, abs=1e-10)
    for ours, theirs in ((found, means), (curved, variances)):
        np.testing.assert_allclose(ours.table, theirs.table, **CLOSE)
        np.testing.assert_allclose(ours.singles, theirs.singles, **CLOSE)
    if size == 1.0:
        uncertainty = (marginals * (1 - marginals)).sum(axis=1)
        np.testing.assert_allclose(kept.uncertainty, uncertainty, **CLOSE)
        product = kept.lattice.alpha * kept.lattice.beta
        np.testing.assert_allclose(product[kept.rows], padded, **CLOSE)

    ids = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    filled, by_sentence = np.zeros_like(own), np.zeros((len(pairs), *[len(scores.padding)] * 2))
    fill_expectations(scores, sentences, ids, filled, by_sentence)
    np.testing.assert_allclose(filled, marginals, **CLOSE)
    np.testing.assert_allclose(by_sentence[:, :n_tags, :n_tags], pairs, **CLOSE)
    filled = np.zeros(starts[-1])
    fill_log_normalizers(scores, sentences, filled)
    np.testing.assert_allclose(filled, log_z, rtol=1e-10)


@pytest.mark.parametrize("k", [1, 4])
def test_the_best_paths_are_those_of_lists_kept_whole(scores, sentences, starts, n_tags, k):
    transitions, own = scores.table[-n_tags - 1 :, :n_tags], score_words(scores, starts)
    tags, totals = np.full((k, starts[-1]), 9, np.int8), np.zeros((k, starts[-1]))
    fill_best_paths(scores, sentences, (0.0,) * k, tags, totals)
    for a, b in pairwise(starts.tolist()):
        if a < b:
            best = [((y,), own[a, y] + transitions[-1, y]) for y in range(n_tags)]
            for i in range(a + 1, b):
                longer = [
                    ((*path, y), total + transitions[path[-1], y] + own[i, y])
                    for path, total in best
                    for y in range(n_tags)
                ]
                best = [  # the k best that end with each label
                    each
                    for y in range(n_tags)
                    for each in sorted((e for e in longer if e[0][-1] == y), key=lambda e: -e[1])[
                        :k
                    ]
                ]
            best = sorted(best, key=lambda each: -each[1])[:k]
            np.testing.assert_allclose(totals[: len(best), a], [total for _, total in best])
            assert [tuple(own) for own in tags[: len(best), a:b].tolist()] == [p for p, _ in best]
            assert (tags[len(best) :, a:b] == -1).all()


def test_scores_and_sums_of_a_batch_are_those_of_its_words(rng, scores, sentences, starts, n):
    if not n:
        return
    begins = rng.random(len(sentences.starts)) < 0.5
    batch = batches.make_batch(sentences._replace(begins=begins), 0, len(begins))
    filled = np.full((batch.blocks[-1], len(scores.padding)), np.nan)
    fill_scores(scores, batch, filled)
    values, own = rng.normal(size=filled.shape), score_words(scores, starts)
    found, expected, by_word = zeros(scores), zeros(scores), np.zeros_like(values)
    for s, (start, length) in enumerate(zip(batch.starts, batch.lengths, strict=True)):
        rows = batch.blocks[:length] + s
        own[start] += scores.table[-1] * (begins[s] and length > 0)
        np.testing.assert_allclose(filled[rows], own[start : start + length], **CLOSE)
        by_word[start : start + length] = values[rows]
        expected.table[-1] -= by_word[start] * (length > 0 and not begins[s])
    add_to_cells(values, scores.words, batch, found)
    add_words(by_word, scores.words, starts, expected)
    np.testing.assert_allclose(found.table, expected.table, **CLOSE)
    np.testing.assert_allclose(found.singles, expected.singles, **CLOSE)


def test_the_highest_score_becomes_0_and_padding_nothing(rng, n_tags):
    padding = pad_labels(n_tags)
    scores = rng.normal(size=(9, len(padding)))
    own = scores[:, :n_tags].copy()
    spread = subtract_highest(scores, padding)
    assert spread == pytest.approx(np.ptp(own, axis=1).max())
    np.testing.assert_allclose(scores[:, :n_tags], own - own.max(axis=1, keepdims=True))
    assert (scores[:, n_tags:] < -1e29).all()


def test_log_sums_are_those_of_numpy(rng, n_tags):
    before, between = 10 * rng.normal(size=n_tags), 10 * rng.normal(size=(n_tags, n_tags))
    after = np.zeros(n_tags)
    log_sum_step(before, between, after)
    np.testing.assert_allclose(after, [oracles.log_sum(before + to) for to in between.T])


# --- weights and cells --------------------------------------------------------------------


def make_storage(rng, n, n_tags):
    """Nine predicates, n rows that fire two each, stored in all ways."""
    exists = rng.random((9, n_tags)) < 0.5
    first = np.concatenate([[0], np.cumsum(exists.sum(axis=1))]).astype(np.int32)
    fired = rng.integers(0, 9, 2 * n).astype(np.int32)
    edges, labels = np.arange(n + 1, dtype=np.int32) * 2, np.nonzero(exists)[1].astype(np.int8)
    own = exists[fired].reshape(n, 2, n_tags).any(axis=1)
    kind = np.where(own.any(axis=1), rng.integers(0, 2, n), 2)  # of the table, single, none
    places = np.where(kind == 0, np.cumsum(kind == 0) - 1, -1)
    places = np.where(kind == 1, -1 - np.cumsum(kind == 1), places).astype(np.int32)
    starts = np.concatenate([[0, 0], np.cumsum(own[kind == 1].sum(axis=1))]).astype(np.int32)
    storage = Storage(places, starts, np.nonzero(own[kind == 1])[1].astype(np.int8))
    values = CellValues(rng.normal(size=(np.sum(kind == 0), n_tags)), rng.normal(size=starts[-1]))
    return Firing(edges, fired, first, labels), storage, values


def test_cells_are_sums_of_weights_and_back(rng, n, n_tags):
    firing, storage, values = make_storage(rng, n, n_tags)
    f = np.arange(len(firing.labels))
    predicate = np.searchsorted(firing.first, f, side="right") - 1
    sums = np.zeros((n, n_tags, len(f)))  # which weights each cell of all rows sums
    for row, (a, b) in enumerate(pairwise(firing.edges)):
        for p in firing.predicates[a:b]:
            sums[row, firing.labels[predicate == p], f[predicate == p]] += 1
    single = np.flatnonzero(storage.places < -1)
    singles = np.repeat(single, np.diff(storage.starts)[1:]), storage.labels

    dense = np.zeros((n, n_tags))
    dense[storage.places >= 0], dense[singles] = values
    gathered = rng.normal(size=len(f))
    expected = gathered + np.einsum("ry,ryf->f", dense, sums)
    gather_cells(firing, storage, values, gathered)
    np.testing.assert_allclose(gathered, expected, **CLOSE)

    weights = rng.normal(size=len(f))
    fill_cells(firing, storage, weights, values)
    np.testing.assert_allclose(values.table, (sums @ weights)[storage.places >= 0], **CLOSE)
    np.testing.assert_allclose(values.singles, (sums @ weights)[singles], **CLOSE)
