"""Scores of an MEMM's contexts for decoding: of words, of words with t-1, of the last two tags.

They add up. The first are known before decoding, the last are the same for all words.
"""

from typing import NamedTuple

import numpy as np

from workbench.features.contexts import Contexts
from workbench.numerics.jit import jit

_CELLS = 4096  # sums of a block of words: they stay in the cache while slot by slot is added


class ContextScores(NamedTuple):
    """Scores of all contexts of a text, relative to the first tag's; place K is the boundary."""

    words: np.ndarray  # shape (N, 1, K - 1); (N, K + 1, K - 1) by t-1 if a predicate reads both
    history: np.ndarray  # shape (K + 1, K + 1, K - 1), by (t-1, t-2): of tags alone


def score_contexts(table: np.ndarray, contexts: Contexts) -> ContextScores:
    """Return the scores of all contexts by those of their rows, shape (n_rows, K - 1)."""
    fillers, rows, base = contexts.fillers, contexts.rows, contexts.n_tags + 1
    history, columns = np.zeros((base, base, table.shape[1])), (0.0,) * table.shape[1]
    for filler in fillers:
        if filler.slot.n_tags and not filler.slot.offsets:
            own = table[filler.first_row : filler.first_row + len(filler)]
            history += own.reshape(base, base if filler.slot.n_tags == 2 else 1, -1)
    read = [(bool(f.slot.offsets), bool(f.slot.n_tags)) for f in fillers]
    alone, both = (np.flatnonzero([r == kind for r in read]) for kind in ((1, 0), (1, 1)))
    words = np.empty((len(rows), base if len(both) else 1, table.shape[1]))
    firsts = np.array([filler.first_row for filler in fillers], np.uint32)
    sum_rows_of_words(table, rows.T.view(np.uint32), alone, both, firsts, columns, words)
    return ContextScores(words, history)


@jit
def sum_rows_of_words(
    table: np.ndarray, rows: np.ndarray, alone: np.ndarray, both: np.ndarray,
    firsts: np.ndarray, columns: tuple, words: np.ndarray,
) -> None:  # fmt: skip
    """Fill in the scores of words, shape (N, R, L), from those of rows, shape (n_rows, L).

    Of the rows, shape (S, N), the slots ``alone`` read no tag: they are alike for all R. Those
    of ``both`` have R rows a word, one for every t-1, from their slot's first row on.
    """
    (n, n_histories, _), width = words.shape, len(columns)
    flat_table, flat_words, size = table.reshape(-1), words.reshape(-1), n_histories * width
    n_block = _CELLS // max(width, 1)
    block = np.empty(n_block * width)
    for first in range(0, n, n_block):
        n_own = min(n_block, n - first)
        block[:] = 0.0
        for s in alone:
            own_rows = rows[s, first : first + n_own]
            for i in range(n_own):
                added = flat_table[np.int64(own_rows[i]) * width :]
                for y in range(width):
                    block[i * width + y] += added[y]
        for i in range(n_own):
            for r in range(n_histories):
                for y in range(width):
                    words[first + i, r, y] = block[i * width + y]
        for s in both:
            for i in range(first, first + n_own):
                row = rows[s, i] - (rows[s, i] - firsts[s]) % np.uint32(n_histories)
                added = flat_table[np.int64(row) * width :]
                own = flat_words[i * size : (i + 1) * size]
                for j in range(size):
                    own[j] += added[j]
