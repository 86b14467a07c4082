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
            codes = self._encode(np.array(places, np.int64).T)
            order = np.argsort(codes)
            self._codes = codes[order]
            self._found = np.array([number for _, number in plain], np.int32)[order]

    def _encode(self, places):
        code = np.zeros(len(places[0]), np.int64)
        for place, size in zip(places, self._sizes, strict=True):
            code = code * size + place
        return code

    def find(self, fillers: Fillers, words: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return rows of the slot, counted within it, and the predicate that each fires."""
        has_comma = np.array(["," in word for word in words])[fillers.word_ids].any(axis=1)
        rows, places = self._places(fillers, words, np.flatnonzero(~has_comma))
        codes = self._encode(places)
        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        hit = self._codes[at] == codes
        odd = np.flatnonzero(np.repeat(has_comma, fillers.n_histories))
        read = map(self._template.values_of, fillers.strings(words, odd))
        found = np.array([self._numbers.get("".join(v), -1) for v in read], np.int32)
        numbers = np.concatenate([self._found[at[hit]], found[found >= 0]])
        return np.concatenate([rows[hit], odd[found >= 0]]), numbers

    def _places(self, fillers, words, chosen):
        """Return the rows whose parts are all known, and the place of each part; (parts, rows)."""
        n_words, ids = len(self._template.offsets), fillers.word_ids[chosen]
        columns = []
        for known, column in zip(self._parts[:n_words], ids.T, strict=True):
            columns.append(np.array([known.get(word, -1) for word in words], np.int64)[column])
        kept = np.all([column >= 0 for column in columns], axis=0)
        n = fillers.n_histories
        rows = (chosen[kept][:, None] * n + np.arange(n)).ravel()
        places = [np.repeat(column[kept], n) for column in columns]
        base, history = len(fillers.tag_names), rows % n
        for back, known in enumerate(self._parts[n_words:], 1):
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
