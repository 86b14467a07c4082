"""Warm starts: where to begin a fit, from the fits of the same problem at other priors."""

import math
from collections.abc import Callable
from functools import partial
from typing import Self

import numpy as np

from workbench.learning.path import distance, predict_from_neighbour, predict_weights
from workbench.learning.solvers.fit import Fit


class WarmStarts:
    """The fits of one problem at many strengths of its prior; each predicts where others end.

    A *neighbour* is a problem with some of the same weights, as the same adaptation at another
    cut-off; ``of_subset`` declares one, and both learn from one another.

    Parameters
    ----------
    mean : ndarray, shape (F,), optional
        The prior's mean; only neighbours need it, for weights that one of them has not.
    """

    def __init__(self, mean: np.ndarray | None = None):
        self.fits: dict[tuple, Fit] = {}  # by point: values of the hyper-parameters, all > 0
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

    def fit(self, solve: Callable[[np.ndarray | None], Fit], *point: float) -> Fit:
        """Return the ``Fit`` at a point: remembered, or made by ``solve`` from a start."""
        key = tuple(map(float, point))
        if key not in self.fits:
            self.fits[key] = solve(self.predict(*key))
        return self.fits[key]

    def predict(self, *point: float) -> np.ndarray | None:
        """Return the weights to start a fit from, shape (F,); None where nothing is known.

        Predicted from the points that differ in one hyper-parameter alone, and of one
        hyper-parameter from the neighbour that knows most; else the nearest point's end.
        """
        lines = [self._line(point, axis) for axis in range(len(point))]
        axis = max(range(len(point)), key=lambda a: len(lines[a]))
        if len(point) == 1 and (neighbour := self._nearest_neighbour(*point)):
            map_weights = partial(self._from_neighbour, neighbour)
            others = neighbour._line(point, 0)
            return predict_from_neighbour(lines[0], others, map_weights, *point)
        if lines[axis]:
            return predict_weights(lines[axis], point[axis])
        if not self.fits:
            return None
        return self.fits[min(self.fits, key=lambda other: _distance(point, other))].weights

    def _line(self, point, axis):
        """Weights at the known points that differ along one axis alone, by their place on it."""
        rest = point[:axis] + point[axis + 1 :]
        return {
            other[axis]: fit.weights
            for other, fit in list(self.fits.items())  # a copy: threads may add fits
            if other[:axis] + other[axis + 1 :] == rest
        }

    def _nearest_neighbour(self, sigma2):
        """Return the neighbour with a point the nearest, and of those with weights most alike."""

        def unlike(other):
            more = abs(int(other._subset.sum()) - int(self._subset.sum()))
            return distance((place for (place,) in list(other.fits)), sigma2), more

        others = [other for other in self._family if other is not self and other.fits]
        return min(others, key=unlike, default=None)

    def _from_neighbour(self, neighbour, weights):
        """Map a neighbour's weights to one's own; those that it has not are at the mean."""
        of_all = self._mean.copy()
        of_all[neighbour._subset] = weights
        return of_all[self._subset]


def _distance(a, b):
    return sum(abs(math.log(x / y)) for x, y in zip(a, b, strict=True))
