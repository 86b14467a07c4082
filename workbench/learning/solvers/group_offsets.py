"""Maximum a posteriori offsets that are added to the scores of all events of a group.

Each group is a multinomial logistic regression of K - 1 weights, with the scores as given offsets
and a Gaussian prior around 0. All groups are solved at once by Newton's method; a group whose
step would lower its objective takes half of it, and half again.
"""

from typing import NamedTuple

import numpy as np

from workbench.inference.maxent.group_sums import GroupSums, sum_groups

_TOLERANCE = 1e-8  # of an offset, in the last step
_MOST_STEPS = 100


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
        steps[active] = _newton_steps(sums, active)
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


def _newton_steps(sums, active):
    """Return the step of each active group to the top of its quadratic model."""
    return np.linalg.solve(sums.curvature[active], sums.slopes[active][:, :, None])[:, :, 0]
