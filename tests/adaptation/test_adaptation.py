"""One adaptation under a moving prior: the same models whatever way the slider came; sweeps."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from workbench.adaptation.adaptation import Adaptation, adapt, check_strength
from workbench.experiments.surface import sweep
from workbench.text.errors import InputError

SIGMA2S = (0.01, 0.1, 1.0, 10.0)
TWO = {"sigma2_m": 0.5, "sigma2_a": 2.0}


class Preempted(Exception):
    """What a view raises to leave a fit."""


@pytest.fixture
def adaptation(background, adaptation_corpus, few_sentences):
    texts = {"train": adaptation_corpus, "dev": few_sentences}
    adaptation = Adaptation(background, adaptation_corpus, texts=texts)
    adaptation.tolerance = 1e-10
    return adaptation


@pytest.mark.parametrize(("strength", "method"), [
    (0.5, "map"), (TWO, "map-two-variances"), ({"alpha": 0.5}, "map-exponential"),
])  # fmt: skip
def test_a_point_is_the_adaptation_at_its_strength(
    adaptation, background, adaptation_corpus, strength, method
):
    tuned, named = adaptation.at(strength), check_strength(strength)
    alone = adapt(background, adaptation_corpus, **named, tolerance=1e-10)
    assert tuned.strength == named
    assert {name: tuned.model.info[name] for name in ("method", *named)} == {
        "method": method, **named,
    }  # fmt: skip
    assert tuned.model.info == alone.info | {"log_likelihood": tuned.fit.log_likelihood}
    assert tuned.model.weights == pytest.approx(alone.weights, abs=1e-3)
    assert (tuned.tags["train"] == tuned.model.tag(adaptation_corpus)).all()
    assert tuned.wrong["train"] == (tuned.tags["train"] != adaptation_corpus.tags).sum()


@pytest.mark.parametrize("path", [SIGMA2S, SIGMA2S[::-1], (1.0, 0.01, 10.0, 0.1)])
def test_the_way_of_the_slider_does_not_matter(adaptation, path):
    for sigma2 in path:
        adaptation.at(sigma2)
    for sigma2 in SIGMA2S:
        direct, tuned = adaptation.fit(sigma2, tolerance=1e-10), adaptation.at(sigma2)
        assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-7)
        tags = adaptation.model(direct, sigma2).tag(adaptation.packed["train"])
        assert (tuned.tags["train"] == tags).all()


def test_coming_back_costs_no_step(adaptation):
    steps = []
    first = adaptation.at(1.0, steps.append)
    n = len(steps)
    assert n > 0
    assert adaptation.at({"sigma2": 1}, steps.append) is first
    assert len(steps) == n


@pytest.mark.parametrize(("known", "near"), [
    (1.0, 1.1), ({"alpha": 0.5}, {"alpha": 0.51}), (TWO, TWO | {"sigma2_a": 2.1}),
])  # fmt: skip
def test_a_fit_starts_from_the_nearest_known_of_its_prior(adaptation, known, near):
    adaptation.at({"alpha": 9.0} if known == 1.0 else 0.01)  # says nothing here
    before = adaptation.at(known).fit
    start = adaptation.at(near).fit.steps[0].log_likelihood
    assert start == pytest.approx(before.log_likelihood, rel=0.01)


def test_an_exponential_start_keeps_weights_that_hardly_moved_at_the_mean(adaptation):
    """Else each of a thousand weights is a little away from where it would stay."""
    mean = adaptation.problem.mean
    adaptation.warm_starts.fits[("alpha", 0.5),] = adaptation.fit(1e-9)
    begun = []
    adaptation.fit = lambda point, start, **_: begun.append(start)
    adaptation.at({"alpha": 0.6})
    assert np.array_equal(begun[0], mean)


def test_what_is_known_comes_in_order(adaptation):
    assert adaptation.known == []
    for strength in (1.0, 0.01, TWO, {"alpha": 9.0}, 0.1):
        adaptation.at(strength)
    assert [tuned.sigma2 for tuned in adaptation.known] == [0.01, 0.1, 1.0]


@pytest.mark.parametrize("strength", [
    0, -1.0, float("nan"), float("inf"), "much", {"alpha": 0}, TWO | {"sigma2_m": -1},
    TWO | {"sigma2_a": "wide"},
])  # fmt: skip
def test_a_strength_that_is_no_number_above_0_is_refused_and_forgotten(adaptation, strength):
    for ask in (adaptation.at, adaptation.first, adaptation.fit):
        with pytest.raises(InputError, match=r"(sigma2|alpha).*greater than 0 is allowed"):
            ask(strength)
    assert adaptation.shown == []


@pytest.mark.parametrize("strength", [{}, {"sigma2": 1.0, "alpha": 1.0}, {"sigma2_m": 1.0}])
def test_the_strength_of_no_one_prior_is_refused(background, adaptation_corpus, strength):
    with pytest.raises(InputError, match="sigma2, alpha, or sigma2_m and sigma2_a is to be given"):
        adapt(background, adaptation_corpus, **strength)


# --- first answers ------------------------------------------------------------------------


def test_a_first_answer_is_near_in_fewer_steps_and_is_gone_on_with(adaptation):
    first = adaptation.first(1.0)
    assert not first.settled
    assert adaptation.first(1.0) is first
    assert (adaptation.known, adaptation.shown) == ([], [first])
    settled = adaptation.at(1.0)
    assert settled.settled
    assert adaptation.first(1.0) is settled
    assert adaptation.shown == adaptation.known == [settled]
    assert first.fit.objective == pytest.approx(settled.fit.objective, rel=1e-3)
    assert settled.fit.steps[0].objective == first.fit.objective < settled.fit.objective


# --- preemption and threads ---------------------------------------------------------------


def leave(step):
    if step.iteration == 2:
        raise Preempted


def test_a_fit_that_is_left_is_not_known_and_can_be_taken_up_by_any_thread(adaptation):
    adaptation.at(0.1)
    with pytest.raises(Preempted):
        adaptation.at(1.0, leave)
    assert [tuned.sigma2 for tuned in adaptation.known] == [0.1]
    with ThreadPoolExecutor(1) as pool:
        tuned = pool.submit(adaptation.at, 1.0).result(timeout=20)
    direct = adaptation.fit(1.0, tolerance=1e-10)
    assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-12)
    assert tuned.fit.converged


def test_two_threads_get_the_same_model_and_fit_it_once(adaptation):
    started, fits = threading.Barrier(2), []

    def linger(step):
        if step.iteration == 0:
            fits.append(step)
            time.sleep(0.1)  # time for the other thread to come in, were the door open

    def ask():
        started.wait(timeout=20)
        return adaptation.at(1.0, linger)

    with ThreadPoolExecutor(2) as pool:
        first, second = (task.result(timeout=20) for task in [pool.submit(ask), pool.submit(ask)])
    assert first is second
    assert len(set(fits)) == 1


def test_threads_that_move_the_slider_find_what_one_alone_finds(adaptation):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(adaptation.at, SIGMA2S * 3))
    for tuned, sigma2 in zip(found, SIGMA2S * 3, strict=True):
        direct = adaptation.fit(sigma2, tolerance=1e-10)
        assert tuned.sigma2 == sigma2
        assert tuned.fit.objective == pytest.approx(direct.objective, rel=1e-7)
    assert len(adaptation.known) == len(SIGMA2S)


def test_what_is_known_can_be_read_while_a_fit_goes_on(adaptation):
    adaptation.at(0.1)
    seen = []
    adaptation.at(1.0, lambda _: seen.append([tuned.sigma2 for tuned in adaptation.known]))
    assert seen
    assert np.all(np.array(seen) == 0.1)


def test_a_log_likelihood_is_the_same_while_another_thread_fits(adaptation, adaptation_corpus):
    weights = adaptation.problem.mean + 0.5
    value, gradient = adaptation.log_likelihood(weights)
    alone = adaptation.problem.model(weights).local_probabilities(
        adaptation_corpus, adaptation_corpus.tags
    )
    each = alone[np.arange(len(adaptation_corpus)), adaptation_corpus.tags]
    assert value == pytest.approx(np.log(each).sum())
    with ThreadPoolExecutor(1) as pool:
        fits = pool.submit(lambda: [adaptation.at(s) for s in np.geomspace(0.01, 100, 40)])
        while not fits.done():
            again, slope = adaptation.log_likelihood(weights)
            assert again == value
            assert (slope == gradient).all()
        assert len(fits.result()) == 40


# --- sweeps -------------------------------------------------------------------------------

COLUMNS = (
    "cutoff sigma2 new_features free_weights log_likelihood train_error_rate dev_error_rate "
    "converged seconds"
).split()
CUTOFFS, GRID = (0, 2, None), [1.0, 0.01, 10.0]


def test_a_sweep_has_a_row_for_every_pair(background, adaptation_corpus, few_sentences):
    calls, texts = [], {"dev": few_sentences}
    note = lambda *each: calls.append(each)  # noqa: E731
    points = sweep(background, adaptation_corpus, texts, GRID, CUTOFFS, note)
    assert calls == [(n, 9) for n in range(1, 10)]
    assert list(points.columns) == COLUMNS
    assert str(points["cutoff"].dtype) == "Int64"
    cutoffs = points["cutoff"].astype(object).where(points["cutoff"].notna(), None)
    grid = [(cutoff, sigma2) for cutoff in CUTOFFS for sigma2 in sorted(GRID)]
    assert list(zip(cutoffs, points["sigma2"], strict=True)) == grid
    new = points["new_features"].tolist()[::3]
    assert new[0] > new[1] > new[2] == 0
    for _, rows in points.groupby("cutoff", dropna=False):
        assert rows["log_likelihood"].is_monotonic_increasing
        assert rows["train_error_rate"].is_monotonic_decreasing
    assert points["converged"].all()
    tuned = Adaptation(background, adaptation_corpus, None, texts).at(10.0)
    assert points["dev_error_rate"].iloc[-1] == tuned.wrong["dev"] / len(few_sentences)
    assert points["log_likelihood"].iloc[-1] == pytest.approx(tuned.fit.log_likelihood, rel=1e-3)


@pytest.mark.parametrize(("sigma2", "cutoff"), [(0.0, 0), (-1.0, 0), (1.0, -1), (1.0, 0.5)])
def test_a_bad_point_of_a_sweep_is_refused(background, adaptation_corpus, sigma2, cutoff):
    with pytest.raises(InputError, match="is allowed"):
        sweep(background, adaptation_corpus, {}, [sigma2], [cutoff])
