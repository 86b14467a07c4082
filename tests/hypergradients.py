"""Derivatives by hyper-parameters beside differences of two fits each."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest


def check_hypergradient(problem: Any, dev: Any, refit: Callable, names: Iterable[str]) -> None:
    """Assert that ``problem.hypergradient`` of dev's log-likelihood is how refits move it.

    ``refit`` takes hyper-parameters by name and returns an exact fit.
    """
    # The cost's rounding leaves a fit's weights known to 1e-6 or so, which a step must outweigh.
    values, h = dict(problem.start), 0.05
    fit = refit(**values)
    weights = problem.domain_weights(fit)
    decided = problem.model(fit, **values).tag(dev)
    log_likelihood, places = problem.problem.likelihood_after(dev, decided)
    slope = np.zeros(len(weights))
    slope[places] = log_likelihood(weights[places])[1]
    found = problem.hypergradient(fit, slope, values)
    assert list(found) == list(problem.start)

    def measure(name, change):
        moved = refit(**values | {name: values[name] * change})
        return log_likelihood(problem.domain_weights(moved)[places])[0]

    for name in (name for name in names if name in values):
        expected = (measure(name, np.exp(h)) - measure(name, np.exp(-h))) / (2 * h)
        assert found[name] == pytest.approx(expected, rel=0.01, abs=1e-5), name
