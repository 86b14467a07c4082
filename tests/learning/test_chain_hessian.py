"""Products with the Hessian of a chain: by enumeration, by differences, and at the edges."""

from itertools import pairwise

import numpy as np
import oracles
import pytest
from test_chain import CHAIN, SHORT, WORDS_ALONE, make, many_labels

from workbench.features.templates import find_templates
from workbench.inference.chain import batches
from workbench.learning import chain_likelihood
from workbench.learning.chain_likelihood import find_stretches
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.conjugate_gradients import solve as solve_accurately
from workbench.learning.solvers.fit import maximise
from workbench.learning.solvers.newton import maximise_by_newton as solve
from workbench.text.corpus import Corpus


def hessian_of(likelihood, weights, share=0.0):
    return likelihood.expand(weights, share)[2]


def slope_of_gradient(likelihood, weights, vector, step=1e-6):
    difference = likelihood(weights - step * vector)[1] - likelihood(weights + step * vector)[1]
    return difference / (2 * step)


@pytest.mark.parametrize("templates", [CHAIN, WORDS_ALONE], ids=["chain", "words alone"])
def test_products_are_those_of_the_covariance_of_all_sequences(templates, rng):
    likelihood, features = make(Corpus.from_sentences(SHORT), templates)
    weights, pairs = rng.normal(size=len(likelihood.observed)), oracles.feature_pairs(features)
    known = dict(zip(pairs, weights.tolist(), strict=True))
    whole = sum(
        oracles.chain_covariance(known, templates, [w.lower() for w in words], pairs)
        for words in SHORT
    )
    curved = hessian_of(likelihood, weights)
    products = [curved @ unit for unit in np.eye(len(weights))]
    np.testing.assert_allclose(products, whole, atol=1e-12)


@pytest.fixture(params=["five labels", "many labels"])
def likelihood(request, few_sentences, rng):
    if request.param == "five labels":
        return make(few_sentences)[0]
    return make(many_labels(rng), find_templates(["currentword", "suffix1", "t-1"]))[0]


@pytest.fixture
def weights(likelihood, rng):
    return rng.normal(size=len(likelihood.observed))


@pytest.fixture
def vector(likelihood, rng):
    return rng.normal(size=len(likelihood.observed))


def test_a_product_is_the_slope_of_the_gradient_and_stays_what_it_is(likelihood, weights, vector):
    slope = slope_of_gradient(likelihood, weights, vector)
    np.testing.assert_allclose(hessian_of(likelihood, weights) @ vector, slope, atol=1e-6)
    curved = hessian_of(likelihood, weights)
    first = curved @ vector
    hessian_of(likelihood, -weights) @ vector
    np.testing.assert_array_equal(curved @ vector, first)


def test_value_gradient_curvature_and_inner_product_come_along(likelihood, weights, vector, rng):
    value, gradient, curved = likelihood.expand(weights)
    alone, slope = likelihood(weights)
    assert value == alone
    np.testing.assert_array_equal(gradient, slope)
    np.testing.assert_array_equal(curved.diagonal, likelihood.curvature(weights))
    curved, precision, product = (
        hessian_of(likelihood, weights),
        rng.random(),
        np.empty_like(vector),
    )
    inner = curved.multiply(vector, precision, product)
    np.testing.assert_allclose(product, curved @ vector + precision * vector, rtol=1e-12)
    assert inner == pytest.approx(vector @ product, rel=1e-12)


def test_certain_words_are_left_out_and_hardly_missed(likelihood, weights, rng):
    few, all_of_it = (hessian_of(likelihood, 4 * weights, share) for share in (0.1, 0.0))
    assert 0 < len(few) < len(all_of_it)
    a, b = rng.normal(size=(2, len(weights)))
    assert a @ (few @ a) == pytest.approx(a @ (all_of_it @ a), rel=0.1)
    assert a @ (few @ b) == pytest.approx(b @ (few @ a), rel=1e-9)
    assert a @ (few @ a) >= 0


def test_threads_make_no_difference(background_corpus, monkeypatch, rng):
    alone = make(background_corpus)[0]
    weights, vector = rng.normal(size=(2, len(alone.observed)))
    for module in (batches, chain_likelihood):
        monkeypatch.setattr(module, "_SMALL", 0)
        monkeypatch.setattr(module, "thread_count", lambda: 3)
    shared = make(background_corpus)[0]
    products = [hessian_of(one, weights, 0.3) @ vector for one in (alone, shared)]
    np.testing.assert_allclose(*products, rtol=1e-9, atol=1e-9)


def test_newton_and_lbfgs_reach_one_optimum(few_sentences):
    likelihood = make(few_sentences)[0]
    prior = GaussianPrior(np.zeros(len(likelihood.observed)), 1.0)
    there = solve(likelihood, prior, tolerance=1e-12).weights
    np.testing.assert_allclose(
        there, maximise(likelihood, prior, tolerance=1e-12).weights, atol=1e-4
    )


def test_stretches_are_the_uncertain_words_and_their_neighbours(rng):
    for _ in range(50):
        starts = np.concatenate([[0], np.cumsum(rng.integers(1, 8, size=12))])
        uncertain = rng.random(starts[-1]) < 0.3
        found = find_stretches(uncertain.astype(float), starts, 0.5)
        assert list(zip(*(a.tolist() for a in found), strict=True)) == stretches_by_words(
            uncertain, starts.tolist()
        )
    assert [len(a) for a in find_stretches(np.empty(0), np.zeros(1, int), 0.3)] == [0, 0, 0]


def test_the_block_is_the_covariance_of_words_whose_neighbours_say_nothing(rng):
    likelihood, _ = make(many_labels(rng), find_templates(["currentword", "suffix1"]))
    weights = rng.normal(size=len(likelihood.observed))
    curved = hessian_of(likelihood, weights)
    whole = np.array([curved @ unit for unit in np.eye(len(weights))])
    block = curved.block
    assert sorted(block.places) == list(range(len(weights)))
    expected = whole[np.ix_(block.places, block.places)]
    lower = np.tril_indices(len(weights))
    np.testing.assert_allclose(block.curvature[lower], expected[lower], atol=0.05)


# --- edges --------------------------------------------------------------------------------


def test_one_word_sentences_one_label_and_no_features_have_their_products(rng):
    likelihood = make(Corpus.from_sentences([["Rain"], ["NASA"], ["snow"]]))[0]
    weights = np.linspace(-1, 1, len(likelihood.observed))
    product, slope = (
        hessian_of(likelihood, weights) @ weights,
        slope_of_gradient(likelihood, weights, weights),
    )
    np.testing.assert_allclose(product, slope, atol=1e-8)
    likelihood = make(many_labels(rng, n_labels=1), find_templates(["currentword", "t-1"]))[0]
    weights = rng.normal(size=len(likelihood.observed))
    value, gradient, curved = likelihood.expand(weights)
    assert value == pytest.approx(0, abs=1e-10)
    np.testing.assert_allclose(gradient, 0, atol=1e-10)
    np.testing.assert_allclose(curved @ weights, 0, atol=1e-10)
    likelihood = make(Corpus.from_sentences(SHORT), cutoff=1000)[0]
    curved = hessian_of(likelihood, np.empty(0))
    assert len(likelihood.observed) == 0
    assert (curved @ np.empty(0)).shape == (0,)


@pytest.mark.parametrize("size", [60.0, 1e6], ids=["by factors", "by logarithms"])
def test_where_all_words_are_certain_there_is_nothing(size, rng):
    likelihood = make(Corpus.from_sentences([["Rain", "fell"], ["NASA"]]), WORDS_ALONE)[0]
    curved = hessian_of(likelihood, size * likelihood.observed, share=1e-3)
    product = curved @ rng.normal(size=len(likelihood.observed))
    assert np.abs(product).max() < 1e-10
    if size == 1e6:
        assert len(curved) == 0


def test_sentences_by_factors_are_not_disturbed_by_those_by_logarithms(rng):
    """Both in one batch: what is far counts beside the others, and its words have no stretch."""
    far = ["Far", "away"]
    both, apart = (Corpus.from_sentences(s) for s in ([*SHORT, far], SHORT))
    likelihood, features = make(both)
    is_far = np.array(
        [name.endswith(("=far", "=away")) for name, _ in oracles.feature_pairs(features)]
    )
    weights = np.where(is_far, 1e4, rng.normal(size=len(is_far)))
    weights[is_far] *= likelihood.observed[is_far]
    curved = hessian_of(likelihood, weights)
    assert len(curved) == len(apart)
    slopes = oracles.central_differences(lambda w: likelihood(w)[0], weights)
    np.testing.assert_allclose(likelihood(weights)[1], slopes, atol=1e-4)


# --- stretches ----------------------------------------------------------------------------


def stretches_by_words(uncertain, starts):
    """Sets of neighbours, joined one by one; (start, length, begins) of each."""
    found = []
    for a, b in pairwise(starts):
        wide = [i for i in range(a, b) if any(uncertain[max(a, i - 1) : min(b, i + 2)])]
        for i in wide:
            if found and i > a and found[-1][0] + found[-1][1] == i and found[-1][0] >= a:
                found[-1][1] += 1
            else:
                found.append([i, 1, i == a])
    return sorted(map(tuple, found), key=lambda one: (-one[1], one[0]))


# --- the block that preconditions ---------------------------------------------------------


def test_the_block_has_the_weights_of_most_curvature(likelihood, weights, monkeypatch):
    monkeypatch.setattr(chain_likelihood, "_BLOCK", 7)
    curved = hessian_of(likelihood, weights)
    assert curved.block.curvature.shape == (7, 7)
    assert curved.diagonal[curved.block.places].min() >= np.sort(curved.diagonal)[-7]


@pytest.mark.parametrize("most", [7, 1_000])
def test_equations_are_solved_alike_whatever_the_block(
    likelihood, weights, vector, most, monkeypatch
):
    monkeypatch.setattr(chain_likelihood, "_BLOCK", most)
    curved = hessian_of(likelihood, weights)
    found = solve_accurately(curved, 0.5, vector, 1e-10)
    np.testing.assert_allclose(curved @ found + 0.5 * found, vector, atol=1e-7)
