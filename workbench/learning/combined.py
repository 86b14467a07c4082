"""Log-likelihoods added, whose weights are linear functions of others; offsets shared by a group.

Data combination, auxiliary distributions, combinations of models and minimum divergence are
``Combined``: log-normalizers cancel inside an event, so that what is fixed or shared between
models enters the scores as weights. So is training on a cluster, whose parts are elsewhere.

``learn_offsets`` is a multinomial logistic regression of K - 1 weights for each group of events,
with the scores as given offsets and a Gaussian prior around 0. All groups are solved at once by
Newton's method; a group whose step would lower its objective takes half of it, and half again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from workbench.inference.maxent import GroupSums, sum_groups
from workbench.learning.likelihood import LogLikelihood
from workbench.numerics.vectors import add_at, take_at

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

    def add(self, own: np.ndarray, total: np.ndarray) -> None:
        """Add to sums by parameter the part's by weight, such as its gradient."""
        total += self.factor * (self.matrix.T @ own)

    def add_observed(self, total: np.ndarray) -> None:
        """Add counts of the features that each parameter weighs, their signs left out."""
        total += self.factor * (abs(self.matrix).T @ self.log_likelihood.observed)

    def add_curvature(self, own: np.ndarray, parameters: np.ndarray, total: np.ndarray) -> None:
        """Add the Hessian's diagonal; by differences where a parameter weighs many features."""
        diagonal = self.matrix.multiply(self.matrix).T @ own
        shared = np.flatnonzero(np.diff(self.matrix.tocsc().indptr) > 1)
        weights = self.weights(parameters)
        slope = self.log_likelihood(weights)[1] if len(shared) else None
        for column in shared:
            direction = self.matrix[:, [column]].toarray().ravel()
            step = 1e-4 / (np.abs(direction).max() or 1.0)
            moved = self.log_likelihood(weights + step * direction)[1]
            diagonal[column] = max(0.0, (slope - moved) @ direction / step)
        total += self.factor * diagonal


class PartAt(NamedTuple):
    """One term of a sum: a log-likelihood of the parameters at some places, whatever all are."""

    log_likelihood: Any  # of F weights, or what stands for one elsewhere and has ``observed``
    places: np.ndarray  # of uint32, shape (F,)
    factor: float = 1.0

    def weights(self, parameters: np.ndarray) -> np.ndarray:
        """Return the parameters at its places, shape (F,)."""
        own = np.empty(len(self.places))
        take_at(self.places, parameters, own)
        return own

    def add(self, own: np.ndarray, total: np.ndarray) -> None:
        """Add to sums by parameter the part's by weight, such as its gradient."""
        add_at(self.places, own if self.factor == 1 else self.factor * own, total)

    def add_observed(self, total: np.ndarray) -> None:
        """Add counts of the features that each parameter weighs."""
        self.add(self.log_likelihood.observed, total)

    def add_curvature(self, own: np.ndarray, parameters: np.ndarray, total: np.ndarray) -> None:
        """Add the Hessian's diagonal."""
        self.add(own, total)


class Combined:
    """The sum of factor * L(weights) over parts, as a function of parameters, for ``maximise``.

    Parameters
    ----------
    parts : sequence of Part or PartAt
    n : int, optional
        How many parameters there are, if no matrix of a ``Part`` says so.
    calls : callable, optional
        From the name of a method and the weights of each part to what the method of each part
        returns, in order; called here, one after another, by default.

    Attributes
    ----------
    observed : ndarray, shape (parameters,)
        Counts of the features that each parameter weighs, their signs left out.
    """

    def __init__(
        self, parts: Sequence[Any], n: int | None = None, calls: Callable | None = None
    ) -> None:
        self._parts, self._calls = parts, calls or self._call_in_turn
        self.observed = np.zeros(parts[0].matrix.shape[1] if n is None else n)
        for part in parts:
            part.add_observed(self.observed)

    def __call__(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (parameters,)."""
        value, gradient = 0.0, np.zeros(len(parameters))
        for part, (one, slope) in self._ask("__call__", parameters):
            value += part.factor * one
            part.add(slope, gradient)
        return value, gradient

    def curvature(self, parameters: np.ndarray) -> np.ndarray:
        """Return the diagonal of the Hessian of -L, shape (parameters,)."""
        total = np.zeros(len(parameters))
        for part, diagonal in self._ask("curvature", parameters):
            part.add_curvature(diagonal, parameters, total)
        return total

    def _ask(self, method, parameters):
        own = (part.weights(parameters) for part in self._parts)
        return zip(self._parts, self._calls(method, own), strict=True)

    def _call_in_turn(self, method, own):
        for part, weights in zip(self._parts, own, strict=True):
            yield getattr(part.log_likelihood, method)(weights)


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
