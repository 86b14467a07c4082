"""The firing matrix: which predicates each row of contexts fires, each word looked up once.

A template with the value ``UNKNOWN`` fires it, or another of ``UNKNOWN_FORMS`` that it has, for
each word that has no predicate before it. What adaptation adds comes after it, so a word that only
the adaptation data have fires both: before its own weight has moved it is scored as it was in the
background.

Pairs of words are the most numerous fillers of a text, and few have a predicate: predicates whose
value is the strings read, joined by commas, are found without joining them. Each part of a value
has a number, a value is the integer that they make together, and the fillers of a slot are looked
up all at once. A value with further commas has a number for each way to divide it.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, filterfalse, islice, pairwise, repeat
from math import prod

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts, Fillers
from workbench.features.predicates import (
    UNKNOWN,
    UNKNOWN_FORMS,
    UNKNOWN_MARK,
    UNKNOWN_UNCASED,
    Values,
)
from workbench.features.templates import Slot, Template
from workbench.text.casing import Tag, is_cased, tag_of

_LIMIT = 1 << 62  # codes stay below it
_MOST_COMMAS = 50  # of a value: there are as many ways to divide it, or their square
_MOST_WORDS = 1 << 20  # in the cache
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio: neighbours lie far apart
Fired = tuple[np.ndarray, np.ndarray]  # rows, and the predicate that fires in each


def firing_matrix(contexts: Contexts, values: Values, n_predicates: int) -> sparse.csr_matrix:
    """Return which predicates each row fires; sparse float64, shape (n_rows, P).

    ``values`` and ``n_predicates`` are those of ``Features``.
    """
    read = [list(fillers.strings(contexts.words)) for fillers in contexts.fillers]
    slots = [fillers.slot for fillers in contexts.fillers]
    found = [fire_slot(*pair, values, n_predicates) for pair in zip(slots, read, strict=True)]
    return sparse.vstack(found, format="csr")


def count_features(events: Contexts, firing: sparse.csr_matrix) -> np.ndarray:
    """Return how often each tag occurs with each predicate; float64, shape (P, K)."""
    counts = np.zeros((firing.shape[1], events.n_tags))
    for slot, fillers in enumerate(events.fillers):
        own = slice(fillers.first_row, fillers.first_row + len(fillers))
        counts += (firing[own].T @ events.count_tags(slot)).toarray()
    return counts


def fire_slot(
    slot: Slot, read: Sequence[tuple[str, ...]], values: Values, n_predicates: int
) -> sparse.csr_matrix:
    """Return which predicates fire for strings that a slot reads; sparse, a row for each."""
    found = [pair for t in slot.templates for pair in find_predicates(t, read, values)]
    return matrix_of(found, (len(read), n_predicates))


def matrix_of(found: Iterable[Fired], shape: tuple[int, int]) -> sparse.csr_matrix:
    """Return the matrix of pairs of arrays: rows, and the predicates that fire there or -1."""
    rows, predicates = map(np.concatenate, zip(*found, strict=True))
    fires = predicates >= 0
    entries = np.ones(np.count_nonzero(fires)), (rows[fires], predicates[fires])
    return sparse.csr_matrix(entries, shape=shape)


def find_predicates(
    template: Template, read: Sequence[tuple[str, ...]], values: Values
) -> Iterator[Fired]:
    """Yield rows, places of the strings read, and the predicates that fire there, -1 for none."""
    numbers, found = values.get(template.name, {}), list(map(template.values_of, read))
    rows = np.repeat(np.arange(len(read), dtype=np.int32), list(map(len, found)))
    of_row = list(chain.from_iterable(found))
    own = np.array([numbers.get(value, -1) for value in of_row], np.int32)
    forms = {number for form in UNKNOWN_FORMS if (number := numbers.get(form)) is not None}
    yield rows, np.where(np.isin(own, list(forms)), -1, own) if forms else own
    if forms:
        found_forms = [unknown_form(value, numbers) for value in of_row]
        fired = [-1 if form is None else numbers.get(form, -1) for form in found_forms]
        yield rows, np.array(fired, np.int32)


def unknown_form(value: str, numbers: Mapping[str, int]) -> str | None:
    """Return which of ``UNKNOWN_FORMS`` a template's value is, None if the word is known.

    ``numbers`` are those of the template's values.
    """
    unknown = numbers.get(UNKNOWN, -1)
    if unknown < 0 or 0 <= numbers.get(value, -1) < unknown:
        return None
    return form_of(value)


def form_of(word: str) -> str:
    """Return which of ``UNKNOWN_FORMS`` a word is, whether it is known or not."""
    if tag_of(word) == Tag.PNC:
        return UNKNOWN_MARK
    return UNKNOWN if is_cased(word) else UNKNOWN_UNCASED


def unknown_predicates(predicates: Sequence[str], values: Values) -> list[str]:
    """Return what fires with some predicates, ``template=value``, of words without their own."""
    pairs = [predicate.split("=", 1) for predicate in predicates]
    forms = [(t, unknown_form(value, values.get(t, {}))) for t, value in pairs]
    return [f"{t}={form}" for t, form in forms if form in values.get(t, {})]


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
    """Yield all ways to split a value at commas into ``n_parts`` strings."""
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


class FiringCache:
    """``firing_matrix`` with a cache: the predicates of a word are looked up once.

    Looking up takes microseconds a word, and the words of one text come again in the
    next, so the rows of slots that read a single word are kept; of several words, what
    number each has among those that a template joins.
    """

    def __init__(self, values: Values, n_predicates: int):
        self._values, self._n_predicates = values, n_predicates
        self._joined: dict[str, JoinedValues | None] = {}  # by template
        self._n_asked: dict[str, int] = {}  # rows so far, by template
        self._lock = threading.Lock()
        self._forget()

    def _forget(self):
        self._places: dict[str, int] = {}  # of the words in the cache
        self._rows: dict[tuple, sparse.csr_matrix] = {}  # by slot and tags, for each of the words
        self._numbers: dict[str, np.ndarray] = {}  # by template: of each word, as its parts
        self._last: tuple = None, None  # a vocabulary and the places of its words

    def matrix(self, contexts: Contexts) -> sparse.csr_matrix:
        """Return which predicates each row fires; sparse float64, shape (n_rows, P)."""
        found = [self.fire(fillers, contexts.words) for fillers in contexts.fillers]
        return sparse.vstack(found, format="csr")

    def fire(self, fillers: Fillers, words: Sequence[str]) -> sparse.csr_matrix:
        """Return which predicates each row of a slot fires; sparse float64, shape (rows, P)."""
        with self._lock:
            return self._fire(fillers, words, self._find(words))

    def _find(self, words: Sequence[str]) -> np.ndarray:
        """Return the places of words in the cache, where new ones are added."""
        if words is not self._last[0]:  # slot after slot asks for the same
            places = self._look_up(words)
            if (places < 0).any():
                self._add(words)
                places = self._look_up(words)
            self._last = words, places
        return self._last[1]

    def _add(self, words):
        new = dict.fromkeys(filterfalse(self._places.__contains__, words))
        if len(self._places) + len(new) > _MOST_WORDS:
            self._forget()
            new = dict.fromkeys(words)
        first = len(self._places)
        self._places |= {word: place for place, word in enumerate(new, first)}

    def _look_up(self, words):
        return np.fromiter(map(self._places.get, words, repeat(-1)), np.int64, len(words))

    def _fire(self, fillers: Fillers, words: Sequence, places: np.ndarray) -> sparse.csr_matrix:
        if len(fillers.slot.offsets) != 1:
            return self._fire_joined(fillers, words, places)
        key, n = (fillers.slot, fillers.tag_names), fillers.n_histories
        rows = self._rows.get(key, sparse.csr_matrix((0, self._n_predicates)))
        if rows.shape[0] < len(self._places) * n:
            new = list(islice(self._places, rows.shape[0] // n, None))
            own = replace(fillers, word_ids=np.arange(len(new))[:, None], first_row=0)
            rows = self._rows[key] = sparse.vstack([rows, self._fire_new(own, new)], format="csr")
        return rows[(places[fillers.word_ids] * n + np.arange(n)).ravel()]

    def _fire_new(self, fillers, words):
        """Return what a slot that reads one word fires for new words; (words * histories, P)."""
        if fillers.slot.n_tags:
            return self._fire_joined(fillers, words, np.arange(-len(words), 0) + len(self._places))
        read = [(word,) for word in words]
        return fire_slot(fillers.slot, read, self._values, self._n_predicates)

    def _fire_joined(self, fillers, words, places):
        """Return what a slot of several words, or of words and tags, fires."""
        joined = [self._join(template, len(fillers)) for template in fillers.slot.templates]
        read = [] if all(joined) else list(fillers.strings(words))
        found: list = []
        for template, values in zip(fillers.slot.templates, joined, strict=True):
            if values:
                numbers = self._number_words(template.name, values)[places]
                found.append(values.find(fillers, numbers))
            else:
                found += find_predicates(template, read, self._values)
        return matrix_of(found, (len(fillers), self._n_predicates))

    def _number_words(self, name, values):
        """Return the numbers that a template's values have for all words of the cache."""
        known = self._numbers.get(name, values.number_words([]))
        if len(known) < len(self._places):
            new = values.number_words(list(islice(self._places, len(known), None)))
            known = self._numbers[name] = np.concatenate([known, new])
        return known

    def _join(self, template, n_rows):
        """Return the ``JoinedValues`` of a template; None while strings are quicker.

        To join takes as long as to look up as many rows as the template has values, and a line of
        text has far fewer.
        """
        name, numbers = template.name, self._values.get(template.name, {})
        if name not in self._joined:
            self._n_asked[name] = self._n_asked.get(name, 0) + n_rows
            if self._n_asked[name] < len(numbers):
                return None
            self._joined[name] = join_values(template, numbers)
        return self._joined[name]


class ChosenFillers:
    """Chooses the word combinations of a text that have predicates, and keeps these predicates.

    It is the ``choose`` of ``pack_contexts``. Most pairs of words, and most words with a tag, have
    no predicate.
    """

    def __init__(self, cache: FiringCache):
        self._cache = cache
        self._found: list[sparse.csr_matrix] = []

    def __call__(self, fillers: Fillers, words: Sequence[str]) -> np.ndarray:
        """Return which fillers are kept, bool, shape (fillers of the words,)."""
        found, n = self._cache.fire(fillers, words), fillers.n_histories
        fires = np.diff(found.indptr[::n]) > 0
        if 2 * np.count_nonzero(fires) > len(fires):
            fires[:] = True
        else:
            rows = np.flatnonzero(np.repeat(fires, n))
            silent = sparse.csr_matrix((n, found.shape[1]))
            found = sparse.vstack([silent, found[rows]], format="csr")
        self._found.append(found)
        return fires

    def matrix(self) -> sparse.csr_matrix:
        """Return which predicates each row fires, once the contexts are packed."""
        return sparse.vstack(self._found, format="csr")
