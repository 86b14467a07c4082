"""The log-likelihood, its gradient and its curvature, by more than one road."""

from dataclasses import replace

import numpy as np
import oracles
import pytest

from workbench.features.events import pack_events
from workbench.features.firing import firing_matrix
from workbench.features.selection import select_features
from workbench.features.templates import Template, find_templates
from workbench.inference.chain.scores import pad_labels
from workbench.learning import likelihood
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import GaussianPrior
from workbench.numerics.threads import even_slices
from workbench.text.corpus import BOUNDARY, Corpus

CA04 = find_templates("ca04")
CLOSE = 1e-12  # two orders of summing some thousand terms of about 1
PAIR = Template("pair-1", (-1, 0), 0, lambda a, b: f"{a}|{b}" if a != BOUNDARY else None)
CASES = {
    "all features": (CA04, 0),
    "cutoff 3": (CA04, 3),
    "a predicate that may not fire": ((*CA04, PAIR), 0),
    "words and tags together": (
        (Template("word,t-1", (0,), 1, lambda w, t: f"{w}|{t}"), *find_templates(["nextword"])), 0
    ),
    "no feature": (CA04, 1000),
}  # fmt: skip


def make(corpus, templates=CA04, cutoff=0):
    """Return the fast log-likelihood and the plain one, weights in the same order."""
    events = pack_events(corpus, templates)
    features = select_features(events, cutoff)
    firing = firing_matrix(events, features.values, features.n_predicates)
    pairs = oracles.feature_pairs(features)
    plain = oracles.PlainProblem(oracles.count_events(corpus, templates), pairs)
    return LogLikelihood(events, firing, features.exists), plain


@pytest.fixture(scope="module", params=CASES.values(), ids=CASES)
def problem(request, few_sentences):
    return make(few_sentences, *request.param)


@pytest.fixture
def weights(problem, rng):
    return rng.normal(size=len(problem[0].observed))


def read_all(fast, weights):
    """Value, gradient and curvature."""
    return *fast(weights), fast.curvature(weights)


def assert_close(found, expected):
    for own, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(own, other, rtol=CLOSE, atol=CLOSE)


def test_value_gradient_and_curvature_are_those_of_the_oracle(problem, weights):
    fast, plain = problem
    expected = (plain.log_likelihood, plain.gradient, plain.curvature)
    assert_close(read_all(fast, weights), [each(weights) for each in expected])
    assert np.array_equal(fast.observed, plain.observed)


def test_value_gradient_and_curvature_are_those_of_loops_and_differences(few_sentences, rng):
    fast, _ = make(few_sentences)
    features = select_features(pack_events(few_sentences, CA04), 0)
    weights = rng.normal(size=len(features))
    by_pair = dict(zip(oracles.feature_pairs(features), weights.tolist(), strict=True))
    events = oracles.count_events(few_sentences, CA04)
    looped = oracles.log_likelihood(by_pair, events)
    assert fast(weights)[0] == pytest.approx(looped, rel=CLOSE)
    fast, _ = make(few_sentences, cutoff=2)
    weights = rng.normal(size=len(fast.observed))
    slopes = oracles.central_differences(lambda w: fast(w)[0], weights)
    assert fast(weights)[1] == pytest.approx(slopes, abs=1e-7)  # error of a step of 1e-5
    fast, _ = make(few_sentences, cutoff=5)
    weights = rng.normal(size=len(fast.observed))
    step = 1e-5 * np.eye(len(weights))
    slopes = [(fast(weights - d)[1] - fast(weights + d)[1])[i] / 2e-5 for i, d in enumerate(step)]
    assert fast.curvature(weights) == pytest.approx(slopes, abs=1e-7)  # error of a step of 1e-5
    fast, _ = make(few_sentences)
    value, _ = fast(np.zeros(len(fast.observed)))
    assert value == pytest.approx(-len(few_sentences) * np.log(5), rel=CLOSE)


@pytest.mark.parametrize("mean", [0.0, 1.0], ids=["zero mean", "background mean"])
def test_the_penalized_gradient_is_that_of_central_differences(few_sentences, rng, mean):
    fast, _ = make(few_sentences, cutoff=2)
    weights = rng.normal(size=len(fast.observed))
    prior = GaussianPrior(mean * rng.normal(size=len(weights)), 0.5)
    slopes = oracles.central_differences(lambda w: fast(w)[0] - prior.penalty(w)[0], weights)
    gradient = fast(weights)[1] - prior.penalty(weights)[1]
    assert gradient == pytest.approx(slopes, abs=1e-7)  # error of a step of 1e-5


def test_the_value_is_a_total_even_of_one_event_and_evaluations_leave_one_another_alone(
    few_sentences, rng
):
    twice = few_sentences.take(np.tile(np.arange(few_sentences.n_sentences), 2))
    (once, _), (doubled, _) = make(few_sentences), make(twice)
    weights = rng.normal(size=len(once.observed))
    assert doubled(weights)[0] == pytest.approx(2 * once(weights)[0], rel=CLOSE)
    fast, _ = make(few_sentences)
    weights = rng.normal(size=len(fast.observed))
    first = fast(weights)[1]
    kept = first.copy()
    fast(-3 * weights), fast.curvature(weights)
    assert np.array_equal(first, kept)
    assert np.array_equal(fast(weights)[1], first)
    fast, plain = make(Corpus.from_sentences([["Rain"]]))
    weights = np.linspace(-1, 1, len(fast.observed))
    assert fast(weights)[0] == pytest.approx(plain.log_likelihood(weights), rel=CLOSE)


def test_an_event_listed_twice_is_an_event_of_count_two(few_sentences, rng):
    events = pack_events(few_sentences, CA04)
    features = select_features(events, 0)
    firing = firing_matrix(events, features.values, features.n_predicates)
    listed = [np.repeat(each, 2, axis=0) for each in (events.rows, events.tags, events.counts)]
    listed = replace(events, rows=listed[0], tags=listed[1], counts=listed[2])
    counted = replace(events, counts=2 * events.counts)
    weights = rng.normal(size=len(features))
    pair = (LogLikelihood(each, firing, features.exists) for each in (listed, counted))
    assert_close(*(read_all(each, weights) for each in pair))


def test_two_threads_find_what_one_finds(few_sentences, rng, monkeypatch):
    one, _ = make(few_sentences)
    monkeypatch.setattr(likelihood, "_SMALL", 0)
    monkeypatch.setattr(likelihood, "thread_count", lambda: 2)
    two, _ = make(few_sentences)
    weights = rng.normal(size=len(one.observed))
    assert_close(read_all(two, weights), read_all(one, weights))


@pytest.mark.parametrize("size", [1e3, 1e6])
def test_huge_weights_keep_the_value_finite(few_sentences, rng, size):
    fast, plain = make(few_sentences)
    weights = size * rng.normal(size=len(fast.observed))
    assert fast(weights)[0] == pytest.approx(plain.log_likelihood(weights), rel=CLOSE)


@pytest.mark.parametrize(("n_labels", "width"), [(1, 8), (5, 8), (8, 8), (9, 16)])
def test_tables_are_padded_to_whole_vector_registers(n_labels, width):
    padding = pad_labels(n_labels)
    assert len(padding) == width
    assert padding.count(0.0) == n_labels


@pytest.mark.parametrize(("n", "pieces"), [(0, 1), (1, 2), (7, 2), (10, 3)])
def test_slices_cover_all_events_once(n, pieces):
    covered = [i for part in even_slices(n, pieces) for i in range(n)[part]]
    assert covered == list(range(n))
