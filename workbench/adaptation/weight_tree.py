"""The log-likelihood of several texts, the weights of each a sum over the nodes of a tree's path.

The tree is that of Finkel & Manning (2009) in the form of sums: where they draw the weights of a
node around those of its parent, here the difference is the node's own parameter, with a Gaussian
prior around 0 and the same variance. Both have the same optimum.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple, Self

import numpy as np

from workbench.learning.problem import ActiveLikelihood
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


class WeightTree:
    """The log-likelihood of texts as a function of the parameters of all nodes, for ``maximise``.

    Parameters
    ----------
    texts : sequence of ActiveLikelihood
        Over the same F weights.
    paths : sequence of sequence of str
        The nodes of each text, from the root to its leaf, by name.
    n_weights : int
        F.

    Attributes
    ----------
    nodes : dict of str to slice
        Each node's place among all parameters.
    places : dict of str to ndarray
        Which of the F weights these parameters of each node add to: all that a text below it
        depends on.
    """

    def __init__(
        self, texts: Sequence[ActiveLikelihood], paths: Sequence[Sequence[str]], n_weights: int
    ):
        self._n_weights, self.nodes = n_weights, dict[str, slice]()
        self.places: dict[str, np.ndarray] = {}
        first = 0
        for node in dict.fromkeys(node for path in paths for node in path):
            below = [text.places for text, path in zip(texts, paths, strict=True) if node in path]
            self.places[node] = places = np.unique(np.concatenate(below))
            self.nodes[node] = slice(first, first + len(places))
            first += len(places)
        self.n_parameters = first
        starts = {node: own.start for node, own in self.nodes.items()}
        self._texts = [  # each with the numbers of its weights' parameters in each node of its path
            (
                text.log_likelihood,
                [starts[node] + np.searchsorted(self.places[node], text.places) for node in path],
            )
            for text, path in zip(texts, paths, strict=True)
        ]
        self._factors: Sequence[float] = [1.0] * len(texts)

    @property
    def observed(self) -> np.ndarray:
        """Counts of the features that each parameter adds to, times factors; (parameters,)."""
        return self._spread(nats.observed for nats, _ in self._texts)

    def weighted(self, factors: Sequence[float]) -> Self:
        """Return the same tree with the log-likelihood of each text multiplied by its factor."""
        tree = copy(self)
        tree._factors = factors
        return tree

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (parameters,)."""
        found = [nats(self._sum(parameters, own)) for nats, own in self._texts]
        total = sum(factor * value for factor, (value, _) in zip(self._factors, found, strict=True))
        return total, self._spread(slope for _, slope in found)

    def curvature(self, parameters: np.ndarray) -> np.ndarray:
        """Return the diagonal of the Hessian of -L, shape (parameters,)."""
        return self._spread(n.curvature(self._sum(parameters, own)) for n, own in self._texts)

    def hessian(self, parameters: np.ndarray, share: float = 0.0) -> TreeHessian:
        """Return the Hessian of -L; events with less than a share of the mean curvature left out.

        ``share`` is as in ``LogLikelihood.expand``, for each text by itself.
        """
        texts = [
            TextHessian(factor, nats.expand(self._sum(parameters, own), share)[-1], own)
            for factor, (nats, own) in zip(self._factors, self._texts, strict=True)
        ]
        return TreeHessian(texts, self.n_parameters)

    def rises(self, parameters: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """Return how fast each text's log-likelihood, times its factor, rises in a direction.

        Shape (texts,); ``direction`` is of all parameters, shape (parameters,).
        """
        slopes = (nats(self._sum(parameters, own))[1] for nats, own in self._texts)
        pairs = zip(self._factors, slopes, self._texts, strict=True)
        return np.array([f * (slope @ self._sum(direction, own)) for f, slope, (_, own) in pairs])

    def gather(self, slope: np.ndarray, path: Sequence[str]) -> np.ndarray:
        """Return the gradient by all parameters, shape (parameters,), of a function of weights.

        ``slope``, shape (F,), is its gradient by the weights at the end of a path from the root.
        """
        total = np.zeros(self.n_parameters)
        for node in path:
            total[self.nodes[node]] = slope[self.places[node]]
        return total

    def weights(self, parameters: np.ndarray, path: Sequence[str]) -> np.ndarray:
        """Return the weights at the end of a path from the root, shape (F,)."""
        weights = np.zeros(self._n_weights)
        for node in path:
            weights[self.places[node]] += parameters[self.nodes[node]]
        return weights

    def _sum(self, parameters, own):
        return sum(parameters[numbers] for numbers in own)

    def _spread(self, by_text):
        """Sum values of each text's weights, times its factor, over the parameters behind them."""
        total = np.zeros(self.n_parameters)
        for values, factor, (_, own) in zip(by_text, self._factors, self._texts, strict=True):
            for numbers in own:  # no number is there twice
                total[numbers] += factor * values
        return total
