"""Choose many hyper-parameters at once, by the gradient of the log-likelihood of held-out text.

A search on errors, as in ``hyperparameters``, can afford few: errors are a step function, so it
must try value after value. The log-likelihood of held-out text is smooth. Its gradient by the
logarithms of all hyper-parameters costs about as much as a fit, however many they are.

Source
------
Foo, Do & Ng (2007), *Efficient multiple hyperparameter learning for log-linear models*. Our own:
where a MEMM reads the tags before a word, these are the ones that the model itself decides on, as
when it tags.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from workbench.adaptation.method import fold
from workbench.adaptation.methods.template_variances import TemplateVariances
from workbench.text.corpus import Corpus

_SPREAD = 1.3  # standard deviation of the prior of each logarithm around its start
_FARTHEST = 5.0  # from the start: a logarithm
_MOST_TRIES = 80
_STEP_GAIN = 1e-5  # share of the cost that a step must gain for a descent to go on
_DESCENT_GAIN = 3e-3  # and a descent, for another to begin where it ended
_SCALE = 100.0  # the cost is a hundred times nats a word, as L-BFGS-B's first step needs it
OnTry = Callable[[dict], object] | None


class Found(NamedTuple):
    """The best point of a search."""

    cost: float  # nats a word of the held-out text, with the penalty
    values: dict[str, float]
    n_wrong: int  # errors on the held-out text
    fits: list[Any]  # of each problem
    n_tried: int = 0  # points


def search_by_gradient(
    pairs: Sequence[tuple[Any, Corpus]], given: Mapping[str, float] | None = None,
    on_try: OnTry = None,
) -> Found:  # fmt: skip
    """Return the hyper-parameters with the least cost.

    The cost, which L-BFGS-B lowers, is minus the log-likelihood of held-out text, and a penalty
    for logarithms of hyper-parameters that are far from where the search begins (a normal prior).
    It begins anew from the best point as long as that gains.

    Parameters
    ----------
    pairs : sequence of (problem, Corpus)
        Problems, each with text that it does not learn from: one with development text, or one
        for each fold. A ``Hierarchy``, ``TemplateVariances``, or whatever has their ``start``,
        ``refit``, ``model``, ``domain_weights`` and ``hypergradient``.
    given : dict of str to float, optional
        Hyper-parameters that are not searched, by name; "sigma2_g" gives all "sigma2_g.word" and
        so on.
    on_try : callable, optional
        Called with the hyper-parameters before each is tried; an exception is passed on.
    """
    cost, reached = _Cost(pairs, given or {}, on_try), np.inf
    cost(cost.start)
    while len(cost.start) and cost.best.cost < (1 - _DESCENT_GAIN) * reached:
        reached = cost.best.cost
        _descend(cost)
    return cost.best._replace(n_tried=cost.n_tried)


def _descend(cost):
    """Lower a cost from its best point, until a step gains almost nothing or tries run out.

    A model's tags, which held-out text is read after, change by jumps, so the cost does, too. A
    line search that meets one ends a descent; the next is without its memory of curvature.
    """
    if (n_left := _MOST_TRIES - cost.n_tried) > 0:
        bounds = [(middle - _FARTHEST, middle + _FARTHEST) for middle in cost.start]
        limits: Any = {"maxfun": n_left, "ftol": _STEP_GAIN}
        minimize(cost, cost.best_logs, jac=True, method="L-BFGS-B", bounds=bounds, options=limits)


class _Cost:
    """The cost and its gradient at logarithms of hyper-parameters; the best point so far."""

    def __init__(self, pairs, given, on_try):
        self._pairs, self._given, self._on_try = pairs, given, on_try
        starts: dict = {}
        for problem, _ in pairs:
            starts |= problem.start
        self._free = [name for name in starts if not {name, name.split(".")[0]} & set(given)]
        self._n_words = sum(len(held) for _, held in pairs)
        self.start = np.log([starts[name] for name in self._free])
        self.best, self.best_logs, self.n_tried = Found(np.inf, {}, 0, []), self.start, 0

    def __call__(self, logs):
        values = {**self._given, **dict(zip(self._free, np.exp(logs).tolist(), strict=True))}
        if self._on_try:
            self._on_try(values)
        away = (logs - self.start) / _SPREAD
        measured = [_measure(problem, held, values) for problem, held in self._pairs]
        fits, wrong, nats, gradients = zip(*measured, strict=True)
        cost = (0.5 * away @ away - sum(nats)) / self._n_words
        self.n_tried += 1
        if cost < self.best.cost:
            self.best = Found(cost, values, sum(wrong), list(fits))
            self.best_logs = logs.copy()
        rises = np.array([sum(g.get(name, 0.0) for g in gradients) for name in self._free])
        return _SCALE * cost, _SCALE * (away / _SPREAD - rises) / self._n_words


def _measure(problem, held, values):
    """Return a fit, its errors on held-out text, that text's log-likelihood in nats, its gradient.

    The gradient is by the logarithms of hyper-parameters, by name.
    """
    fit = problem.refit(**values)
    model, weights = problem.model(fit, **values), problem.domain_weights(fit)
    decided = model.tag(held)
    log_likelihood, places = problem.problem.likelihood_after(held, decided)
    slope = np.zeros(len(weights))
    nats, slope[places] = log_likelihood(weights[places])
    gradient = problem.hypergradient(fit, slope, values)
    return fit, held.count_wrong(decided), nats, gradient


def choose_template_variances(
    background: Any, adaptation: Corpus, dev: Corpus | None = None, cutoff: int | None = 0,
    on_try: OnTry = None,
) -> tuple[dict[str, float], int]:  # fmt: skip
    """Return variances for ``TemplateVariances``, by name, and how many errors they lead to.

    They are chosen and errors are counted on development data, or by 5-fold cross-validation on
    the adaptation data, as in ``choose_sigma2``; ``on_try`` is as of ``search_by_gradient``.
    """
    texts = list(fold(adaptation.require_cased())) if dev is None else [(adaptation, dev)]
    pairs = [(TemplateVariances(background, own, cutoff), held) for own, held in texts]
    found = search_by_gradient(pairs, on_try=on_try)
    return found.values, found.n_wrong
