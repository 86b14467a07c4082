"""Choose many hyper-parameters at once, by the gradient of the log-likelihood of development data.

A search on errors, as in ``hyperparameters``, can afford few: errors are a step function, so it
must try value after value. The log-likelihood of held-out text is smooth. Its gradient by the
logarithms of all hyper-parameters costs about as much as a fit, however many they are.

Source
------
Foo, Do & Ng (2007), *Efficient multiple hyperparameter learning for log-linear models*. They take
the labels before each word as they are in the text; here they are those that the model decides
on, as it will have them when it tags (Bengio, Vinyals, Jaitly & Shazeer, 2015, *Scheduled sampling
for sequence prediction*, section 2).
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


class Tried(NamedTuple):
    """One point of a search."""

    cost: float  # less is better: nats, and how improbable the hyper-parameters are
    values: dict[str, float]
    n_wrong: int  # errors on the development data
    fit: Any


def search_by_gradient(
    problem: Any, dev: Corpus, given: Mapping[str, float] | None = None,
    on_try: Callable[[dict], object] | None = None,
) -> list[Tried]:  # fmt: skip
    """Return what was tried, the point with the least cost first.

    The cost is that of L-BFGS-B: minus the log-likelihood of ``dev`` and of the logarithms of the
    hyper-parameters, which are normally distributed around where the search begins.

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
    tried: list[Tried] = []

    def try_out(logs: np.ndarray) -> tuple[float, np.ndarray]:
        values = {**given, **dict(zip(free, np.exp(logs).tolist(), strict=True))}
        if on_try:
            on_try(values)
        away = (logs - start) / _SPREAD
        found, nats, gradient = _measure(problem, dev, values)
        cost = (0.5 * away @ away - nats) / len(dev)
        tried.append(found._replace(cost=cost))
        slope = (away / _SPREAD - [gradient[name] for name in free]) / len(dev)
        return _SCALE * cost, _SCALE * slope

    bounds = [(middle - _FARTHEST, middle + _FARTHEST) for middle in start]
    limits: Any = {"maxiter": _STEPS, "maxfun": _MOST_TRIES, "ftol": _ENOUGH}
    minimize(try_out, start, jac=True, method="L-BFGS-B", bounds=bounds, options=limits)
    return sorted(tried, key=lambda point: point.cost)


def _measure(problem, dev, values):
    """Return a point, the log-likelihood of dev in nats, and its gradient by hyper-parameter."""
    fit = problem.refit(**values)
    model, weights = problem.model(fit, **values), problem.domain_weights(fit)
    decided = model.tag(dev)
    log_likelihood, places = problem.problem.likelihood_after(dev, decided)
    slope = np.zeros(len(weights))
    nats, slope[places] = log_likelihood(weights[places])
    found = Tried(np.inf, values, dev.count_wrong(decided), fit)
    return found, nats, problem.hypergradient(fit, slope, values)
