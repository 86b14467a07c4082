"""Offsets of groups of events are the optimum, and their sums those of plain formulas."""

import numpy as np

from workbench.inference.maxent import GroupSums, sum_groups
from workbench.learning.combined import learn_offsets


def test_sums_are_those_of_the_formulas(rng):
    scores, tags, counts = rng.normal(size=(9, 4)), rng.integers(4, size=9), rng.random(9)
    starts, offsets = np.array([0, 2, 9]), rng.normal(size=(2, 3))
    sums = GroupSums(np.zeros(2), np.zeros((2, 3)), np.zeros((2, 3, 3)))
    sum_groups(scores, tags, counts, starts, np.array([1]), offsets, sums)
    shifted = scores[2:] + np.append(0, offsets[1])
    p = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    seen, counts = np.eye(4)[tags[2:]], counts[2:]
    hessian = sum(c * (np.diag(own) - np.outer(own, own)) for c, own in zip(counts, p, strict=True))
    np.testing.assert_allclose(sums.values, [0, counts @ np.log((p * seen).sum(axis=1))])
    np.testing.assert_allclose(sums.slopes[1], (counts @ (seen - p))[1:])
    np.testing.assert_allclose(sums.curvature[1], hessian[1:, 1:])


def test_the_slopes_of_the_objective_are_0_at_the_offsets(rng):
    scores, tags = 9 * rng.normal(size=(200, 5)), rng.integers(5, size=200).astype(np.int8)
    groups, counts = rng.integers(30, size=200), rng.random(200)
    offsets = learn_offsets(scores, tags, groups, 31, 5.0, counts)
    shifted = scores + offsets[groups]
    p = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    slopes = -offsets / 5.0
    np.add.at(slopes, groups, counts[:, None] * (np.eye(5)[tags] - p))
    np.testing.assert_allclose(slopes[:, 1:], 0, atol=1e-7)
    assert not offsets[30].any()
