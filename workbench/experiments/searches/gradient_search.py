"""Choose many hyper-parameters at once, by the gradient of the log-likelihood of development data.

A search on errors, as in ``hyperparameters``, can afford few: errors are a step function, so it
must try value after value. The log-likelihood of held-out text is smooth. Its gradient by the
logarithms of all hyper-parameters costs about as much as a fit, however many they are.

Source
------
Foo, Do & Ng (2007), *Efficient multiple hyperparameter learning for log-linear models*. Our own:
where a MEMM reads the tags before a word, these are the ones that the model itself decides on, as
when it tags.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from workbench.text.corpus import Corpus

_SPREAD = 1.3  # standard deviation of the prior of each logarithm around its start
_FARTHEST = 5.0  # from the start: a logarithm
_STEPS, _MOST_TRIES = 40, 60
_ENOUGH = 1e-8  # share of the cost that a step must gain for the search to go on
_SCALE = 100.0  # the cost is a hundred times nats a word, as L-BFGS-B's first step needs it


class Found(NamedTuple):
    """The best point of a search."""

    cost: float  # nats a word of the development data, with the penalty
    values: dict[str, float]
    n_wrong: int  # errors on the development data
    fit: Any
    n_tried: int = 0  # points


def search_by_gradient(
    problem: Any, dev: Corpus, given: Mapping[str, float] | None = None,
    on_try: Callable[[dict], object] | None = None,
) -> Found:  # fmt: skip
    """Return the hyper-parameters with the least cost.

    The cost, which L-BFGS-B lowers, is minus the log-likelihood of ``dev``, and a penalty for
    logarithms of hyper-parameters that are far from where the search begins (a normal prior).

    Parameters
    ----------
    problem : Hierarchy
        Or whatever has its ``start``, ``refit``, ``model``, ``domain_weights`` and
        ``hypergradient``.
    given : dict of str to float, optional
        Hyper-parameters that are not searched, by name; "sigma2_g" gives all "sigma2_g.word" and
        so on.
    on_try : callable, optional
        Called with the hyper-parameters before each is tried; an exception is passed on.
    """
    given = given or {}
    free = [name for name in problem.start if not {name, name.split(".")[0]} & set(given)]
    start = np.log([problem.start[name] for name in free])
    best, n_tried = Found(np.inf, {}, 0, None), 0

    def try_out(logs: np.ndarray) -> tuple[float, np.ndarray]:
        nonlocal best, n_tried
        values = {**given, **dict(zip(free, np.exp(logs).tolist(), strict=True))}
        if on_try:
            on_try(values)
        away = (logs - start) / _SPREAD
        found, nats, gradient = _measure(problem, dev, values)
        cost = (0.5 * away @ away - nats) / len(dev)
        n_tried += 1
        if cost < best.cost:
            best = found._replace(cost=cost)
        slope = (away / _SPREAD - [gradient[name] for name in free]) / len(dev)
        return _SCALE * cost, _SCALE * slope

    bounds = [(middle - _FARTHEST, middle + _FARTHEST) for middle in start]
    limits: Any = {"maxiter": _STEPS, "maxfun": _MOST_TRIES, "ftol": _ENOUGH}
    if free:
        minimize(try_out, start, jac=True, method="L-BFGS-B", bounds=bounds, options=limits)
    else:
        try_out(start)
    return best._replace(n_tried=n_tried)


def _measure(problem, dev, values):
    """Return a point, the log-likelihood of dev in nats, and its gradient by hyper-parameter."""
    fit = problem.refit(**values)
    model, weights = problem.model(fit, **values), problem.domain_weights(fit)
    decided = model.tag(dev)
    log_likelihood, places = problem.problem.likelihood_after(dev, decided)
    slope = np.zeros(len(weights))
    nats, slope[places] = log_likelihood(weights[places])
    found = Found(np.inf, values, dev.count_wrong(decided), fit)
    return found, nats, problem.hypergradient(fit, slope, values)
