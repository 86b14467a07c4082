"""Scores of an MEMM's contexts for decoding: of words, of words with t-1, of the last two tags.

The scores of a context are those of its words, of its words together with t-1, and of the last
two tags alone: the first are known before decoding, the last are the same for all words.
"""

from typing import NamedTuple

import numpy as np

from workbench.features.contexts import Contexts, Fillers
from workbench.numerics.jit import jit


class ContextScores(NamedTuple):
    """Scores of all contexts of a text, relative to the first tag's.

    Attributes
    ----------
    words : ndarray, shape (N, 1, K - 1), or (N, K + 1, K - 1) by t-1
        Of the predicates that read words, and maybe t-1.
    history : ndarray, shape (K + 1, K + 1, K - 1)
        Of the predicates that read (t-1, t-2) alone; place K is the boundary.
    """

    words: np.ndarray
    history: np.ndarray


def score_contexts(table: np.ndarray, contexts: Contexts) -> ContextScores:
    """Return the scores of all contexts by those of their rows, shape (n_rows, K - 1)."""
    fillers, rows, base = contexts.fillers, contexts.rows, contexts.n_tags + 1
    reads_both = any(f.slot.offsets and f.slot.n_tags for f in fillers)
    words = np.empty((len(rows), base if reads_both else 1, table.shape[1]))
    history = np.zeros((base, base, table.shape[1]))
    of_words = np.array([s for s, f in enumerate(fillers) if not f.slot.n_tags], np.uint32)
    columns = (0.0,) * table.shape[1]
    sum_rows_of_words(table, rows.view(np.uint32), of_words, columns, words)
    for filler, own_rows in zip(fillers, rows.T, strict=True):
        if filler.slot.n_tags and filler.slot.offsets:
            own = table[filler.first_row : filler.first_row + len(filler)]
            places = (own_rows - filler.first_row) // filler.n_histories
            add_rows_by_tag(own.reshape(-1, filler.n_histories, table.shape[1]), places, words)
        elif filler.slot.n_tags:
            history += _by_history(table, filler)
    return ContextScores(words, history)


def _by_history(table: np.ndarray, fillers: Fillers) -> np.ndarray:
    """Rows of a slot of tags, to be added to scores by (t-1, t-2)."""
    base = len(fillers.tag_names)
    rows = table[fillers.first_row : fillers.first_row + len(fillers)]
    return rows.reshape(base, base if fillers.slot.n_tags == 2 else 1, -1)


@jit
def sum_rows_of_words(
    table: np.ndarray, rows: np.ndarray, slots: np.ndarray, columns: tuple, words: np.ndarray
) -> None:
    """Fill in the scores of words, shape (N, R, L), by slots that read no tag: all R alike.

    Parameters
    ----------
    table : ndarray, shape (n_rows, L)
    rows : ndarray of int, shape (N, S)
    slots : ndarray of int
        Columns of rows.
    columns : tuple of L
    words : ndarray, shape (N, R, L)
    """
    width = len(columns)
    for i in range(len(rows)):
        for y in range(width):
            words[i, 0, y] = 0.0
        for s in slots:
            row = rows[i, s]
            for y in range(width):
                words[i, 0, y] += table[row, y]
        for r in range(1, words.shape[1]):
            for y in range(width):
                words[i, r, y] = words[i, 0, y]


@jit
def add_rows_by_tag(table: np.ndarray, places: np.ndarray, words: np.ndarray) -> None:
    """Add rows of a slot that reads words and t-1 to the scores of words.

    Parameters
    ----------
    table : ndarray, shape (fillers, K + 1, L)
    places : ndarray of int, shape (N,)
        Filler of each word.
    words : ndarray, shape (N, K + 1, L)
    """
    for i in range(len(places)):
        for r in range(words.shape[1]):
            for y in range(words.shape[2]):
                words[i, r, y] += table[places[i], r, y]
