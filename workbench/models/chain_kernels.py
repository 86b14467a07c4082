"""The inner loop of decoding a linear chain, compiled."""

import numpy as np
from numba import njit

from workbench.learning.chain_kernels import count_labels, fill_scores, longest_sentence

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def chain_viterbi(words, table, singles, padding, starts, tags):
    """Fill in the most probable labels, int8, shape (N,); other arrays as in ``sum_chains``."""
    width, n_tags, longest = len(padding), count_labels(padding), longest_sentence(starts)
    transitions = table[len(table) - n_tags - 1 :]
    scores, choice = np.empty((longest, width)), np.empty((longest, width), np.uint8)
    before, after, chosen = np.empty(width), np.empty(width), np.empty(width, np.int64)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        fill_scores(words, a, table, singles, padding, scores[:n])
        for k in range(width):
            before[k] = transitions[n_tags, k] + scores[0, k]
        for i in range(1, n):
            _advance(before, transitions, padding, after, chosen)
            for k in range(width):
                before[k] = after[k] + scores[i, k]
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
