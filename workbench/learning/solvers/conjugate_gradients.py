"""Conjugate gradients for Newton's equations, stopped early or solved accurately.

Preconditioned by an approximate inverse of the Hessian: its diagonal's, or a block's, too.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from workbench.numerics.vectors import conjugate_gradient_step, dot, next_direction

_PAYS = 0.15  # go on while a product gains this share of the products' mean gain
_MOST_PRODUCTS = 300
_ACCURATE = 2e-3  # share of the residual that is left, in the norm of the inverse of the diagonal


class Block(NamedTuple):
    """An approximation of some rows and columns of a Hessian."""

    places: np.ndarray  # int64, shape (m,): of its weights
    curvature: np.ndarray  # shape (m, m), positive semi-definite; the lower triangle


class DiagonalInverse:
    """The inverse of a matrix's diagonal; ``scale`` is that inverse, shape (F,)."""

    def __init__(self, scale: np.ndarray) -> None:
        self._scale = scale

    def step(
        self, length: float, direction: np.ndarray, product: np.ndarray,
        solution: np.ndarray, rest: np.ndarray,
    ) -> float:  # fmt: skip
        """Move the solution along a direction, the rest along its product with the matrix.

        Returns the rest' inverse rest of the new rest.
        """
        return conjugate_gradient_step(length, direction, product, self._scale, solution, rest)

    def turn(self, share: float, rest: np.ndarray, direction: np.ndarray) -> None:
        """Replace a direction by inverse rest + share * direction."""
        next_direction(share, self._scale, rest, direction)


class BlockInverse(DiagonalInverse):
    """The inverse of a block of a matrix, and of its diagonal for all other weights.

    Weights of most curvature share most words with one another, so their rows and columns
    pull against one another: inverted together they save half of the products and more.

    Parameters
    ----------
    scale : ndarray, shape (F,)
        The inverse of the diagonal, that of the block's weights among it.
    """

    def __init__(self, block: Block, scale: np.ndarray) -> None:
        from scipy.linalg import cho_factor, cho_solve  # 7 MB, which nobody needs who only recases

        super().__init__(scale)
        self._places, matrix = block.places, block.curvature.copy()
        np.fill_diagonal(matrix, 1 / scale[self._places])
        factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
        self._solve = partial(cho_solve, factor, check_finite=False)

    def step(
        self, length: float, direction: np.ndarray, product: np.ndarray,
        solution: np.ndarray, rest: np.ndarray,
    ) -> float:  # fmt: skip
        """Move along a direction; as in ``DiagonalInverse``."""
        size = super().step(length, direction, product, solution, rest)
        own = rest[self._places]
        self._more = self._solve(own)
        self._more -= self._scale[self._places] * own
        return size + dot(own, self._more)

    def turn(self, share: float, rest: np.ndarray, direction: np.ndarray) -> None:
        """Replace a direction; as in ``DiagonalInverse``."""
        super().turn(share, rest, direction)
        direction[self._places] += self._more


class Truncated(NamedTuple):
    """A solution of Newton's equations, stopped where more products would gain little."""

    step: np.ndarray  # shape (F,)
    gain: float  # of the step, if the cost is the parabola that the Hessian makes of it
    n_products: int
    left: float  # at most so much is left to gain: n_products times the last product's gain


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
