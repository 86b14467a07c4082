"""Maximum a posteriori offsets that are added to the scores of all events of a group.

Each group is a multinomial logistic regression of K - 1 weights, with the scores as given offsets
and a Gaussian prior around 0. All groups are solved at once by Newton's method; a group whose
step would lower its objective takes half of it, and half again.
"""

from typing import NamedTuple

import numpy as np

_TOLERANCE = 1e-8  # of an offset, in the last step
_MOST_STEPS = 100


class _Grouped(NamedTuple):
    """Events sorted by group: scores, targets of shape (N, K), groups, counts (N,), starts (G,)."""

    scores: np.ndarray
    targets: np.ndarray  # 1 at the event's tag
    groups: np.ndarray
    starts: np.ndarray
    sigma2: float
    counts: np.ndarray


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
        targets = np.eye(scores.shape[1])[tags[order]]
        starts = np.searchsorted(numbers[order], np.arange(len(present)))
        events = _Grouped(scores[order], targets, numbers[order], starts, sigma2, counts[order])
        offsets[present, 1:] = _maximise(events)
    return offsets


def _maximise(events):
    """Return the offsets of groups that have events, shape (G, K - 1)."""
    offsets = np.zeros((len(events.starts), events.scores.shape[1] - 1))
    values, p = _objective(events, offsets)
    for _ in range(_MOST_STEPS):
        step = _newton_step(events, offsets, p)
        while True:
            tried = offsets + step
            new_values, new_p = _objective(events, tried)
            fell = new_values < values - 1e-12 * np.abs(values)
            if not fell.any():
                break
            step[fell] /= 2
        offsets, values, p = tried, new_values, new_p
        if np.abs(step).max() < _TOLERANCE:
            break
    return offsets


def _objective(events, offsets):
    """Return each group's log-likelihood less penalty, shape (G,), and all P(tag), (N, K)."""
    shifted = events.scores.copy()
    shifted[:, 1:] += offsets[events.groups]
    shifted -= shifted.max(axis=1, keepdims=True)
    p = np.exp(shifted)
    sums = p.sum(axis=1, keepdims=True)
    own = events.counts * ((events.targets * shifted).sum(axis=1) - np.log(sums[:, 0]))
    penalty = (offsets**2).sum(axis=1) / (2 * events.sigma2)
    return np.add.reduceat(own, events.starts) - penalty, p / sums


def _newton_step(events, offsets, p):
    """Return the step of each group to the top of its quadratic model, shape (G, K - 1)."""
    counts, free = events.counts[:, None], p[:, 1:]
    missing = counts * (events.targets - p)
    slopes = np.add.reduceat(missing, events.starts)[:, 1:] - offsets / events.sigma2
    diagonal, identity = np.add.reduceat(counts * free, events.starts), np.eye(free.shape[1])
    curvature = (diagonal + 1 / events.sigma2)[:, :, None] * identity
    for i, column in enumerate(free.T):
        curvature[:, i] -= np.add.reduceat(counts * column[:, None] * free, events.starts)
    return np.linalg.solve(curvature, slopes[:, :, None])[:, :, 0]
