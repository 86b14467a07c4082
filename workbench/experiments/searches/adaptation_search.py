"""Choose the variances or the rate of an adaptation's prior, by errors on held-out text.

That is development data, or folds of the adaptation data (cross-validation) where there is none.
"""

from collections.abc import Callable
from typing import Any

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
    """Return the sigma^2 with the fewest errors, on development data or by cross-validation.

    Parameters
    ----------
    dev : Corpus, optional
        Never the test data; without it 5-fold cross-validation on the adaptation data.
    cutoff, on_try
        As in ``MapAdaptation`` and ``search_sigma2``, from which the results are, too.
    """
    count = _counter(MapAdaptation, background, adaptation, dev, cutoff)
    axis = MAP.axes_of(type(background))["sigma2"]
    return search_line(lambda value: count(sigma2=value), axis, on_try)


def choose_alpha(
    background: Any, adaptation: Any, dev: Any = None, cutoff: int | None = 0,
    on_try: OnTried = None,
) -> tuple[float, dict[float, float]]:  # fmt: skip
    """Return the best rate of an exponential prior around the background; see ``choose_sigma2``."""
    count = _counter(ExponentialAdaptation, background, adaptation, dev, cutoff)
    axis = EXPONENTIAL.axes_of(type(background))["alpha"]
    return search_line(lambda value: count(alpha=value), axis, on_try)


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
    count = _counter(TwoVariances, background, adaptation, dev, cutoff)

    def count_wrong(**sigma2s):
        wrong = count(**sigma2s)
        if on_try:
            on_try(*sigma2s.values(), wrong)
        return wrong

    return search(count_wrong, axes, TWO_VARIANCES.exhaustive)


def _counter(kind, background, adaptation, dev, cutoff):
    """Return what counts the errors of a kind of adaptation, on dev or summed over folds."""
    adaptation.require_cased()
    pairs = [(adaptation, dev.require_cased())] if dev is not None else list(fold(adaptation))
    counters = [ErrorCounter(kind(background, rest, cutoff), held) for rest, held in pairs]
    return lambda **strength: sum(counter(**strength) for counter in counters)
