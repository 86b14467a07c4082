"""Truncated conjugate gradients: Newton's equations solved as far as more products pay."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from workbench.numerics.vectors import conjugate_gradient_step, dot, next_direction

_PAYS = 0.15  # go on while a product gains this share of the products' mean gain
_MOST_PRODUCTS = 300


class Truncated(NamedTuple):
    """A solution of Newton's equations, stopped where more products would gain little."""

    step: np.ndarray  # shape (F,)
    gain: float  # of the step, if the cost is the parabola that the Hessian makes of it
    n_products: int
    left: float  # what as many products again would gain, like the last: more than is left


def solve_truncated(
    hessian: Any, precision: float | np.ndarray, slope: np.ndarray, at_least: float = 0,
    enough: float = 0.0, on_product: Callable[[], object] | None = None,
) -> Truncated:  # fmt: skip
    """Return the solution of (hessian + precision) step = -slope, by conjugate gradients.

    Preconditioned by the diagonal. Weights that no uncertain event depends on have nothing but
    their diagonal, so they are solved at once.

    Parameters
    ----------
    precision : float or ndarray, shape (F,)
        A diagonal to be added.
    at_least : float
        Products to be made before it can be judged whether more pay.
    enough : float
        A gain so small that products that gain less do not pay either.
    on_product : callable, optional
        Called before each product; an exception from it is passed on.

    Source
    ------
    Nash & Sofer (1990), *Assessing a search direction within a truncated-Newton method*.
    """
    scale, active = 1 / (hessian.diagonal + precision), hessian.active
    step = -scale * slope
    gain_of_others = 0.5 * (dot(slope[active], step[active]) - dot(slope, step))
    precision = np.broadcast_to(precision, slope.shape)[active]
    rest, scale = -slope[active], scale[active]
    solved = _descend(hessian, precision, rest, scale, at_least, enough, on_product)
    step[active] = solved.step
    return solved._replace(step=step, gain=gain_of_others + solved.gain)


def _descend(hessian, precision, rest, scale, at_least, enough, on_product):
    """Conjugate gradients among the active weights; ``rest`` is the residual."""
    step, direction, product = np.zeros_like(rest), scale * rest, np.empty_like(rest)
    size, gain, left, n_products = dot(rest, direction), 0.0, 0.0, 0
    while size > 0 and n_products < _MOST_PRODUCTS:
        if on_product:
            on_product()
        length = size / hessian.multiply(direction, precision, product)
        more, last = 0.5 * length * size, size
        size = conjugate_gradient_step(length, direction, product, scale, step, rest)
        gain, n_products = gain + more, n_products + 1
        left = n_products * more
        if n_products >= at_least and left <= _PAYS * max(gain, enough):
            break
        next_direction(size / last, scale, rest, direction)
    return Truncated(step, gain, n_products, left)
