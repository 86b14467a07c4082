"""Compaction of the rows of events: those that fire nothing are one, and small slots are joined.

A pass over events reads a row of every slot. Slots that read casing or tags have few rows, and
several of them together few more: joined, they are one slot, whose rows fire what theirs did.
"""

from itertools import accumulate
from typing import NamedTuple

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts
from workbench.features.packing import number_codes
from workbench.text.scratch import GrowingArray, release, slices_within

_ROW_BYTES = 12  # of memory that renumbering takes for each row
_AT_ONCE = 1 << 16  # events
_SAMPLE = 1 << 16  # events by which slots are joined
_EVENTS_A_ROW = 16  # in the sample, at least: few rows, whose scores stay in the cache


def compact_rows(
    events: Contexts, firing: sparse.csr_matrix
) -> tuple[np.ndarray, sparse.csr_matrix]:
    """Return rows renumbered in the order of events; all rows that fire nothing become row 0.

    Most pairs of words, and many a word, are too rare to have a feature; without them the
    tables of learning are small. And events are sorted by their current word, so that rows of
    its pairs lie side by side, in the cache: a pass over events with many slots takes a quarter
    less. Where slots read columns those of few rows are joined: with the 23 slots of ``best`` a
    pass takes half. What is on disk reads none, and is learnt as in memory, to the bit.

    Rows, shape (N, S), are int32 before and uint32 after: without a sign nothing has to be
    checked where they are indices. The firing matrix, shape (n_rows, P), keeps the rows that
    are used and fire, after row 0.
    """
    kept = _in_order_of_events(events, firing)
    number = _number(kept, firing.shape[0])
    if events.reads_columns:
        return _join_slots(events, firing, number, kept)
    if events.memory:
        renumbered = GrowingArray(np.uint32, events.rows.shape[1:])
        for part in _parts(events):
            renumbered.append(number[events.rows[part]])
            release(events.rows[part])
    rows = renumbered.mapped() if events.memory else number.take(events.rows)
    return rows, sparse.vstack([_silent(firing), firing[kept]], format="csr")


def _join_slots(events, firing, number, kept):
    """Return the rows of slots, joined where they have few; and what the rows fire."""
    rows, is_read = events.rows, np.zeros(firing.shape[0], bool)
    groups = group_slots(number[rows[:: len(rows) // _SAMPLE + 1]])
    joined = {slots[0]: _join(rows, slots, number, firing) for slots in groups if len(slots) > 1}
    for slots in groups:
        if len(slots) == 1:
            is_read[rows[:, slots[0]]] = True
    kept = kept[is_read[kept]]
    tables = [_silent(firing), firing[kept], *(own.firing for own in joined.values())]
    firsts = list(accumulate(table.shape[0] for table in tables))[1:-1]
    places = {slot: (own.places, n) for (slot, own), n in zip(joined.items(), firsts, strict=True)}
    found = _fill(events, [slots[0] for slots in groups], _number(kept, firing.shape[0]), places)
    return found, sparse.vstack(tables, format="csr")


def _silent(firing):
    """Return row 0, which fires nothing."""
    return sparse.csr_matrix((1, firing.shape[1]))


def _fill(events, slots, number, joined):
    """Return the rows of groups of slots, given by their first; they replace spent ones."""
    rows, shape = events.rows, (len(events.rows), len(slots))
    in_place = events.are_spent and rows.flags.c_contiguous
    found = (rows if in_place else np.empty(shape, np.uint32)).reshape(-1).view(np.uint32)
    for part in slices_within(None, len(rows), 0, _AT_ONCE):  # what is written has been read
        columns = [
            joined[slot][0][part] + joined[slot][1] if slot in joined else number[rows[part, slot]]
            for slot in slots
        ]
        found[part.start * len(slots) : part.stop * len(slots)] = np.stack(columns, axis=1).ravel()
    if in_place:
        rows.resize(shape, refcheck=False)  # gives back what is left over
        return rows.view(np.uint32)
    return found.reshape(shape)


def group_slots(rows: np.ndarray) -> list[list[int]]:
    """Return which slots are to be joined, each slot in one group, by a sample of rows, (N, S).

    From those with the fewest rows on, a slot is joined to the first group that has few rows
    with it, too.
    """
    sizes, most = [len(np.unique(column)) for column in rows.T], len(rows) // _EVENTS_A_ROW
    groups: list[list[int]] = []
    codes: list[np.ndarray] = []
    for slot in np.argsort(sizes, kind="stable").tolist():
        column = rows[:, slot].astype(np.int64)
        for i, known in enumerate(codes if sizes[slot] <= most else []):
            distinct, places = number_codes(known * (int(column.max()) + 1) + column)
            if len(distinct) <= most:
                codes[i] = places.astype(np.int64)
                groups[i].append(slot)
                break
        else:
            groups.append([slot])
            codes.append(number_codes(column)[1].astype(np.int64))
    return sorted(sorted(group) for group in groups)


class _Joined(NamedTuple):
    """Slots joined: the row of each event, and what these rows fire."""

    places: np.ndarray  # (N,)
    firing: sparse.csr_matrix  # (rows, P)


def _join(rows, slots, number, firing):
    codes = np.zeros(len(rows), np.int32)
    for slot in slots:
        column = number[rows[:, slot]].astype(np.int64)
        column += np.multiply(codes, int(column.max()) + 1, dtype=np.int64)
        codes = number_codes(column)[1]
    examples = np.empty(codes.max() + 1, np.int64)
    examples[codes] = np.arange(len(codes))
    fired = [firing[rows[examples, slot]] for slot in slots]
    return _Joined(codes, sum(fired[1:], start=fired[0]))


def _in_order_of_events(events, firing):
    """Return the rows that fire and occur, in the order in which events first read them."""
    rows, first = events.rows, np.full(firing.shape[0], -1)
    n, parts = len(rows), _parts(events)
    for part in reversed(parts):
        backwards = np.arange(part.stop - 1, part.start - 1, -1)
        for slot, column in enumerate(rows[part].T):
            first[column[::-1]] = backwards + slot * n  # what is written last stays: the first
        release(rows[part])
    kept = np.flatnonzero((np.diff(firing.indptr) > 0) & (first >= 0))
    return kept[np.argsort(first[kept], kind="stable")]


def _number(kept, n_rows):
    number = np.zeros(n_rows, np.uint32)
    number[kept] = np.arange(1, len(kept) + 1)
    return number


def _parts(events):
    return slices_within(events.memory, len(events.rows), _ROW_BYTES * events.rows.shape[1])
