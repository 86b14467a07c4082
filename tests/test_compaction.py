"""Fewer rows and slots, the same predicates."""

import numpy as np
import pytest
from scipy import sparse

from workbench.features.compaction import compact_rows, fold_slots, unsigned
from workbench.features.contexts import add_column, pack_contexts, pack_events
from workbench.features.selection import select_features
from workbench.features.templates import find_templates


def fired(rows, firing):
    """How often each event fires each predicate; shape (N, P)."""
    return sum(firing[column].toarray() for column in rows.T)


def test_rows_that_fire_nothing_become_the_first(rng):
    firing = sparse.csr_matrix(np.array([[0, 1], [0, 0], [1, 0], [0, 0], [1, 1]], float))
    rows = rng.integers(0, 5, (30, 2)).astype(np.int32)
    kept_rows, kept = compact_rows(rows, firing)
    np.testing.assert_array_equal(kept.toarray()[kept_rows], firing.toarray()[rows])
    assert kept.shape == (4, 2)


@pytest.mark.parametrize(
    ("templates", "n_slots"),
    [("extended", (11, 9)), ("ca04", (4, 4)), (["currentword", "currentword,t-1"], (2, 1)),
     (["currentword,t-1"], (1, 1)), ("position", (1, 1))],
)  # fmt: skip
def test_folded_slots_fire_the_same_predicates(few_sentences, templates, n_slots):
    events = pack_events(few_sentences, find_templates(templates))
    firing = select_features(events, 1).firing(events)
    rows, folded = fold_slots(events, firing)
    assert (events.rows.shape[1], rows.shape[1]) == n_slots
    np.testing.assert_array_equal(fired(rows, folded), fired(events.rows, firing))


def test_a_column_that_was_added_is_no_word(few_sentences):
    packed = pack_contexts(few_sentences, find_templates(["currentword", "currentword,t-1"]))
    places = np.arange(len(packed.rows)) % 3
    packed = add_column(packed, "said", ["a", "b", "c"], places)
    firing = select_features(packed, 1).firing(packed)
    rows, folded = fold_slots(packed, firing)
    assert rows.shape[1] == 2
    np.testing.assert_array_equal(fired(rows, folded), fired(packed.rows, firing))


def test_indices_without_a_sign_are_the_same_numbers():
    matrix = sparse.random(20, 30, 0.2, format="csr", random_state=1)
    ends, entries = unsigned(matrix)
    assert ends.dtype == entries.dtype == np.uint32
    assert np.array_equal(ends, matrix.indptr)
    assert np.array_equal(entries, matrix.indices)
