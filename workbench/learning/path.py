"""The path that the optimum takes as sigma^2 moves.

The optimal weights are a smooth function of log sigma^2, so points that are
known predict the others: between values six to a decade, to 1e-5 of the
objective; beyond the last, to 1e-4. From there a fit takes a few steps.
"""

import math

import numpy as np

from workbench.numerics.vectors import axpy

_REACH = 0.8  # in log sigma^2, beyond which nothing is predicted
_INSIDE, _OUTSIDE = 4, 3  # points of a cubic between, of a parabola beyond


def fill_order(values, known=()):
    """Order values of sigma^2 so that those fitted before predict each the best.

    Parameters
    ----------
    values : sequence of float
        Increasing, about six to a decade.
    known : collection of float
        What is fitted already.

    Returns
    -------
    order : list of float
        Every second value, outward from those known, upward if there is none; then those
        between. Walks of single steps pile up what each fit leaves, and steps of four and more
        cost as much as starting anew.
    """
    places = [math.log(other) for other in known]
    away = [min((abs(math.log(v) - p) for p in places), default=0.0) for v in values]
    order = sorted(range(len(values)), key=lambda k: (k % 2, away[k]))
    return [values[k] for k in order if values[k] not in known]


def predict_weights(known, sigma2):
    """Predict the optimal weights at a sigma^2 from those at others.

    Parameters
    ----------
    known : dict of float to ndarray, shape (F,)
        Optimal weights by sigma^2; at least one.
    sigma2 : float

    Returns
    -------
    weights : ndarray, shape (F,)
        A polynomial in log sigma^2 through the nearest points; a new array.
    """
    place = math.log(sigma2)
    near = nearest(known, sigma2)
    places = [math.log(other) for other in near[:_INSIDE]]
    if not min(places) < place < max(places):
        places = _trust(places[:_OUTSIDE], place)
    weights = np.zeros(len(known[near[0]]))
    for share, other in zip(_lagrange(places, place), near, strict=False):
        axpy(share, known[other], weights)
    return weights


def predict_beside(known, others, carry, sigma2):
    """Predict the optimal weights at a sigma^2 from those at others, and of a problem much alike.

    What sets the two problems apart moves less than they do: with points of both, ten times
    less of the objective is left to gain than with one's own alone.

    Parameters
    ----------
    known : dict of float to ndarray, shape (F,)
        One's own; as of ``predict_weights``, but it may be empty.
    others : dict of float to ndarray, shape (F of the other problem,)
        Those of the other problem; at least one.
    carry : callable
        From weights of the other problem to one's own, shape (F,).
    sigma2 : float

    Returns
    -------
    weights : ndarray, shape (F,)
        Without the other problem if one's own nearest point is as near; without one's own
        points where the other problem has none near them.
    """
    if known and distance(known, sigma2) <= distance(others, sigma2):
        return predict_weights(known, sigma2)
    weights = carry(predict_weights(others, sigma2))
    both = [place for place in known if distance(others, place) <= _REACH]
    near = nearest(both, sigma2)[:_INSIDE]
    apart = {place: known[place] - carry(predict_weights(others, place)) for place in near}
    return weights + predict_weights(apart, sigma2) if apart else weights


def nearest(known, sigma2):
    """Return the known values of sigma^2, the nearest first."""
    return sorted(known, key=lambda other: abs(math.log(other) - math.log(sigma2)))


def distance(known, sigma2):
    """Return how far the nearest of known values is, in log sigma^2."""
    return min(abs(math.log(other) - math.log(sigma2)) for other in known)


def _trust(places, place):
    """Leave one point, the nearest, where the others say nothing of what is so far away."""
    spacing = min(abs(places[0] - other) for other in places[1:]) if len(places) > 1 else 0
    return places if abs(places[0] - place) <= min(_REACH, 1.5 * spacing) else places[:1]


def _lagrange(places, place):
    """Weights of the points of the polynomial through them, at another place."""
    return [
        math.prod((place - other) / (mine - other) for other in places if other != mine)
        for mine in places
    ]
