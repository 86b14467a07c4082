"""Fewer rows, the same predicates."""

import numpy as np
from scipy import sparse

from workbench.features.rows.compaction import compact_rows


def test_rows_that_fire_nothing_become_the_first(rng):
    firing = sparse.csr_matrix(np.array([[0, 1], [0, 0], [1, 0], [0, 0], [1, 1]], float))
    rows = rng.integers(0, 5, (30, 2)).astype(np.int32)
    kept_rows, kept = compact_rows(rows, firing)
    np.testing.assert_array_equal(kept.toarray()[kept_rows], firing.toarray()[rows])
    assert kept.shape == (4, 2)


def test_slots_of_few_rows_are_joined(rng):
    firing = sparse.csr_matrix((rng.random((1009, 40)) < 0.1).astype(float))
    few = [9 * s + rng.integers(0, 3, 4000) for s in range(3)]
    rows = np.stack([few[0], rng.integers(27, 1009, 4000), *few[1:]], axis=1).astype(np.int32)
    joined_rows, joined = compact_rows(rows, firing, join=True)
    assert joined_rows.shape == (4000, 2)
    expected = sum(firing[column].toarray() for column in rows.T)
    found = sum(joined[column].toarray() for column in joined_rows.T)
    np.testing.assert_array_equal(found, expected)
