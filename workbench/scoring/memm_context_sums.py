"""Scores of an MEMM's contexts for decoding: of words, of words with t-1, of the last two tags.

They add up. The first are known before decoding, the last are the same for all words.
"""

from typing import NamedTuple

import numpy as np

from workbench.features.contexts import Contexts
from workbench.numerics.jit import jit


class ContextScores(NamedTuple):
    """Scores of all contexts of a text, relative to the first tag's; place K is the boundary."""

    words: np.ndarray  # shape (N, 1, K - 1); (N, K + 1, K - 1) by t-1 if a predicate reads both
    history: np.ndarray  # shape (K + 1, K + 1, K - 1), by (t-1, t-2): of tags alone


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
        own = table[filler.first_row : filler.first_row + len(filler)]
        if filler.slot.n_tags and filler.slot.offsets:
            places = (own_rows - filler.first_row) // filler.n_histories
            add_rows_by_tag(own.reshape(-1, filler.n_histories, table.shape[1]), places, words)
        elif filler.slot.n_tags:
            history += own.reshape(base, base if filler.slot.n_tags == 2 else 1, -1)
    return ContextScores(words, history)


@jit
def sum_rows_of_words(
    table: np.ndarray, rows: np.ndarray, slots: np.ndarray, columns: tuple, words: np.ndarray
) -> None:
    """Fill in the scores of words, shape (N, R, L), by slots that read no tag: all R alike.

    ``table`` has shape (n_rows, L), ``rows`` (N, S); ``slots`` are columns of rows.
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
    """Add rows of a slot that reads words and t-1 to the scores of words, shape (N, K + 1, L).

    ``table`` has shape (fillers, K + 1, L); ``places`` says the filler of each word.
    """
    for i in range(len(places)):
        for r in range(words.shape[1]):
            for y in range(words.shape[2]):
                words[i, r, y] += table[places[i], r, y]
