"""Products with the Hessian: exact over all events, near without the certain ones."""

import numpy as np
import pytest
from test_solvers import make

from workbench.learning import likelihood
from workbench.learning import likelihood as hessian


def hessian_of(likelihood, weights, share=0.0):
    return likelihood.expand(weights, share)[2]


@pytest.fixture(scope="module", params=[["suffix1", "t-1", "nextword"], ["prefix1", "suffix2"]])
def problem(request, few_sentences):
    return make(few_sentences, request.param, 2)


@pytest.fixture
def weights(problem, rng):
    return rng.normal(size=len(problem[0].observed))


@pytest.fixture
def vector(problem, rng):
    return rng.normal(size=len(problem[0].observed))


def test_a_product_is_that_of_the_oracle_and_value_gradient_and_diagonal_come_along(
    problem, weights, vector
):
    fast, plain = problem
    product = plain.hessian(weights) @ vector
    assert hessian_of(fast, weights) @ vector == pytest.approx(product, rel=1e-10, abs=1e-10)
    fast, step = problem[0], 1e-6
    turned = fast(weights - step * vector)[1] - fast(weights + step * vector)[1]
    # Central differences of a step of 1e-6 lose ten digits of some hundred.
    assert hessian_of(fast, weights) @ vector == pytest.approx(turned / (2 * step), abs=1e-5)
    fast = problem[0]
    diagonal = hessian_of(fast, weights).diagonal
    assert diagonal == pytest.approx(fast.curvature(weights), rel=1e-12)
    curved = hessian_of(problem[0], weights)
    first = curved @ vector
    curved @ (3 * vector)
    assert np.array_equal(curved @ vector, first)
    value, gradient, _ = problem[0].expand(weights)
    alone, slope = problem[0](weights)
    assert value == pytest.approx(alone, rel=1e-14)
    assert gradient == pytest.approx(slope, rel=1e-12, abs=1e-12)


def test_certain_events_are_left_out_but_for_the_diagonal_and_hardly_missed(problem, rng):
    fast, plain = problem
    weights = 4 * rng.normal(size=len(fast.observed))  # most events are certain
    curved, vector = hessian_of(fast, weights, 0.1), rng.normal(size=len(fast.observed))
    vector[np.setdiff1d(np.arange(len(vector)), curved.active)] = 0
    assert 0 < len(curved) < len(plain.counts)
    whole = plain.hessian(weights)
    assert vector @ (curved @ vector) == pytest.approx(vector @ whole @ vector, rel=0.1)
    assert vector @ (curved @ vector) <= vector @ whole @ vector
    fast = problem[0]
    weights, vector = 8 * rng.normal(size=len(fast.observed)), rng.normal(size=len(fast.observed))
    curved = hessian_of(fast, weights, 1.0)
    alone = np.setdiff1d(np.arange(len(vector)), curved.active)
    assert len(alone)
    assert np.array_equal((curved @ vector)[alone], (curved.diagonal * vector)[alone])


def test_which_events_are_left_out_is_a_matter_of_shares(few_sentences, rng):
    twice = few_sentences.take(np.tile(np.arange(few_sentences.n_sentences), 2))
    once, doubled = (make(text, ["suffix1", "t-1"], 0)[0] for text in (few_sentences, twice))
    weights = 9 * rng.normal(size=len(once.observed))
    left = [len(hessian_of(each, weights, 0.5)) for each in (once, doubled)]
    assert 0 < left[0] == left[1] < len(few_sentences)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_threads_make_no_difference(few_sentences, rng, n_threads, monkeypatch):
    for module in (likelihood, hessian):
        monkeypatch.setattr(module, "_SMALL", 0)
        monkeypatch.setattr(module, "thread_count", lambda: n_threads)
    fast, plain = make(few_sentences, ["suffix1", "t-1"], 2)
    weights, vector = rng.normal(size=(2, len(fast.observed)))
    product = plain.hessian(weights) @ vector
    assert hessian_of(fast, weights) @ vector == pytest.approx(product, rel=1e-10, abs=1e-10)
