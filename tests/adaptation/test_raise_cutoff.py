"""A higher cut-off of what is there already: as if it were built anew."""

from concurrent.futures import ThreadPoolExecutor

import oracles
import pytest

from workbench.adaptation.adaptation import Adaptation, adapt_by_cutoff
from workbench.models.crf import CRF
from workbench.text.errors import InputError


@pytest.fixture(scope="module", params=["memm", "crf"])
def model(request, background, background_corpus):
    return background if request.param == "memm" else CRF.fit(background_corpus, cutoff=0)


@pytest.fixture(scope="module")
def lowest(model, adaptation_corpus, few_sentences):
    return Adaptation(model, adaptation_corpus, texts={"dev": few_sentences})


@pytest.mark.parametrize("cutoff", [0, 1, 2, 5, 10**6, None])
def test_a_raised_one_is_that_built_anew(
    lowest, model, adaptation_corpus, few_sentences, cutoff, rng
):
    raised = lowest.raise_cutoff(cutoff)
    here, there = raised.problem, Adaptation(model, adaptation_corpus, cutoff).problem
    assert oracles.feature_pairs(here.features) == oracles.feature_pairs(there.features)
    assert here.features.names() == there.features.names()
    for name in ("cutoff", "n_new", "n_active"):
        assert getattr(here, name) == getattr(there, name)
    assert (here.mean == there.mean).all()
    assert (here.is_inherited == there.is_inherited).all()
    weights = here.mean + rng.normal(size=here.n_active)
    pairs = zip(here.log_likelihood(weights), there.log_likelihood(weights), strict=True)
    for mine, anew in pairs:
        assert mine == pytest.approx(anew, rel=1e-12, abs=1e-9)
    kept = lowest.problem.raise_cutoff(cutoff).kept
    assert (lowest.problem.mean[kept] == here.mean).all()
    assert (lowest.problem.log_likelihood.observed[kept] == here.log_likelihood.observed).all()
    tagger = here.model(weights)
    assert raised.packed["dev"].features is tagger.features
    assert (tagger.tag(raised.packed["dev"]) == there.model(weights).tag(few_sentences)).all()


@pytest.mark.parametrize(("here", "lower"), [(5, 2), (None, 5), (2, 0)])
def test_a_lower_cutoff_is_refused(model, adaptation_corpus, here, lower):
    adaptation = Adaptation(model, adaptation_corpus, here)
    with pytest.raises(InputError, match=f"cutoff {lower}: .*none,? is allowed"):
        adaptation.raise_cutoff(lower)


@pytest.mark.parametrize("cutoff", [-1, 1.5, "much"])
def test_a_bad_cutoff_is_refused(lowest, cutoff):
    with pytest.raises(InputError, match="a whole number, 0 or more, is allowed"):
        lowest.raise_cutoff(cutoff)


def test_the_lower_one_stays_as_it_was(lowest, adaptation_corpus, model):
    lowest.raise_cutoff(5)
    anew = Adaptation(model, adaptation_corpus).problem
    assert oracles.feature_pairs(lowest.problem.features) == oracles.feature_pairs(anew.features)
    assert lowest.problem.n_active == anew.n_active


def test_iterative_scaling_takes_a_higher_one(adaptation_corpus, background):
    higher = Adaptation(background, adaptation_corpus).raise_cutoff(2)
    scaled = higher.fit(1.0, solver="iis")
    assert scaled.objective == pytest.approx(higher.fit(1.0).objective, rel=1e-4)


# --- many cut-offs, which learn from one another ------------------------------------------


@pytest.fixture
def found(model, adaptation_corpus):
    return adapt_by_cutoff(model, adaptation_corpus, {"train": adaptation_corpus})


def test_a_cutoff_is_raised_twice(found, model, adaptation_corpus):
    assert found[2] is found[2]
    twice, anew = found[2].raise_cutoff(5), Adaptation(model, adaptation_corpus, 5)
    assert twice.problem.features.names() == anew.problem.features.names()
    found[0].at(1.0)
    start = twice.at(1.0).fit.steps[0].objective
    assert start > anew.at(1.0).fit.steps[0].objective
    assert twice.at(1.0).fit.objective == pytest.approx(anew.at(1.0).fit.objective, rel=1e-5)


def test_another_cutoff_begins_with_what_is_known(found):
    known, cold = found[0].at(1.0).fit, found[2].fit(1.0)
    warm = found[2].at(1.0).fit
    gained = known.objective - known.steps[0].objective
    assert warm.steps[0].objective > cold.steps[0].objective + 0.5 * gained
    assert len(warm.steps) <= len(cold.steps)
    # What is known of its own comes first if it is as near.
    near = found[2].at(1.02).fit.steps[0]
    assert near.log_likelihood == pytest.approx(warm.log_likelihood)


def test_threads_may_ask_for_different_cutoffs(found):
    asked = [found[cutoff] for cutoff in (0, 1, 2, 5, None)]
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda one: [one.at(s) for s in (0.3, 1.0, 3.0)], asked))
    for adaptation, answer in zip(asked, answers, strict=True):
        for point in answer:
            alone = adaptation.fit(point.sigma2)
            assert point.fit.objective == pytest.approx(alone.objective, rel=1e-5)


@pytest.mark.parametrize("cutoffs", [(0, 2, None), (2, None, 0)])
def test_the_way_of_the_slider_does_not_matter(found, model, adaptation_corpus, cutoffs):
    for sigma2 in (1.0, 0.1, 3.0):
        for cutoff in cutoffs:
            found[cutoff].at(sigma2)
    for cutoff in cutoffs:
        alone = Adaptation(model, adaptation_corpus, cutoff)
        for sigma2 in (0.1, 3.0):
            direct = alone.fit(sigma2, tolerance=1e-10)
            tuned = found[cutoff].at(sigma2)
            assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-5)
            tags = alone.model(direct, sigma2).tag(adaptation_corpus)
            assert (tuned.tags["train"] == tags).mean() > 0.999
