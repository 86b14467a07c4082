"""Predicates whose value is the strings read, joined by commas, found without joining them.

Pairs of words are the most numerous fillers of a text, and few have a predicate. Here each part of
a value has a number, a value is the integer that they make together, and the fillers of a slot are
looked up all at once. Only words with a comma are read as strings: there the parts are not plain.
"""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from workbench.features.contexts import Fillers
from workbench.features.predicates import UNKNOWN_FORMS
from workbench.features.templates import Template

_LIMIT = 1 << 62  # codes stay below it
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
        found, left, at = np.full(len(codes), -1), np.arange(len(codes)), self._first_places(codes)
        while len(left):
            there = self._codes[at]
            hit = there == codes[left]
            found[left[hit]] = self._numbers[at[hit]]
            goes_on = ~hit & (there >= 0)
            left, at = left[goes_on], (at[goes_on] + 1) & self._last
        return found


class JoinedValues:
    """The predicates of a verbatim template, ready to be found for the fillers of a slot.

    ``numbers`` are those of its values, as of ``Features.values``.
    """

    def __init__(self, template: Template, numbers: Mapping[str, int]):
        self._template, self._numbers = template, numbers
        n_parts = len(template.offsets) + template.n_tags
        self._parts: list[dict[str, int]] = [{} for _ in range(n_parts)]
        split = [(value.split(","), number) for value, number in numbers.items()]
        plain = [(parts, number) for parts, number in split if len(parts) == n_parts]
        places = [
            [
                known.setdefault(part, len(known))
                for known, part in zip(self._parts, parts, strict=True)
            ]
            for parts, _ in plain
        ]
        self._sizes = [len(known) for known in self._parts]
        self.is_ready = bool(plain) and prod(self._sizes) < _LIMIT
        if self.is_ready:
            self._codes = _Numbers(self._encode(np.array(places, np.int64).T))
            self._found = np.array([number for _, number in plain], np.int32)

    def _encode(self, places):
        code = np.zeros(len(places[0]), np.int64)
        for place, size in zip(places, self._sizes, strict=True):
            code *= size
            code += place
        return code

    def number_words(self, words: Sequence[str]) -> np.ndarray:
        """Return the number of each word as each part; int32, shape (words, parts that are words).

        -1 is a word that no value has there, -2 one with a comma.
        """
        parts = self._parts[: len(self._template.offsets)]
        columns = [[-2 if "," in w else known.get(w, -1) for w in words] for known in parts]
        return np.array(columns, np.int32).T

    def find(
        self, fillers: Fillers, words: Sequence[str], numbers: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rows of the slot, counted within it, and the predicate that each fires.

        ``numbers`` are those of the words, of ``number_words``.
        """
        columns = [own[ids] for own, ids in zip(numbers.T, fillers.word_ids.T, strict=True)]
        has_comma, lowest = np.any([c == -2 for c in columns], axis=0), np.min(columns, axis=0)
        rows, places = self._places(fillers, columns, np.flatnonzero(lowest >= 0))
        at = self._codes.find(self._encode(places))
        odd = np.flatnonzero(np.repeat(has_comma, fillers.n_histories))
        read = map(self._template.values_of, fillers.strings(words, odd))
        found = np.array([self._numbers.get("".join(v), -1) for v in read], np.int32)
        predicates = np.concatenate([self._found[at[at >= 0]], found[found >= 0]])
        return np.concatenate([rows[at >= 0], odd[found >= 0]]), predicates

    def _places(self, fillers, columns, kept):
        """Return the rows of the kept fillers whose tags are known, and the places of all parts."""
        n = fillers.n_histories
        rows = (kept[:, None] * n + np.arange(n)).ravel()
        places = [np.repeat(column[kept], n) for column in columns]
        base, history = len(fillers.tag_names), rows % n
        for back, known in enumerate(self._parts[len(columns) :], 1):
            tags = np.array([known.get(tag, -1) for tag in fillers.tag_names], np.int64)
            places.append(tags[history // base ** (fillers.slot.n_tags - back) % base])
        is_known = np.all([place >= 0 for place in places], axis=0)
        return rows[is_known], [place[is_known] for place in places]


def join_values(template: Template, numbers: Mapping[str, int]) -> JoinedValues | None:
    """Return the ``JoinedValues`` of a template that reads words; None where they cannot be had."""
    if not (template.is_verbatim and template.offsets and numbers):
        return None
    if any(form in numbers for form in UNKNOWN_FORMS):
        return None
    joined = JoinedValues(template, numbers)
    return joined if joined.is_ready else None
