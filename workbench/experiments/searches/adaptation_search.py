"""Choose the variances or the rate of an adaptation's prior, by errors on held-out text.

That is development data, or folds of the adaptation data (cross-validation) where there is none.
Folds are of the text that is learnt from, so they make a weak prior look better than it is on
other texts of the domain. Hence the one-standard-error rule: of all priors whose errors are not
clearly more than the fewest, the one that stays nearest to the background.

Source
------
Breiman, Friedman, Olshen & Stone (1984), *Classification and Regression Trees*, section 3.4.3. Our
own: the standard error is that of the difference from the fewest, fold by fold.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.adaptation.method import Axis, fold
from workbench.adaptation.methods.map import (
    EXPONENTIAL,
    MAP,
    TWO_VARIANCES,
    ExponentialAdaptation,
    MapAdaptation,
    TwoVariances,
)
from workbench.experiments.searches.error_search import ErrorCounter, OnTried, search, search_line
from workbench.learning.prior import check_positive


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
        As in ``MapAdaptation`` and ``search_sigma2``, from which the results are, too.
    """
    errors = _Errors(MapAdaptation, background, adaptation, dev, cutoff)
    axis = MAP.axes_of(type(background))["sigma2"]
    best, tried = search_line(lambda value: errors(sigma2=value), axis, on_try)
    return errors.nearest(min, best)[0], tried


def choose_alpha(
    background: Any, adaptation: Any, dev: Any = None, cutoff: int | None = 0,
    on_try: OnTried = None,
) -> tuple[float, dict[float, float]]:  # fmt: skip
    """Return the best rate of an exponential prior around the background; see ``choose_sigma2``."""
    errors = _Errors(ExponentialAdaptation, background, adaptation, dev, cutoff)
    axis = EXPONENTIAL.axes_of(type(background))["alpha"]
    best, tried = search_line(lambda value: errors(alpha=value), axis, on_try)
    return errors.nearest(max, best)[0], tried


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
    errors = _Errors(TwoVariances, background, adaptation, dev, cutoff)

    def count_wrong(**sigma2s):
        wrong = errors(**sigma2s)
        if on_try:
            on_try(*sigma2s.values(), wrong)
        return wrong

    best, tried = search(count_wrong, axes, TWO_VARIANCES.exhaustive)
    return dict(zip(axes, errors.nearest(min, *best.values()), strict=True)), tried


class _Errors:
    """The errors of a kind of adaptation at any strength of its prior, on dev or on each fold."""

    def __init__(self, kind, background, adaptation, dev, cutoff):
        adaptation.require_cased()
        pairs = fold(adaptation) if dev is None else [(adaptation, dev.require_cased())]
        self._counters = [
            ErrorCounter(kind(background, rest, cutoff), held) for rest, held in pairs
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
