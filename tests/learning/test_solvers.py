"""The ascent: to the optimum, step by step, and honest about where it stopped."""

import warnings

import numpy as np
import oracles
import pytest

from workbench.features.events import pack_events
from workbench.features.firing import firing_matrix
from workbench.features.selection import select_features
from workbench.features.templates import find_templates
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import NotConverged, maximise
from workbench.learning.solvers.lbfgs import quasi_newton_direction

FAR = 1e-13  # as far as doubles allow


def make(corpus, templates, cutoff=0):
    """Return the fast log-likelihood and the plain one, weights in the same order."""
    templates = find_templates(templates)
    events = pack_events(corpus, templates)
    features = select_features(events, cutoff)
    firing = firing_matrix(events, features.values, features.n_predicates)
    pairs = oracles.feature_pairs(features)
    plain = oracles.PlainProblem(oracles.count_events(corpus, templates), pairs)
    return LogLikelihood(events, firing, features.exists), plain


@pytest.fixture(scope="module")
def problem(few_sentences):
    return make(few_sentences, "ca04", 2)


@pytest.fixture(scope="module")
def few_features(few_sentences):
    return make(few_sentences, ["suffix1", "t-1", "nextword"], 2)


@pytest.fixture(params=["zero mean", "background mean"])
def prior(request, problem, rng):
    size = 0.0 if request.param == "zero mean" else 1.0
    return GaussianPrior(size * rng.normal(size=len(problem[0].observed)), 2.0)


def test_the_optimum_is_that_of_scipy_from_every_start_every_time_and_uphill(problem, prior, rng):
    fast, plain = problem
    fit = maximise(fast, prior, tolerance=FAR)
    best = oracles.fit_scipy(plain, prior.mean, prior.sigma2)
    # Scipy stops within 1e-10 nats; with curvature 1/sigma2 = 0.5 that is 2e-5 in a weight.
    assert fit.weights == pytest.approx(best, abs=2e-5)
    fit = maximise(problem[0], prior, tolerance=FAR)
    gradient = problem[0](fit.weights)[1] - prior.penalty(fit.weights)[1]
    assert np.abs(gradient).max() < 1e-5  # counts; the largest is over 10
    cold = maximise(problem[0], prior, tolerance=FAR)
    start = 3 * rng.normal(size=len(prior.mean))
    elsewhere = maximise(problem[0], prior, start, tolerance=FAR)
    assert elsewhere.weights == pytest.approx(cold.weights, abs=2e-5)  # as with scipy
    first = maximise(problem[0], prior).steps[0]
    assert first.log_likelihood == problem[0](prior.mean)[0]
    assert first.penalty == 0
    start = rng.normal(size=len(prior.mean))
    kept = start.copy()
    maximise(problem[0], prior, start)
    assert np.array_equal(start, kept)
    weights = [maximise(problem[0], prior).weights for _ in range(2)]
    assert np.array_equal(*weights)
    objectives = [step.objective for step in maximise(problem[0], prior, tolerance=FAR).steps]
    assert objectives == sorted(objectives)
    best = maximise(problem[0], prior, tolerance=FAR)
    again = maximise(problem[0], prior, best.weights, tolerance=FAR)
    assert again.weights == pytest.approx(best.weights, abs=1e-6)


@pytest.mark.parametrize("sigma2", [1e-4, 0.01, 1.0, 100.0])
def test_the_objective_is_no_lower_than_that_of_scipy(problem, sigma2):
    fast, plain = problem
    prior = GaussianPrior(np.zeros(len(fast.observed)), sigma2)
    best = oracles.fit_scipy(plain, prior.mean, sigma2)
    reached = maximise(fast, prior, tolerance=FAR).objective
    assert reached >= plain.objective(best, prior.mean, sigma2) - 1e-8  # nats, of about 100


def test_a_variance_for_each_weight_is_obeyed(problem, rng):
    fast, plain = problem
    sigma2 = np.exp(rng.normal(size=len(fast.observed)))
    prior = GaussianPrior(rng.normal(size=len(sigma2)), sigma2)
    best = oracles.fit_scipy(plain, prior.mean, sigma2)
    assert maximise(fast, prior, tolerance=FAR).weights == pytest.approx(best, abs=1e-4)


@pytest.mark.parametrize("size", [0.0, 1.0], ids=["zero mean", "background mean"])
def test_iis_and_lbfgs_reach_one_optimum(few_features, rng, size):
    fast, plain = few_features
    prior = GaussianPrior(size * rng.normal(size=len(fast.observed)), 1.0)
    scaled = oracles.fit_iis(plain, prior.mean, prior.sigma2, sweeps=300)
    # Three active features a context: each sweep leaves a fixed share of the way.
    assert maximise(fast, prior, tolerance=FAR).weights == pytest.approx(scaled, abs=1e-5)


def test_each_sweep_of_iis_raises_the_objective(few_features):
    fast, plain = few_features
    mean = np.zeros(len(fast.observed))
    reached = [plain.objective(oracles.fit_iis(plain, mean, 1.0, n), mean, 1.0) for n in range(6)]
    assert reached == sorted(reached)


def test_steps_are_told_numbered_and_of_the_weights_that_they_lead_to(problem, prior):
    seen = []
    fit = maximise(problem[0], prior, on_step=seen.append)
    assert seen == fit.steps
    assert [step.iteration for step in seen] == list(range(len(seen)))
    seconds = [step.seconds for step in seen]
    assert seconds == sorted(seconds)
    assert seen[0].gradient_norm == pytest.approx(np.linalg.norm(problem[0](prior.mean)[1]))
    assert fit.log_likelihood == problem[0](fit.weights)[0]


def test_an_exception_of_on_step_ends_the_fit(problem, prior):
    seen = []

    def stop_at_the_third(step):
        seen.append(step)
        if len(seen) == 3:
            raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        maximise(problem[0], prior, on_step=stop_at_the_third)
    assert len(seen) == 3


@pytest.mark.parametrize("max_steps", [0, 1, 5])
def test_a_fit_cut_short_warns_and_took_the_steps_it_was_allowed(problem, prior, max_steps):
    with pytest.warns(NotConverged, match=f"after {max_steps} steps"):
        fit = maximise(problem[0], prior, tolerance=FAR, max_steps=max_steps)
    assert not fit.converged
    assert fit.steps[-1].iteration == max_steps
    assert maximise(problem[0], prior).converged


@pytest.mark.parametrize("tolerance", [1e-3, 1e-4, 1e-6])
def test_a_converged_fit_is_as_near_the_optimum_as_its_tolerance(problem, prior, tolerance):
    fit = maximise(problem[0], prior, tolerance=tolerance)
    best = maximise(problem[0], prior, tolerance=FAR).objective
    # What ten steps gained bounds what is left only roughly: ten times that is granted.
    assert best - fit.objective <= 10 * tolerance * abs(best)


@pytest.mark.parametrize("size", [0.0, 1.0, 1000.0])
@pytest.mark.parametrize("sigma2", [1e-290, 1e-12, 1e6, 1e300])
def test_extreme_variances_leave_the_weights_finite(few_sentences, rng, sigma2, size):
    fast, _ = make(few_sentences, "ca04")
    prior = GaussianPrior(np.zeros(len(fast.observed)), sigma2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConverged)  # a flat ridge may take more steps
        fit = maximise(fast, prior, size * rng.normal(size=len(prior.mean)))
    assert np.isfinite(fit.weights).all()


class Cliff:
    """A log-likelihood that is no number anywhere but at the start."""

    observed = np.ones(3)

    def __call__(self, weights):
        return (np.nan if weights.any() else -10.0), np.ones(3)

    def curvature(self, weights):
        return np.ones(3)


def test_a_value_that_is_not_a_number_is_never_accepted():
    fit = maximise(Cliff(), GaussianPrior(np.zeros(3), 1.0))
    assert not fit.weights.any()


def test_no_weights_at_all_are_at_their_optimum(few_sentences):
    fast, _ = make(few_sentences, "ca04", 1000)
    fit = maximise(fast, GaussianPrior(np.zeros(0), 1.0))
    assert fit.converged
    assert len(fit.steps) == 1


def test_a_direction_obeys_the_newest_pair_and_is_that_of_newton_with_all(rng):
    gradient, scale = rng.normal(size=(2, 5))
    assert np.array_equal(quasi_newton_direction(gradient, [], scale), gradient * scale)
    moves = rng.normal(size=(4, 6))
    pairs = [(move, move * np.arange(1.0, 7)) for move in moves]
    found = quasi_newton_direction(pairs[-1][1], pairs, rng.random(6) + 0.1)
    assert found == pytest.approx(moves[-1])  # the secant condition
    hessian, gradient = np.diag([1.0, 10.0, 100.0]), np.array([3.0, -2.0, 1.0])
    pairs = list(zip(np.eye(3), hessian, strict=True))
    found = quasi_newton_direction(gradient, pairs, np.ones(3))
    assert found == pytest.approx(np.linalg.solve(hessian, gradient))
