"""The search of sigma^2: the best of what it tried, by fair means."""

import math
from dataclasses import replace
from statistics import mean, stdev

import numpy as np
import pytest

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import Axis, fold
from workbench.experiments import search as adaptation_search
from workbench.experiments.search import (
    COARSE,
    choose_alpha,
    choose_sigma2,
    choose_variances,
    search,
    search_sigma2,
    within_one_error,
)
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


def valley(best):
    """Errors that grow with the distance from a sigma^2, in decades."""
    return lambda sigma2: round(1000 * abs(math.log10(sigma2 / best)))


@pytest.mark.parametrize("best", [0.001, 0.01, 0.05, 0.7, 4.5, 30.0, 500.0])
def test_the_best_is_the_best_of_all_that_were_tried(best):
    found, tried = search_sigma2(valley(best))
    assert tried[found] == min(tried.values())
    assert tried == {sigma2: valley(best)(sigma2) for sigma2 in tried}


@pytest.mark.parametrize("best", [0.02, 0.05, 0.7, 4.5, 20.0])
def test_the_search_comes_closer_than_its_coarse_grid(best):
    found, _ = search_sigma2(valley(best))
    assert valley(best)(found) < min(map(valley(best), COARSE))


def test_the_smaller_sigma2_wins_a_tie():
    assert search_sigma2(lambda _: 7)[0] == COARSE[0]
    found, tried = search_sigma2(lambda sigma2: int(not 0.4 < sigma2 < 2.5))
    assert found == min(sigma2 for sigma2 in tried if not tried[sigma2])


def test_tries_come_in_order_are_told_and_never_repeated():
    _, tried = search_sigma2(valley(0.7))
    assert list(tried) == sorted(tried)
    assert set(COARSE) < set(tried)
    reported = []
    _, tried = search_sigma2(valley(2.0), lambda *each: reported.append(each))
    assert sorted(reported) == sorted(tried.items())
    asked = []
    search_sigma2(lambda sigma2: asked.append(sigma2) or valley(0.7)(sigma2))
    assert len(asked) == len(set(asked))
    assert len(asked) <= len(COARSE) + 4


# --- along several axes -------------------------------------------------------------------

AXES = {"a": Axis((1.0, 2.0, 4.0), start=1.0), "b": Axis((1.0, 10.0), start=10.0, refinements=1)}


def bowl(a, b):
    return round(100 * (abs(math.log(a / 4)) + abs(math.log(b / 3))))


@pytest.mark.parametrize("exhaustive", [False, True])
def test_the_best_point_is_the_best_of_all_that_were_tried(exhaustive):
    best, tried = search(bowl, AXES, exhaustive)
    assert tried[tuple(best.values())] == min(tried.values()) == bowl(**best)
    assert best == {"a": 4.0, "b": 3.2}


def test_an_exhaustive_search_tries_every_combination():
    _, tried = search(bowl, AXES, exhaustive=True)
    assert {(a, b) for a in (1.0, 2.0, 4.0) for b in (1.0, 10.0)} <= set(tried)


def test_a_search_begins_where_the_axes_say_tries_points_once_and_prefers_small_values():
    asked = []
    search(lambda **point: asked.append(tuple(point.values())) or bowl(**point), AXES)
    assert len(asked) == len(set(asked))
    search(lambda a, b: asked.append((a, b)) or 0, AXES)
    assert {b for _, b in asked[:3]} == {10.0}
    assert search(lambda a, b: 0, AXES)[0] == {"a": 1.0, "b": 1.0}


# --- on development data ------------------------------------------------------------------


def test_errors_are_those_on_the_development_data(background, adaptation_corpus, few_sentences):
    best, tried = choose_sigma2(background, adaptation_corpus, few_sentences)
    tuning = Adaptation(background, adaptation_corpus, texts={"dev": few_sentences})
    assert tried[best] == tuning.at(best).wrong["dev"] == min(tried.values())
    best, tried = choose_sigma2(background, adaptation_corpus)
    tunings = [
        Adaptation(background, rest, texts={"held": held}) for rest, held in fold(adaptation_corpus)
    ]
    assert tried[best] == sum(tuning.at(best).wrong["held"] for tuning in tunings)


def test_development_or_adaptation_data_without_case_are_refused(background, adaptation_corpus):
    lower = Corpus.from_sentences([["no", "case", "here", "."]], "lower")
    with pytest.raises(InputError, match="lower: no capital letter"):
        choose_sigma2(background, adaptation_corpus, lower)
    with pytest.raises(InputError, match="lower: no capital letter"):
        choose_sigma2(background, lower)


def test_one_standard_error_is_that_of_the_mean_difference_of_the_folds(rng):
    for _ in range(50):
        wrong = {value: rng.integers(3, 12, 5) for value in range(20)}
        least = wrong[min(wrong, key=lambda value: (wrong[value].sum(), value))]
        near = []
        for value, counts in wrong.items():
            more = (counts - least).tolist()
            if mean(more) <= stdev(more) / 5**0.5 + 1e-12:
                near.append(value)
        assert within_one_error(wrong) == near


# --- by cross-validation ------------------------------------------------------------------


def sentences(corpus):
    return [tuple(corpus.sentence(i)) for i in range(corpus.n_sentences)]


@pytest.mark.parametrize("n_folds", [2, 5, 26])
def test_every_sentence_is_tested_once_by_what_never_trained_on_it(adaptation_corpus, n_folds):
    for rest, held in fold(adaptation_corpus, n_folds):
        assert set(sentences(rest)).isdisjoint(sentences(held))
    held = [s for _, part in fold(adaptation_corpus, n_folds) for s in sentences(part)]
    assert held == sentences(adaptation_corpus)


def test_folds_train_on_all_the_rest_and_differ_by_a_sentence_at_most(adaptation_corpus):
    for rest, held in fold(adaptation_corpus):
        assert rest.n_sentences + held.n_sentences == 26
    sizes = [held.n_sentences for _, held in fold(adaptation_corpus)]
    assert max(sizes) - min(sizes) <= 1


def test_fewer_sentences_than_folds_are_refused(adaptation_corpus):
    with pytest.raises(InputError, match=r"broadcast: 4 sentences; .* needs 5 or more"):
        list(fold(adaptation_corpus.take(np.arange(4))))


@pytest.mark.parametrize(
    ("documents", "sizes"),
    [
        ([0, 4, 12, 14, 21], [4, 8, 2, 7, 5]),
        ([0, 1, 4, 5, 6, 9, 11, 15, 17, 18, 22, 26], [6, 5, 4, 7, 4]),
        ([0, 4, 12, 14], [6, 5, 5, 5, 5]),  # fewer documents than folds
        ([0, 1, 2, 3, 4], [6, 5, 5, 5, 5]),  # most of the text is one document
    ],
)
def test_folds_begin_where_documents_do(adaptation_corpus, documents, sizes):
    corpus = replace(adaptation_corpus, document_starts=np.array(documents))
    assert [held.n_sentences for _, held in fold(corpus)] == sizes


@pytest.mark.parametrize(
    ("choose", "nearest"), [(choose_sigma2, min), (choose_alpha, max), (choose_variances, min)]
)
def test_folds_choose_a_prior_nearer_to_the_background_than_the_fewest_errors_do(
    background, adaptation_corpus, choose, nearest
):
    best, tried = choose(background, adaptation_corpus)
    best = tuple(best.values()) if isinstance(best, dict) else best
    fewest = min(tried, key=lambda value: (tried[value], value))
    assert tried[best] >= tried[fewest]
    assert best != fewest
    assert nearest(best, fewest) == best


def test_the_cutoff_reaches_the_adaptations(
    background, adaptation_corpus, few_sentences, monkeypatch
):
    asked = []

    class Noted(Adaptation):
        def __init__(self, *arguments):
            asked.append(arguments[2])
            super().__init__(*arguments)

    monkeypatch.setattr(adaptation_search, "Adaptation", Noted)
    choose_sigma2(background, adaptation_corpus, few_sentences, cutoff=None)
    assert asked == [None]
