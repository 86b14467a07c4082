"""Hyper-parameters with the fewest errors on held-out text, of training and of adaptation.

Held-out text is development data, or folds of the adaptation data (cross-validation) where there is
none. Folds are of the text that is learnt from, so they make a weak prior look better than it is on
other texts of the domain. Hence the one-standard-error rule: of all priors whose errors are not
clearly more than the fewest, the one that stays nearest to the background.

Source
------
Breiman, Friedman, Olshen & Stone (1984), *Classification and Regression Trees*, section 3.4.3. Our
own: the standard error is that of the difference from the fewest, fold by fold.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import SIGMA2, Axis, fold
from workbench.adaptation.methods.map import EXPONENTIAL, MAP, TWO_VARIANCES
from workbench.adaptation.weighted_texts import WeightedTexts
from workbench.learning.prior import GaussianPrior, check_positive, zero_mean_prior
from workbench.learning.problem import Problem
from workbench.learning.solvers.fit import TOLERANCE
from workbench.learning.warm_start import WarmStarts

COARSE = SIGMA2.values
TEXT_WEIGHT = Axis((0.1, 0.3, 1.0, 3.0), start=1.0)  # of training texts but the largest
_PASSES = 2  # over several axes
OnTried = Callable[[float, float], object] | None


def search_sigma2(
    count_wrong: Callable[[float], float], on_try: OnTried = None
) -> tuple[float, dict[float, float]]:
    """Return the sigma^2 with the fewest errors, and all that were tried.

    Half-decades from 0.01 to 30 first, then twice the geometric means of the
    best and its neighbours; the smaller sigma^2, nearer the background, on a tie.

    Parameters
    ----------
    count_wrong : callable
        From sigma^2 to a number of errors, or of whatever else is to be low.
    on_try : callable, optional
        Called with (sigma^2, errors) after each.

    Returns
    -------
    best : float
    tried : dict of float to float
        Errors by sigma^2, in increasing order of sigma^2.

    Source
    ------
    Chelba & Acero (2004), section 5.2: a line search on development data.
    """
    return search_line(count_wrong, SIGMA2, on_try)


def search_line(
    count_wrong: Callable[[float], float], axis: Axis, on_try: OnTried = None
) -> tuple[float, dict[float, float]]:
    """Search the value of an ``Axis`` with the fewest errors, as ``search_sigma2`` does."""
    tried = {}

    def attempt(value):
        tried[value] = count_wrong(value)
        if on_try:
            on_try(value, tried[value])

    for value in axis.values:
        attempt(value)
    for _ in range(axis.refinements):
        for value in _between_neighbours(tried):
            attempt(value)
    return _best(tried), dict(sorted(tried.items()))


def _best(tried):
    return min(tried, key=lambda value: (tried[value], value))


def _between_neighbours(tried):
    """Geometric means, to two digits, of the best value and its neighbours."""
    known = sorted(tried)
    place = known.index(_best(tried))
    neighbours = known[max(0, place - 1) : place] + known[place + 1 : place + 2]
    means = [float(f"{np.sqrt(known[place] * other):.2g}") for other in neighbours]
    return [mean for mean in means if mean not in tried]


def search(
    count_wrong: Callable[..., float], axes: Mapping[str, Axis], exhaustive: bool = False
) -> tuple[dict[str, float], dict[tuple, float]]:
    """Return the hyper-parameters with the fewest errors, and all that were tried.

    One axis after the other, from where each starts, until nothing changes or
    twice; or, exhaustively, all combinations first. The smaller values win a tie.

    Parameters
    ----------
    count_wrong : callable
        From hyper-parameters by name to a number of errors.

    Returns
    -------
    best : dict of str to float
    tried : dict of tuple to float
        Errors by hyper-parameters, in the order of the axes.
    """
    tried = {}

    def attempt(**point):
        key = tuple(point.values())
        if key not in tried:
            tried[key] = count_wrong(**point)
        return tried[key]

    def along(point, name):
        return lambda value: attempt(**(point | {name: value}))

    if exhaustive:
        for values in product(*(axis.values for axis in axes.values())):
            attempt(**dict(zip(axes, values, strict=True)))
        point = dict(zip(axes, _best(tried), strict=True))
    else:
        point = {name: axis.start for name, axis in axes.items()}
    for _ in range(_PASSES if len(axes) > 1 else 1):
        before = point
        for name, axis in axes.items():
            point = point | {name: search_line(along(point, name), axis)[0]}
        if point == before:
            break
    return point, dict(sorted(tried.items()))


class ErrorCounter:
    """Counts the errors on a text of the models that a problem with ``learn`` makes.

    ``on_try`` is called with the hyper-parameters before each is tried.
    """

    def __init__(self, problem: Any, corpus: Any, on_try: Callable[[dict], object] | None = None):
        self._problem, self._corpus, self._packed = problem, corpus.require_cased(), None
        self._on_try = on_try

    def __call__(self, **values: float) -> float:
        """Return the number of errors at some hyper-parameters, as the text counts them."""
        if self._on_try:
            self._on_try(values)
        model = self._problem.learn(**values)
        return self._corpus.count_wrong(model.tag(self._ready(model)))

    def _ready(self, model):
        """Return the text as the model can tag it, packed once if the model packs texts."""
        if not hasattr(model, "pack"):
            return self._corpus
        if self._packed is None or self._packed.features != model.features:
            self._packed = model.pack(self._corpus)
        return self._packed


def choose_sigma2(
    background: Any, adaptation: Any, dev: Any = None, cutoff: int | None = 0,
    on_try: OnTried = None,
) -> tuple[float, dict[float, float]]:  # fmt: skip
    """Return the best sigma^2 on development data or by cross-validation, and all tried.

    On development data it has the fewest errors; by folds it is the smallest with at most one
    standard error more.

    Parameters
    ----------
    dev : Corpus, optional
        Never the test data; without it 5-fold cross-validation on the adaptation data.
    cutoff, on_try
        As in ``Adaptation`` and ``search_sigma2``, from which the results are, too.
    """
    return _choose(MAP, min, background, adaptation, dev, cutoff, on_try)


def choose_alpha(
    background: Any, adaptation: Any, dev: Any = None, cutoff: int | None = 0,
    on_try: OnTried = None,
) -> tuple[float, dict[float, float]]:  # fmt: skip
    """Return the best rate of an exponential prior around the background; see ``choose_sigma2``."""
    return _choose(EXPONENTIAL, max, background, adaptation, dev, cutoff, on_try)


def _choose(method, nearest, background, adaptation, dev, cutoff, on_try):
    """Search the one strength of a method's prior; ``nearest`` to the background is min or max."""
    errors = _Errors(background, adaptation, dev, cutoff)
    ((name, axis),) = method.axes_of(type(background)).items()
    best, tried = search_line(lambda value: errors(**{name: value}), axis, on_try)
    return errors.nearest(nearest, best)[0], tried


def choose_variances(
    background: Any, adaptation: Any, dev: Any = None, cutoff: int | None = 0,
    on_try: Callable | None = None, *, sigma2_m: float | None = None, sigma2_a: float | None = None,
) -> tuple[dict[str, float], dict[tuple, float]]:  # fmt: skip
    """Return the best variances of inherited and of new features; see ``choose_sigma2``.

    The pairs that are tried are those of the method map-two-variances; results as from ``search``.

    Parameters
    ----------
    on_try : callable, optional
        Called with (sigma2_m, sigma2_a, errors) after each.
    sigma2_m, sigma2_a : float, optional
        One that is not to be searched.

    Source
    ------
    Zhang, Qiu, Huang & Wu (2008), section 4.
    """
    axes = TWO_VARIANCES.axes_of(type(background))
    for name, value in (("sigma2_m", sigma2_m), ("sigma2_a", sigma2_a)):
        if value is not None:
            axes[name] = Axis((check_positive(value, name),), value)
    errors = _Errors(background, adaptation, dev, cutoff)

    def count_wrong(**sigma2s):
        wrong = errors(**sigma2s)
        if on_try:
            on_try(*sigma2s.values(), wrong)
        return wrong

    best, tried = search(count_wrong, axes, TWO_VARIANCES.exhaustive)
    return dict(zip(axes, errors.nearest(min, *best.values()), strict=True)), tried


class _Errors:
    """The errors of an adaptation at any strength of its prior, on dev or on each fold."""

    def __init__(self, background, adaptation, dev, cutoff):
        adaptation.require_cased()
        pairs = fold(adaptation) if dev is None else [(adaptation, dev.require_cased())]
        self._counters = [
            ErrorCounter(Adaptation(background, rest, cutoff), held) for rest, held in pairs
        ]
        self._known: dict[tuple, np.ndarray] = {}  # errors on each text, by strengths

    def __call__(self, **strengths):
        wrong = np.array([counter(**strengths) for counter in self._counters])
        self._known[tuple(strengths.values())] = wrong
        return wrong.sum().item()

    def nearest(self, choose, *best):
        """Return the least or largest strengths that are not clearly worse than the best.

        On development data, which is no text that was learnt from, these are the best themselves.
        """
        return choose(within_one_error(self._known)) if len(self._counters) > 1 else best


def within_one_error(wrong: Mapping[Any, np.ndarray]) -> list:
    """Return the hyper-parameters with at most one standard error more errors than the fewest.

    Parameters
    ----------
    wrong : dict of ndarray
        Errors on each fold, shape (folds,), by hyper-parameters.
    """
    best = min(wrong, key=lambda key: (wrong[key].sum(), key))
    more = {key: counts - wrong[best] for key, counts in wrong.items()}
    # Multiplied out, this says that the mean of m is at most its standard error, s / sqrt(folds).
    return [key for key, m in more.items() if m.sum() ** 2 <= (m**2).sum()]


def choose_training_sigma2(
    problem: Problem, dev: Any, axis: Axis = SIGMA2, on_try: OnTried = None
) -> tuple[float, dict[float, float]]:
    """Return the variance of a zero-mean prior with the fewest errors on development data.

    ``problem`` is that of training; values of the axis and results are as in ``search_line``.

    Source
    ------
    Chelba & Acero (2004), section 3.1.2: the background's variance, too, is chosen so.
    """
    count = ErrorCounter(_Training.of(problem), dev)
    return search_line(lambda value: count(sigma2=value), axis, on_try)


def choose_training_by_folds(
    make: Callable[[Any], Problem], data: Any, axis: Axis = SIGMA2, on_try: OnTried = None
) -> tuple[float, dict[float, float]]:
    """Choose the variance of training's prior by 5-fold cross-validation on the data.

    ``make`` is called with the other folds of each and returns their problem of training.
    """
    counters = [ErrorCounter(_Training.of(make(rest)), held) for rest, held in fold(data)]
    return search_line(lambda value: sum(c(sigma2=value) for c in counters), axis, on_try)


def choose_text_weights(
    texts: WeightedTexts, sizes: Sequence[int], dev: Any, sigma2: float,
    on_try: Callable[[dict], object] | None = None,
) -> tuple[list[float], float]:  # fmt: skip
    """Return the weights of training texts with the fewest errors on dev, and how many these are.

    The weight of the largest text stays 1; the others, ``TEXT_WEIGHT``, are searched one after
    the other, until nothing changes or twice. ``on_try`` is called with weights by number of text.
    """
    largest = str(sizes.index(max(sizes)))
    axes = {str(i): TEXT_WEIGHT for i in range(len(sizes))} | {largest: Axis((1.0,), 1.0)}
    training = _Training(lambda **weights: (texts.at(list(weights.values())), sigma2))
    best, tried = search(ErrorCounter(training, dev, on_try), axes)
    return list(best.values()), tried[tuple(best.values())]


class _Training:
    """What is learnt at any hyper-parameters; each fit begins where others lead.

    ``find_problem`` takes them to a problem of training and the variance of its prior.
    """

    def __init__(self, find_problem):
        self._find_problem, self._warm_starts = find_problem, WarmStarts()

    @classmethod
    def of(cls, problem):
        return cls(lambda sigma2: (problem, sigma2))

    def learn(self, **values):
        problem, sigma2 = self._find_problem(**values)
        prior = zero_mean_prior(len(problem.mean), GaussianPrior.name, sigma2=sigma2)

        def solve(start):  # as ``fit`` of a model does unless told otherwise
            return problem.maximise(prior, start, "lbfgs", tolerance=TOLERANCE)

        fit = self._warm_starts.fit(solve, **values)
        return problem.model(fit.weights, fit, sigma2=sigma2)
