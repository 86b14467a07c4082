"""Sums of log-likelihoods of linear functions of other parameters."""

import numpy as np
import oracles
import pytest
from scipy import sparse

from workbench.features.events import pack_events
from workbench.features.selection import select_features
from workbench.features.templates import find_templates
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise
from workbench.models.table_problems import active_likelihood


@pytest.fixture(scope="module")
def likelihood(few_sentences):
    events = pack_events(few_sentences, find_templates("ca04"))
    return active_likelihood(LogLikelihood, events, select_features(events, 0)).log_likelihood


@pytest.fixture
def combined(likelihood, rng):
    """Two parts: some weights chosen; some with a fixed offset and two wide columns beside."""
    n = len(likelihood.observed)
    chosen = selection(np.flatnonzero(rng.random(n) < 0.5), n)
    wide = sparse.csr_matrix(rng.normal(size=(n, 2)))
    nothing = sparse.csr_matrix((n, 2))
    return Combined([
        Part(likelihood, sparse.hstack([chosen, nothing], "csr"), factor=2.5),
        Part(likelihood, sparse.hstack([chosen, wide], "csr"), rng.normal(size=n)),
    ])  # fmt: skip


@pytest.fixture
def parameters(combined, rng):
    return rng.normal(size=len(combined.observed))


def test_gradient_and_curvature_match_central_differences(combined, parameters):
    slopes = oracles.central_differences(lambda x: combined(x)[0], parameters)
    assert combined(parameters)[1] == pytest.approx(slopes, rel=1e-5, abs=1e-4)
    curvature, step = combined.curvature(parameters), 1e-5
    for i in (0, 1, len(parameters) - 2, len(parameters) - 1):
        away = np.zeros_like(parameters)
        away[i] = step
        slope = combined(parameters - away)[1] - combined(parameters + away)[1]
        # The wide columns' curvature is itself a difference, one-sided.
        assert curvature[i] == pytest.approx(slope[i] / (2 * step), rel=1e-2, abs=1e-4)


def test_a_factor_is_events_seen_so_often_and_one_whole_part_the_log_likelihood(likelihood, rng):
    n = len(likelihood.observed)
    same, weights = selection(np.arange(n), n), rng.normal(size=n)
    once, thrice = (
        Combined([Part(likelihood, same)] * 3),
        Combined([Part(likelihood, same, 0.0, 3)]),
    )
    assert once(weights)[0] == pytest.approx(thrice(weights)[0], rel=1e-12)
    assert once.observed == pytest.approx(thrice.observed)
    prior, whole = GaussianPrior(np.zeros(n), 1.0), selection(np.arange(n), n)
    plain = maximise(likelihood, prior, tolerance=1e-13)
    combined = maximise(Combined([Part(likelihood, whole)]), prior, tolerance=1e-13)
    assert combined.weights == pytest.approx(plain.weights, abs=1e-5)


def test_a_selection_puts_the_chosen_in_their_places():
    assert (selection(np.array([0, 2]), 3) @ np.array([5.0, 7.0])).tolist() == [5.0, 0.0, 7.0]
