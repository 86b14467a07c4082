"""Newton's equations, solved by conjugate gradients as far as it is worth."""

from typing import NamedTuple

import numpy as np

from workbench.numerics.vectors import conjugate_gradient_step, dot, next_direction

_WORTH = 0.15  # go on while a product gains this share of the products' mean gain
_PRODUCTS = 300  # at most


class Truncated(NamedTuple):
    """A solution as far as it was worth.

    Attributes
    ----------
    step : ndarray, shape (F,)
    gain : float
        What the step gains if the cost is the parabola that the Hessian makes of it.
    n_products : int
    left : float
        What as many products again would gain at the rate of the last: rather more than is left.
    """

    step: np.ndarray
    gain: float
    n_products: int
    left: float


def solve_truncated(hessian, precision, slope, at_least=0, enough=0.0, on_product=None):
    """Solve (hessian + precision) step = -slope by preconditioned conjugate gradients.

    Parameters
    ----------
    hessian : Hessian
    precision : float or ndarray, shape (F,)
        A diagonal to be added.
    slope : ndarray, shape (F,)
    at_least : float
        Products to be made before it can be judged whether more are worth it.
    enough : float
        A gain beside which less is not worth it either.
    on_product : callable, optional
        Called before each product; an exception from it is passed on.

    Returns
    -------
    solution : Truncated

    Source
    ------
    Nash & Sofer (1990), for the end.
    """
    scale, active = 1 / (hessian.diagonal + precision), hessian.active
    step = -scale * slope
    alone = 0.5 * (dot(slope[active], step[active]) - dot(slope, step))
    precision = np.broadcast_to(precision, slope.shape)[active]
    found = _descend(
        hessian, precision, -slope[active], scale[active], at_least, enough, on_product
    )
    step[active] = found.step
    return found._replace(step=step, gain=alone + found.gain)


def _descend(hessian, precision, rest, scale, at_least, enough, on_product):
    """Conjugate gradients among the active weights."""
    step, direction, product = np.zeros_like(rest), scale * rest, np.empty_like(rest)
    size, gain, left, n_products = dot(rest, direction), 0.0, 0.0, 0
    while size > 0 and n_products < _PRODUCTS:
        if on_product:
            on_product()
        length = size / hessian.multiply(direction, precision, product)
        more, last = 0.5 * length * size, size
        size = conjugate_gradient_step(length, direction, product, scale, step, rest)
        gain, n_products = gain + more, n_products + 1
        left = n_products * more
        if n_products >= at_least and left <= _WORTH * max(gain, enough):
            break
        next_direction(size / last, scale, rest, direction)
    return Truncated(step, gain, n_products, left)
