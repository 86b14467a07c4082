"""Which predicates each row of packed contexts fires."""

import threading
from itertools import filterfalse, islice

import numpy as np
from scipy import sparse

_MOST_WORDS = 1 << 20  # that are remembered


def firing_matrix(contexts, values, n_predicates):
    """Return which predicates each row fires; sparse float64, shape (n_rows, P).

    Parameters
    ----------
    contexts : Contexts
    values : dict of dict
        As in ``Features``.
    n_predicates : int
    """
    read = [list(fillers.strings(contexts.words)) for fillers in contexts.fillers]
    slots = [fillers.slot for fillers in contexts.fillers]
    found = [_fire(*pair, values, n_predicates) for pair in zip(slots, read, strict=True)]
    return sparse.vstack(found, format="csr")


def count_features(events, firing):
    """Count each tag with each predicate; float64, shape (P, K).

    Parameters
    ----------
    events : Contexts
    firing : sparse matrix, shape (n_rows, P)
    """
    counts = np.zeros((firing.shape[1], events.n_tags))
    for slot, fillers in enumerate(events.fillers):
        own = slice(fillers.first_row, fillers.first_row + len(fillers))
        counts += (firing[own].T @ events.count_tags(slot)).toarray()
    return counts


def _fire(slot, read, values, n_predicates):
    """Which predicates fire where a slot reads some strings; sparse, a row for each."""
    found = np.empty((len(read), len(slot.templates)), np.int32)
    for t, template in enumerate(slot.templates):
        number, value_of = values.get(template.name, {}).get, template.value_of
        found[:, t] = [number(value_of(strings), -1) for strings in read]
    fires = found >= 0
    ends = np.concatenate(([0], np.cumsum(fires.sum(axis=1))))
    entries = np.ones(ends[-1]), found[fires], ends
    return sparse.csr_matrix(entries, shape=(len(read), n_predicates))


class FiringMemory:
    """Finds what ``firing_matrix`` finds, but looks each word up once.

    Finding the predicates of a word takes microseconds and the words of one text
    come again in the next, so rows of slots that read one word are remembered.

    Parameters
    ----------
    values, n_predicates : as for ``firing_matrix``
    """

    def __init__(self, values, n_predicates):
        self._values, self._n_predicates = values, n_predicates
        self._places, self._rows = {}, {}  # of the words known; by slot, their rows
        self._lock = threading.Lock()

    def matrix(self, contexts):
        """Return which predicates each row fires; sparse float64, shape (n_rows, P)."""
        with self._lock:
            places = self._find(contexts.words)
            found = [self._fire(fillers, contexts.words, places) for fillers in contexts.fillers]
        return sparse.vstack(found, format="csr")

    def _find(self, words):
        """Places of words among those known; new ones are added."""
        new = dict.fromkeys(filterfalse(self._places.__contains__, words))
        if len(self._places) + len(new) > _MOST_WORDS:
            self._places, self._rows, new = {}, {}, dict.fromkeys(words)
        first = len(self._places)
        self._places |= {word: place for place, word in enumerate(new, first)}
        return np.fromiter(map(self._places.__getitem__, words), np.int64, len(words))

    def _fire(self, fillers, words, places):
        slot = fillers.slot
        if len(slot.offsets) != 1 or slot.n_tags:
            return _fire(slot, list(fillers.strings(words)), self._values, self._n_predicates)
        rows = self._rows.get(slot)
        n_done = 0 if rows is None else rows.shape[0]
        if n_done < len(self._places):
            read = [(word,) for word in islice(self._places, n_done, None)]
            more = _fire(slot, read, self._values, self._n_predicates)
            rows = more if rows is None else sparse.vstack([rows, more], format="csr")
            self._rows[slot] = rows
        return rows[places[fillers.word_ids[:, 0]]]
