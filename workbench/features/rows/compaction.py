"""Compaction of the rows of events: those that fire nothing are one, and small slots are joined.

A pass over events reads a row of every slot. Slots that read casing or tags have few rows, and
several of them together few more: joined, they are one slot, whose rows fire what theirs did.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from workbench.features.codes import number_codes
from workbench.text.sources.scratch import GrowingArray, Memory, release, slices_within

_ROW_BYTES = 12  # of memory that renumbering takes for each row
_SAMPLE = 1 << 16  # events by which slots are joined
_EVENTS_A_ROW = 16  # in the sample, at least: few rows, whose scores stay in the cache


def compact_rows(
    rows: np.ndarray, firing: sparse.csr_matrix, memory: Memory | None = None, join: bool = False
) -> tuple[np.ndarray, sparse.csr_matrix]:
    """Return rows renumbered in the order of events; all rows that fire nothing become row 0.

    Most pairs of words, and many a word, are too rare to have a feature; without them the
    tables of learning are small. And events are sorted by their current word, so that rows of
    its pairs lie side by side, in the cache: a pass over events with many slots takes a quarter
    less. With ``join`` slots of few rows are joined: with the 23 of ``best`` a pass takes half.

    Rows, shape (N, S), are int32 before and uint32 after: without a sign nothing has to be
    checked where they are indices. The firing matrix, shape (n_rows, P), keeps the rows that
    are used and fire, after row 0. With ``memory`` rows are on disk, before and after; such are
    not joined.
    """
    kept = _in_order_of_events(rows, firing, memory)
    number = _number(kept, firing.shape[0])
    silent = sparse.csr_matrix((1, firing.shape[1]))
    if memory is not None or not join:
        parts = slices_within(memory, len(rows), _ROW_BYTES * rows.shape[1])
        kept_rows = number.take(rows) if memory is None else _renumber(rows, number, parts)
        return kept_rows, sparse.vstack([silent, firing[kept]], format="csr")
    groups = group_slots(number[rows[:: len(rows) // _SAMPLE + 1]])
    is_read = np.zeros(firing.shape[0], bool)
    for alone, *others in groups:
        if not others:
            is_read[rows[:, alone]] = True
    kept = kept[is_read[kept]]
    own_number = _number(kept, firing.shape[0])
    found, tables = np.empty((len(rows), len(groups)), np.uint32), [silent, firing[kept]]
    n = 1 + len(kept)
    for place, slots in enumerate(groups):
        if len(slots) == 1:
            found[:, place] = own_number[rows[:, slots[0]]]
        else:
            joined = _join(rows, slots, number, firing)
            found[:, place] = joined.places + n
            tables.append(joined.firing)
            n += joined.firing.shape[0]
    return found, sparse.vstack(tables, format="csr")


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
        column += codes * (int(column.max()) + 1)
        codes = number_codes(column)[1]
    examples = np.empty(codes.max() + 1, np.int64)
    examples[codes] = np.arange(len(codes))
    fired = [firing[rows[examples, slot]] for slot in slots]
    return _Joined(codes, sum(fired[1:], start=fired[0]))


def _in_order_of_events(rows, firing, memory):
    """Return the rows that fire and occur, in the order in which events first read them."""
    (n, n_slots), first = rows.shape, np.full(firing.shape[0], -1)
    parts = slices_within(memory, n, _ROW_BYTES * n_slots)
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


def _renumber(rows, number, parts):
    """Return rows, on disk, by other numbers."""
    renumbered = GrowingArray(np.uint32, rows.shape[1:])
    for part in parts:
        renumbered.append(number[rows[part]])
        release(rows[part])
    return renumbered.mapped()
