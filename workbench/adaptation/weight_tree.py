"""A tree of texts: the weights of a leaf are the sum of those on its path, fitted at once.

Texts at the leaves of a tree: the weights of each are the sum of what its nodes add.

The tree is that of Finkel & Manning (2009) in the form of sums: where they draw the weights of a
node around those of its parent, here the difference is the node's own parameter, with a Gaussian
prior around 0 and the same variance. Both have the same optimum.

The Hessian of the log-likelihood of several texts whose weights are sums over a tree's nodes.

The genres of texts, read from a small TOML file: a tree of three levels, general, genre, text.

    news = ["reuters1987", "wsj"]
    speech = ["ted", "domain"]

Each line is a genre and the texts that it has; ``domain`` stands for the adaptation text.
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from workbench.learning.problem import ActiveLikelihood
from workbench.numerics.vectors import add_diagonal_product
from workbench.text.errors import InputError
from workbench.text.readers import read_text


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
    """Log-likelihood of several texts, the weights of each a sum over the nodes of a path.

    It is a function of the parameters of all nodes, as ``maximise`` takes it.

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
        self._texts = [
            (text.log_likelihood, [self._find(node, text.places) for node in path])
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

    def _find(self, node, places):
        """Return which parameters of a node add to some weights."""
        return self.nodes[node].start + np.searchsorted(self.places[node], places)

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

    def _sum(self, parameters: np.ndarray, own: Sequence[np.ndarray]) -> Any:
        return sum(parameters[numbers] for numbers in own)

    def _spread(self, by_text):
        """Sum values of each text's weights, times its factor, over the parameters behind them."""
        total = np.zeros(self.n_parameters)
        for values, factor, (_, own) in zip(by_text, self._factors, self._texts, strict=True):
            for numbers in own:  # no number is there twice
                total[numbers] += factor * values
        return total


DOMAIN = "domain"  # the name of the adaptation text


def read_genres(path: str | Path, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the genre of each background text, by name, and, last, that of the domain.

    Raises
    ------
    InputError
        If the file cannot be read as TOML, or does not have each of the texts and the domain once.
    """
    genres = _read_lists(path)
    names = [name for members in genres.values() for name in members]
    needed = Counter([*texts, DOMAIN])
    for name in needed | Counter(names):
        if needed[name] != 1 or names.count(name) != 1:
            allowed = ", ".join(needed)
            raise InputError(f"{path}: {name!r}: each of {allowed} is to be there once, no other")
    of = {name: genre for genre, members in genres.items() for name in members}
    return tuple(of[name] for name in needed)


def _read_lists(path):
    """Return the genres of a file, each with the names of its texts."""
    try:
        genres = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: no TOML file that can be read: {error}") from error
    for genre, members in genres.items():
        if not (isinstance(members, list) and all(isinstance(name, str) for name in members)):
            raise InputError(
                f'{path}: {genre}: a list of texts, such as ["wsj", "ted"], is allowed'
            )
    return genres
