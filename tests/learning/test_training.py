"""Priors and solvers by name, as options of training and of adaptation."""

import numpy as np
import pytest
from test_exponential import best_by_scipy

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.adaptation.method import fold
from workbench.experiments.search import choose_alpha
from workbench.features.events import pack_events
from workbench.features.templates import find_templates
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import ExponentialPrior, check_strength
from workbench.learning.solvers import SOLVERS, find_solver
from workbench.learning.solvers.fit import NotConverged
from workbench.models.memm import MEMM
from workbench.models.table_problems import active_likelihood
from workbench.text.errors import InputError

TEMPLATES = ["currentword", "suffix1", "t-1"]
FAR = {
    "lbfgs": {"tolerance": 1e-12},
    "newton": {"tolerance": 1e-12},
    "iis": {"tolerance": 1e-12, "max_sweeps": 5000},
}


@pytest.fixture(scope="module")
def small(few_sentences):
    """A model of nine sentences by each solver."""
    return {
        solver: MEMM.fit(few_sentences, TEMPLATES, 0, 1.0, solver=solver, **FAR[solver])
        for solver in MEMM.solvers
    }


@pytest.mark.parametrize("solver", ["iis", "newton"])
def test_all_solvers_train_to_one_optimum(small, solver):
    assert small[solver].weights == pytest.approx(small["lbfgs"].weights, abs=1e-3)
    nats = small["lbfgs"].info["log_likelihood"]
    assert small[solver].info["log_likelihood"] == pytest.approx(nats, abs=1e-3)


def test_all_solvers_adapt_to_one_optimum(small, adaptation_corpus):
    text = adaptation_corpus.take(np.arange(8))
    models = {s: adapt(small["lbfgs"], text, 1.0, solver=s, **FAR[s]) for s in MEMM.solvers}
    for solver, model in models.items():
        assert model.weights == pytest.approx(models["lbfgs"].weights, abs=1e-3)
        assert model.features.names() == models["lbfgs"].features.names()
        assert model.info["solver"] == solver


def test_adaptation_is_solved_by_what_its_prior_allows(background, few_sentences):
    assert adapt(background, few_sentences, 1.0).info["solver"] == "newton"
    assert adapt(background, few_sentences, alpha=0.3).info["solver"] == "lbfgs"


@pytest.mark.parametrize("solver", MEMM.solvers)
def test_a_model_tells_its_solver_and_its_prior(small, solver):
    info = small[solver].info
    reported = {name: info[name] for name in ("prior", "sigma2", "solver", "converged")}
    assert reported == {"prior": "gaussian", "sigma2": 1.0, "solver": solver, "converged": True}
    assert "alpha" not in info


def test_goodmans_prior_trains_to_the_optimum_that_scipy_finds(few_sentences):
    model = MEMM.fit(few_sentences, TEMPLATES, 0, alpha=0.3, tolerance=1e-12)
    events = pack_events(few_sentences, find_templates(TEMPLATES))
    likelihood, _ = active_likelihood(LogLikelihood, events, model.features)
    weights = model.weights[model.features.exists]
    penalty, _ = ExponentialPrior(np.zeros(len(weights)), 0.3).penalty(weights)
    best = best_by_scipy(likelihood, np.zeros(len(weights)), 0.3, two_sided=False)
    assert model.info["log_likelihood"] - penalty == pytest.approx(best, abs=1e-4)
    assert weights.min() == 0
    assert {name: model.info[name] for name in ("prior", "alpha")} == {
        "prior": "exponential", "alpha": 0.3,
    }  # fmt: skip
    assert "sigma2" not in model.info


def test_an_exponential_prior_adapts(background, adaptation_corpus):
    adapted = adapt(background, adaptation_corpus, alpha=0.5)
    problem = Adaptation(background, adaptation_corpus)
    assert np.array_equal(adapted.weights, problem.learn(alpha=0.5).weights)
    assert (adapted.info["prior"], adapted.info["alpha"]) == ("exponential", 0.5)


def test_cross_validation_of_alpha_adds_the_errors_of_the_folds(background, adaptation_corpus):
    best, tried = choose_alpha(background, adaptation_corpus)
    wrong = 0
    for rest, held in fold(adaptation_corpus):
        model = adapt(background, rest, alpha=best, tolerance=1e-6)
        wrong += int((model.tag(held) != held.tags).sum())
    # The search ends short of the optimum: a word or two in 180 may fall otherwise.
    assert tried[best] == pytest.approx(wrong, abs=2)


def test_an_unknown_solver_is_refused_with_the_known_ones(few_sentences):
    with pytest.raises(InputError, match="solver 'sgd': known are lbfgs, newton, iis"):
        MEMM.fit(few_sentences, solver="sgd")


def test_iis_refuses_an_exponential_prior(few_sentences, background):
    with pytest.raises(InputError, match="iis takes a gaussian prior; exponential is allowed"):
        MEMM.fit(few_sentences, alpha=0.3, solver="iis")
    with pytest.raises(InputError, match="iis takes a gaussian prior"):
        adapt(background, few_sentences, alpha=0.3, solver="iis")
    assert find_solver("iis", "gaussian") is SOLVERS["iis"]


def test_an_unfinished_fit_is_told(few_sentences):
    with pytest.warns(NotConverged):
        model = MEMM.fit(few_sentences, TEMPLATES, 0, solver="iis", max_sweeps=2)
    assert not model.info["converged"]


@pytest.mark.parametrize("strength", [{"sigma2": 0}, {"alpha": -1}, {"sigma2": 5, "alpha": "x"}])
def test_a_bad_strength_is_refused(few_sentences, strength):
    with pytest.raises(InputError, match="a finite number greater than 0 is allowed"):
        check_strength(**strength)
