"""Sums of log-likelihoods whose weights are linear functions of other parameters.

Data combination, auxiliary distributions, combinations of models and minimum
divergence are all of this form: log-normalizers cancel inside an event, so that
what is fixed or shared between models enters the scores as weights.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from workbench.learning.likelihood import LogLikelihood


@dataclass(frozen=True, eq=False)
class Part:
    """One log-likelihood of a sum, at weights = offset + matrix @ parameters.

    Attributes
    ----------
    log_likelihood : LogLikelihood
        Of F weights.
    matrix : sparse matrix, shape (F, parameters)
    offset : ndarray, shape (F,), or float
    factor : float
        By which each count of the events is multiplied.
    """

    log_likelihood: LogLikelihood
    matrix: sparse.csr_matrix
    offset: np.ndarray | float = 0.0
    factor: float = 1.0

    def weights(self, parameters):
        """Return the weights that parameters make, shape (F,)."""
        return self.offset + self.matrix @ parameters


class Combined:
    """The sum of factor * L(offset + matrix @ parameters) over parts, for ``maximise``.

    Attributes
    ----------
    observed : ndarray, shape (parameters,)
        Counts of the features that each parameter weighs, their signs left out.
    """

    def __init__(self, parts):
        self._parts = parts
        self.observed = sum(p.factor * (abs(p.matrix).T @ p.log_likelihood.observed) for p in parts)

    def __call__(self, parameters):
        """Return the log-likelihood in nats and its gradient, shape (parameters,)."""
        value, gradient = 0.0, np.zeros(len(parameters))
        for part in self._parts:
            one, slope = part.log_likelihood(part.weights(parameters))
            value += part.factor * one
            gradient += part.factor * (part.matrix.T @ slope)
        return value, gradient

    def curvature(self, parameters):
        """Return the diagonal of the Hessian of -L, shape (parameters,)."""
        return sum(part.factor * _curvature(part, parameters) for part in self._parts)


def _curvature(part, parameters):
    """Of parameters that weigh one feature from kernels, of others from a difference of slopes."""
    weights = part.weights(parameters)
    curved = part.matrix.multiply(part.matrix).T @ part.log_likelihood.curvature(weights)
    wide = np.flatnonzero(np.diff(part.matrix.tocsc().indptr) > 1)
    slope = part.log_likelihood(weights)[1] if len(wide) else None
    for column in wide:
        direction = part.matrix[:, [column]].toarray().ravel()
        step = 1e-4 / (np.abs(direction).max() or 1.0)
        turned = part.log_likelihood(weights + step * direction)[1]
        curved[column] = max(0.0, (slope - turned) @ direction / step)
    return curved


def selection(chosen):
    """Return the matrix from the chosen of F weights to all, the others 0.

    Parameters
    ----------
    chosen : ndarray of bool, shape (F,)

    Returns
    -------
    matrix : sparse matrix, shape (F, number chosen)
    """
    rows = np.flatnonzero(chosen)
    entries = np.ones(len(rows)), (rows, np.arange(len(rows)))
    return sparse.csr_matrix(entries, shape=(len(chosen), len(rows)))
