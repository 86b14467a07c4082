"""The firing matrix: which predicates each row of contexts fires; compaction of its rows."""

import threading
from collections.abc import Sequence
from itertools import filterfalse, islice

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts, Fillers
from workbench.features.predicates import Values
from workbench.features.templates import Slot

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
    rows: np.ndarray, firing: sparse.csr_matrix
) -> tuple[np.ndarray, sparse.csr_matrix]:
    """Return rows renumbered in the order of events; all rows that fire nothing become row 0.

    Most pairs of words, and many a word, are too rare to have a feature; without them the
    tables of learning are small. And events are sorted by their current word, so that rows of
    its pairs lie side by side, in the cache: a pass over events with many slots takes a quarter
    less.

    Rows, shape (N, S), are int32 before and uint32 after: without a sign nothing has to be
    checked where they are indices. The firing matrix, shape (n_rows, P), keeps the rows that
    are used and fire, after row 0.
    """
    n = len(rows)
    first, backwards = np.full(firing.shape[0], -1), np.arange(n - 1, -1, -1)
    for slot, column in enumerate(rows.T):
        first[column[::-1]] = backwards + slot * n  # what is written last stays: the first event
    kept = np.flatnonzero((np.diff(firing.indptr) > 0) & (first >= 0))
    kept = kept[np.argsort(first[kept], kind="stable")]
    number = np.zeros(firing.shape[0], np.uint32)
    number[kept] = np.arange(1, len(kept) + 1)
    silent = sparse.csr_matrix((1, firing.shape[1]))
    return number[rows], sparse.vstack([silent, firing[kept]], format="csr")


def _fire(slot, read, values, n_predicates):
    """Return which predicates fire for strings that a slot reads; sparse, a row for each."""
    found = np.empty((len(read), len(slot.templates)), np.int32)
    for t, template in enumerate(slot.templates):
        number, value_of = values.get(template.name, {}).get, template.value_of
        found[:, t] = [number(value_of(strings), -1) for strings in read]
    fires = found >= 0
    ends = np.concatenate(([0], np.cumsum(fires.sum(axis=1))))
    entries = np.ones(ends[-1]), found[fires], ends
    return sparse.csr_matrix(entries, shape=(len(read), n_predicates))


class FiringCache:
    """``firing_matrix`` with a cache: the predicates of a word are looked up once.

    Looking up takes microseconds a word, and the words of one text come again in the
    next, so the rows of slots that read a single word are kept.
    """

    def __init__(self, values: Values, n_predicates: int):
        self._values, self._n_predicates = values, n_predicates
        self._places: dict[str, int] = {}  # of the words in the cache
        self._rows: dict[Slot, sparse.csr_matrix] = {}  # a row for each of these words
        self._lock = threading.Lock()

    def matrix(self, contexts: Contexts) -> sparse.csr_matrix:
        """Return which predicates each row fires; sparse float64, shape (n_rows, P)."""
        with self._lock:
            places = self._find(contexts.words)
            found = [self._fire(fillers, contexts.words, places) for fillers in contexts.fillers]
        return sparse.vstack(found, format="csr")

    def _find(self, words: Sequence[str]) -> np.ndarray:
        """Return the places of words in the cache, where new ones are added."""
        new = dict.fromkeys(filterfalse(self._places.__contains__, words))
        if len(self._places) + len(new) > _MOST_WORDS:
            self._places, self._rows, new = {}, {}, dict.fromkeys(words)
        first = len(self._places)
        self._places |= {word: place for place, word in enumerate(new, first)}
        return np.fromiter(map(self._places.__getitem__, words), np.int64, len(words))

    def _fire(self, fillers: Fillers, words: Sequence, places: np.ndarray) -> sparse.csr_matrix:
        slot = fillers.slot
        if len(slot.offsets) != 1 or slot.n_tags:
            return _fire(slot, list(fillers.strings(words)), self._values, self._n_predicates)
        rows = self._rows.get(slot, sparse.csr_matrix((0, self._n_predicates)))
        if rows.shape[0] < len(self._places):
            read = [(word,) for word in islice(self._places, rows.shape[0], None)]
            new = _fire(slot, read, self._values, self._n_predicates)
            rows = self._rows[slot] = sparse.vstack([rows, new], format="csr")
        return rows[places[fillers.word_ids[:, 0]]]
