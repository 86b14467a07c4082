"""Adaptation methods: the identities that tie them to one another and to their papers."""

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.adaptation.methods import METHODS
from workbench.adaptation.methods.augment import Augmentation
from workbench.adaptation.methods.baselines import add_counts
from workbench.adaptation.methods.data_combination import DataCombination
from workbench.adaptation.methods.linint import LinearInterpolation
from workbench.adaptation.methods.mindiv import MinimumDivergence
from workbench.adaptation.methods.target import Prediction, Target
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.casing import Tag
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

FAR = 1e-13


def probabilities(model, corpus):
    return model.probabilities(corpus)


def start_of(method):
    return {name: axis.start for name, axis in method.axes.items()}


# --- all ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_every_method_gives_a_model_that_a_file_keeps_and_that_says_how_it_was_made(
    name, sources, adaptation_corpus, tmp_path
):
    method = METHODS[name]
    model = method.prepare(sources).learn(**start_of(method))
    model.save(tmp_path / "a.model")
    tags = load_model(tmp_path / "a.model").tag(adaptation_corpus)
    assert np.array_equal(tags, model.tag(adaptation_corpus))
    method, given = METHODS[name], start_of(METHODS[name])
    info = method.prepare(sources).learn(**given).info
    assert {key: info[key] for key in given} == given
    assert {"name", "words", "text"} <= set(info)


LEARNERS = [name for name in METHODS if name not in ("1-gram", "background")]


@pytest.mark.parametrize("name", LEARNERS)
def test_every_method_learns_its_own_text_better_than_what_it_began_with(name, sources):
    corpus, method = sources.adaptation, METHODS[name]
    before = Unigram.fit(sources.corpus) if "1-gram" in name else sources.background
    after = method.prepare(sources).learn(**start_of(method))
    wrong = [int((model.tag(corpus) != corpus.tags).sum()) for model in (before, after)]
    assert wrong[1] < wrong[0]


def test_a_mixed_form_of_the_domain_is_kept_by_all(sources):
    corpus = Corpus.from_sentences([["iPhone"]])
    for name in LEARNERS:
        model = METHODS[name].prepare(sources).learn(**start_of(METHODS[name]))
        assert model.recase_words(corpus, corpus.tags) == ["iPhone"], name


def test_the_target_model_is_that_of_its_text_alone(sources, adaptation_corpus):
    alone = MEMM.fit(adaptation_corpus, cutoff=0, sigma2=2.0, tolerance=1e-9)
    model = Target(sources).learn(sigma2=2.0)
    assert len(model.features) == len(alone.features)
    assert probabilities(model, adaptation_corpus) == pytest.approx(
        probabilities(alone, adaptation_corpus),
        abs=0.01,  # the solver's tolerance
    )


def test_a_tiny_variance_holds_what_is_inherited_only(sources):
    two = Adaptation(sources.background, sources.adaptation)
    model = two.learn(sigma2_m=1e-9, sigma2_a=1.0)
    n = len(sources.background.weights)
    exists = sources.background.features.exists
    before, after = sources.background.weights[exists], model.weights[:n][exists]
    assert after == pytest.approx(before, abs=1e-6)
    assert np.abs(model.weights[n:]).max() > 0.1


def test_minimum_divergence_is_not_map_and_moves_no_weight_of_an_unseen_tag(sources):
    alone = MinimumDivergence(sources).learn(sigma2=1.0)
    adapted = adapt(sources.background, sources.adaptation, 1.0, tolerance=1e-9)
    assert np.abs(alone.weights - adapted.weights).max() > 0.01
    problem = MinimumDivergence(sources)
    model, problem = problem.learn(sigma2=1.0), problem.problem
    moves = model.weights[model.features.exists] - problem.background_weights
    unseen = ~problem.is_observed
    assert unseen.any()
    assert not moves[problem.places][unseen].any()
    assert not np.delete(moves, problem.places).any()


def test_the_domains_model_may_read_the_backgrounds_tags(sources):
    model = Prediction(sources).learn(sigma2=1.0)
    names = set(model.features.names())
    assert {"predicted=CAP", "predicted-1=*bdw*", "predicted+1=PNC"} <= names


# --- baselines, data combination ----------------------------------------------------------


def test_counts_added_once_are_the_1_gram_of_both_texts_and_a_heavy_domain_decides(
    background_corpus, adaptation_corpus
):
    lines = [
        corpus.sentence(i)
        for corpus in (background_corpus, adaptation_corpus)
        for i in range(corpus.n_sentences)
    ]
    both, added = Corpus.from_sentences(lines), add_counts(background_corpus, adaptation_corpus)
    counts = {word: {} for word in both.words}
    for word, tag in zip(both.word_ids.tolist(), both.tags.tolist(), strict=True):
        row = counts[both.words[word]]
        row[tag] = row.get(tag, 0) + 1
    for word, tag in added.tag_of_word.items():
        assert counts[word][tag] == max(counts[word].values())
    assert set(added.tag_of_word) == {word for word in counts if counts[word]}
    heavy = add_counts(background_corpus, adaptation_corpus, 1000.0)
    assert heavy.tag_of_word["apple"] == Tag.CAP
    assert add_counts(background_corpus, adaptation_corpus, 0.001).tag_of_word["apple"] == Tag.LOC


@pytest.mark.parametrize("weight", [1, 3])
def test_weighted_data_are_data_repeated(few_sources, weight):
    problem = DataCombination(few_sources)
    model = problem.learn(weight=weight)
    templates = few_sources.background.templates
    counted = oracles.count_events(few_sources.corpus, templates)
    for event, count in oracles.count_events(few_sources.adaptation, templates).items():
        counted[event] += weight * count
    plain = oracles.PlainProblem(counted, oracles.feature_pairs(model.features))
    best = oracles.fit_scipy(plain, np.zeros(len(model.features)), 2.0)
    reached = model.weights[model.features.exists]
    gap = plain.objective(best, 0.0, 2.0) - plain.objective(reached, 0.0, 2.0)
    assert 0 <= gap + 1e-9 < 0.02


# --- AUGMENT ------------------------------------------------------------------------------


def augmented_optimum(problem, sources, sigma2s):
    """Fit g, s and t of every feature as weights of their own; the objective's maximum."""
    pairs = oracles.feature_pairs(problem.problem.features)
    templates = sources.background.templates
    source = oracles.PlainProblem(oracles.count_events(sources.corpus, templates), pairs)
    target = oracles.PlainProblem(oracles.count_events(sources.adaptation, templates), pairs)
    n = len(pairs)
    variances = np.repeat(list(sigma2s.values()), n)

    class Both:
        def objective(self, weights, mean, sigma2):
            g, s, t = weights.reshape(3, n)
            value = source.log_likelihood(g + s) + target.log_likelihood(g + t)
            return value - float((weights**2 / (2 * sigma2)).sum())

        def gradient(self, weights):
            g, s, t = weights.reshape(3, n)
            u, v = source.gradient(g + s), target.gradient(g + t)
            return np.concatenate([u + v, u, v])

    weights = oracles.fit_scipy(Both(), np.zeros(3 * n), variances)
    g, _, t = weights.reshape(3, n)
    return g + t, Both().objective(weights, 0, variances)


@pytest.mark.parametrize("sigma2s", [(1.0, 1.0, 1.0), (5.0, 0.1, 0.5)])
def test_correlated_models_are_augmented_features(few_sources, sigma2s):
    """Daumé (2007), section 3.2: g + s and g + t are two models tied by g."""
    sigma2s = dict(zip(("sigma2_g", "sigma2_s", "sigma2_t"), sigma2s, strict=True))
    problem = Augmentation(few_sources)
    weights, objective = augmented_optimum(problem, few_sources, sigma2s)
    fit = problem.fit(None, tolerance=FAR, **sigma2s)
    assert fit.objective == pytest.approx(objective, abs=1e-6)
    problem.warm_starts.fits[tuple(sigma2s.items())] = fit
    model = problem.learn(**sigma2s)
    assert model.weights[model.features.exists] == pytest.approx(weights, abs=1e-3)


def test_weights_that_may_not_differ_make_augment_data_combination(few_sources):
    """With s = t = 0 both texts are scored by g."""
    model = Augmentation(few_sources).learn(sigma2_g=2.0, sigma2_s=1e-6, sigma2_t=1e-6)
    both = DataCombination(few_sources).learn(weight=1, sigma2=2.0)
    assert probabilities(model, few_sources.adaptation) == pytest.approx(
        probabilities(both, few_sources.adaptation), abs=0.02
    )


def test_a_background_that_may_differ_at_will_is_not_heard(few_sources):
    problem = Augmentation(few_sources)
    model = problem.learn(sigma2_g=1e-6, sigma2_s=2.0, sigma2_t=2.0)
    prior = GaussianPrior(np.zeros(problem.problem.n_active), 2.0)
    alone = maximise(problem.problem.log_likelihood, prior, tolerance=1e-7)
    weights = model.weights[model.features.exists][problem.problem.places]
    assert weights == pytest.approx(alone.weights, abs=0.05)


# --- MAP and its kin ----------------------------------------------------------------------


@pytest.mark.parametrize("sigma2", [0.1, 1.0])
def test_two_equal_variances_and_minimum_divergence_with_the_union_are_map(
    sources, sigma2, few_sources
):
    two = Adaptation(sources.background, sources.adaptation)
    two = two.learn(sigma2_m=sigma2, sigma2_a=sigma2)
    one = adapt(sources.background, sources.adaptation, sigma2)
    assert np.array_equal(two.weights, one.weights)
    divergence = MinimumDivergence(few_sources, with_union=True)
    divergence.warm_starts.fits[("sigma2", sigma2),] = divergence.fit(None, sigma2, tolerance=FAR)
    moved = divergence.learn(sigma2=sigma2)
    adapted = adapt(few_sources.background, few_sources.adaptation, sigma2, tolerance=FAR)
    assert moved.weights == pytest.approx(adapted.weights, abs=1e-4)


# --- LININT, PRED -------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "of"), [(0.0, "background"), (1.0, "target")])
def test_a_share_of_all_or_nothing_is_one_of_the_models(sources, share, of):
    problem = LinearInterpolation(sources)
    model = problem.learn(share=share, sigma2=1.0)
    one = sources.background if of == "background" else Target(sources).learn(sigma2=1.0)
    for corpus in (sources.adaptation, sources.corpus):
        assert np.array_equal(model.tag(corpus), one.tag(corpus))


def test_a_model_that_reads_tags_of_another_is_no_background(sources, adaptation_corpus):
    model = Prediction(sources).learn(sigma2=1.0)
    with pytest.raises(InputError, match="prediction: memm, crf, bidirectional and ensemble can"):
        adapt(model, adaptation_corpus, 1.0)
