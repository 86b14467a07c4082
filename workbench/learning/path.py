"""The path that the optimum takes as sigma^2 moves: points that are known predict the others.

The optimal weights are a smooth function of log sigma^2. Between values six to a decade a
polynomial through the nearest predicts them to 1e-5 of the objective; beyond the last value, to
1e-4. From there a fit takes a few steps.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from workbench.numerics.vectors import axpy

_FARTHEST = 0.8  # in log sigma^2, beyond which nothing is extrapolated
_INSIDE, _OUTSIDE = 4, 3  # points of a cubic between known values, of a parabola beyond


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
