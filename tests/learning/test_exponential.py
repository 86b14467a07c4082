"""The exponential prior: Goodman's for training, on two sides for adaptation."""

import numpy as np
import oracles
import pytest
from scipy.optimize import minimize

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods.map import ALPHA
from workbench.adaptation.methods.target import ExponentialTarget
from workbench.features.events import pack_events
from workbench.features.selection import select_features
from workbench.features.templates import find_templates
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import ExponentialPrior, check_positive
from workbench.learning.solvers.fit import maximise
from workbench.models.table_problems import active_likelihood
from workbench.text.errors import InputError

ALPHAS = [0.05, 0.5, 2.0]


@pytest.fixture(scope="module")
def likelihood(few_sentences):
    events = pack_events(few_sentences, find_templates(["currentword", "suffix1", "t-1"]))
    return active_likelihood(LogLikelihood, events, select_features(events, 0)).log_likelihood


@pytest.fixture(scope="module")
def sources(background_corpus, adaptation_corpus):
    options = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}
    return Sources(Split(background_corpus, adaptation_corpus, adaptation_corpus, options))


def best_by_scipy(likelihood, mean, alpha, two_sided):
    """The objective's maximum with distances up and down as bounded variables of their own."""
    n = len(mean)

    def cost(parts):
        value, slope = likelihood(mean + parts[:n] - parts[n:])
        return alpha * parts.sum() - value, alpha - np.concatenate([slope, -slope])

    bounds = [(0, None)] * n + [(0, None if two_sided else 0)] * n
    options = {"maxiter": 5000, "maxfun": 9000, "ftol": 1e-15, "gtol": 1e-9}
    found = minimize(
        cost, np.zeros(2 * n), jac=True, bounds=bounds, method="L-BFGS-B", options=options
    )
    return -found.fun


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("size", [0.0, 1.0])
def test_the_optimum_is_that_of_scipy(likelihood, rng, alpha, two_sided, size):
    mean = size * rng.normal(size=len(likelihood.observed))
    fit = maximise(likelihood, ExponentialPrior(mean, alpha, two_sided), tolerance=1e-12)
    assert fit.objective == pytest.approx(
        best_by_scipy(likelihood, mean, alpha, two_sided), abs=1e-4
    )


def test_goodmans_weights_are_never_negative(likelihood):
    fit = maximise(likelihood, ExponentialPrior(np.zeros(len(likelihood.observed)), 0.3))
    assert fit.weights.min() == 0
    assert fit.weights.max() > 0


def test_the_larger_alpha_the_more_weights_stay_and_all_in_the_end(likelihood, rng):
    mean = rng.normal(size=len(likelihood.observed))
    fit = maximise(likelihood, ExponentialPrior(mean, 1e6, True))
    assert np.array_equal(fit.weights, mean)
    zeros = np.zeros(len(likelihood.observed))
    away = [
        np.count_nonzero(maximise(likelihood, ExponentialPrior(zeros, alpha, True)).weights)
        for alpha in ALPHAS
    ]
    assert away == sorted(away, reverse=True)


@pytest.mark.parametrize("two_sided", [False, True])
def test_goodmans_discount_is_alpha_where_a_weight_is_away(likelihood, two_sided):
    """Goodman (2004): expected = observed - alpha, bounded absolute discounting."""
    prior = ExponentialPrior(np.zeros(len(likelihood.observed)), 0.3, two_sided)
    fit = maximise(likelihood, prior, tolerance=1e-13)
    discount = likelihood(fit.weights)[1]  # observed less expected
    assert discount[fit.weights > 0] == pytest.approx(0.3, abs=1e-3)
    assert discount.max() < 0.3 + 1e-3


def test_the_penalty_is_a_sum_of_distances_with_its_gradient(rng):
    prior = ExponentialPrior(np.array([1.0, 2.0, 3.0]), 0.5)
    cost, slope = prior.penalty(np.array([2.0, 2.0, 6.0]))
    assert cost == 2.0
    assert slope.tolist() == [0.5, 0.0, 0.5]
    prior, weights = ExponentialPrior(np.zeros(4), 0.7, True), rng.normal(size=4)
    slopes = oracles.central_differences(lambda w: prior.penalty(w)[0], weights)
    assert prior.penalty(weights)[1] == pytest.approx(slopes, rel=1e-6)


@pytest.mark.parametrize("alpha", [0, -1, np.nan, np.inf, "much", None])
def test_a_bad_alpha_is_refused(alpha):
    with pytest.raises(InputError, match="alpha"):
        check_positive(alpha, "alpha")


def test_adaptation_leaves_most_weights_and_moves_the_others_up_or_down(sources):
    model = Adaptation(sources.background, sources.adaptation).learn(alpha=0.5)
    background, n = sources.background, len(sources.background.weights)
    still = model.weights[:n] == background.weights
    assert still[background.features.exists].mean() > 0.5
    assert 0 < model.info["moved"] < len(model.features) / 2
    model = Adaptation(sources.background, sources.adaptation).learn(alpha=0.1)
    moves = model.weights[: len(sources.background.weights)] - sources.background.weights
    assert moves.min() < 0 < moves.max()


def test_training_has_weights_of_one_sign(sources):
    assert ExponentialTarget(sources).learn(alpha=0.3).weights.min() == 0


def test_a_path_of_rates_ends_at_the_optima(sources):
    problem = Adaptation(sources.background, sources.adaptation)
    for alpha in ALPHA.values:
        problem.learn(alpha=alpha)
        best = problem.fit({"alpha": alpha}, tolerance=1e-7, max_steps=2000).objective
        assert problem.at({"alpha": alpha}).fit.objective == pytest.approx(best, rel=1e-3)
