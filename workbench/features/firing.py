"""Which predicates each row of packed contexts fires."""

import threading

import numpy as np
from scipy import sparse

_MOST_WORDS = 1 << 20  # that are remembered, by slot


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
        self._known = {}  # by slot: the place of each word, and the row there
        self._lock = threading.Lock()

    def matrix(self, contexts):
        """Return which predicates each row fires; sparse float64, shape (n_rows, P)."""
        with self._lock:
            found = [self._fire(fillers, contexts.words) for fillers in contexts.fillers]
        return sparse.vstack(found, format="csr")

    def _fire(self, fillers, words):
        slot = fillers.slot
        if len(slot.offsets) != 1 or slot.n_tags:
            return _fire(slot, list(fillers.strings(words)), self._values, self._n_predicates)
        places, rows = self._known.get(slot, ({}, None))
        if len(places) > _MOST_WORDS:
            places, rows = {}, None
        words = [words[i] for i in fillers.word_ids[:, 0].tolist()]
        new = [word for word in words if word not in places]
        if new or rows is None:
            read = [(word,) for word in dict.fromkeys(new)]
            found = _fire(slot, read, self._values, self._n_predicates)
            places |= {word: len(places) + i for i, (word,) in enumerate(read)}
            rows = found if rows is None else sparse.vstack([rows, found], format="csr")
            self._known[slot] = places, rows
        return rows[[places[word] for word in words]]
