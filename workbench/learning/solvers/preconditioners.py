"""Approximate inverses of a Hessian, for conjugate gradients: its diagonal's, or a block's, too."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from workbench.numerics.vectors import conjugate_gradient_step, dot, next_direction


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
        super().__init__(scale)
        self._places, matrix = block.places, block.curvature.copy()
        np.fill_diagonal(matrix, 1 / scale[self._places])
        self._factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)

    def step(
        self, length: float, direction: np.ndarray, product: np.ndarray,
        solution: np.ndarray, rest: np.ndarray,
    ) -> float:  # fmt: skip
        """Move along a direction; as in ``DiagonalInverse``."""
        size = super().step(length, direction, product, solution, rest)
        own = rest[self._places]
        self._more = cho_solve(self._factor, own, check_finite=False)
        self._more -= self._scale[self._places] * own
        return size + dot(own, self._more)

    def turn(self, share: float, rest: np.ndarray, direction: np.ndarray) -> None:
        """Replace a direction; as in ``DiagonalInverse``."""
        super().turn(share, rest, direction)
        direction[self._places] += self._more
