"""MAP adaptation: the identities of CA04, section 4, and what a user may get wrong."""

import warnings
from dataclasses import replace

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.features.events import pack_events
from workbench.features.selection import select_features
from workbench.learning.solvers.fit import NotConverged
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

FAR = 1e-13  # as far as doubles allow
CUTOFFS = [0, 2, None]
TOLD = {"name", "text", "method", "cutoff", "sigma2", "background"}


@pytest.fixture(scope="module")
def problem(background, adaptation_corpus):
    return Adaptation(background, adaptation_corpus)


@pytest.fixture(scope="module", params=CUTOFFS)
def any_problem(request, background, adaptation_corpus):
    return Adaptation(background, adaptation_corpus, request.param)


@pytest.fixture(scope="module")
def counted(background, adaptation_corpus):
    return oracles.count_events(adaptation_corpus, background.templates)


@pytest.fixture(scope="module")
def adapted(problem):
    return problem.model(problem.fit(1.0, tolerance=FAR), 1.0)


def moved(background, model):
    """How far each (predicate, tag) is from the background's weight."""
    before = oracles.weights_of(background)
    return {pair: w - before.get(pair, 0.0) for pair, w in oracles.weights_of(model).items()}


def free_pairs(problem, counted):
    """The features of the union whose predicates fire, in the order of a fit's weights."""
    fired = {predicate for _, predicates in counted for predicate in predicates}
    return [pair for pair in oracles.feature_pairs(problem.problem.features) if pair[0] in fired]


def background_scores(background, counted):
    weights = oracles.weights_of(background)
    tags = range(len(background.tag_names))
    return [[oracles.score(weights, x, tag) for tag in tags] for _, x in counted]


# The two ends of sigma2


@pytest.mark.parametrize("sigma2", [1e-6, 1e-12, 1e-300])
def test_tiny_sigma2_means_no_adaptation(
    background, any_problem, adaptation_corpus, background_corpus, sigma2
):
    model = any_problem.model(any_problem.fit(sigma2), sigma2)
    for corpus in (adaptation_corpus, background_corpus):
        assert np.array_equal(model.tag(corpus), background.tag(corpus))


def test_tiny_sigma2_leaves_the_weights_at_a_mean_of_zero_for_new_features(
    background, problem, counted
):
    model = problem.model(problem.fit(1e-9), 1e-9)
    # The pull of a count of c is at most c * sigma2; no count exceeds 200.
    assert max(map(abs, moved(background, model).values())) < 200 * 1e-9
    known = oracles.weights_of(background)
    means = [known.get(pair, 0.0) for pair in free_pairs(problem, counted)]
    assert problem.problem.mean.tolist() == means


def test_map_is_a_zero_mean_prior_over_fixed_background_scores(background, problem, counted):
    pairs = free_pairs(problem, counted)
    plain = oracles.PlainProblem(counted, pairs, background_scores(background, counted))
    deltas = oracles.fit_scipy(plain, np.zeros(len(pairs)), 1.0)
    fit = problem.fit(1.0, tolerance=FAR)
    assert fit.weights - problem.problem.mean == pytest.approx(deltas, abs=1e-4)


def test_minimum_divergence_with_adaptation_features_alone_is_another_model(
    background, problem, counted
):
    pairs, offset = free_pairs(problem, counted), background_scores(background, counted)
    alone = [pair for pair in pairs if pair in oracles.count_features(counted)]
    reached = []
    for features in (pairs, alone):
        plain = oracles.PlainProblem(counted, features, offset)
        deltas = oracles.fit_scipy(plain, np.zeros(len(features)), 1.0)
        reached.append(np.exp(plain.log_probabilities(deltas)))
    assert np.abs(reached[0] - reached[1]).max() > 0.01


def test_large_sigma2_approaches_the_fit_without_prior(background, adaptation_corpus, counted):
    problem = Adaptation(background, adaptation_corpus, 2)
    pairs = free_pairs(problem, counted)
    plain = oracles.PlainProblem(counted, pairs)
    free = oracles.fit_scipy(plain, np.zeros(len(pairs)), 1e9)
    best = plain.log_likelihood(free)
    gaps = [best - problem.fit(s, tolerance=FAR).log_likelihood for s in (1.0, 100.0, 1e4)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.05


def test_adaptation_leaves_the_background_as_it_was(background, adaptation_corpus):
    weights, names = background.weights.copy(), background.features.names()
    adapt(background, adaptation_corpus, 10.0)
    assert np.array_equal(background.weights, weights)
    assert background.features.names() == names


def test_a_word_of_the_vocabulary_that_is_not_in_the_text_stays(background, adaptation_corpus):
    part = adaptation_corpus.take(np.arange(1, 8))  # shares the vocabulary of the whole
    model = adapt(background, part, 1.0)
    change = moved(background, model)
    assert "close" in part.words
    assert {d for (predicate, _), d in change.items() if predicate == "currentword=close"} == {0.0}


def test_forms_of_the_adaptation_text_win(background, adaptation_corpus):
    other = replace(background, mixed_forms={"iphone": "IPhone", "macmillan": "MacMillan"})
    forms = adapt(other, adaptation_corpus, 1.0).mixed_forms
    assert (forms["iphone"], forms["macmillan"]) == ("iPhone", "MacMillan")


@pytest.mark.parametrize("sigma2", [1e6, 1e12, 1e300])
def test_a_huge_sigma2_does_no_worse_than_a_large_one(any_problem, sigma2):
    large = any_problem.fit(1e4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)  # a flat ridge may take more steps
        huge = any_problem.fit(sigma2, start=large.weights)
    assert huge.log_likelihood >= large.log_likelihood


# The union


def _untrained(problem):
    stopped = replace(problem.fit(1e-300), weights=problem.problem.mean)
    return problem.model(stopped, 1.0)


def test_the_union_before_training_is_the_background(
    background, any_problem, adaptation_corpus, background_corpus
):
    model = _untrained(any_problem)
    for corpus in (adaptation_corpus, background_corpus):
        assert np.array_equal(model.tag(corpus), background.tag(corpus))
    probabilities = model.probabilities(adaptation_corpus)
    # Weights are the same; only the order of summing may differ.
    assert probabilities == pytest.approx(background.probabilities(adaptation_corpus), rel=1e-12)


def test_log_likelihood_and_distance_from_the_background_rise_with_sigma2(any_problem):
    fits = [any_problem.fit(s, tolerance=1e-9) for s in (0.001, 0.1, 1.0, 10.0)]
    values = [fit.log_likelihood for fit in fits]
    distances = [float(np.linalg.norm(fit.weights - any_problem.problem.mean)) for fit in fits]
    assert (values, distances) == (sorted(values), sorted(distances))


@pytest.mark.parametrize("cutoff", [0, 1, 2, 5, None])
def test_the_features_are_the_union(background, adaptation_corpus, counted, cutoff):
    adaptation, known = (
        Adaptation(background, adaptation_corpus, cutoff),
        oracles.weights_of(background),
    )
    new = set() if cutoff is None else oracles.select_features(counted, cutoff)
    assert set(oracles.feature_pairs(adaptation.problem.features)) == set(known) | new
    assert adaptation.problem.n_new == len(new - set(known))
    assert adaptation.problem.n_active == len(free_pairs(adaptation, counted))


# What moves


def test_a_weight_whose_tag_is_never_seen_falls_if_its_predicate_fires_else_it_stays(
    background, adapted, counted
):
    """CA04, section 4: the predicate fires, so the model must unlearn the tag."""
    fired = {predicate for _, predicates in counted for predicate in predicates}
    seen, change = oracles.count_features(counted), moved(background, adapted)
    unseen = [p for p in oracles.weights_of(background) if p[0] in fired and p not in seen]
    assert unseen
    assert max(change[pair] for pair in unseen) < 0
    still = [d for (predicate, _), d in change.items() if predicate not in fired]
    assert still
    assert not any(still)


# The optimum


@pytest.mark.parametrize("sigma2", [0.1, 1.0, 10.0])
def test_the_optimum_is_that_of_equation_3_from_a_warm_or_a_cold_start(
    any_problem, counted, sigma2
):
    pairs, mean = free_pairs(any_problem, counted), any_problem.problem.mean
    plain = oracles.PlainProblem(counted, pairs)
    best = oracles.fit_scipy(plain, mean, sigma2)
    # Scipy stops within 1e-9 nats; with curvature 1/sigma2 that is sqrt(2e-9 * sigma2).
    fit = any_problem.fit(sigma2, tolerance=FAR)
    assert fit.weights == pytest.approx(best, abs=2e-4)
    cold = any_problem.fit(sigma2, tolerance=FAR)
    assert cold.steps[0].penalty == 0  # it begins at the background
    warm = any_problem.fit(sigma2, start=any_problem.fit(3 * sigma2).weights, tolerance=FAR)
    assert warm.weights == pytest.approx(cold.weights, abs=2e-4)  # as with scipy


# What it does to text


def test_adaptation_mends_errors_on_its_own_text_and_can_be_adapted_again(
    background, adapted, adaptation_corpus, background_corpus
):
    wrong = [
        int((model.tag(adaptation_corpus) != adaptation_corpus.tags).sum())
        for model in (background, adapted)
    ]
    assert wrong[1] < wrong[0] / 2
    again = adapt(adapted, background_corpus, 1.0)
    assert (again.tag(background_corpus) == background_corpus.tags).mean() > 0.95


@pytest.mark.parametrize("form", ["DuPont", "iPhone"])
def test_mixed_words_of_both_texts_have_their_forms(adapted, form):
    corpus = Corpus.from_sentences([[form]])
    assert adapted.recase_words(corpus, corpus.tags) == [form]


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_the_model_tells_how_it_was_made(background, adaptation_corpus, cutoff):
    info = adapt(background, adaptation_corpus, 0.5, cutoff).info
    assert {name: info[name] for name in info if name in TOLD} == {
        "name": "newswire + broadcast", "text": adaptation_corpus.fingerprint, "method": "map",
        "cutoff": cutoff, "sigma2": 0.5, "background": background.info,
    }  # fmt: skip


@pytest.mark.parametrize("cutoff", [*CUTOFFS, np.int64(2)])
def test_an_adapted_model_can_be_saved(background, adaptation_corpus, tmp_path, cutoff):
    adapt(background, adaptation_corpus, np.float64(0.5), cutoff).save(tmp_path / "a.model")
    assert (tmp_path / "a.model").stat().st_size


# What a user may get wrong


@pytest.mark.parametrize("cutoff", [-1, 0.5, np.nan, "few", True])
def test_a_bad_cutoff_is_refused(background, adaptation_corpus, cutoff):
    with pytest.raises(InputError, match="cutoff"):
        adapt(background, adaptation_corpus, 1.0, cutoff)


@pytest.mark.parametrize("text", ["Ωμέγα Ώρα .", "Quux Zyx", "*BDW* Quux , 12"])
def test_text_that_shares_no_word_with_the_background_is_refused(background, text):
    with pytest.raises(InputError, match="shares no word with the background newswire"):
        adapt(background, Corpus.from_sentences([text.split()], "far"), 1.0)


@pytest.mark.parametrize("text", ["shares of ibm rose .", "SHARES OF IBM ROSE ."])
def test_text_without_natural_case_is_refused(background, text):
    with pytest.raises(InputError, match="natural case"):
        adapt(background, Corpus.from_sentences([text.split()]), 1.0)


def test_text_of_one_word_is_enough(background):
    corpus = Corpus.from_sentences([["Oil"]])
    assert adapt(background, corpus, 1.0).tag(corpus).tolist() == corpus.tags.tolist()


def test_a_vocabulary_that_is_not_in_the_text_is_no_overlap(background):
    whole = Corpus.from_sentences([["Shares", "rose"], ["Quux", "zyx"]])
    with pytest.raises(InputError, match="shares no word"):
        adapt(background, whole.take(np.array([1])), 1.0)


def test_a_background_without_features_or_words_can_be_adapted(
    background_corpus, adaptation_corpus
):
    empty = MEMM.fit(background_corpus, cutoff=10**6)
    model = adapt(empty, adaptation_corpus, 1.0)
    features = select_features(pack_events(adaptation_corpus, empty.templates), 0)
    assert len(model.features) == len(features)
    shapeless = MEMM.fit(background_corpus, ["suffix2", "t-1"], cutoff=0)
    model = adapt(shapeless, adaptation_corpus, 1.0)
    assert len(model.tag(adaptation_corpus)) == len(adaptation_corpus)
