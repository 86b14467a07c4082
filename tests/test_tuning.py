"""One adaptation under a moving sigma^2: the same models whatever way the slider came."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from workbench.adaptation.methods.map import adapt
from workbench.experiments.tuning import Tuning
from workbench.text.errors import InputError

SIGMA2S = (0.01, 0.1, 1.0, 10.0)


class Preempted(Exception):
    """What a view raises to leave a fit."""


@pytest.fixture
def tuning(background, adaptation_corpus, few_sentences):
    texts = {"train": adaptation_corpus, "dev": few_sentences}
    return Tuning(background, adaptation_corpus, texts, tolerance=1e-10)


def test_a_point_is_the_adaptation_at_its_sigma2(tuning, background, adaptation_corpus):
    tuned = tuning.at(0.5)
    alone = adapt(background, adaptation_corpus, 0.5, tolerance=1e-10)
    assert tuned.sigma2 == tuned.model.info["sigma2"] == 0.5
    assert tuned.model.weights == pytest.approx(alone.weights, abs=1e-3)


def test_tags_and_errors_are_the_models_own(tuning, adaptation_corpus):
    tuned = tuning.at(0.5)
    assert (tuned.tags["train"] == tuned.model.tag(adaptation_corpus)).all()
    assert tuned.wrong["train"] == (tuned.tags["train"] != adaptation_corpus.tags).sum()


@pytest.mark.parametrize("path", [SIGMA2S, SIGMA2S[::-1], (1.0, 0.01, 10.0, 0.1)])
def test_the_way_of_the_slider_does_not_matter(tuning, background, adaptation_corpus, path):
    for sigma2 in path:
        tuning.at(sigma2)
    for sigma2 in SIGMA2S:
        direct = tuning.adaptation.fit(sigma2, tolerance=1e-10)
        tuned = tuning.at(sigma2)
        assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-7)
        tags = tuning.adaptation.model(direct, sigma2).tag(tuning.packed["train"])
        assert (tuned.tags["train"] == tags).all()


def test_coming_back_costs_no_step(tuning):
    steps = []
    first = tuning.at(1.0, steps.append)
    n = len(steps)
    assert n > 0
    assert tuning.at(1.0, steps.append) is first
    assert len(steps) == n


def test_a_fit_starts_from_the_nearest_known(tuning):
    cold = len(tuning.at(1.0).fit.steps)
    near = tuning.at(1.1).fit
    assert near.steps[0].log_likelihood == pytest.approx(tuning.at(1.0).fit.log_likelihood)
    assert len(near.steps) <= cold


def test_what_is_known_comes_in_order(tuning):
    assert tuning.known == []
    for sigma2 in (1.0, 0.01, 0.1):
        tuning.at(sigma2)
    assert [tuned.sigma2 for tuned in tuning.known] == [0.01, 0.1, 1.0]


@pytest.mark.parametrize("sigma2", [0, -1.0, float("nan"), float("inf"), "much"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_bad_sigma2_is_refused_and_forgotten(tuning, sigma2, is_first):
    if not is_first:
        tuning.at(1.0)
    with pytest.raises(InputError, match="greater than 0 is allowed"):
        tuning.at(sigma2)
    assert len(tuning.known) == (0 if is_first else 1)


# --- first answers ------------------------------------------------------------------------


def test_a_first_answer_says_that_it_is_one(tuning):
    assert not tuning.first(1.0).settled
    assert tuning.at(1.0).settled


def test_a_first_answer_takes_fewer_steps_and_is_near(tuning):
    first, settled = tuning.first(1.0).fit, Tuning.at(tuning, 1.0).fit
    assert first.objective == pytest.approx(settled.objective, rel=1e-3)
    assert settled.steps[0].objective == first.objective  # it is gone on with
    assert settled.objective >= first.objective


def test_a_first_answer_is_kept_and_is_not_known(tuning):
    first = tuning.first(1.0)
    assert tuning.first(1.0) is first
    assert (tuning.known, tuning.shown) == ([], [first])


def test_what_is_known_is_its_own_first_answer(tuning):
    settled = tuning.at(1.0)
    assert tuning.first(1.0) is settled
    assert tuning.shown == tuning.known == [settled]


# --- preemption ---------------------------------------------------------------------------


def leave(step):
    if step.iteration == 2:
        raise Preempted


def test_an_exception_from_on_step_is_passed_on(tuning):
    with pytest.raises(Preempted):
        tuning.at(1.0, leave)


def test_a_fit_that_was_left_is_not_known(tuning):
    tuning.at(0.1)
    with pytest.raises(Preempted):
        tuning.at(1.0, leave)
    assert [tuned.sigma2 for tuned in tuning.known] == [0.1]


def test_a_fit_that_was_left_can_be_taken_up_again(tuning, background, adaptation_corpus):
    with pytest.raises(Preempted):
        tuning.at(1.0, leave)
    tuned = tuning.at(1.0)
    direct = tuning.adaptation.fit(1.0, tolerance=1e-10)
    assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-12)
    assert tuned.fit.converged


def test_a_fit_that_was_left_frees_the_way_for_other_threads(tuning):
    with pytest.raises(Preempted):
        tuning.at(1.0, leave)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(tuning.at, 0.1).result(timeout=20).sigma2 == 0.1


# --- threads ------------------------------------------------------------------------------


def test_two_threads_get_the_same_model_and_fit_it_once(tuning):
    started, fits = threading.Barrier(2), []

    def linger(step):
        if step.iteration == 0:
            fits.append(step)
            time.sleep(0.1)  # time for the other thread to come in, were the door open

    def ask():
        started.wait(timeout=20)
        return tuning.at(1.0, linger)

    with ThreadPoolExecutor(2) as pool:
        first, second = (task.result(timeout=20) for task in [pool.submit(ask), pool.submit(ask)])
    assert first is second
    assert len(set(fits)) == 1


def test_threads_that_move_the_slider_find_what_one_alone_finds(tuning):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(tuning.at, SIGMA2S * 3))
    for tuned, sigma2 in zip(found, SIGMA2S * 3, strict=True):
        direct = tuning.adaptation.fit(sigma2, tolerance=1e-10)
        assert tuned.sigma2 == sigma2
        assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-7)
    assert len(tuning.known) == len(SIGMA2S)


def test_what_is_known_can_be_read_while_a_fit_goes_on(tuning):
    tuning.at(0.1)
    seen = []
    tuning.at(1.0, lambda _: seen.append([tuned.sigma2 for tuned in tuning.known]))
    assert seen
    assert np.all(np.array(seen) == 0.1)
