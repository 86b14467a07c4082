"""Firing matrices of one text after another: words are looked up once, then kept."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import filterfalse, islice, repeat

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts, Fillers
from workbench.features.firing import find_predicates, fire_slot, matrix_of
from workbench.features.predicates import Values
from workbench.features.rows.joined_values import JoinedValues, join_values

_MOST_WORDS = 1 << 20  # in the cache


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
        return fire_slot(fillers.slot, read, self._values, self._n_predicates)

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
                found += find_predicates(template, read, self._values)
        return matrix_of(found, (len(fillers), self._n_predicates))

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
