"""Search hyper-parameters for the fewest errors on held-out text."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np

from workbench.adaptation.method import SIGMA2, Axis

COARSE = SIGMA2.values
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
    """As ``search_sigma2``, along any ``Axis``."""
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
