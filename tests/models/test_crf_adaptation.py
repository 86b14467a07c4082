"""MAP adaptation of a CRF: the identities that hold for a MEMM hold for it."""

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.evaluation.explanation import explain
from workbench.experiments.compare import compare, find_methods
from workbench.experiments.search import choose_sigma2
from workbench.experiments.session import Session
from workbench.experiments.why import why
from workbench.models.adapter import save_adapter
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

FAR = 1e-13
OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}
SUPPORTED = (
    "background", "target", "map", "map-two-variances", "map-by-template", "all", "weighted",
)  # fmt: skip


@pytest.fixture(scope="module")
def crf(background_corpus):
    return CRF.fit(background_corpus, cutoff=0, sigma2=5.0, tolerance=1e-9)


@pytest.fixture(scope="module")
def problem(crf, adaptation_corpus):
    return Adaptation(crf, adaptation_corpus)


@pytest.fixture(scope="module")
def sources(background_corpus, adaptation_corpus):
    split = Split(background_corpus, adaptation_corpus, adaptation_corpus, OPTIONS, CRF)
    return Sources(split)


def start_of(method):
    return {name: axis.start for name, axis in method.axes.items()}


def test_at_sigma2_near_zero_a_crf_stays_the_background(problem, crf, adaptation_corpus):
    union = problem.problem.model(problem.problem.mean)
    assert isinstance(union, CRF)
    np.testing.assert_array_equal(union.tag(adaptation_corpus), crf.tag(adaptation_corpus))
    model = adapt(crf, adaptation_corpus, 1e-9)
    np.testing.assert_array_equal(model.tag(adaptation_corpus), crf.tag(adaptation_corpus))
    np.testing.assert_allclose(model.weights[: len(crf.weights)], crf.weights, atol=1e-6)


def test_equal_variances_are_one_and_a_small_sigma2_a_keeps_new_features_out(
    crf, adaptation_corpus
):
    both = Adaptation(crf, adaptation_corpus).learn(sigma2_m=0.7, sigma2_a=0.7)
    one = adapt(crf, adaptation_corpus, 0.7, tolerance=1e-9)
    np.testing.assert_allclose(both.weights, one.weights, atol=2e-3)
    assert both.kind == "crf"
    two = Adaptation(crf, adaptation_corpus)
    model = two.learn(sigma2_m=1.0, sigma2_a=1e-9)
    problem, weights = two.problem, model.weights[model.features.exists]
    assert np.abs(weights[problem.places][~problem.is_inherited]).max() < 1e-6
    assert np.abs(weights - problem.background_weights).max() > 0.1


def test_every_transition_can_move_whatever_labels_the_text_has(crf):
    problem = Adaptation(crf, Corpus.from_sentences([["Rain", "fell"]]))
    pairs = oracles.feature_pairs(problem.problem.features)
    active = {pairs[place] for place in problem.problem.places}
    of_labels = {pair for pair in pairs if pair[0].startswith("t-1=")}
    assert of_labels <= active
    assert len(of_labels) > 10
    assert any(pair[0] == "currentword=york" for pair in pairs)
    assert not any(pair[0] == "currentword=york" for pair in active)


def test_the_objective_ends_where_the_gradient_is_the_pull_of_the_prior(background_corpus):
    background = CRF.fit(background_corpus, ["currentword", "t-1"], cutoff=2)
    corpus = Corpus.from_sentences([["NASA", "said", "."], ["Rain"], ["the", "Gulf", "iPod"]])
    problem = Adaptation(background, corpus)
    model = problem.model(problem.fit(0.5, tolerance=FAR), 0.5)
    weights = model.weights[model.features.exists]
    _, expected = oracles.enumerate_chain(model.templates, model.features, weights, corpus)
    counts = oracles.count_features(oracles.count_events(corpus, model.templates))
    observed = np.array([counts[pair] for pair in oracles.feature_pairs(model.features)])
    away = weights - problem.problem.background_weights
    np.testing.assert_allclose(observed - expected, away / 0.5, atol=1e-5)


@pytest.mark.parametrize("name", SUPPORTED)
def test_a_method_gives_a_crf_that_a_file_keeps(name, sources, adaptation_corpus, tmp_path):
    method = METHODS[name]
    model = method.prepare(sources).learn(**start_of(method))
    model.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert isinstance(loaded, CRF)
    np.testing.assert_array_equal(loaded.tag(adaptation_corpus), model.tag(adaptation_corpus))


def test_all_means_the_methods_that_can_do_with_a_crf():
    assert tuple(method.name for method in find_methods(["all"], CRF)) == SUPPORTED
    assert len(find_methods(["all"])) > len(SUPPORTED)


@pytest.mark.parametrize("name", ["augment", "linint", "auxiliary", "1-gram"])
def test_other_methods_are_refused_by_name(name):
    with pytest.raises(InputError, match=f"{name}' is not for a crf; allowed are background, ta"):
        find_methods(["map", name], CRF)


def test_a_comparison_of_crfs(background_corpus, adaptation_corpus):
    dev, test = (adaptation_corpus.take(np.arange(first, 26, 2)) for first in (0, 1))
    split = Split(background_corpus, adaptation_corpus, dev, OPTIONS, CRF)
    rows = compare(split, test, ["background", "map"])["models"]
    assert [row["kind"] for row in rows] == ["crf", "crf"]
    assert rows[1]["error_rate"] < rows[0]["error_rate"]


def test_a_slider_moves_a_crf_and_sigma2_is_searched(crf, adaptation_corpus, few_sentences):
    tuning = Adaptation(crf, adaptation_corpus, texts={"dev": few_sentences})
    tuning.tolerance = 1e-9
    for sigma2 in (0.1, 1.0, 0.5):
        direct = adapt(crf, adaptation_corpus, sigma2, tolerance=1e-9)
        np.testing.assert_array_equal(tuning.at(sigma2).tags["dev"], direct.tag(few_sentences))
        assert isinstance(tuning.at(sigma2).model, CRF)
    best, tried = choose_sigma2(crf, adaptation_corpus, few_sentences)
    assert tried[best] == min(tried.values())


def test_an_adapter_builds_on_a_crf(crf, adaptation_corpus, problem, tmp_path):
    model = problem.model(problem.fit(1.0), 1.0)
    crf.save(tmp_path / "background.model")
    save_adapter(model, crf, tmp_path / "background.model", tmp_path / "small.model")
    loaded = load_model(tmp_path / "small.model")
    assert isinstance(loaded, CRF)
    np.testing.assert_array_equal(loaded.tag(adaptation_corpus), model.tag(adaptation_corpus))


def test_a_session_has_a_crf_in_its_middle(crf, unigram, adaptation_corpus):
    corpora = {part: adaptation_corpus for part in ("train", "dev", "test")}
    session = Session(crf, unigram, corpora)
    snapshot = session.at(1.0)
    assert [row["kind"] for row in snapshot.models] == ["1gram", "crf", "crf"]
    explained = explain(snapshot.tuned.model, adaptation_corpus, 3)
    assert set(explained["predicate"].str.partition("=")[0]) >= {"currentword", "t-1"}
    answer = why(session, snapshot, 3)
    assert answer["probability"] == "P(tag | sentence)"
    for side, model in (("p_background", crf), ("p_adapted", snapshot.tuned.model)):
        marginals = model.probabilities(adaptation_corpus)[3]
        np.testing.assert_allclose(answer[side], marginals, rtol=1e-9)
