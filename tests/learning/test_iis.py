"""Improved iterative scaling: CA04, eq. 2 and 4, beside L-BFGS."""

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
from workbench.learning.solvers.iis import scale_iteratively

FAR = 1e-12


@pytest.fixture(scope="module")
def problem(few_sentences):
    """Events, the rows' predicates and the features that exist."""
    events = pack_events(few_sentences, find_templates(["currentword", "suffix1", "t-1"]))
    features = select_features(events, 0)
    return events, firing_matrix(events, features.values, features.n_predicates), features.exists


@pytest.fixture(params=[0.0, 1.0], ids=["zero mean", "background mean"])
def prior(request, problem, rng):
    return GaussianPrior(request.param * rng.normal(size=int(problem[2].sum())), 1.0)


@pytest.fixture
def scaled(problem, prior):
    return scale_iteratively(*problem, prior, tolerance=FAR, max_sweeps=5000)


def test_iis_reaches_the_optimum_of_lbfgs_uphill_in_many_more_steps(problem, prior, scaled):
    climbed = maximise(LogLikelihood(*problem), prior, tolerance=FAR)
    assert scaled.converged
    assert scaled.objective == pytest.approx(climbed.objective, abs=1e-6)
    assert scaled.weights == pytest.approx(climbed.weights, abs=1e-3)
    best = climbed.objective

    def steps_to(fit, gap):
        return next(s.iteration for s in fit.steps if s.objective >= best - gap)

    assert steps_to(scaled, 1e-3) > 3 * steps_to(climbed, 1e-3)
    objectives = [step.objective for step in scaled.steps]
    assert np.diff(objectives).min() > -1e-9
    assert scaled.steps[-1].gradient_norm < 1e-3
    fit = scale_iteratively(*problem, prior, scaled.weights)
    assert len(fit.steps) == 2


@pytest.mark.parametrize("sweeps", [1, 3, 10])
def test_sweeps_are_those_of_the_oracle(problem, prior, few_sentences, sweeps):
    templates = find_templates(["currentword", "suffix1", "t-1"])
    counted = oracles.count_events(few_sentences, templates)
    features = select_features(pack_events(few_sentences, templates), 0)
    plain = oracles.PlainProblem(counted, oracles.feature_pairs(features))
    expected = oracles.fit_iis(plain, prior.mean, prior.sigma2, sweeps)
    with pytest.warns(NotConverged):
        fit = scale_iteratively(*problem, prior, tolerance=0, max_sweeps=sweeps)
    assert fit.weights == pytest.approx(expected, abs=1e-8)


def test_sweeps_are_told_and_numbered(problem, prior):
    reported = []
    with pytest.warns(NotConverged):
        fit = scale_iteratively(*problem, prior, max_sweeps=2, on_step=reported.append)
    assert reported == fit.steps
    assert [step.iteration for step in reported] == [0, 1, 2]
