"""Newton's equations, solved by products alone, against a solver that has the matrix."""

import numpy as np
import pytest
from test_solvers import make

from workbench.learning.solvers import conjugate_gradients
from workbench.learning.solvers.conjugate_gradients import solve_truncated


@pytest.fixture(scope="module")
def problem(few_sentences):
    return make(few_sentences, ["suffix1", "t-1", "nextword"], 2)


@pytest.fixture
def equations(problem, rng):
    """A Hessian, the same as a matrix, and a right side."""
    fast, plain = problem
    weights, slope = rng.normal(size=(2, len(fast.observed)))
    return fast.expand(weights)[2], plain.hessian(weights), slope


@pytest.mark.parametrize("precision", [0.3, 40.0, "one a weight"])
def test_to_the_end_it_is_the_solution(equations, rng, precision, monkeypatch):
    monkeypatch.setattr(conjugate_gradients, "_PAYS", 1e-12)
    hessian, matrix, slope = equations
    if precision == "one a weight":
        precision = rng.uniform(0.1, 10, len(slope))
    step, gain, *_ = solve_truncated(hessian, precision, slope)
    best = np.linalg.solve(matrix + precision * np.eye(len(slope)), -slope)
    assert step == pytest.approx(best, abs=1e-5)
    assert gain == pytest.approx(-0.5 * slope @ best)


def test_a_solution_cut_short_tells_its_gain_and_makes_the_products_asked_for(equations):
    hessian, matrix, slope = equations
    step, gain, n_products, _ = solve_truncated(hessian, 0.3, slope)
    bent = matrix + 0.3 * np.eye(len(slope))
    assert gain == pytest.approx(-(slope @ step + 0.5 * step @ bent @ step))
    assert gain > 0.8 * 0.5 * slope @ np.linalg.solve(bent, slope)
    assert n_products < len(slope)
    hessian, _, slope = equations
    few = solve_truncated(hessian, 0.3, slope).n_products
    assert solve_truncated(hessian, 0.3, slope, at_least=few + 5).n_products >= few + 5
    found = solve_truncated(hessian, 0.3, slope)
    sooner = solve_truncated(hessian, 0.3, slope, enough=100 * found.gain)
    assert sooner.n_products < found.n_products
    hessian, matrix, slope = equations
    best = 0.5 * slope @ np.linalg.solve(matrix + 0.3 * np.eye(len(slope)), slope)
    for at_least in (2, 5, 10):
        found = solve_truncated(hessian, 0.3, slope, at_least=at_least)
        assert 1 < found.left / (best - found.gain) < 100
    hessian, _, slope = equations
    step, *others = solve_truncated(hessian, 0.3, np.zeros(len(slope)))
    assert (step.any(), *others) == (False, 0, 0, 0)
