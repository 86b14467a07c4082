"""Log-likelihoods added, whose weights are linear functions of others; offsets shared by a group.

Data combination, auxiliary distributions, combinations of models and minimum divergence are
``Combined``: log-normalizers cancel inside an event, so that what is fixed or shared between
models enters the scores as weights.

``learn_offsets`` is a multinomial logistic regression of K - 1 weights for each group of events,
with the scores as given offsets and a Gaussian prior around 0. All groups are solved at once by
Newton's method; a group whose step would lower its objective takes half of it, and half again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from workbench.inference.maxent import GroupSums, sum_groups
from workbench.learning.likelihood import LogLikelihood

_TOLERANCE = 1e-8  # of an offset, in the last step
_MOST_STEPS = 100


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


class _Events(NamedTuple):
    """Events sorted by group; group g has those from ``starts[g]`` to ``starts[g + 1]``."""

    scores: np.ndarray  # shape (N, K)
    tags: np.ndarray
    counts: np.ndarray
    starts: np.ndarray  # shape (G + 1,)


def learn_offsets(
    scores: np.ndarray, tags: np.ndarray, groups: np.ndarray, n_groups: int, sigma2: float,
    counts: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """Return the offsets that maximise log-likelihood less penalty; float64, shape (G, K).

    Those of the first tag are 0. ``scores``, shape (N, K), ``tags`` and ``groups``, int, shape
    (N,), are of the events; a group without events has offsets 0. An event counts once, or as
    often as ``counts``, shape (N,), say.
    """
    counts = np.ones(len(tags)) if counts is None else counts
    offsets = np.zeros((n_groups, scores.shape[1]))
    present, numbers = np.unique(groups, return_inverse=True)
    if len(present):
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(len(present) + 1))
        events = _Events(scores[order], tags[order], counts[order], starts)
        offsets[present, 1:] = _maximise(events, sigma2)
    return offsets


def _maximise(events, sigma2):
    """Return the offsets of groups that have events, shape (G, K - 1)."""
    n, width = len(events.starts) - 1, events.scores.shape[1] - 1
    offsets, steps, active = np.zeros((n, width)), np.zeros((n, width)), np.arange(n)
    sums = GroupSums(np.empty(n), np.empty((n, width)), np.empty((n, width, width)))
    _evaluate(events, sigma2, offsets, active, sums)
    for _ in range(_MOST_STEPS):
        slopes = sums.slopes[active][:, :, None]
        steps[active] = np.linalg.solve(sums.curvature[active], slopes)[:, :, 0]
        _climb(events, sigma2, offsets, steps, active, sums)
        active = active[np.abs(steps[active]).max(axis=1) >= _TOLERANCE]
        if not len(active):
            break
    return offsets


def _climb(events, sigma2, offsets, steps, active, sums):
    """Move the offsets of groups by their steps; a step that lowers a value is halved until not."""
    begun, values = offsets.copy(), sums.values.copy()
    while len(active):
        offsets[active] = begun[active] + steps[active]
        _evaluate(events, sigma2, offsets, active, sums)
        fell = sums.values < values - 1e-12 * np.abs(values)
        active = active[fell[active]]
        steps[active] /= 2


def _evaluate(events, sigma2, offsets, active, sums):
    """Fill the objective, its slopes and its curvature of the active groups: prior and events."""
    sum_groups(*events, active, offsets, sums)
    own = offsets[active]
    sums.values[active] -= (own**2).sum(axis=1) / (2 * sigma2)
    sums.slopes[active] -= own / sigma2
    sums.curvature[active] += np.eye(own.shape[1]) / sigma2
