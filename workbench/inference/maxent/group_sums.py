"""Sums over the events of groups, each of which adds offsets to the scores of its own events.

With scores s(y) of an event, offsets o(y) of its group, 0 for the first tag, and counts #::

    p(y)          = exp(s(y) + o(y)) / sum over all tags of the same
    value         sum of # log p(y_seen)
    slopes[y]     sum of # (1 if y is seen else 0) - # p(y)
    curvature     sum of # (diag(p) - p p'), the Hessian of -value, by the tags after the first
"""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit


class GroupSums(NamedTuple):
    """What is summed for each group."""

    values: np.ndarray  # nats, shape (G,)
    slopes: np.ndarray  # shape (G, K - 1)
    curvature: np.ndarray  # shape (G, K - 1, K - 1)


@jit
def sum_groups(
    scores: np.ndarray, tags: np.ndarray, counts: np.ndarray, starts: np.ndarray,
    asked: np.ndarray, offsets: np.ndarray, sums: GroupSums,
) -> None:  # fmt: skip
    """Fill the sums of the groups asked for, by number; other groups' stay.

    Group g has the events ``starts[g]`` to ``starts[g + 1]`` of scores, shape (N, K), tags, int,
    and counts, shape (N,); ``offsets``, shape (G, K - 1).
    """
    width = offsets.shape[1]
    shifted, p = np.empty(width + 1), np.empty(width)
    for g in asked:
        value, slopes, curvature = 0.0, sums.slopes[g], sums.curvature[g]
        slopes[:] = 0.0
        curvature[:] = 0.0
        for i in range(starts[g], starts[g + 1]):
            shifted[0] = scores[i, 0]
            for k in range(width):
                shifted[k + 1] = scores[i, k + 1] + offsets[g, k]
            top, total = shifted.max(), 0.0
            own = shifted[tags[i]] - top
            for k in range(width + 1):
                shifted[k] = np.exp(shifted[k] - top)
                total += shifted[k]
            value += counts[i] * (own - np.log(total))
            for k in range(width):
                p[k] = shifted[k + 1] / total
            for k in range(width):
                slopes[k] -= counts[i] * p[k]
                curvature[k, k] += counts[i] * p[k]
                for m in range(width):
                    curvature[k, m] -= counts[i] * p[k] * p[m]
            if tags[i]:
                slopes[tags[i] - 1] += counts[i]
        sums.values[g] = value
