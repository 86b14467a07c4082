"""The influence of single sentences of candidate sets, against refits without them."""

import candidate_oracle as oracle
import numpy as np
import pytest
from scipy.stats import spearmanr

from workbench.candidates.model import CandidateModel
from workbench.learning.prior import GaussianPrior
from workbench.text.errors import InputError

TRUE = np.array([1.0, -1.0, 0.5, 0.0, 2.0, -0.5])


@pytest.fixture
def problem(rng, tmp_path):
    """A background of six features adapted to 40 sentences that have two more."""
    background = oracle.draw_sentences(rng, 60, weights=TRUE)
    domain = oracle.draw_sentences(rng, 40, 8, weights=np.append(TRUE[::-1], [1.5, -1.0]))
    sets = [oracle.read_sentences(tmp_path / f"{i}.svm", each, f"text {i}")
            for i, each in enumerate((background, domain))]  # fmt: skip
    return CandidateModel.fit(sets[0], sigma2=1.0).adaptation_problem(sets[1])


def optimum(problem, sigma2, start=None):
    prior = GaussianPrior(problem.mean, sigma2)
    return problem.maximise(prior, start, "newton", tolerance=1e-10).weights


def test_the_slopes_of_sentences_make_the_gradient_and_are_their_own(problem, rng):
    weights, direction = rng.normal(size=(2, problem.n_active))
    slopes = problem.slopes.at(weights)(direction)
    assert slopes.sum() == pytest.approx(problem.log_likelihood(weights)[1] @ direction)
    for z in range(40):
        alone = problem.without(set(range(40)) - {z}).log_likelihood
        assert slopes[z] == pytest.approx(alone(weights)[1] @ direction, abs=1e-9)
        parts = problem.slopes.at(weights).parts(direction, z)
        gradient = alone(weights)[1] * direction
        assert parts.values == pytest.approx(gradient[parts.predicates], abs=1e-9)
        assert parts.values.sum() == pytest.approx(slopes[z])


@pytest.mark.parametrize("sigma2", [0.1, 1.0])
def test_the_influence_is_that_of_true_leave_one_out_fits(problem, sigma2):
    weights = optimum(problem, sigma2)
    direction = problem.direction([("7", 2.0), ("2", -1.0), ("none", 1.0)])
    estimates = problem.influence(weights, sigma2).on(direction)
    refits = [optimum(problem.without([z]), sigma2, weights) for z in range(40)]
    true = np.array([direction @ (refit - weights) for refit in refits])
    assert spearmanr(estimates, true).statistic >= 0.98
    large = np.abs(true) > 0.1 * np.abs(true).max()
    assert estimates[large] / true[large] == pytest.approx(1, abs=0.35)


def test_a_sentence_s_own_curvature_is_exact_where_nothing_is_shared(tmp_path):
    """A sentence with features of its own: the others' curvature is the prior's alone."""
    sets = oracle.read_sentences(
        tmp_path / "a.svm", [[(1.0, {1: 1.0, 2: 2.0}), (0.0, {2: -1.0}), (0.0, {})],
                             [(0.0, {3: 1.0}), (1.0, {4: 3.0})]],
    )  # fmt: skip
    problem, sigma2 = CandidateModel.fit(sets, sigma2=1.0).adaptation_problem(sets), 2.0
    weights, direction = optimum(problem, sigma2), np.array([1.0, -0.5, 2.0, 0.3])
    found = problem.influence(weights, sigma2).on(direction)
    for z in range(2):
        alone = problem.without({1 - z}).log_likelihood
        assert found[z] == pytest.approx(-sigma2 * direction @ alone(weights)[1], rel=0.05)


def test_sentences_that_are_left_out_have_no_influence_and_stay_out(problem):
    fewer = problem.without([3]).without([5])
    effects = fewer.influence(optimum(fewer, 1.0), 1.0).on(np.ones(fewer.n_active))
    assert np.flatnonzero(np.isnan(effects)).tolist() == [3, 5]
    assert fewer.corpus.n_sentences == 38
    higher = fewer.raise_cutoff(8)
    assert (higher.problem.dropped, higher.problem.n_active) == ({3, 5}, higher.kept.sum())
    for sentences, fault in (([40], "sentence 40"), (range(40), "no sentence would be left")):
        with pytest.raises(InputError, match=fault):
            problem.without(sentences)
