"""Packing candidate sets as columns, by sentence and feature; compiled.

A column is taken relative to a common value wherever that leaves fewer entries, as
``SentenceColumns`` says: with n candidates, of which m have the feature and e of these the value
that the first of them has, the column has n - e entries relative to that value, m otherwise.
Columns of a sentence that are alike are found by hashing, and kept once.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.numerics.jit import jit
from workbench.numerics.threads import run_in_threads, thread_count

_SMALL = 100_000  # entries below which a second thread costs more than it saves


class _Rows(NamedTuple):
    """Candidate sets as rows: what ``CandidateSets`` has under these names."""

    features: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    sentence_starts: np.ndarray


class _Found(NamedTuple):
    """The columns of one sentence, in the order in which they are met; scratch."""

    place_of: np.ndarray  # of each feature: its column, -1 without
    features: np.ndarray
    first: np.ndarray  # value in the first candidate that has the feature
    n_entries: np.ndarray
    n_equal: np.ndarray  # entries with this value
    common: np.ndarray  # what is subtracted
    number: np.ndarray  # among the columns that keep an entry
    begin: np.ndarray  # where its first entry goes
    position: np.ndarray  # where its next entry goes
    following: np.ndarray  # the candidate after that of its last entry


class _Patterns(NamedTuple):
    """The patterns of one sentence; scratch."""

    begin: np.ndarray  # first entry of each
    length: np.ndarray  # entries of each
    slots: np.ndarray  # hash table: a pattern, or -1


def pack_columns(sets: CandidateSets) -> SentenceColumns:
    """Return the columns of candidate sets, features numbered as theirs, sentence by sentence."""
    rows = _Rows(sets.features, sets.values, sets.starts, sets.sentence_starts)
    n_parts = 1 if len(sets.values) < _SMALL else min(thread_count(), sets.n_sentences)
    edges = [sets.n_sentences * i // n_parts for i in range(n_parts + 1)]
    parts = [rows._replace(sentence_starts=rows.sentence_starts[a : b + 1])
             for a, b in pairwise(edges)]  # fmt: skip
    n_features = len(sets.feature_names)
    packed = run_in_threads(lambda part: _pack_part(part, n_features), parts)
    return _join(packed, sets.sentence_starts)


def _pack_part(rows, n_features):
    """Return the columns of some sentences."""
    before = rows.starts[rows.sentence_starts]  # entries before each sentence
    most = int(np.diff(before).max(initial=0))
    n, number = int(before[-1] - before[0]), np.uint16 if most < 1 << 16 else np.uint32
    starts = np.zeros((3, len(before)), np.int64)
    columns = SentenceColumns(
        rows.sentence_starts, starts[0], np.empty(n, np.uint32), np.empty(n, number),
        starts[1], starts[2], np.empty(n, number), np.empty(n, number), np.empty(n, np.float32),
    )  # fmt: skip
    fill_columns(rows, columns, *_make_scratch(most, n_features))
    n_columns, _, n_entries = starts[:, -1]
    return columns._replace(
        features=columns.features[:n_columns], patterns=columns.patterns[:n_columns],
        owners=columns.owners[:n_entries], candidates=columns.candidates[:n_entries],
        values=columns.values[:n_entries],
    )  # fmt: skip


def _make_scratch(most, n_features):
    """Return scratch for sentences of so many entries at most."""
    numbers, values = np.empty((7, most), np.int32), np.empty((2, most), np.float32)
    places = np.empty((3, most), np.int64)
    found = _Found(
        np.full(n_features, -1, np.int32), numbers[0], values[0], numbers[1], numbers[2],
        values[1], numbers[3], places[0], places[1], numbers[4],
    )  # fmt: skip
    return found, _Patterns(places[2], numbers[5], np.empty(2 * most + 1, np.int32))


def _join(parts, sentence_starts):
    """Return parts, one after another, as one."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts])
              for name in ("features", "patterns", "owners", "candidates", "values")}  # fmt: skip
    starts = {name: _chain([getattr(part, name) for part in parts])
              for name in ("column_starts", "pattern_starts", "entry_starts")}  # fmt: skip
    return SentenceColumns(sentence_starts, **arrays, **starts)


def _chain(starts):
    """Return the starts of parts, one after another, as one."""
    ends = np.cumsum([0, *(own[-1] for own in starts)])
    return np.concatenate([[0], *(own[1:] + end for own, end in zip(starts, ends, strict=False))])


@jit
def fill_columns(rows: _Rows, columns: SentenceColumns, found: _Found, patterns: _Patterns) -> None:
    """Fill the columns of the sentences of some rows, and their starts, which begin with 0."""
    for s in range(len(rows.sentence_starts) - 1):
        first, end = rows.sentence_starts[s], rows.sentence_starts[s + 1]
        n = _find_columns(rows, first, end, found)
        _place_columns(columns, s, n, end - first, found)
        _fill_entries(rows, first, end, columns, found)
        for q in range(n):
            if found.common[q] != 0:
                _fill_absent(columns, found, q, end - first)
            found.place_of[found.features[q]] = -1
        _merge_columns(columns, s, n, found, patterns)


@jit
def _find_columns(rows, first, end, found):
    """Count the entries of each feature in the candidates of a sentence; return how many occur."""
    n = 0
    for e in range(rows.starts[first], rows.starts[end]):
        if rows.values[e] == 0:
            continue
        feature = rows.features[e]
        q = found.place_of[feature]
        if q < 0:
            q = n
            n += 1
            found.place_of[feature] = q
            found.features[q], found.first[q] = feature, rows.values[e]
            found.n_entries[q] = found.n_equal[q] = 0
        found.n_entries[q] += 1
        if rows.values[e] == found.first[q]:
            found.n_equal[q] += 1
    return n


@jit
def _place_columns(columns, s, n, size, found):
    """Choose the common value of n columns of a sentence; number those that keep an entry."""
    start, position = columns.column_starts[s], columns.entry_starts[s]
    kept = 0
    for q in range(n):
        length = found.n_entries[q]
        found.common[q], found.number[q], found.following[q] = 0, kept, 0
        if found.n_equal[q] > size - length:
            found.common[q], length = found.first[q], size - found.n_equal[q]
        found.begin[q] = found.position[q] = position
        if length:
            columns.features[start + kept] = found.features[q]
            kept += 1
            position += length
    columns.column_starts[s + 1] = start + kept


@jit
def _fill_entries(rows, first, end, columns, found):
    """Fill the entries of a sentence, but for candidates after the last that has a feature."""
    for c in range(end - first):
        for e in range(rows.starts[first + c], rows.starts[first + c + 1]):
            if rows.values[e] == 0:
                continue
            q = found.place_of[rows.features[e]]
            if found.common[q] != 0:
                _fill_absent(columns, found, q, c)
                found.following[q] = c + 1
            if rows.values[e] != found.common[q]:
                place = found.position[q]
                columns.candidates[place] = c
                columns.values[place] = rows.values[e] - found.common[q]
                found.position[q] += 1


@jit
def _fill_absent(columns, found, q, end):
    """Fill the entries of a column for candidates without its feature, up to one."""
    for c in range(found.following[q], end):
        place = found.position[q]
        columns.candidates[place] = c
        columns.values[place] = -found.common[q]
        found.position[q] += 1


@jit
def _merge_columns(columns, s, n, found, patterns):
    """Keep of n columns of a sentence each pattern once, its entries moved to the front."""
    n_slots, n_patterns, end = 2 * n + 1, 0, columns.entry_starts[s]
    patterns.slots[:n_slots] = -1
    for q in range(n):
        begin, length = found.begin[q], found.position[q] - found.begin[q]
        if length == 0:
            continue
        slot = _find_slot(columns, begin, length, n_slots, patterns)
        if patterns.slots[slot] < 0:
            patterns.slots[slot] = n_patterns
            patterns.begin[n_patterns], patterns.length[n_patterns] = end, length
            for i in range(length):
                columns.owners[end] = n_patterns
                columns.candidates[end] = columns.candidates[begin + i]
                columns.values[end] = columns.values[begin + i]
                end += 1
            n_patterns += 1
        column = columns.column_starts[s] + found.number[q]
        columns.patterns[column] = patterns.slots[slot]
    columns.pattern_starts[s + 1] = columns.pattern_starts[s] + n_patterns
    columns.entry_starts[s + 1] = end


@jit
def _find_slot(columns, begin, length, n_slots, patterns):
    """Return the slot of the pattern that some entries are, or the free one where it goes."""
    slot = 0
    for e in range(begin, begin + length):
        step = 7 * int(columns.candidates[e]) + int(8 * columns.values[e])
        slot = (31 * slot + step) % n_slots
    while patterns.slots[slot] >= 0:
        known = patterns.slots[slot]
        if patterns.length[known] == length and _are_equal(
            columns, patterns.begin[known], begin, length
        ):
            return slot
        slot = (slot + 1) % n_slots
    return slot


@jit
def _are_equal(columns, a, b, length):
    """Return whether entries from a on and from b on are the same."""
    for i in range(length):
        if columns.candidates[a + i] != columns.candidates[b + i]:
            return False
        if columns.values[a + i] != columns.values[b + i]:
            return False
    return True
