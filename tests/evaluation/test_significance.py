"""McNemar's test and the bootstrap, against scipy and against drawing sentence by sentence."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from workbench.evaluation import significance
from workbench.evaluation.significance import (
    bootstrap,
    difference_error,
    holm,
    mcnemar,
    relative_change,
    standard_error,
)


def errors(fixed, broken, both=0, neither=0):
    """Errors of two models that differ on as many words."""
    a = [True] * fixed + [False] * broken + [True] * both + [False] * neither
    b = [False] * fixed + [True] * broken + [True] * both + [False] * neither
    return np.array(a, bool), np.array(b, bool)


def draw_sentences(wrong_a, wrong_b, sentence_ids, n_samples):
    """Relative changes of corpora resampled one sentence at a time."""
    rng, n = np.random.default_rng(42), sentence_ids.max() + 1
    changes = np.empty(n_samples)
    for i in range(n_samples):
        drawn = rng.integers(0, n, n)
        a = sum(wrong_a[sentence_ids == s].sum() for s in drawn)
        b = sum(wrong_b[sentence_ids == s].sum() for s in drawn)
        changes[i] = (b - a) / a
    return changes


def some_corpus(n_words=300, n_sentences=40):
    rng = np.random.default_rng(1)
    sentence_ids = np.sort(rng.integers(0, n_sentences, n_words))
    return rng.random(n_words) < 0.3, rng.random(n_words) < 0.2, sentence_ids


@pytest.mark.parametrize(("fixed", "broken"), [(0, 0), (5, 5), (1, 0), (0, 7), (12, 3), (412, 96)])
def test_the_p_value_is_that_of_the_binomial_test(fixed, broken):
    expected = binomtest(fixed, fixed + broken).pvalue if fixed + broken else 1.0
    found = mcnemar(*errors(fixed, broken, both=4, neither=20))
    assert found.p_value == pytest.approx(expected, rel=1e-9)  # two roads to the beta integral


def test_fixed_and_broken_are_counted_from_a_to_b_and_no_difference_has_p_value_one():
    assert mcnemar(*errors(4, 2, both=3))[:2] == (4, 2)
    a, b = errors(9, 2)
    there, back = mcnemar(a, b), mcnemar(b, a)
    assert (there.fixed, there.broken, there.p_value) == (back.broken, back.fixed, back.p_value)
    assert mcnemar(*errors(9, 2, both=50)) == mcnemar(*errors(9, 2, neither=50))
    assert 0 <= mcnemar(*errors(60_000, 200)).p_value < 1e-100
    assert mcnemar(*errors(0, 0, both=5, neither=5)).p_value == 1.0
    assert mcnemar(*errors(0, 0)).p_value == 1.0


@pytest.mark.parametrize(
    ("fixed", "broken", "both", "change"), [(1, 0, 1, -0.5), (0, 2, 2, 1.0), (3, 3, 1, 0.0)]
)
def test_the_relative_change_is_a_fraction_of_the_first_error(fixed, broken, both, change):
    assert relative_change(*errors(fixed, broken, both)) == change


def test_the_interval_is_that_of_drawing_sentences_around_the_change(monkeypatch):
    corpus = some_corpus()
    drawn = draw_sentences(*corpus, n_samples=2000)
    expected = np.quantile(drawn, (0.025, 0.975))
    monkeypatch.setattr(significance, "_N_SAMPLES", 20_000)
    found = bootstrap(*corpus)
    # A quantile of 2000 draws is known to about a twentieth of the spread.
    assert found == pytest.approx(expected, abs=3 * 0.05 * drawn.std())
    wrong_a, wrong_b, sentence_ids = some_corpus()
    low, high = bootstrap(wrong_a, wrong_b, sentence_ids)
    assert low < relative_change(wrong_a, wrong_b) < high
    a, b, _ = some_corpus()
    by_word = bootstrap(a, b, np.arange(300))
    order = np.lexsort((b, a))  # sentences in which all words have the same errors
    by_sentence = bootstrap(a[order], b[order], np.arange(300) // 10)
    assert by_sentence.high - by_sentence.low > by_word.high - by_word.low
    assert bootstrap(wrong_a, wrong_b, 3 * sentence_ids) == bootstrap(
        wrong_a, wrong_b, sentence_ids
    )


def test_without_a_change_the_interval_is_zero_and_without_errors_undefined():
    wrong, _, sentence_ids = some_corpus()
    assert bootstrap(wrong, wrong, sentence_ids) == (0, 0)
    assert np.isnan(bootstrap(*errors(0, 3, neither=2), np.arange(5))).all()
    interval = bootstrap(*errors(1, 9), np.arange(10))
    assert np.isfinite(interval).all()
    nothing = np.empty(0, bool)
    assert np.isnan(bootstrap(nothing, nothing, np.empty(0, int))).all()
    assert math.isnan(relative_change(*errors(0, 3, neither=2)))


@pytest.mark.parametrize(("n", "bound"), [(1, math.nan), (9, math.nan), (10, -0.25)])
def test_sentences_that_are_all_alike_have_an_interval_without_width_if_they_are_enough(n, bound):
    a, b = (np.tile(own, n) for own in errors(2, 1, both=2))
    interval = bootstrap(a, b, np.repeat(np.arange(n), 5))
    assert interval == pytest.approx((bound, bound), nan_ok=True)
    right = np.zeros(5 * n, bool)  # more text without errors tells no more
    more = bootstrap(np.append(a, right), np.append(b, right), np.repeat(np.arange(2 * n), 5))
    assert more == pytest.approx((bound, bound), nan_ok=True)


# --- standard errors -----------------------------------------------------------------------


def test_standard_errors_are_those_of_drawing_sentences_or_words_if_there_are_any():
    wrong, other, sentence_ids = some_corpus()
    rng, sentences = np.random.default_rng(0), np.unique(sentence_ids)
    words = [np.flatnonzero(sentence_ids == s) for s in sentences]
    rates, differences = [], []
    for _ in range(4000):
        drawn = np.concatenate([words[i] for i in rng.integers(0, len(words), len(words))])
        rates.append(wrong[drawn].mean())
        differences.append(wrong[drawn].mean() - other[drawn].mean())
    assert standard_error(wrong, sentence_ids) == pytest.approx(np.std(rates), rel=0.06)
    terms = [
        (np.bincount(sentence_ids, each), np.bincount(sentence_ids)) for each in (wrong, other)
    ]
    assert difference_error(*terms) == pytest.approx(np.std(differences), rel=0.06)
    assert difference_error(terms[0], terms[0]) == 0
    p = wrong.mean()
    expected = math.sqrt(p * (1 - p) / len(wrong))
    assert standard_error(wrong, np.arange(len(wrong))) == pytest.approx(expected)
    assert math.isnan(standard_error(np.empty(0, bool), np.empty(0, int)))


def test_holm_rejects_from_the_smallest_up_until_one_holds():
    p_values = np.random.default_rng(3).random(12) ** 4
    corrected, rejected = holm(p_values), set()
    for rank, place in enumerate(np.argsort(p_values)):
        if p_values[place] > 0.05 / (len(p_values) - rank):
            break
        rejected.add(int(place))
    assert rejected == {i for i, p in enumerate(corrected) if p <= 0.05}
    assert 0 < len(rejected) < 12
