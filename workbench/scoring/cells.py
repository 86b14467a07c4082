"""The cells (row, label) that features make, kept as few numbers as they are.

A row with many labels is a row of a table; of the others nothing is kept but their
single cells. With five labels that hardly matters; with twenty and more most rows have
one or two, and a table of all would not fit into the cache, nor sometimes into memory.
"""

import numpy as np

from workbench.scoring.cell_sums import (
    count_labels_of_rows,
    find_first_uses,
    gather,
    list_labels,
    list_words,
    spread,
)
from workbench.scoring.columns import pad

_LANES = 8  # doubles in a cache line
_FEW = 0.25  # of the labels: rows with no more are kept as single cells


def pad_labels(n_labels):
    """Return the ``padding`` of the kernels of chains, a tuple: see ``pad``."""
    return pad(n_labels, _LANES)


class Cells:
    """Where the scores of some sentences are kept, and what features they are sums of.

    Parameters
    ----------
    sentences : Sentences
        With N words and K labels.
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        F of them; weights are in row-major order.

    Attributes
    ----------
    words : tuple of ndarray
        What the words sum, for the kernels: ``row_edges``, ``rows``, ``run_edges``, ``runs``,
        ``sizes`` and ``labels``. Word i sums rows of the table, from ``rows[row_edges[i]]`` on,
        and runs of single cells: run j is the ``sizes[j]`` cells from ``runs[j]`` on, each of
        the label that ``labels`` gives it.
    """

    def __init__(self, sentences, firing, features):
        n_tags, history = sentences.n_tags, sentences.history_rows
        first = np.concatenate([[0], np.cumsum(features.sum(axis=1))]).astype(np.int32)
        of_weight = np.nonzero(features)[1].astype(np.int8)
        self._firing = firing.indptr, firing.indices, first, of_weight
        read = sentences.rows, sentences.word_slots
        n_labels = count_labels_of_rows(self._firing, n_tags)
        places, starts = _place(n_labels, n_tags, history, find_first_uses(*read, len(n_labels)))
        labels = list_labels(self._firing, places, starts, n_tags)
        self._kept = places, starts, labels
        self.words = *list_words(*read, places, starts), labels
        n_rows = int(places.max(initial=-1)) + 1 + (n_tags + 1 - len(history))
        self._shape = n_rows, len(pad_labels(n_tags))

    def __len__(self):
        """Return how many cells there are, those of tables that no feature fills as well."""
        return self._shape[0] * self._shape[1] + len(self.words[-1])

    def split(self, values):
        """Take an array of all cells, or of none, apart; views.

        Returns
        -------
        table : ndarray, shape (rows, L)
        singles : ndarray, shape (single cells,)
        """
        n = self._shape[0] * self._shape[1]
        return values[:n].reshape(-1, self._shape[1]), values[n:]

    def spread(self, weights):
        """Return the scores that weights, shape (F,), make, as ``split`` does.

        The last K + 1 rows of the table are transitions: by label, last of all the boundary.
        """
        scores = self.split(np.empty(len(self)))
        spread(self._firing, self._kept, weights, *scores)
        return scores

    def gather(self, values):
        """Return the sums of all cells by feature, shape (F,)."""
        sums = np.zeros(len(self._firing[-1]))
        gather(self._firing, self._kept, *self.split(values), sums)
        return sums


def _place(n_labels, n_tags, history, first_uses):
    """Decide where rows are kept: from 0 in the table; below, as row -1 - place of single cells.

    Single cells come in the order in which sentences use them: most are used by one word,
    which then finds all of its own beside one another. Row 0 of them has none.

    Returns
    -------
    places : ndarray of int32, shape (n_rows,)
    starts : ndarray of int32
        First single cell of each row that is kept so, and the end of the last.
    """
    is_table = n_labels > _FEW * n_tags
    is_table[history] = False
    n_table = int(is_table.sum())
    places = np.full(len(n_labels), -1, np.int32)
    places[is_table] = np.arange(n_table)
    places[history] = n_table + np.arange(len(history))
    single = np.flatnonzero((places < 0) & (n_labels > 0))
    single = single[np.argsort(first_uses[single], kind="stable")]
    places[single] = -2 - np.arange(len(single))
    starts = np.concatenate([[0, 0], np.cumsum(n_labels[single])])
    return places, starts.astype(np.int32)
