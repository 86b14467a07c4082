"""The columns of one sentence of a candidate set, and the patterns that they share; compiled.

A column is taken relative to a common value wherever that leaves fewer entries, as
``SentenceColumns`` says: with n candidates, of which m have the feature and e of these the value
that the first of them has, the column has n - e entries relative to that value, m otherwise.

While the entries of a sentence are read, a column is one value, a *mask* of bits that tells which
candidates have it, and a list of the few others. Columns that are alike are found by hashing
these.
"""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit

BITS = 64  # candidates of which one word of a mask tells
_NONE, ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


class Rows(NamedTuple):
    """Candidate sets as rows: what ``CandidateSets`` has under these names."""

    features: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    sentence_starts: np.ndarray


class Found(NamedTuple):
    """The columns of one sentence, in the order in which they are met; scratch.

    Each has one value for the candidates of its mask, and others in a list.
    """

    place_of: np.ndarray  # of each feature: its column, -1 without
    features: np.ndarray
    value: np.ndarray
    masks: np.ndarray  # uint64, shape (columns, words)
    n_others: np.ndarray
    last: np.ndarray  # of the other entries, -1 without
    candidates: np.ndarray  # of each other entry
    values: np.ndarray
    before: np.ndarray  # the entry before it in the list of its column, or -1
    slots: np.ndarray  # hash table of the first columns of patterns, or -1
    patterns: np.ndarray  # of each column: its pattern, -1 if it tells no candidates apart
    examples: np.ndarray  # of each pattern: the first column that has it


def make_scratch(most: int, n_candidates: int, n_features: int) -> Found:
    """Return work arrays for sentences of at most ``most`` entries and ``n_candidates``."""
    numbers, values = np.empty((7, most), np.int32), np.empty((2, most), np.float32)
    masks = np.empty((most, -(-n_candidates // BITS)), np.uint64)
    return Found(
        place_of=np.full(n_features, -1, np.int32), features=numbers[0], value=values[0],
        masks=masks, n_others=numbers[1], last=numbers[2],
        candidates=numbers[3], values=values[1], before=numbers[4],
        slots=np.empty(4 * most + 4, np.int32), patterns=numbers[5], examples=numbers[6],
    )  # fmt: skip


@jit
def find_columns(rows: Rows, first: int, end: int, found: Found) -> int:
    """Find the columns of the candidates of a sentence; return how many there are."""
    n = n_others = 0
    for c in range(end - first):
        word, bit = np.uint64(c // BITS), ONE << np.uint64(c % BITS)
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
                found.n_others[place] = 0
            q = np.uint32(place)  # unsigned: no test for a place from the end
            if value == found.value[q]:
                found.masks[q, word] |= bit
            elif value != 0:
                found.candidates[n_others], found.values[n_others] = c, value
                found.before[n_others] = found.last[q]
                found.last[q] = n_others
                found.n_others[q] += 1
                n_others += 1
    found.place_of[found.features[:n]] = -1
    return n


@jit
def subtract_common(n: int, size: int, found: Found) -> None:
    """Subtract its common value from each of n columns where that leaves fewer entries.

    ``n_others`` is left of those whose other values are to be taken relative to it, too.
    """
    n_words = (size + BITS - 1) // BITS
    for q in range(n):
        n_equal, n_others = 0, found.n_others[q]
        for word in range(n_words):
            n_equal += count_bits(found.masks[q, word])
        is_less = size - n_equal < n_equal + n_others
        for word in range(n_words):
            left = size - BITS * word
            every = _ALL if left >= BITS else (ONE << np.uint64(left)) - ONE
            found.masks[q, word] ^= every if is_less else _NONE
        found.value[q] = -found.value[q] if is_less else found.value[q]
        found.n_others[q] = n_others if is_less else 0


@jit
def subtract_from_others(n: int, size: int, found: Found) -> None:
    """Subtract its common value from the other values of each column that ``n_others`` marks.

    If then no candidate is left in the mask, the first of the others gives its value, so that
    columns that are alike look alike: counts of 2 and 1 relative to 1, and of 1 and 0.
    """
    n_words = (size + BITS - 1) // BITS
    for q in range(n):
        if found.n_others[q] == 0:
            continue
        n_left, other, kept, common = 0, found.last[q], -1, -found.value[q]
        for word in range(n_words):
            n_left += count_bits(found.masks[q, word])
        is_empty = n_left == found.n_others[q]
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
                found.masks[q, c // BITS] ^= ONE << np.uint64(c % BITS)
                kept = other
            other = before


@jit
def count_bits(word: np.uint64) -> int:
    """Return how many bits of a word are set; compiled to one instruction."""
    n = 0
    while word:
        word &= word - ONE
        n += 1
    return n


@jit
def find_patterns(n: int, size: int, found: Found) -> int:
    """Number the patterns of n columns of a sentence by hashing; return how many there are."""
    n_patterns, n_slots, n_words = 0, 4, (size + BITS - 1) // BITS
    while n_slots < 2 * n:
        n_slots *= 2
    found.slots[:n_slots] = -1
    for q in range(n):
        mixed = union = _NONE
        for word in range(n_words):
            union |= found.masks[q, word]
            mixed ^= found.masks[q, word]  # one step of Marsaglia's xorshift
            mixed ^= mixed << np.uint64(13)
            mixed ^= mixed >> np.uint64(7)
            mixed ^= mixed << np.uint64(17)
        if union == 0:  # no entries: a mask without bits has no others beside it
            found.patterns[q] = -1
            continue
        slot = np.int64((mixed >> np.uint64(32)) & np.uint64(n_slots - 1))
        while found.slots[slot] >= 0 and not _are_alike(found.slots[slot], q, n_words, found):
            slot = (slot + 1) & (n_slots - 1)
        if found.slots[slot] < 0:
            found.slots[slot], found.examples[n_patterns] = q, q
            found.patterns[q] = n_patterns
            n_patterns += 1
        else:
            found.patterns[q] = found.patterns[found.slots[slot]]
    return n_patterns


@jit
def _are_alike(a, b, n_words, found):
    """Return whether two columns have the same entries."""
    is_same = found.value[a] == found.value[b]
    for word in range(n_words):
        is_same = is_same and found.masks[a, word] == found.masks[b, word]
    of_a, of_b = found.last[a], found.last[b]
    while is_same and of_a >= 0 and of_b >= 0:
        is_same = found.candidates[of_a] == found.candidates[of_b]
        is_same = is_same and found.values[of_a] == found.values[of_b]
        of_a, of_b = found.before[of_a], found.before[of_b]
    return is_same and of_a == of_b
