"""Fewer rows, the same predicates."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from workbench.features.compaction import _join, compact_rows
from workbench.features.contexts import Contexts, Fillers
from workbench.features.templates import Slot


def events_of(rows, offset):
    """Return events with these rows, whose only slot known reads a word or a column."""
    slot = Slot((offset,), 0, ())
    fillers = (Fillers(slot, np.empty((0, 1), int), (), 0),)
    return Contexts([], fillers, rows, np.zeros(len(rows), np.int8), np.ones(len(rows)), 5)


def test_rows_that_fire_nothing_become_the_first(rng):
    firing = sparse.csr_matrix(np.array([[0, 1], [0, 0], [1, 0], [0, 0], [1, 1]], float))
    rows = rng.integers(0, 5, (30, 2)).astype(np.int32)
    kept_rows, kept = compact_rows(events_of(rows, 0), firing)
    np.testing.assert_array_equal(kept.toarray()[kept_rows], firing.toarray()[rows])
    assert kept.shape == (4, 2)


def test_rows_of_large_numbers_are_told_apart(rng):
    n_rows = 1 << 22  # a thousand combinations by as many are beyond 32 bits
    rows = (n_rows - 1 - rng.integers(0, 40, (9000, 3))).astype(np.int32)
    firing = sparse.identity(n_rows, format="csr")
    places, joined = _join(rows, [0, 1, 2], np.arange(n_rows, dtype=np.uint32), firing)
    expected = sum((firing[column] for column in rows.T[1:]), start=firing[rows[:, 0]])
    assert (joined[places] != expected).nnz == 0


@pytest.mark.parametrize("are_spent", [False, True])
def test_slots_of_few_rows_are_joined(rng, are_spent):
    firing = sparse.csr_matrix((rng.random((1009, 40)) < 0.1).astype(float))
    few = [9 * s + rng.integers(0, 3, 4000) for s in range(3)]
    rows = np.stack([few[0], rng.integers(27, 1009, 4000), *few[1:]], axis=1).astype(np.int32)
    given = replace(events_of(rows.copy(), ("casing", 0)), are_spent=are_spent)
    joined_rows, joined = compact_rows(given, firing)
    assert joined_rows.shape == (4000, 2)
    expected = sum(firing[column].toarray() for column in rows.T)
    found = sum(joined[column].toarray() for column in joined_rows.T)
    np.testing.assert_array_equal(found, expected)
