"""Newton's method: the optimum of L-BFGS and of scipy, reported step by step."""

import warnings

import numpy as np
import oracles
import pytest
from test_solvers import make

from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers import newton
from workbench.learning.solvers.conjugate_gradients import solve_truncated
from workbench.learning.solvers.fit import NotConverged, maximise
from workbench.learning.solvers.newton import maximise_by_newton as solve


@pytest.fixture(scope="module")
def problem(few_sentences):
    return make(few_sentences, "ca04", 2)


def prior_of(problem, sigma2, mean=0.0):
    return GaussianPrior(np.full(len(problem[0].observed), mean), sigma2)


@pytest.mark.parametrize("mean", [0.0, 0.5])
@pytest.mark.parametrize("sigma2", [1e-3, 0.1, 2.0, 100.0])
def test_the_optimum_is_that_of_scipy(problem, sigma2, mean):
    fast, plain = problem
    fit = solve(fast, prior_of(problem, sigma2, mean), tolerance=1e-13)
    best = oracles.fit_scipy(plain, np.full(len(fit.weights), mean), sigma2)
    reached = plain.objective(best, mean, sigma2)
    assert fit.objective == pytest.approx(reached, rel=1e-9)
    assert fit.converged


def test_variances_may_differ_from_weight_to_weight(problem, rng):
    fast, _ = problem
    prior = GaussianPrior(np.zeros(len(fast.observed)), rng.uniform(0.1, 10, len(fast.observed)))
    climbed = maximise(fast, prior, tolerance=1e-13)
    assert solve(fast, prior, tolerance=1e-12).weights == pytest.approx(climbed.weights, abs=1e-3)


def test_any_start_ends_within_the_tolerance_and_a_near_one_in_few_steps(problem, rng):
    prior = prior_of(problem, 2.0)
    fit = solve(problem[0], prior, 30 * rng.normal(size=len(prior.mean)), tolerance=1e-10)
    assert fit.objective == pytest.approx(solve(problem[0], prior, tolerance=1e-10).objective)
    best = maximise(problem[0], prior_of(problem, 2.0), tolerance=1e-13).objective
    for tolerance in (1e-2, 1e-4, 1e-6):
        fit = solve(problem[0], prior_of(problem, 2.0), tolerance=tolerance)
        assert best - fit.objective <= tolerance * abs(best)
    near = solve(problem[0], prior_of(problem, 2.0), tolerance=1e-10).weights
    again = solve(problem[0], prior_of(problem, 2.1), near, tolerance=1e-6)
    assert len(again.steps) <= 4
    best = solve(problem[0], prior, tolerance=1e-13)
    again = solve(problem[0], prior, best.weights)
    assert again.objective == pytest.approx(best.objective, rel=1e-12)
    assert len(again.steps) <= 2


@pytest.mark.parametrize("trusted", [0.05, np.inf])
def test_by_many_strides_or_by_none_it_ends_alike(problem, trusted, monkeypatch):
    monkeypatch.setattr(newton, "_TRUSTED_GAIN", trusted)
    fit = solve(problem[0], prior_of(problem, 2.0), tolerance=1e-12)
    best = maximise(problem[0], prior_of(problem, 2.0), tolerance=1e-13)
    assert fit.objective == pytest.approx(best.objective, rel=1e-10)


def test_a_step_makes_most_of_the_products_of_the_last(problem, monkeypatch):
    asked, made = [], []

    def watch(hessian, precision, slope, at_least, enough, on_product):
        asked.append(at_least)
        solved = solve_truncated(hessian, precision, slope, at_least, enough, on_product)
        made.append(solved.n_products)
        return solved

    monkeypatch.setattr(newton, "solve_truncated", watch)
    solve(problem[0], prior_of(problem, 20.0), tolerance=1e-9)
    assert asked == [0, *(0.8 * n for n in made[:-1])]


def test_steps_are_told_in_order_and_never_descend(problem):
    reported = []
    fit = solve(problem[0], prior_of(problem, 2.0), on_step=reported.append)
    assert list(dict.fromkeys(reported)) == fit.steps
    reported = fit.steps
    assert [step.iteration for step in reported] == list(range(len(reported)))
    objectives = [step.objective for step in reported]
    assert objectives == sorted(objectives)
    seconds = [step.seconds for step in reported]
    assert seconds == sorted(seconds)


def test_a_fit_ends_by_an_exception_says_when_steps_ran_out_and_does_nothing_for_no_feature(
    problem, few_sentences
):
    def leave(step):
        if step.iteration == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(problem[0], prior_of(problem, 2.0), on_step=leave)
    with pytest.warns(NotConverged, match="not converged after 2 steps"):
        fit = solve(problem[0], prior_of(problem, 2.0), tolerance=1e-12, max_steps=2)
    assert not fit.converged
    fast, _ = make(few_sentences, "ca04", 10_000)
    fit = solve(fast, GaussianPrior(np.zeros(0), 1.0))
    assert fit.converged


def test_a_long_step_is_told_again_and_can_be_ended_in_its_midst(problem, monkeypatch):
    monkeypatch.setattr(newton, "_CALL_EVERY", 0)
    reported = []

    def leave(step):
        reported.append(step)
        if len(reported) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(problem[0], prior_of(problem, 2.0), on_step=leave)
    assert len(set(reported)) < 4


@pytest.mark.parametrize("sigma2", [1e-300, 1e6])
def test_extreme_variances_end_well(problem, sigma2):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = solve(problem[0], prior_of(problem, sigma2))
    assert np.isfinite(fit.weights).all()
    assert fit.converged
