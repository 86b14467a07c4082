"""The log-likelihood of a linear chain, by enumeration, differences and logarithms."""

from itertools import pairwise, product

import numpy as np
import oracles
import pytest

from workbench.features.events import pack_events
from workbench.features.firing import count_features, firing_matrix
from workbench.features.packing import pack_sentences
from workbench.features.selection import select_features
from workbench.features.templates import find_templates
from workbench.inference.chain import batches
from workbench.inference.chain.batches import Stretches, split_sentences
from workbench.inference.chain.forward_backward import Lattice
from workbench.inference.chain.scores import CellValues, ChainScores, WordCells, pad_labels
from workbench.inference.chain.sums import Expansion, fill_chain_marginals, sum_chains
from workbench.learning.chain_likelihood import ChainLogLikelihood
from workbench.learning.likelihood import LogLikelihood
from workbench.text.corpus import BOUNDARY, Corpus

CHAIN = find_templates(["currentword", "previousword", "nextword", "t-1", "suffix2"])
WORDS_ALONE = find_templates(["currentword", "nextword"])
SHORT = [["Rain", "in", "New", "York"], ["NASA", "said", "."], ["Rain"], ["iPod", "rose"]]


def make(corpus, templates=CHAIN, cutoff=0):
    sentences = pack_sentences(corpus, templates)
    features = select_features(sentences, cutoff)
    firing = firing_matrix(sentences, features.values, features.n_predicates)
    return ChainLogLikelihood(sentences, firing, features.exists), features


@pytest.fixture(scope="module")
def corpus():
    return Corpus.from_sentences(SHORT)


@pytest.fixture(scope="module", params=[CHAIN, WORDS_ALONE], ids=["chain", "words alone"])
def problem(request, corpus):
    return request.param, *make(corpus, request.param)


@pytest.fixture
def weights(problem, rng):
    return rng.normal(size=len(problem[1].observed))


def test_value_and_gradient_are_those_of_enumeration(problem, weights, corpus):
    templates, likelihood, features = problem
    value, expected = oracles.enumerate_chain(templates, features, weights, corpus)
    fast, gradient = likelihood(weights)
    assert fast == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(likelihood.observed - gradient, expected, atol=1e-12)


def test_the_gradient_is_that_of_differences(problem, weights):
    _, likelihood, _ = problem
    slopes = oracles.central_differences(lambda w: likelihood(w)[0], weights)
    np.testing.assert_allclose(likelihood(weights)[1], slopes, atol=1e-8)


def test_without_transitions_or_with_one_word_a_sentence_a_chain_is_maxent(few_sentences, rng):
    chained, features = make(few_sentences, WORDS_ALONE)
    events = pack_events(few_sentences, WORDS_ALONE)
    plain = firing_matrix(events, features.values, features.n_predicates)
    local = LogLikelihood(events, plain, features.exists)
    weights = rng.normal(size=len(chained.observed))
    assert chained(weights)[0] == pytest.approx(local(weights)[0], rel=1e-12)
    np.testing.assert_allclose(chained(weights)[1], local(weights)[1], atol=1e-12)
    np.testing.assert_allclose(chained.curvature(weights), local.curvature(weights), atol=1e-12)
    corpus = Corpus.from_sentences([["Rain"], ["NASA"], ["snow"], ["Rain"], ["42"]])
    chained, features = make(corpus)
    events = pack_events(corpus, CHAIN)
    firing = firing_matrix(events, features.values, features.n_predicates)
    local = LogLikelihood(events, firing, features.exists)
    weights = rng.normal(size=len(chained.observed))
    assert chained(weights)[0] == pytest.approx(local(weights)[0], rel=1e-12)
    np.testing.assert_allclose(chained(weights)[1], local(weights)[1], atol=1e-12)
    np.testing.assert_allclose(chained.curvature(weights), local.curvature(weights), atol=1e-12)


def test_curvature_sums_variances_of_marginals_and_of_pairs(corpus, rng):
    likelihood, features = make(corpus, find_templates(["t-1"]))
    weights = rng.normal(size=len(likelihood.observed))
    pairs = oracles.feature_pairs(features)
    known, expected = dict(zip(pairs, weights.tolist(), strict=True)), dict.fromkeys(pairs, 0.0)
    for length in np.diff(corpus.starts).tolist():
        chances = oracles.chain_probabilities(known, find_templates(["t-1"]), ["x"] * length)
        for i, (last, tag) in product(range(length), product(range(6), range(5))):
            p = sum(
                chance
                for tags, chance in chances.items()
                if tags[i] == tag and (tags[i - 1] if i else 5) == last
            )
            name = "*bdw*" if last == 5 else oracles.TAGS[last]
            if (f"t-1={name}", tag) in expected:
                expected[f"t-1={name}", tag] += p * (1 - p)
    np.testing.assert_allclose(likelihood.curvature(weights), list(expected.values()), atol=1e-12)


def test_threads_sum_what_one_thread_sums_even_with_more_parts_than_sentences(
    background_corpus, monkeypatch, rng
):
    alone, _ = make(background_corpus)
    weights = rng.normal(size=len(alone.observed))
    monkeypatch.setattr(batches, "_SMALL", 0)
    monkeypatch.setattr(batches, "thread_count", lambda: 3)
    shared, _ = make(background_corpus)
    assert len(split_sentences(background_corpus.starts)) == 3
    assert shared(weights)[0] == pytest.approx(alone(weights)[0], rel=1e-13)
    np.testing.assert_allclose(shared(weights)[1], alone(weights)[1], atol=1e-11)
    np.testing.assert_allclose(shared.curvature(weights), alone.curvature(weights), atol=1e-11)
    monkeypatch.setattr(batches, "_SMALL", 0)
    monkeypatch.setattr(batches, "thread_count", lambda: 4)
    likelihood, _ = make(Corpus.from_sentences([["Rain", "fell"]]))
    assert np.isfinite(likelihood(np.zeros(len(likelihood.observed)))[0])


# --- scores of any size, sentences of any length ------------------------------------------


def random_chain(rng, length, size, n_tags=5):
    """One sentence of a chain with normal scores of a size."""
    rows = rng.integers(50, size=(length, 2)).astype(np.int32)
    width = len(pad_labels(n_tags))
    table, transitions = np.zeros((50, width)), np.zeros((n_tags + 1, width))
    table[:, :n_tags] = rng.normal(size=(50, n_tags)) * size
    transitions[:, :n_tags] = rng.normal(size=(n_tags + 1, n_tags)) * size
    tags = rng.integers(n_tags, size=length).astype(np.int8)
    return table, rows, tags, transitions, pad_labels(n_tags)


def all_in_table(rows):
    """What words sum, no single cell among it."""
    edges = np.arange(len(rows) + 1, dtype=np.int32) * rows.shape[1]
    no_edges, none = np.zeros(len(rows) + 1, np.int32), np.empty(0, np.int32)
    singles = np.empty(0, np.uint8), np.empty(0, np.int8)
    return WordCells(edges, rows.ravel(), no_edges, none, *singles)


def one_sentence(rows):
    """Start and length, as kernels take them."""
    return Stretches(np.zeros(1, np.int64), np.array([len(rows)]), np.ones(1, bool))


def nothing_kept(padding):
    lattice = Lattice(*np.empty((3, 0, len(padding))))
    return Expansion(lattice, np.empty(0, np.int64), np.empty(0))


def sum_one(table, rows, tags, transitions, padding):
    """Log-likelihood; expectations of rows and of transitions, and their variances."""
    both, none = np.vstack([table, transitions]), np.empty(0)
    sums, variances = np.zeros_like(both), np.zeros_like(both)
    value = sum_chains(
        ChainScores(all_in_table(rows), both, none, padding), tags, one_sentence(rows),
        CellValues(sums, none), CellValues(variances, none), nothing_kept(padding),
    )  # fmt: skip
    n = len(table)
    return value, sums[:n], sums[n:], variances[:n], variances[n:]


@pytest.mark.parametrize("size", [1, 30, 1000, 1e5])
def test_a_sentence_of_10000_words_is_finite_and_right(rng, size):
    table, rows, tags, transitions, padding = random_chain(rng, 10_000, size)
    value, expected, pairs, *_ = sum_one(table, rows, tags, transitions, padding)
    scores = table[rows].sum(axis=1)[:, :5]
    gold = scores[np.arange(len(tags)), tags].sum() + transitions[5, tags[0]]
    gold += transitions[tags[:-1], tags[1:]].sum()
    log_z = oracles.forward_in_logs(scores, transitions[:, :5])
    assert value == pytest.approx(gold - log_z, rel=1e-10)
    assert expected.sum() == pytest.approx(2 * 10_000, rel=1e-9)
    assert pairs.sum() == pytest.approx(10_000, rel=1e-9)


@pytest.mark.parametrize("n_tags", [2, 5, 8, 9])
def test_the_roads_by_factors_and_by_logarithms_agree(rng, n_tags):
    table, rows, tags, transitions, padding = random_chain(rng, 60, 3.0, n_tags)
    rows %= 49
    rows[7], tags[7] = 49, 0  # the first label is certain there; how far the others are
    answers = []
    for far in (-250.0, -2500.0):  # decides on the road, and on nothing else
        table[49, 1:n_tags] = far
        marginals = np.empty((60, n_tags))
        both = np.vstack([table, transitions])
        scores = ChainScores(all_in_table(rows), both, np.empty(0), padding)
        fill_chain_marginals(scores, one_sentence(rows), marginals)
        answers.append([marginals, *sum_one(table, rows, tags, transitions, padding)])
    for by_factors, by_logarithms in zip(*answers, strict=True):
        np.testing.assert_allclose(by_factors, by_logarithms, atol=1e-10, rtol=1e-10)
    np.testing.assert_allclose(answers[0][0].sum(axis=1), 1, atol=1e-12)


# --- many labels: rows with few of them are kept as single cells --------------------------


def many_labels(rng, n_labels=15):
    """Forty short sentences over thirty words and so many labels, each word with a few."""
    lengths = rng.integers(1, 9, size=40)
    words = rng.integers(1, 31, size=lengths.sum()).astype(np.int32)
    tags = ((words * 7 + rng.integers(0, 1 + words % 9)) % n_labels).astype(np.int8)
    strings = [BOUNDARY, *(f"w{i}" for i in range(30))]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    names = tuple(f"L{i}" for i in range(n_labels))
    return Corpus("many", strings, words, tags, starts, strings[1:], words - 1, names)


@pytest.fixture
def many(rng):
    corpus = many_labels(rng)
    return corpus, *make(corpus, find_templates(["currentword", "suffix1", "nextword", "t-1"]))


def dense_scores(corpus, features, weights, templates):
    """Scores of words, (N, K), and transitions, (K + 1, K), predicate by predicate."""
    table = np.zeros(features.exists.shape)
    table[features.exists] = weights
    number = {name: i for i, name in enumerate(features.names())}

    def total(predicates):
        return table[[number[p] for p in predicates if p in number]].sum(axis=0)

    words_alone = [t for t in templates if not t.n_tags]
    scores = []
    for a, b in pairwise(corpus.starts.tolist()):
        words = [corpus.words[w] for w in corpus.word_ids[a:b]]
        scores += [
            total(oracles.predicates_of(words_alone, words, i, ())) for i in range(len(words))
        ]
    transitions = np.array([total([f"t-1={name}"]) for name in (*corpus.tag_names, BOUNDARY)])
    return np.array(scores), transitions


def test_many_labels_are_summed_as_the_oracle_does(many, rng):
    corpus, likelihood, features = many
    weights = rng.normal(size=len(likelihood.observed))
    templates = find_templates(["currentword", "suffix1", "nextword", "t-1"])
    scores, transitions = dense_scores(corpus, features, weights, templates)
    value = 0.0
    for a, b in pairwise(corpus.starts.tolist()):
        tags = corpus.tags[a:b]
        gold = scores[np.arange(a, b), tags].sum() + transitions[-1, tags[0]]
        gold += transitions[tags[:-1], tags[1:]].sum()
        value += gold - oracles.forward_in_logs(scores[a:b], transitions)
    assert likelihood(weights)[0] == pytest.approx(value, rel=1e-12)
    for way in rng.normal(size=(3, len(weights))):
        rise = likelihood(weights + 1e-5 * way)[0] - likelihood(weights - 1e-5 * way)[0]
        assert likelihood(weights)[1] @ way == pytest.approx(rise / 2e-5, abs=1e-6)


def test_counts_of_features_are_those_of_events(many):
    corpus, likelihood, features = many
    templates = find_templates(["currentword", "suffix1", "nextword", "t-1"])
    events = pack_events(corpus, templates)
    counts = count_features(events, features.firing(events))
    np.testing.assert_array_equal(likelihood.observed, counts[features.exists])


def test_rare_rows_take_no_table(many):
    _, likelihood, features = many
    table, singles = likelihood._cells.split(np.zeros(len(likelihood._cells)))
    assert len(singles) > 20
    assert table.size < features.n_predicates * 24


def test_scores_and_gather_are_transposes(many, rng):
    cells = many[1]._cells
    weights, values = rng.normal(size=len(many[1].observed)), rng.normal(size=len(cells))
    scores, of_values = cells.scores(weights), cells.split(values)
    there = (scores.table * of_values.table).sum() + (scores.singles * of_values.singles).sum()
    assert weights @ cells.gather(values) == pytest.approx(there)
