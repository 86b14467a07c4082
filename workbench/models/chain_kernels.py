"""The inner loop of decoding a linear chain, compiled."""

import numpy as np
from numba import njit

from workbench.learning.chain_kernels import fill_scores, longest_sentence

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def chain_viterbi(table, rows, transitions, padding, starts, tags):
    """Fill in the most probable labels of sentences, exactly.

    Parameters
    ----------
    table : ndarray, shape (n_rows, L)
    rows : ndarray of int32, shape (N, S)
    transitions : ndarray, shape (K + 1, L)
        Scores by last label (K before the first word) and label.
    padding : tuple of float, L of them
        0 for a label, a large negative number beyond K.
    starts : ndarray of int64, shape (sentences + 1,)
    tags : ndarray of int8, shape (N,)
        Filled in.
    """
    width, n_tags, longest = len(padding), len(transitions) - 1, longest_sentence(starts)
    words, choice = np.empty((longest, width)), np.empty((longest, width), np.uint8)
    before, after, chosen = np.empty(width), np.empty(width), np.empty(width, np.int64)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        fill_scores(table, rows[a : a + n], padding, words[:n])
        for k in range(width):
            before[k] = transitions[n_tags, k] + words[0, k]
        for i in range(1, n):
            _advance(before, transitions, padding, after, chosen)
            for k in range(width):
                before[k] = after[k] + words[i, k]
                choice[i, k] = chosen[k]
        best = np.argmax(before)
        for i in range(n - 1, -1, -1):
            tags[a + i] = best
            best = choice[i, best]


@_compile
def _advance(before, transitions, padding, after, chosen):
    """Move the best path to each label one word on; the first of equals wins."""
    for k in range(len(padding)):
        after[k] = before[0] + transitions[0, k]
        chosen[k] = 0
    for last in range(1, len(transitions) - 1):
        reached = before[last]
        for k in range(len(padding)):
            better = reached + transitions[last, k] > after[k]
            after[k] = reached + transitions[last, k] if better else after[k]
            chosen[k] = last if better else chosen[k]
