"""The Hessian of the log-likelihood of several texts whose weights are sums over a tree's nodes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from workbench.numerics.vectors import add_diagonal_product


class TextHessian(NamedTuple):
    """The Hessian of one text's log-likelihood, and which parameters its weights are sums of."""

    factor: float  # by which the log-likelihood is multiplied
    hessian: Any  # of -L by the text's own weights, shape (F,)
    own: Sequence[np.ndarray]  # for each node of its path the numbers of F parameters


class TreeHessian:
    """The Hessian of -L by all parameters of a ``WeightTree``, for ``conjugate_gradients.solve``.

    Attributes
    ----------
    diagonal : ndarray, shape (parameters,)
    active : slice
        Parameters whose rows are more than their diagonal: all are taken to be.
    """

    active, block = slice(None), None

    def __init__(self, texts: Sequence[TextHessian], n_parameters: int):
        self._texts, self.diagonal = texts, np.zeros(n_parameters)
        for factor, hessian, own in texts:
            for numbers in own:  # no number is there twice
                self.diagonal[numbers] += factor * hessian.diagonal

    def multiply(self, vector: np.ndarray, precision: np.ndarray, product: np.ndarray) -> float:
        """Fill a product of (Hessian + diagonal precision) with a vector, shape (parameters,).

        Returns the inner product of vector and product.
        """
        product[:] = 0
        for factor, hessian, own in self._texts:
            moved = factor * (hessian @ sum(vector[numbers] for numbers in own))
            for numbers in own:
                product[numbers] += moved
        return add_diagonal_product(vector, precision, product)
