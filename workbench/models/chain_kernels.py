"""The inner loop of decoding a linear chain, compiled."""

import numpy as np
from numba import njit

from workbench.learning.word_kernels import fill_scores, lower, transition_rows

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def chain_viterbi(words, scores, padding, sentences, tags):
    """Fill in the most probable labels, int8, shape (N,); other arrays as in ``sum_chains``."""
    starts, lengths = sentences
    width, longest = len(padding), lengths[0] if len(lengths) else 0
    transitions, rows = transition_rows(scores[0], padding), np.arange(longest + 1)
    filled, choice = np.empty((longest, width)), np.empty((longest, width), np.uint8)
    before, after, chosen = np.empty(width), np.empty(width), np.empty(width, np.int64)
    for s in range(len(starts)):
        a, n = starts[s], lengths[s]
        fill_scores(words, scores, starts[s:], rows[: n + 1], filled)
        lower(filled[:n], padding)
        for k in range(width):
            before[k] = transitions[len(transitions) - 1, k] + filled[0, k]
        for i in range(1, n):
            _advance(before, transitions, padding, after, chosen)
            for k in range(width):
                before[k] = after[k] + filled[i, k]
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
