"""The inner loops of decoding, compiled: arrays in, arrays out.

An MEMM over (t-1, t-2) multiplies probabilities; all are kept as factors of
exponentials, so a word costs K exponentials and not K^3. Factors below 1e-150
are raised to it: no product of two vanishes, and no decision feels it.
"""

import numpy as np
from numba import njit

_compile = njit(cache=True, nogil=True)
_FLOOR = 1e-150


@_compile
def _factors(scores, factors):
    """Fill factors with exp(score - highest score), shape (K,)."""
    highest = scores.max()
    for k in range(len(scores)):
        factors[k] = max(np.exp(scores[k] - highest), _FLOOR)


@_compile
def history_factors(history):
    """Return exponentials of history scores, shape (K + 1, K + 1, K), largest 1 per history."""
    factors = np.empty_like(history)
    for t1 in range(history.shape[0]):
        for t2 in range(history.shape[1]):
            _factors(history[t1, t2], factors[t1, t2])
    return factors


@_compile
def _advance(word, history, before, after, choice):
    """Move the best path to each (t-1, t-2) one word on: to each (tag, t-1)."""
    n_tags = len(word)
    after[:] = 0.0
    for t1 in range(n_tags + 1):
        for t2 in range(n_tags + 1):
            if before[t1, t2] == 0.0:
                continue
            total = 0.0
            for y in range(n_tags):
                total += word[y] * history[t1, t2, y]
            share = before[t1, t2] / total
            for y in range(n_tags):
                reached = share * word[y] * history[t1, t2, y]
                if reached > after[y, t1]:
                    after[y, t1] = reached
                    choice[y, t1] = t2


@_compile
def viterbi(word_scores, history, starts, tags):
    """Fill in the most probable tags of sentences, exactly.

    Parameters
    ----------
    word_scores : ndarray, shape (N, K)
        Scores of the predicates that read words.
    history : ndarray, shape (K + 1, K + 1, K)
        ``history_factors`` of the scores of the predicates that read (t-1, t-2); place K is
        the boundary.
    starts : ndarray of int64, shape (sentences + 1,)
    tags : ndarray of int8, shape (N,)
        Filled in.

    Source
    ------
    argmax_T P(T|W), Chelba & Acero (2004), section 2; Viterbi instead of their beam.
    """
    n_tags = word_scores.shape[1]
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    choice = np.zeros((longest, n_tags, n_tags + 1), np.uint8)
    before = np.zeros((n_tags + 1, n_tags + 1))
    after = np.zeros((n_tags + 1, n_tags + 1))
    word = np.empty(n_tags)
    for s in range(len(starts) - 1):
        before[:] = 0.0
        before[n_tags, n_tags] = 1.0
        for i in range(starts[s], starts[s + 1]):
            _factors(word_scores[i], word)
            _advance(word, history, before, after, choice[i - starts[s]])
            after /= after.max()
            before, after = after, before
        _trace(before, choice, tags[starts[s] : starts[s + 1]])


@_compile
def _trace(last, choice, tags):
    """Follow the choices back from the best (tag, t-1) of the last word."""
    best = np.argmax(last)
    y, t1 = best // last.shape[1], best % last.shape[1]
    for i in range(len(tags) - 1, -1, -1):
        tags[i] = y
        y, t1 = t1, choice[i, y, t1]


@_compile
def marginals(word_scores, history, starts, probabilities):
    """Fill in P(tag of word i | W), shape (N, K): an exact sum over the tags before it.

    What follows word i does not matter: an MEMM is normalized word by word.
    """
    n_tags = word_scores.shape[1]
    before = np.zeros((n_tags + 1, n_tags + 1))
    after = np.zeros((n_tags + 1, n_tags + 1))
    word = np.empty(n_tags)
    for s in range(len(starts) - 1):
        before[:] = 0.0
        before[n_tags, n_tags] = 1.0
        for i in range(starts[s], starts[s + 1]):
            _factors(word_scores[i], word)
            after[:] = 0.0
            for t1 in range(n_tags + 1):
                for t2 in range(n_tags + 1):
                    if before[t1, t2] == 0.0:
                        continue
                    total = 0.0
                    for y in range(n_tags):
                        total += word[y] * history[t1, t2, y]
                    for y in range(n_tags):
                        after[y, t1] += before[t1, t2] * word[y] * history[t1, t2, y] / total
            for y in range(n_tags):
                probabilities[i, y] = after[y].sum()
            before, after = after, before
