"""Fewer rows, the same predicates."""

import numpy as np
from scipy import sparse

from workbench.features.firing import compact_rows


def test_rows_that_fire_nothing_become_the_first(rng):
    firing = sparse.csr_matrix(np.array([[0, 1], [0, 0], [1, 0], [0, 0], [1, 1]], float))
    rows = rng.integers(0, 5, (30, 2)).astype(np.int32)
    kept_rows, kept = compact_rows(rows, firing)
    np.testing.assert_array_equal(kept.toarray()[kept_rows], firing.toarray()[rows])
    assert kept.shape == (4, 2)
