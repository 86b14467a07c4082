"""Where a fit begins: fits of the same problem at other strengths of its prior predict its end.

The optimal weights are a smooth function of log sigma^2. Between values six to a decade a
polynomial through the nearest predicts them to 1e-5 of the objective; beyond the last value, to
1e-4. From there a fit takes a few steps.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Self

import numpy as np

from workbench.learning.solvers.fit import Fit
from workbench.numerics.vectors import axpy

_FARTHEST = 0.8  # in log sigma^2, beyond which nothing is extrapolated
_INSIDE, _OUTSIDE = 4, 3  # points of a cubic between known values, of a parabola beyond


class WarmStarts:
    """The fits of one problem at many strengths of its prior; each predicts where others end.

    A *neighbour* is a problem with some of the same weights, as the same adaptation at another
    cut-off; ``of_subset`` declares one, and both learn from one another.

    Parameters
    ----------
    mean : ndarray, shape (F,), optional
        The prior's mean; only neighbours need it, for weights that one of them has not.

    Attributes
    ----------
    fits : dict of tuple to Fit
        By point: pairs of a hyper-parameter's name and its value, > 0.
    """

    def __init__(self, mean: np.ndarray | None = None):
        self.fits: dict[tuple[tuple[str, float], ...], Fit] = {}
        self._mean = np.empty(0) if mean is None else mean
        self._family, self._subset = [self], np.ones(len(self._mean), bool)

    def of_subset(self, kept: np.ndarray) -> Self:
        """Return the warm starts of a neighbour that has those weights that are kept, bool (F,)."""
        neighbour = type(self)(self._mean)
        neighbour._subset[np.flatnonzero(self._subset)] = kept
        neighbour._subset &= self._subset
        neighbour._family = self._family
        self._family.append(neighbour)
        return neighbour

    def follow(self) -> Self:
        """Return further warm starts that also predict from these fits; these do not use theirs."""
        follower = type(self)(self._mean)
        follower._subset, follower._family = self._subset, [follower, *self._family]
        return follower

    def fit(self, solve: Callable[[np.ndarray | None], Fit], **point: float) -> Fit:
        """Return the ``Fit`` at a point: remembered, or made by ``solve`` from a start."""
        key = tuple(point.items())
        if key not in self.fits:
            self.fits[key] = solve(self.predict(**point))
        return self.fits[key]

    def predict(self, **point: float) -> np.ndarray | None:
        """Return the weights to start a fit from, shape (F,); None where nothing is known.

        Predicted from the points that differ in one hyper-parameter alone, and of one
        hyper-parameter from the neighbour that knows most; else the nearest point's end.
        """
        lines = {name: self._line(point, name) for name in point}
        name = max(lines, key=lambda name: len(lines[name]))
        if len(point) == 1 and (others := self._nearest_neighbour(point, name)):
            neighbour, known = others
            map_weights = partial(self._from_neighbour, neighbour)
            return predict_from_neighbour(lines[name], known, map_weights, point[name])
        if lines[name]:
            return predict_weights(lines[name], point[name])

        def away(other):
            return sum(abs(math.log(value / point[name])) for name, value in other)

        alike = [other for other in list(self.fits) if dict(other).keys() == point.keys()]
        return self.fits[min(alike, key=away)].weights if alike else None

    def _line(self, point, name):
        """Weights at the known points that differ along one axis alone, by their place on it."""
        line = {}
        for other, fit in list(self.fits.items()):  # a copy: threads may add fits
            values = dict(other)
            if name in values and {**values, name: 0} == {**point, name: 0}:
                line[values[name]] = fit.weights
        return line

    def _nearest_neighbour(self, point, name):
        """Return the neighbour with a point the nearest, and of those with weights most alike.

        Beside it are its weights by place on the axis; None if no neighbour knows anything.
        """
        lines = [(other, other._line(point, name)) for other in self._family if other is not self]

        def unlike(pair):
            more = abs(int(pair[0]._subset.sum()) - int(self._subset.sum()))
            return distance(pair[1], point[name]), more

        return min((pair for pair in lines if pair[1]), key=unlike, default=None)

    def _from_neighbour(self, neighbour, weights):
        """Map a neighbour's weights to one's own; those that it has not are at the mean."""
        of_all = self._mean.copy()
        of_all[neighbour._subset] = weights
        return of_all[self._subset]


def fill_order(values: Sequence[float], known: Collection[float] = ()) -> list[float]:
    """Return the values of sigma^2 that are not known, in the order in which to fit them.

    Of values, increasing, about six to a decade, every second comes first, outward from those
    known, upward if there is none; then those between. Single steps would pile up what each fit
    leaves, and steps of four and more cost as much as starting anew.
    """
    places = [math.log(other) for other in known]
    away = [min((abs(math.log(v) - p) for p in places), default=0.0) for v in values]
    order = sorted(range(len(values)), key=lambda k: (k % 2, away[k]))
    return [values[k] for k in order if values[k] not in known]


def predict_weights(known: Mapping[float, np.ndarray], sigma2: float) -> np.ndarray:
    """Return a prediction of the optimal weights, (F,), at a sigma^2 from those known at others.

    By a polynomial in log sigma^2 through the nearest points; there must be one.
    """
    place = math.log(sigma2)
    near = nearest(known, sigma2)
    places = [math.log(other) for other in near[:_INSIDE]]
    if not min(places) < place < max(places):
        places = _not_too_far(places[:_OUTSIDE], place)
    weights = np.zeros(len(known[near[0]]))
    for share, other in zip(_lagrange(places, place), near, strict=False):
        axpy(share, known[other], weights)
    return weights


def predict_from_neighbour(
    known: Mapping[float, np.ndarray], others: Mapping[float, np.ndarray],
    map_weights: Callable[[np.ndarray], np.ndarray], sigma2: float,
) -> np.ndarray:  # fmt: skip
    """Return the optimal weights as those of a similar problem predict them, shape (F,).

    What sets the two problems apart moves less than they do: with points of both, ten times
    less of the objective is left to gain than with one's own alone. The other problem is left
    aside if one's own nearest point is as near, one's own points where it has none near them.

    Parameters
    ----------
    known : mapping of float to ndarray, shape (F,)
        One's own; as in ``predict_weights``, but it may be empty.
    others : mapping of float to ndarray, shape (F of the other problem,)
        Those of the other problem; at least one.
    map_weights : callable
        From weights of the other problem to one's own, shape (F,).
    """
    if known and distance(known, sigma2) <= distance(others, sigma2):
        return predict_weights(known, sigma2)
    weights = map_weights(predict_weights(others, sigma2))
    both = [place for place in known if distance(others, place) <= _FARTHEST]
    near = nearest(both, sigma2)[:_INSIDE]
    apart = {place: known[place] - map_weights(predict_weights(others, place)) for place in near}
    return weights + predict_weights(apart, sigma2) if apart else weights


def nearest(known: Iterable[float], sigma2: float) -> list[float]:
    """Return the known values of sigma^2, the nearest first."""
    return sorted(known, key=lambda other: abs(math.log(other) - math.log(sigma2)))


def distance(known: Iterable[float], sigma2: float) -> float:
    """Return how far the nearest of known values is, in log sigma^2."""
    return min(abs(math.log(other) - math.log(sigma2)) for other in known)


def _not_too_far(places, place):
    """Keep one point, the nearest, where the others are too far to extrapolate from."""
    spacing = min(abs(places[0] - other) for other in places[1:]) if len(places) > 1 else 0
    return places if abs(places[0] - place) <= min(_FARTHEST, 1.5 * spacing) else places[:1]


def _lagrange(places, place):
    """Weights of the points of the polynomial through them, at another place."""
    return [
        math.prod((place - other) / (mine - other) for other in places if other != mine)
        for mine in places
    ]
