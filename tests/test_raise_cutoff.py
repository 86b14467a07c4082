"""A higher cut-off of what is there already: as if it were built anew."""

from concurrent.futures import ThreadPoolExecutor

import oracles
import pytest

from workbench.adaptation.methods.map import MapAdaptation
from workbench.experiments.tuning import Tuning, tunings
from workbench.models.crf import CRF
from workbench.text.errors import InputError

CUTOFFS = [0, 1, 2, 5, 10**6, None]


@pytest.fixture(scope="module", params=["memm", "crf"])
def model(request, background, background_corpus):
    return background if request.param == "memm" else CRF.fit(background_corpus, cutoff=0)


@pytest.fixture(scope="module")
def lowest(model, adaptation_corpus):
    return MapAdaptation(model, adaptation_corpus)


@pytest.fixture(scope="module", params=CUTOFFS)
def pair(request, lowest, model, adaptation_corpus):
    """An adaptation whose cut-off was raised, how, and the same one built anew."""
    return *lowest.raise_cutoff(request.param), MapAdaptation(
        model, adaptation_corpus, request.param
    )


def test_it_has_the_features_of_one_built_anew(pair):
    higher, anew = pair[0].problem, pair[2].problem
    assert oracles.feature_pairs(higher.features) == oracles.feature_pairs(anew.features)
    assert higher.features.names() == anew.features.names()
    counts = [(each.cutoff, each.n_new, each.n_active) for each in (higher, anew)]
    assert counts[0] == counts[1]


def test_it_is_the_same_function_of_the_same_weights(pair, rng):
    higher, anew = pair[0].problem, pair[2].problem
    weights = anew.mean + rng.normal(size=anew.n_active)
    assert (higher.mean == anew.mean).all()
    assert (higher.is_inherited == anew.is_inherited).all()
    for here, there in zip(
        higher.log_likelihood(weights), anew.log_likelihood(weights), strict=True
    ):
        assert here == pytest.approx(there, rel=1e-12, abs=1e-9)


def test_it_says_which_weights_it_keeps(pair, lowest):
    higher, change, _ = pair
    assert change.problem is higher.problem
    observed = lowest.problem.log_likelihood.observed[change.kept]
    assert (observed == higher.problem.log_likelihood.observed).all()
    assert (lowest.problem.mean[change.kept] == higher.problem.mean).all()


def test_its_models_are_those_of_one_built_anew(pair, few_sentences):
    models = [each.model(each.fit(1.0, tolerance=1e-10), 1.0) for each in (pair[0], pair[2])]
    assert models[0].weights == pytest.approx(models[1].weights, abs=1e-4)
    assert (models[0].tag(few_sentences) == models[1].tag(few_sentences)).all()
    assert models[0].info.keys() == models[1].info.keys()


def test_what_was_packed_is_packed_again(pair, lowest, few_sentences):
    higher, change, _ = pair
    tagger = higher.model(higher.fit(1.0), 1.0)
    packed = change.repack(lowest.problem.pack(few_sentences))
    assert packed.features is tagger.features
    assert (tagger.tag(packed) == tagger.tag(few_sentences)).all()


@pytest.mark.parametrize(("here", "lower"), [(5, 2), (None, 5), (2, 0)])
def test_a_lower_cutoff_is_refused(model, adaptation_corpus, here, lower):
    adaptation = MapAdaptation(model, adaptation_corpus, here)
    with pytest.raises(InputError, match=f"cutoff {lower}: .*none,? is allowed"):
        adaptation.raise_cutoff(lower)


def test_the_lower_one_stays_as_it_was(lowest, adaptation_corpus, model):
    lowest.raise_cutoff(5)
    anew = MapAdaptation(model, adaptation_corpus).problem
    assert oracles.feature_pairs(lowest.problem.features) == oracles.feature_pairs(anew.features)
    assert lowest.problem.n_active == anew.n_active


def test_iterative_scaling_takes_a_higher_one(background, adaptation_corpus):
    higher, _ = MapAdaptation(background, adaptation_corpus).raise_cutoff(2)
    scaled = higher.fit(1.0, solver="iis")
    assert scaled.objective == pytest.approx(higher.fit(1.0).objective, rel=1e-4)


@pytest.mark.parametrize("cutoff", [-1, 1.5, "much"])
def test_a_bad_cutoff_is_refused(lowest, cutoff):
    with pytest.raises(InputError, match="a whole number, 0 or more, is allowed"):
        lowest.raise_cutoff(cutoff)


# --- tunings at many cut-offs -------------------------------------------------------------


@pytest.fixture
def found(model, adaptation_corpus, few_sentences):
    texts = {"train": adaptation_corpus, "dev": few_sentences}
    return tunings(model, adaptation_corpus, texts)


def test_a_tuning_is_made_once(found):
    assert found[2] is found[2]
    assert found[2] is not found[0]


def test_a_cutoff_is_raised_twice(found, model, adaptation_corpus):
    twice = found[0].raise_cutoff(2).raise_cutoff(5)
    anew = Tuning(model, adaptation_corpus, {}, 5)
    assert twice.problem.features.names() == anew.problem.features.names()
    found[0].at(1.0)
    start = twice.at(1.0).fit.steps[0].objective
    assert start > anew.at(1.0).fit.steps[0].objective
    assert twice.at(1.0).fit.objective == pytest.approx(anew.at(1.0).fit.objective, rel=1e-5)


def test_threads_may_ask_for_different_cutoffs(found):
    cutoffs = [0, 1, 2, 5, None]
    tuned = [found[cutoff] for cutoff in cutoffs]
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda tuning: [tuning.at(s) for s in (0.3, 1.0, 3.0)], tuned))
    for tuning, answer in zip(tuned, answers, strict=True):
        for point in answer:
            alone = tuning.adaptation.fit(point.sigma2)
            assert point.fit.objective == pytest.approx(alone.objective, rel=1e-5)


@pytest.mark.parametrize("cutoffs", [(0, 2, None), (None, 0, 2), (2, None, 0)])
def test_the_way_of_the_slider_does_not_matter(found, model, adaptation_corpus, cutoffs):
    for sigma2 in (1.0, 0.1, 3.0):
        for cutoff in cutoffs:
            found[cutoff].at(sigma2)
    for cutoff in cutoffs:
        alone = Tuning(model, adaptation_corpus, {"train": adaptation_corpus}, cutoff)
        for sigma2 in (0.1, 3.0):
            direct = alone.adaptation.fit(sigma2, tolerance=1e-10)
            tuned = found[cutoff].at(sigma2)
            assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-5)
            tags = alone.adaptation.model(direct, sigma2).tag(adaptation_corpus)
            assert (tuned.tags["train"] == tags).mean() > 0.999


def test_another_cutoff_begins_with_what_is_known(found):
    known = found[0].at(1.0).fit
    cold = found[2].adaptation.fit(1.0)
    warm = found[2].at(1.0).fit
    gained = known.objective - known.steps[0].objective
    assert warm.steps[0].objective > cold.steps[0].objective + 0.5 * gained
    assert len(warm.steps) <= len(cold.steps)


def test_what_is_known_of_its_own_comes_first_if_it_is_as_near(found):
    found[0].at(1.0)
    own = found[2].at(1.0).fit
    assert found[2].at(1.02).fit.steps[0].log_likelihood == pytest.approx(own.log_likelihood)
