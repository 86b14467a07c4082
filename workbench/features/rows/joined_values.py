"""Predicates whose value is the strings read, joined by commas, found without joining them.

Pairs of words are the most numerous fillers of a text, and few have a predicate. Here each part of
a value has a number, a value is the integer that they make together, and the fillers of a slot are
looked up all at once. A value with further commas has a number for each way to divide it.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from math import prod

import numpy as np

from workbench.features.contexts import Fillers
from workbench.features.predicates import UNKNOWN_FORMS
from workbench.features.templates import Template

_LIMIT = 1 << 62  # codes stay below it
_MOST_COMMAS = 50  # of a value: there are as many ways to divide it, or their square
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio: neighbours lie far apart


class _Numbers:
    """The numbers of some codes, int64, found for many codes at once: open addressing.

    The codes are distinct and at least 0; a number is their place among those given.
    """

    def __init__(self, codes: np.ndarray):
        bits = (4 * len(codes)).bit_length()
        self._shift, self._last = np.uint64(64 - bits), (1 << bits) - 1
        self._codes, self._numbers = np.full(1 << bits, -1), np.empty(1 << bits, np.int32)
        left, at = np.arange(len(codes)), self._first_places(codes)
        while len(left):
            free = self._codes[at] < 0
            self._codes[at[free]] = codes[left[free]]  # of several the last is written
            self._numbers[at[free]] = left[free]
            lost = self._codes[at] != codes[left]
            left, at = left[lost], (at[lost] + 1) & self._last

    def _first_places(self, codes):
        return (codes.astype(np.uint64) * _MULTIPLIER >> self._shift).astype(np.int64)

    def find(self, codes: np.ndarray) -> np.ndarray:
        """Return the number of each code, -1 of those that have none."""
        return self._find_from(self._first_places(codes), codes)

    def _find_from(self, at, codes):
        there = self._codes[at]
        found = np.where(there == codes, self._numbers[at], -1)
        taken = np.flatnonzero((there != codes) & (there >= 0))
        if len(taken):  # by another code: the next place
            found[taken] = self._find_from((at[taken] + 1) & self._last, codes[taken])
        return found


class JoinedValues:
    """The predicates of a verbatim template, ready to be found for the fillers of a slot.

    ``numbers`` are those of its values, as in ``Features.values``.
    """

    def __init__(self, template: Template, numbers: Mapping[str, int]):
        self._n_words, n_parts = len(template.offsets), len(template.offsets) + template.n_tags
        self._parts: list[dict[str, int]] = [{} for _ in range(n_parts)]
        split = [(p, number) for v, number in numbers.items() for p in _divisions(v, n_parts)]
        places = [
            [
                known.setdefault(part, len(known))
                for known, part in zip(self._parts, parts, strict=True)
            ]
            for parts, _ in split
        ]
        self._sizes = [len(known) for known in self._parts]
        self.is_ready = bool(split) and prod(self._sizes) < _LIMIT
        if self.is_ready:
            self._codes = _Numbers(self._encode(np.array(places, np.int64).T))
            self._found = np.array([number for _, number in split], np.int32)

    def _encode(self, places):
        code = np.zeros(len(places[0]), np.int64)
        for place, size in zip(places, self._sizes, strict=True):
            code *= size
            code += place
        return code

    def number_words(self, words: Sequence[str]) -> np.ndarray:
        """Return the number of each word as each part, -1 for none; int32, shape (words, parts).

        Parts are those that are words, not tags.
        """
        parts = self._parts[: self._n_words]
        return np.array([[known.get(w, -1) for w in words] for known in parts], np.int32).T

    def find(self, fillers: Fillers, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rows of the slot, counted within it, and the predicate that each fires.

        ``numbers`` are those of the fillers' vocabulary, of ``number_words``.
        """
        columns = [own[ids] for own, ids in zip(numbers.T, fillers.word_ids.T, strict=True)]
        rows, places = self._places(fillers, columns)
        at = self._codes.find(self._encode(places))
        return rows[at >= 0], self._found[at[at >= 0]]

    def _places(self, fillers, columns):
        """Return the rows whose parts are all known, and the places of each part in them."""
        n, kept = fillers.n_histories, np.flatnonzero(np.min(columns, axis=0) >= 0)
        if len(self._parts) == len(columns):
            return kept, [column[kept] for column in columns]
        rows = (kept[:, None] * n + np.arange(n)).ravel()
        places = [np.repeat(column[kept], n) for column in columns]
        base, history = len(fillers.tag_names), rows % n
        for back, known in enumerate(self._parts[len(columns) :], 1):
            tags = np.array([known.get(tag, -1) for tag in fillers.tag_names], np.int64)
            places.append(tags[history // base ** (fillers.slot.n_tags - back) % base])
        is_known = np.min(places[len(columns) :], axis=0) >= 0
        return rows[is_known], [place[is_known] for place in places]


def _divisions(value, n_parts):
    """Yield all ways to split a value at commas into so many strings."""
    pieces = value.split(",")
    if len(pieces) == n_parts:  # nearly always
        yield pieces
        return
    for cuts in combinations(range(1, len(pieces)), n_parts - 1):
        edges = pairwise([0, *cuts, len(pieces)])
        yield [",".join(pieces[a:b]) for a, b in edges]


def join_values(template: Template, numbers: Mapping[str, int]) -> JoinedValues | None:
    """Return the ``JoinedValues`` of a template that reads words; None where they cannot be had."""
    if not (template.is_verbatim and template.offsets and numbers):
        return None
    if any(form in numbers for form in UNKNOWN_FORMS):
        return None
    if any(value.count(",") > _MOST_COMMAS for value in numbers):
        return None
    joined = JoinedValues(template, numbers)
    return joined if joined.is_ready else None
