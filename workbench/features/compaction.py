"""Rows and slots made few, for learning: what fires is what counts, not who says it."""

import numpy as np
from scipy import sparse


def fold_slots(contexts, firing):
    """Let a slot that reads words and tags say what another reads of the same words alone.

    A pass over events costs the same for every slot, whatever its rows fire: with
    templates ``extended`` two of eleven slots can go.

    Parameters
    ----------
    contexts : Contexts
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.

    Returns
    -------
    rows : ndarray of int32, shape (N, slots that are left)
    firing : sparse matrix, shape (n_rows, P)
    """
    column = list(range(len(contexts.fillers)))  # where each slot speaks
    for s, own in enumerate(contexts.fillers):
        for other, words in enumerate(contexts.fillers):
            if _is_wider(own, words):
                column[other] = s
                firing = firing + _lend(contexts, s, other) @ firing
    left = list(dict.fromkeys(column))
    return np.ascontiguousarray(contexts.rows[:, left]), firing.tocsr()


def _is_wider(own, words):
    """Whether a slot reads tags beside the same words, or the same of another column, alone."""
    return (
        own.slot.n_tags > 0
        and not words.slot.n_tags
        and bool(own.slot.offsets)
        and own.slot.offsets == words.slot.offsets
        and np.array_equal(own.word_ids, words.word_ids)
    )


def _lend(contexts, s, other):
    """Which row of the other slot each row of slot s that occurs stands for; (n_rows, n_rows)."""
    own, words = contexts.fillers[s], contexts.fillers[other]
    used = np.unique(contexts.rows[:, s])
    rows = words.first_row + (used - own.first_row) // own.n_histories
    entries = np.ones(len(used)), (used, rows)
    return sparse.csr_matrix(entries, shape=(contexts.n_rows, contexts.n_rows))


def compact_rows(rows, firing):
    """Number the rows of each slot in the order of their events; the silent are one, the first.

    Most pairs of words, and many a word, are too rare to have a feature; without them
    the tables of learning are small. And events are sorted by their current word, so that
    rows of its pairs lie side by side, in the cache: a pass over events with many slots
    takes a quarter less.

    Parameters
    ----------
    rows : ndarray of int32, shape (N, S)
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.

    Returns
    -------
    rows : ndarray of uint32, shape (N, S)
        Numbers without a sign: where they are indices nothing has to be checked.
    firing : sparse matrix, shape (rows that are used and fire + 1, P)
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


def unsigned(matrix):
    """Return ``indptr`` and ``indices`` of a sparse matrix, of which none is below 0, as such."""
    return matrix.indptr.view(np.uint32), matrix.indices.view(np.uint32)
