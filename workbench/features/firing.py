"""The firing matrix: which predicates each row of contexts fires; compaction of its rows.

A template with the value ``UNKNOWN`` fires it, or another of ``UNKNOWN_FORMS`` that it has, for
each word that has no predicate before it. What adaptation adds comes after it, so a word that only
the adaptation data have fires both: before its own weight has moved it is scored as it was in the
background.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, filterfalse, islice, repeat

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts, Fillers
from workbench.features.joined_values import JoinedValues, join_values
from workbench.features.predicates import (
    UNKNOWN,
    UNKNOWN_FORMS,
    UNKNOWN_MARK,
    UNKNOWN_UNCASED,
    Values,
)
from workbench.text.casing import Tag, is_cased, tag_of
from workbench.text.sources.scratch import GrowingArray, Memory, release, slices_within

_ROW_BYTES = 12  # of memory that renumbering takes for each row
_MOST_WORDS = 1 << 20  # in the cache


def firing_matrix(contexts: Contexts, values: Values, n_predicates: int) -> sparse.csr_matrix:
    """Return which predicates each row fires; sparse float64, shape (n_rows, P).

    ``values`` and ``n_predicates`` are those of ``Features``.
    """
    read = [list(fillers.strings(contexts.words)) for fillers in contexts.fillers]
    slots = [fillers.slot for fillers in contexts.fillers]
    found = [_fire(*pair, values, n_predicates) for pair in zip(slots, read, strict=True)]
    return sparse.vstack(found, format="csr")


def count_features(events: Contexts, firing: sparse.csr_matrix) -> np.ndarray:
    """Return how often each tag occurs with each predicate; float64, shape (P, K)."""
    counts = np.zeros((firing.shape[1], events.n_tags))
    for slot, fillers in enumerate(events.fillers):
        own = slice(fillers.first_row, fillers.first_row + len(fillers))
        counts += (firing[own].T @ events.count_tags(slot)).toarray()
    return counts


def compact_rows(
    rows: np.ndarray, firing: sparse.csr_matrix, memory: Memory | None = None
) -> tuple[np.ndarray, sparse.csr_matrix]:
    """Return rows renumbered in the order of events; all rows that fire nothing become row 0.

    Most pairs of words, and many a word, are too rare to have a feature; without them the
    tables of learning are small. And events are sorted by their current word, so that rows of
    its pairs lie side by side, in the cache: a pass over events with many slots takes a quarter
    less.

    Rows, shape (N, S), are int32 before and uint32 after: without a sign nothing has to be
    checked where they are indices. The firing matrix, shape (n_rows, P), keeps the rows that
    are used and fire, after row 0. With ``memory`` rows are on disk, before and after.
    """
    n, n_slots = rows.shape
    first, parts = np.full(firing.shape[0], -1), slices_within(memory, n, _ROW_BYTES * n_slots)
    for part in reversed(parts):
        backwards = np.arange(part.stop - 1, part.start - 1, -1)
        for slot, column in enumerate(rows[part].T):
            first[column[::-1]] = backwards + slot * n  # what is written last stays: the first
        release(rows[part])
    kept = np.flatnonzero((np.diff(firing.indptr) > 0) & (first >= 0))
    kept = kept[np.argsort(first[kept], kind="stable")]
    number = np.zeros(firing.shape[0], np.uint32)
    number[kept] = np.arange(1, len(kept) + 1)
    kept_rows = number[rows] if memory is None else _renumber(rows, number, parts)
    silent = sparse.csr_matrix((1, firing.shape[1]))
    return kept_rows, sparse.vstack([silent, firing[kept]], format="csr")


def _renumber(rows, number, parts):
    """Return rows, on disk, by other numbers."""
    renumbered = GrowingArray(np.uint32, rows.shape[1:])
    for part in parts:
        renumbered.append(number[rows[part]])
        release(rows[part])
    return renumbered.mapped()


def _fire(slot, read, values, n_predicates):
    """Return which predicates fire for strings that a slot reads; sparse, a row for each."""
    found = [pair for t in slot.templates for pair in _find(t, read, values)]
    return _matrix(found, (len(read), n_predicates))


def _matrix(found, shape):
    """Return the matrix of pairs of arrays: rows, and the predicates that fire there or -1."""
    rows, predicates = map(np.concatenate, zip(*found, strict=True))
    fires = predicates >= 0
    entries = np.ones(np.count_nonzero(fires)), (rows[fires], predicates[fires])
    return sparse.csr_matrix(entries, shape=shape)


def _find(template, read, values):
    """Yield rows, places of the strings read, and the predicates that fire there, -1 for none."""
    numbers, found = values.get(template.name, {}), list(map(template.values_of, read))
    rows = np.repeat(np.arange(len(read), dtype=np.int32), list(map(len, found)))
    of_row = list(chain.from_iterable(found))
    own = np.array([numbers.get(value, -1) for value in of_row], np.int32)
    forms = {number for form in UNKNOWN_FORMS if (number := numbers.get(form)) is not None}
    yield rows, np.where(np.isin(own, list(forms)), -1, own) if forms else own
    if forms:
        fired = [numbers.get(unknown_form(value, numbers), -1) for value in of_row]
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


class FiringCache:
    """``firing_matrix`` with a cache: the predicates of a word are looked up once.

    Looking up takes microseconds a word, and the words of one text come again in the
    next, so the rows of slots that read a single word are kept; of several words, what
    number each has among those that a template joins.
    """

    def __init__(self, values: Values, n_predicates: int):
        self._values, self._n_predicates = values, n_predicates
        self._joined: dict[str, JoinedValues | None] = {}  # by template
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
        return _fire(fillers.slot, read, self._values, self._n_predicates)

    def _fire_joined(self, fillers, words, places):
        """Return what a slot of several words, or of words and tags, fires."""
        joined = [self._join(template) for template in fillers.slot.templates]
        read = [] if all(joined) else list(fillers.strings(words))
        found: list = []
        for template, values in zip(fillers.slot.templates, joined, strict=True):
            if values:
                numbers = self._number_words(template.name, values)[places]
                found.append(values.find(fillers, numbers))
            else:
                found += _find(template, read, self._values)
        return _matrix(found, (len(fillers), self._n_predicates))

    def _number_words(self, name, values):
        """Return the numbers that a template's values have for all words of the cache."""
        known = self._numbers.get(name, values.number_words([]))
        if len(known) < len(self._places):
            new = values.number_words(list(islice(self._places, len(known), None)))
            known = self._numbers[name] = np.concatenate([known, new])
        return known

    def _join(self, template):
        if template.name not in self._joined:
            numbers = self._values.get(template.name, {})
            self._joined[template.name] = join_values(template, numbers)
        return self._joined[template.name]


class ChosenFillers:
    """Chooses the fillers of a text that fire, where most do not, and keeps what these fire.

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
