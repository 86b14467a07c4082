"""Packing candidate sets as columns, by sentence and feature, in one pass; compiled.

A column is taken relative to a common value wherever that leaves fewer entries, as
``SentenceColumns`` says: with n candidates, of which m have the feature and e of these the value
that the first of them has, the column has n - e entries relative to that value, m otherwise.

While the entries of a sentence are read, a column is one value, a *mask* of bits that tells which
candidates have it, and a list of the few others. Columns that are alike are found by hashing
these, and only what is kept once is written out as entries.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.numerics.jit import jit
from workbench.numerics.threads import run_in_threads, thread_count

_SMALL = 100_000  # entries below which a second thread costs more than it saves
_BITS = 64  # candidates of which one word of a mask tells
_NONE, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


class _Rows(NamedTuple):
    """Candidate sets as rows: what ``CandidateSets`` has under these names."""

    features: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    sentence_starts: np.ndarray


class _Found(NamedTuple):
    """The columns of one sentence, in the order in which they are met; scratch.

    Each has one value for the candidates of its mask, and others in a list.
    """

    place_of: np.ndarray  # of each feature: its column, -1 without
    features: np.ndarray
    value: np.ndarray
    masks: np.ndarray  # uint64, shape (columns, words)
    n_equal: np.ndarray  # bits that are set
    n_others: np.ndarray
    last: np.ndarray  # of the other entries, -1 without
    candidates: np.ndarray  # of each other entry
    values: np.ndarray
    before: np.ndarray  # the entry before it in the list of its column, or -1
    slots: np.ndarray  # hash table of patterns, or -1
    patterns: np.ndarray  # of each column: its pattern, -1 if it tells no candidates apart
    examples: np.ndarray  # of each pattern: the first column that has it


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
    n_candidates = int(np.diff(rows.sentence_starts).max(initial=0))
    fill_columns(rows, columns, _make_scratch(most, n_candidates, n_features))
    n_columns, _, n_entries = starts[:, -1]
    return columns._replace(
        features=columns.features[:n_columns], patterns=columns.patterns[:n_columns],
        owners=columns.owners[:n_entries], candidates=columns.candidates[:n_entries],
        values=columns.values[:n_entries],
    )  # fmt: skip


def _make_scratch(most, n_candidates, n_features):
    """Return work arrays for sentences of at most ``most`` entries and ``n_candidates``."""
    numbers, values = np.empty((8, most), np.int32), np.empty((2, most), np.float32)
    masks = np.empty((most, -(-n_candidates // _BITS)), np.uint64)
    return _Found(
        place_of=np.full(n_features, -1, np.int32), features=numbers[0], value=values[0],
        masks=masks, n_equal=numbers[1], n_others=numbers[2], last=numbers[3],
        candidates=numbers[4], values=values[1], before=numbers[5],
        slots=np.empty(4 * most + 4, np.int32), patterns=numbers[6], examples=numbers[7],
    )  # fmt: skip


def _join(parts, sentence_starts):
    """Return parts, one after another, as one."""
    if len(parts) == 1:
        return parts[0]
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
def fill_columns(rows: _Rows, columns: SentenceColumns, found: _Found) -> None:
    """Fill columns, which have room enough, from rows; ``found`` is scratch."""
    for s in range(len(rows.sentence_starts) - 1):
        first, end = rows.sentence_starts[s], rows.sentence_starts[s + 1]
        n = _find_columns(rows, first, end, found)
        _subtract_common(n, end - first, found)
        n_patterns = _find_patterns(n, end - first, found)
        _write_columns(columns, s, n, found)
        _write_entries(columns, s, n_patterns, found)


@jit
def _find_columns(rows, first, end, found):
    """Find the columns of the candidates of a sentence; return how many there are."""
    n = n_others = 0
    for c in range(end - first):
        word, bit = np.uint64(c // _BITS), _ONE << np.uint64(c % _BITS)
        own = slice(rows.starts[first + c], rows.starts[first + c + 1])
        features, values = rows.features[own], rows.values[own]
        for e in range(len(features)):
            feature, value = np.uint32(features[e]), values[e]
            place = found.place_of[feature]
            if place < 0:
                if value == 0:
                    continue
                place = n
                n += 1
                found.place_of[feature], found.features[place] = place, feature
                found.value[place], found.masks[place], found.last[place] = value, 0, -1
                found.n_equal[place] = found.n_others[place] = 0
            q = np.uint32(place)  # unsigned: no test for a place from the end
            if value == found.value[q]:
                found.masks[q, word] |= bit
                found.n_equal[q] += 1
            elif value != 0:
                found.candidates[n_others], found.values[n_others] = c, value
                found.before[n_others] = found.last[q]
                found.last[q] = n_others
                found.n_others[q] += 1
                n_others += 1
    found.place_of[found.features[:n]] = -1
    return n


@jit
def _subtract_common(n, size, found):
    """Take each of n columns relative to its value where that leaves fewer entries.

    If then no candidate is left in the mask, the first of the others gives its value, so that
    columns that are alike look alike: counts of 2 and 1 relative to 1, and of 1 and 0.
    """
    for q in range(n):
        n_equal, n_others, common = found.n_equal[q], found.n_others[q], found.value[q]
        is_less = size - n_equal < n_equal + n_others
        for word in range((size + _BITS - 1) // _BITS):
            left = size - _BITS * word
            every = _ALL if left >= _BITS else (_ONE << np.uint64(left)) - _ONE
            found.masks[q, word] ^= every if is_less else _NONE
        found.value[q] = -common if is_less else common
        if not is_less or n_others == 0:
            continue
        other, kept = found.last[q], -1
        is_empty = n_equal + n_others == size
        if is_empty:
            found.value[q] = found.values[other] - common
        while other >= 0:
            before, c = found.before[other], found.candidates[other]
            found.values[other] -= common
            if is_empty and found.values[other] == found.value[q]:  # stays in the mask
                if kept < 0:
                    found.last[q] = before
                else:
                    found.before[kept] = before
            else:
                found.masks[q, c // _BITS] ^= _ONE << np.uint64(c % _BITS)
                kept = other
            other = before


@jit
def _find_patterns(n, size, found):
    """Number the patterns of n columns of a sentence by hashing; return how many there are."""
    n_patterns, n_slots, n_words = 0, 4, (size + _BITS - 1) // _BITS
    while n_slots < 2 * n:
        n_slots *= 2
    found.slots[:n_slots] = -1
    for q in range(n):
        found.patterns[q] = -1
        if found.n_equal[q] == size:
            continue
        mixed = np.uint64(0)
        for word in range(n_words):
            mixed ^= found.masks[q, word]  # one step of Marsaglia's xorshift
            mixed ^= mixed << np.uint64(13)
            mixed ^= mixed >> np.uint64(7)
            mixed ^= mixed << np.uint64(17)
        slot = np.int64((mixed >> np.uint64(32)) & np.uint64(n_slots - 1))
        while found.slots[slot] >= 0:
            a = found.examples[found.slots[slot]]
            is_same = found.value[a] == found.value[q]
            for word in range(n_words):
                is_same = is_same and found.masks[a, word] == found.masks[q, word]
            of_a, of_q = found.last[a], found.last[q]
            while is_same and of_a >= 0 and of_q >= 0:
                is_same = found.candidates[of_a] == found.candidates[of_q]
                is_same = is_same and found.values[of_a] == found.values[of_q]
                of_a, of_q = found.before[of_a], found.before[of_q]
            if is_same and of_a == of_q:
                break
            slot = (slot + 1) & (n_slots - 1)
        if found.slots[slot] < 0:
            found.slots[slot], found.examples[n_patterns] = n_patterns, q
            n_patterns += 1
        found.patterns[q] = found.slots[slot]
    return n_patterns


@jit
def _write_columns(columns, s, n, found):
    """Write those of n columns of a sentence that tell candidates apart."""
    place = columns.column_starts[s]
    for q in range(n):
        if found.patterns[q] >= 0:
            columns.features[place] = found.features[q]
            columns.patterns[place] = found.patterns[q]
            place += 1
    columns.column_starts[s + 1] = place


@jit
def _write_entries(columns, s, n_patterns, found):
    """Write the entries of the patterns of a sentence."""
    place = columns.entry_starts[s]
    for pattern in range(n_patterns):
        q = found.examples[pattern]
        for word in range(found.masks.shape[1]):
            mask, c = found.masks[q, word], _BITS * word
            while mask:
                if mask & _ONE:
                    columns.owners[place], columns.candidates[place] = pattern, c
                    columns.values[place] = found.value[q]
                    place += 1
                mask >>= _ONE
                c += 1
        other = found.last[q]
        while other >= 0:
            columns.owners[place] = pattern
            columns.candidates[place] = found.candidates[other]
            columns.values[place] = found.values[other]
            place += 1
            other = found.before[other]
    columns.entry_starts[s + 1] = place
    columns.pattern_starts[s + 1] = columns.pattern_starts[s] + n_patterns
