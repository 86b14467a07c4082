"""Conjugate gradients for Newton's equations, stopped early or solved accurately."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from workbench.learning.solvers.preconditioners import BlockInverse, DiagonalInverse
from workbench.numerics.vectors import dot

_PAYS = 0.15  # go on while a product gains this share of the products' mean gain
_MOST_PRODUCTS = 300
_ACCURATE = 2e-3  # share of the residual that is left, in the norm of the inverse of the diagonal


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

    def is_done(solved, share):
        return solved.n_products >= at_least and solved.left <= _PAYS * max(solved.gain, enough)

    return _solve(hessian, precision, slope, is_done, on_product=on_product)


def solve(
    hessian: Any, precision: float | np.ndarray, vector: np.ndarray, tolerance: float = _ACCURATE
) -> np.ndarray:
    """Return the accurate solution of (hessian + precision) solution = vector, shape (F,).

    The residual falls to the share ``tolerance`` of the vector, both in the norm of the
    preconditioner; after 300 products what there is is returned. The preconditioner is the
    diagonal, with the ``block`` of a Hessian that has one.
    """
    block = hessian.block
    return _solve(
        hessian, precision, -vector, lambda _, share: share <= tolerance**2,
        DiagonalInverse if block is None else partial(BlockInverse, block),
    ).step  # fmt: skip


def _solve(
    hessian, precision, slope, is_done, make_inverse=DiagonalInverse, on_product=None
):  # fmt: skip
    """Solve for inactive weights, whose Hessian is 0, at once, for the others by descent."""
    scale, active = 1 / (hessian.diagonal + precision), hessian.active
    step = -scale * slope
    gain_of_others = 0.5 * (dot(slope[active], step[active]) - dot(slope, step))
    precision = np.broadcast_to(precision, slope.shape)[active]
    inverse = make_inverse(scale[active])
    solved = _descend(hessian, precision, -slope[active], inverse, is_done, on_product)
    step[active] = solved.step
    return solved._replace(step=step, gain=gain_of_others + solved.gain)


def _descend(hessian, precision, rest, inverse, is_done, on_product):
    """Conjugate gradients among the active weights; ``rest`` is the residual.

    They end where ``is_done`` says so of what there is and of the residual's square, as a
    share of the first.
    """
    step, direction, product = np.zeros_like(rest), np.zeros_like(rest), np.zeros_like(rest)
    size = inverse.step(0.0, direction, product, step, rest)
    inverse.turn(0.0, rest, direction)
    gain, left, n_products, first = 0.0, 0.0, 0, size
    while size > 0 and n_products < _MOST_PRODUCTS:
        if on_product:
            on_product()
        length = size / hessian.multiply(direction, precision, product)
        more, last = 0.5 * length * size, size
        size = inverse.step(length, direction, product, step, rest)
        gain, n_products = gain + more, n_products + 1
        left = n_products * more
        if is_done(Truncated(step, gain, n_products, left), size / first):
            break
        inverse.turn(size / last, rest, direction)
    return Truncated(step, gain, n_products, left)
