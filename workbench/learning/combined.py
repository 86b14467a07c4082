"""Sums of log-likelihoods whose weights are linear functions of other parameters.

Data combination, auxiliary distributions, combinations of models and minimum divergence are of
this form: log-normalizers cancel inside an event, so that what is fixed or shared between models
enters the scores as weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from workbench.learning.likelihood import LogLikelihood


@dataclass(frozen=True, eq=False)
class Part:
    """One term of a sum of log-likelihoods, at weights = offset + matrix @ parameters."""

    log_likelihood: LogLikelihood  # of F weights
    matrix: sparse.csr_matrix  # shape (F, parameters)
    offset: np.ndarray | float = 0.0  # shape (F,)
    factor: float = 1.0  # by which each count of the events is multiplied

    def weights(self, parameters: np.ndarray) -> np.ndarray:
        """Return offset + matrix @ parameters, shape (F,)."""
        return self.offset + self.matrix @ parameters


class Combined:
    """The sum of factor * L(offset + matrix @ parameters) over parts, for ``maximise``.

    Attributes
    ----------
    observed : ndarray, shape (parameters,)
        Counts of the features that each parameter weighs, their signs left out.
    """

    def __init__(self, parts: Sequence[Part]):
        self._parts = parts
        self.observed = sum(p.factor * (abs(p.matrix).T @ p.log_likelihood.observed) for p in parts)

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (parameters,)."""
        value, gradient = 0.0, np.zeros(len(parameters))
        for part in self._parts:
            one, slope = part.log_likelihood(part.weights(parameters))
            value += part.factor * one
            gradient += part.factor * (part.matrix.T @ slope)
        return value, gradient

    def curvature(self, parameters: np.ndarray) -> np.ndarray:
        """Return the diagonal of the Hessian of -L, shape (parameters,)."""
        return sum(part.factor * _curvature(part, parameters) for part in self._parts)


def _curvature(part, parameters):
    """Return the diagonal of one part; by differences where a parameter weighs many features."""
    weights = part.weights(parameters)
    diagonal = part.matrix.multiply(part.matrix).T @ part.log_likelihood.curvature(weights)
    shared = np.flatnonzero(np.diff(part.matrix.tocsc().indptr) > 1)
    slope = part.log_likelihood(weights)[1] if len(shared) else None
    for column in shared:
        direction = part.matrix[:, [column]].toarray().ravel()
        step = 1e-4 / (np.abs(direction).max() or 1.0)
        moved = part.log_likelihood(weights + step * direction)[1]
        diagonal[column] = max(0.0, (slope - moved) @ direction / step)
    return diagonal


def selection(places: np.ndarray, n: int) -> sparse.csr_matrix:
    """Return the matrix, (n, places), that puts weights at some of n places, 0 at the others."""
    entries = np.ones(len(places)), (places, np.arange(len(places)))
    return sparse.csr_matrix(entries, shape=(n, len(places)))
