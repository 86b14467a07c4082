"""Methods that combine models or texts: auxiliary distributions, products, hierarchies, chains."""

from dataclasses import replace

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import Sources, Split, fold
from workbench.adaptation.methods.augment import Augmentation
from workbench.adaptation.methods.auxiliary import Auxiliary, AuxiliaryClasses
from workbench.adaptation.methods.data_combination import DataCombination
from workbench.adaptation.methods.hierarchy import Chain, Hierarchy
from workbench.adaptation.methods.model_combination import EqualWeights, ModelCombination
from workbench.adaptation.methods.target import Target
from workbench.features.templates import find_templates
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import Fit, maximise
from workbench.models.memm import MEMM
from workbench.models.table_problems import CLASSES, class_of

FAR = 1e-13


def probabilities(model, corpus):
    return model.probabilities(corpus)


# --- auxiliary distributions --------------------------------------------------------------


@pytest.mark.parametrize("form", [Auxiliary, AuxiliaryClasses])
def test_an_auxiliary_weight_of_minus_1_and_nothing_else_is_the_background(form, sources):
    """Plank & van Noord (2008): their own check of the method."""
    problem = form(sources)
    weights = np.repeat([0.0, -1.0], [problem.n_own, len(problem.columns)])
    step = maximise(problem.log_likelihood, _flat(len(weights)), weights, max_steps=300).steps[0]
    problem.warm_starts.fits[("sigma2", 1.0),] = Fit(weights, [step], True)
    model = problem.learn(sigma2=1.0)
    for corpus in (sources.adaptation, sources.corpus):
        assert probabilities(model, corpus) == pytest.approx(
            probabilities(sources.background, corpus), rel=1e-9
        )


def _flat(n):
    return GaussianPrior(np.zeros(n), 1.0)


def test_a_tiny_variance_leaves_auxiliary_weights_alone(sources):
    model = Auxiliary(sources).learn(sigma2=1e-9)
    mu = model.info["estimated"]["auxiliary"]
    background = Auxiliary(sources).problem.background_weights
    assert model.weights[model.features.exists] == pytest.approx(-mu * background, abs=1e-5)


def test_classes_are_at_least_as_likely_as_one_feature_which_is_their_sum(sources):
    one, many = (form(sources).learn(sigma2=0.1) for form in (Auxiliary, AuxiliaryClasses))
    assert many.info["log_likelihood"] > one.info["log_likelihood"] - 0.5
    parts = AuxiliaryClasses(sources).columns
    assert set(parts) == set(CLASSES)
    assert sum(parts.values()) == pytest.approx(Auxiliary(sources).columns["auxiliary"])


def test_only_features_of_the_domain_are_its_own(sources):
    problem = Auxiliary(sources)
    assert problem.n_own == len(Target(sources).learn(sigma2=1.0).features)


def test_every_template_has_a_class():
    classes = {t.name: class_of(t) for t in find_templates("extended")}
    assert set(classes.values()) == set(CLASSES)
    assert classes["nextsuffix2"] == classes["suffix4"] == "suffixes"
    assert classes["currentword,t-1"] == classes["t-1,2"] == "tags"
    assert classes["word-2"] == classes["nextword"] == "neighbours"


def test_estimated_weights_are_at_least_as_likely_on_held_out_folds(sources):
    problem = ModelCombination(sources)
    mu_out, mu_in = problem.weigh(1.0)
    background = problem.problem.background_weights

    def held_out(out, inside):
        return sum(
            likelihood(-out * background[places] - inside * fold.weights(1.0)[places])[0]
            for fold, (likelihood, places) in problem.folds
        )

    assert held_out(mu_out, mu_in) > held_out(-1.0, -1.0)
    assert held_out(mu_out, mu_in) > held_out(-1.0, 0.0)
    assert held_out(mu_out, mu_in) > held_out(0.0, -1.0)


def test_a_fold_holds_every_sentence_once(adaptation_corpus):
    held = [part.n_sentences for _, part in fold(adaptation_corpus)]
    assert sum(held) == adaptation_corpus.n_sentences


# --- combinations of models ---------------------------------------------------------------


def test_equal_weights_multiply_the_two_distributions(few_sources):
    model = EqualWeights(few_sources).learn(sigma2=1.0)
    inside = Target(few_sources).learn(sigma2=1.0)
    templates = few_sources.background.templates
    sides = [oracles.weights_of(m) for m in (few_sources.background, inside, model)]
    for _, predicates in oracles.count_events(few_sources.adaptation, templates):
        out, domain, both = (oracles.log_probabilities(w, predicates) for w in sides)
        product = np.exp(np.add(out, domain))
        assert np.exp(both) == pytest.approx(product / product.sum(), abs=0.01)


# --- several background texts -------------------------------------------------------------


@pytest.fixture(scope="module")
def several(few_sources):
    """The same texts, the background of three: four, three and two sentences."""
    split = Split(
        few_sources.corpus, few_sources.adaptation, few_sources.adaptation, few_sources.options,
        begins=(4, 7),
    )  # fmt: skip
    return Sources(split)


def test_a_hierarchy_is_general_weights_with_those_of_each_text_around_them(several):
    """Finkel & Manning (2009): all weights fitted plainly, as weights of their own."""
    problem, templates = Hierarchy(several), several.background.templates
    pairs, texts = oracles.feature_pairs(problem.problem.features), several.texts
    corpora = [*(several.corpus.take(text) for text in texts), several.adaptation]
    plain = [oracles.PlainProblem(oracles.count_events(c, templates), pairs) for c in corpora]
    n, times = len(pairs), (1.0, 1.0, 1.0, 2.5)  # the last is the domain
    sigma2s = {"sigma2_g": 3.0, "sigma2_s": 0.2, "sigma2_t": 0.5, "sigma2_a": 0.05}
    known = set(oracles.feature_pairs(several.background.features))
    of_general = [3.0 if pair in known else 0.05 for pair in pairs]
    assert 0 < len(known) < n

    class All:
        def objective(self, weights, mean, sigma2):
            general, *own = weights.reshape(-1, n)
            values = [p.log_likelihood(general + e) for p, e in zip(plain, own, strict=True)]
            return np.dot(times, values) - float((weights**2 / (2 * sigma2)).sum())

        def gradient(self, weights):
            general, *own = weights.reshape(-1, n)
            pairs = zip(times, plain, own, strict=True)
            slopes = [factor * p.gradient(general + e) for factor, p, e in pairs]
            return np.concatenate([sum(slopes), *slopes])

    variances = np.concatenate([of_general, np.repeat([0.2, 0.2, 0.2, 0.5], n)])
    best = oracles.fit_scipy(All(), np.zeros(5 * n), variances)
    fit = problem.fit(tolerance=FAR, weight=2.5, **sigma2s)
    assert fit.objective == pytest.approx(All().objective(best, 0, variances), abs=1e-6)
    model = problem.model(fit, weight=2.5, **sigma2s)
    expected = best[:n] + best[-n:]
    assert model.weights[model.features.exists] == pytest.approx(expected, abs=1e-3)


def test_without_a_variance_of_its_own_a_genre_changes_nothing(several):
    """Three levels of which the middle one is tight are two."""
    split = replace(several._split, genres=("a", "b", "a", "b"))
    three = Hierarchy(Sources(split))
    sigma2s = {"sigma2_g": 3.0, "sigma2_s": 0.2, "sigma2_t": 0.5}
    two = Hierarchy(several).fit(tolerance=FAR, **sigma2s)
    tight, free = (three.fit(tolerance=FAR, sigma2_b=b, **sigma2s) for b in (1e-9, 0.5))
    assert tight.objective == pytest.approx(two.objective, abs=1e-4)
    assert free.objective > two.objective + 0.1
    nodes = three.node_weights(free)
    assert list(nodes)[:3] == ["general", "genre a", "text 1"]
    added = {name: nodes[name] - nodes["general"] for name in ("genre a", "genre b")}
    # Each genre pulls at the general weights, which their own prior holds (Finkel & Manning).
    np.testing.assert_allclose(nodes["general"] / 3.0, sum(added.values()) / 0.5, atol=1e-3)


def test_without_variances_of_its_own_texts_a_hierarchy_is_weighted(several):
    tight = {"sigma2_g": 5.0, "sigma2_s": 1e-9, "sigma2_t": 1e-9}
    hierarchy = Hierarchy(several)
    model = hierarchy.model(hierarchy.fit(tolerance=FAR, weight=3.0, **tight))
    expected = DataCombination(several).learn(weight=3.0, sigma2=5.0)
    np.testing.assert_allclose(model.weights, expected.weights, atol=0.01)


def test_a_chain_adapts_what_was_adapted(several):
    model = Chain(several).learn(sigma2_between=0.5, sigma2=2.0)
    first, second, third = (several.corpus.take(text) for text in several.texts)
    expected = MEMM.fit(first, **several.options)
    for text, sigma2 in ((second, 0.5), (third, 0.5), (several.adaptation, 2.0)):
        expected = adapt(expected, text, sigma2)
    assert model.features.names() == expected.features.names()
    np.testing.assert_allclose(model.weights, expected.weights, atol=1e-3)


def test_of_one_background_text_a_hierarchy_is_augment_and_a_chain_map(few_sources, sources):
    sigma2s = {"sigma2_g": 5.0, "sigma2_s": 0.1, "sigma2_t": 0.5}
    fits = [form(few_sources).fit(None, tolerance=FAR, **sigma2s)
            for form in (Hierarchy, Augmentation)]  # fmt: skip
    assert fits[0].objective == pytest.approx(fits[1].objective, abs=1e-6)
    model, expected = Chain(sources).learn(2.0, 1.0), adapt(
        sources.background, sources.adaptation, 1.0
    )  # fmt: skip
    np.testing.assert_allclose(model.weights, expected.weights, atol=1e-3)
