"""Choose many hyper-parameters at once, by the gradient of the log-likelihood of held-out text.

A search on errors, as in ``search``, can afford few: errors are a step function, so it
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
_MOST_TRIES = 90
_MOST_OF_DESCENT = 30  # of these
_STEP_GAIN = 1e-4  # share of the cost that a step must gain for a descent to go on
_DESCENT_GAIN = 3e-3  # and a descent, for another to begin where it ended
_SCALE = 100.0  # the cost is a hundred times nats a word, as L-BFGS-B's first step needs it
OnTry = Callable[[dict], object] | None


class Found(NamedTuple):
    """The best point of a search."""

    cost: float  # a hundred times nats a word of the held-out text, with the penalty
    logs: np.ndarray  # of the hyper-parameters that are searched
    values: dict[str, float]  # of all hyper-parameters
    n_wrong: int  # errors on the held-out text
    fits: list[Any]  # of each problem
    n_tried: int = 0  # points


def search_by_gradient(
    pairs: Sequence[tuple[Any, Corpus]], given: Mapping[str, float] | None = None,
    on_try: OnTry = None,
) -> Found:  # fmt: skip
    """Return the hyper-parameters with the least cost.

    The cost is minus the log-likelihood of held-out text, and a penalty for logarithms of
    hyper-parameters that are far from where the search begins (a normal prior). L-BFGS-B lowers
    it with the tags before each word held fixed, for tags change by jumps, and a line search
    fails at a jump. Then the model decides on tags anew, and so on as long as that gains.

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
    cost = _Cost(pairs, given or {}, on_try)
    best, gain = cost.decide(cost.start), 1.0
    while len(cost.start) and gain > _DESCENT_GAIN and cost.n_tried < _MOST_TRIES:
        found = cost.decide(_descend(cost, best.logs))
        gain = 1 - found.cost / best.cost
        best = found if gain > 0 else best
    return best._replace(n_tried=cost.n_tried)


def _descend(cost, logs):
    """Return the logarithms where a descent ends, with tags as last decided on."""
    bounds = [(middle - _FARTHEST, middle + _FARTHEST) for middle in cost.start]
    limits: Any = {"maxfun": _MOST_OF_DESCENT, "ftol": _STEP_GAIN}
    return minimize(cost, logs, jac=True, method="L-BFGS-B", bounds=bounds, options=limits).x


class _Cost:
    """The cost and its gradient at logarithms of hyper-parameters, after tags decided on."""

    def __init__(self, pairs, given, on_try):
        self._held_out = [_HeldOut(problem, text) for problem, text in pairs]
        self._given, self._on_try, self.n_tried = given, on_try, 0
        starts: dict = {}
        for problem, _ in pairs:
            starts |= problem.start
        self._free = [name for name in starts if not {name, name.split(".")[0]} & set(given)]
        self._n_words = sum(len(text) for _, text in pairs)
        self.start = np.log([starts[name] for name in self._free])

    def decide(self, logs):
        """Return the point at some logarithms, with the tags that its own model decides on."""
        values, fits = self._fit(logs)
        pairs = list(zip(self._held_out, fits, strict=True))
        n_wrong = sum(held.decide(fit, values) for held, fit in pairs)
        cost, _ = self._add_penalty(sum(held.measure(fit)[0] for held, fit in pairs), 0.0, logs)
        return Found(cost, logs, values, n_wrong, fits)

    def __call__(self, logs):
        values, fits = self._fit(logs)
        pairs = zip(self._held_out, fits, strict=True)
        nats, gradients = zip(
            *(held.differentiate(fit, values) for held, fit in pairs), strict=True
        )
        rises = np.array([sum(g.get(name, 0.0) for g in gradients) for name in self._free])
        return self._add_penalty(sum(nats), rises, logs)

    def _fit(self, logs):
        """Return the hyper-parameters at some logarithms, and a fit of each problem."""
        values = {**self._given, **dict(zip(self._free, np.exp(logs).tolist(), strict=True))}
        if self._on_try:
            self._on_try(values)
        self.n_tried += 1
        return values, [held.problem.refit(**values) for held in self._held_out]

    def _add_penalty(self, nats, rises, logs):
        """Return the cost of a log-likelihood, and the cost's gradient of that one's."""
        away = (logs - self.start) / _SPREAD
        share = _SCALE / self._n_words
        return share * (0.5 * away @ away - nats), share * (away / _SPREAD - rises)


class _HeldOut:
    """Text that a problem does not learn from, and its log-likelihood after tags decided on."""

    def __init__(self, problem, text):
        self.problem, self._text = problem, text

    def decide(self, fit, values):
        """Return how many tags are wrong as the model of a fit decides on them; keep them all."""
        decided = self.problem.model(fit, **values).tag(self._text)
        self._after = self.problem.problem.likelihood_after(self._text, decided)
        return self._text.count_wrong(decided)

    def measure(self, fit):
        """Return the log-likelihood in nats, and its gradient by all weights."""
        log_likelihood, places = self._after
        weights = self.problem.domain_weights(fit)
        slope = np.zeros(len(weights))
        nats, slope[places] = log_likelihood(weights[places])
        return nats, slope

    def differentiate(self, fit, values):
        """Return the log-likelihood, and its derivatives by the logarithms, by name."""
        nats, slope = self.measure(fit)
        return nats, self.problem.hypergradient(fit, slope, values)


def choose_template_variances(
    background: Any, adaptation: Corpus, dev: Corpus | None = None, cutoff: int | None = 0,
    on_try: OnTry = None,
) -> tuple[dict[str, float], int]:  # fmt: skip
    """Return variances for ``TemplateVariances``, by name, and how many errors they lead to.

    They are chosen and errors are counted on development data, or by 5-fold cross-validation on
    the adaptation data, as in ``choose_sigma2``; ``on_try`` is as in ``search_by_gradient``.
    """
    texts = list(fold(adaptation.require_cased())) if dev is None else [(adaptation, dev)]
    pairs = [(TemplateVariances(background, own, cutoff), held) for own, held in texts]
    found = search_by_gradient(pairs, on_try=on_try)
    return found.values, found.n_wrong
