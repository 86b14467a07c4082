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
def _fill_factors(scores, factors):
    """Fill factors with exp(score - highest score of the row); both of shape (rows, K)."""
    for row in range(len(scores)):
        highest = scores[row].max()
        for k in range(scores.shape[1]):
            factors[row, k] = max(np.exp(scores[row, k] - highest), _FLOOR)


@_compile
def history_factors(history):
    """Return exponentials of history scores, shape (K + 1, K + 1, K), largest 1 per history."""
    factors = np.empty_like(history)
    for t1 in range(len(history)):
        _fill_factors(history[t1], factors[t1])
    return factors


@_compile
def _local(word, history, t1, t2, p):
    """Fill p, shape (K,), with P(tag | context) for a history (t-1, t-2)."""
    by_last = t1 if len(word) > 1 else 0
    total = 0.0
    for y in range(len(p)):
        p[y] = word[by_last, y] * history[t1, t2, y]
        total += p[y]
    for y in range(len(p)):
        p[y] /= total


@_compile
def _advance(word, history, before, after, choice, p):
    """Move the best path to each (t-1, t-2) one word on: to each (tag, t-1)."""
    after[:] = 0.0
    for t1 in range(len(before)):
        for t2 in range(len(before)):
            if before[t1, t2] == 0.0:
                continue
            _local(word, history, t1, t2, p)
            for y in range(len(p)):
                reached = before[t1, t2] * p[y]
                if reached > after[y, t1]:
                    after[y, t1] = reached
                    choice[y, t1] = t2


@_compile
def viterbi(word_scores, history, starts, tags):
    """Fill in the most probable tags of sentences, exactly.

    Parameters
    ----------
    word_scores : ndarray, shape (N, 1, K) or (N, K + 1, K)
        Scores of the predicates that read words; by t-1 where some read it, too.
    history : ndarray, shape (K + 1, K + 1, K)
        ``history_factors`` of the scores of the predicates that read (t-1, t-2)
        alone; place K is the boundary.
    starts : ndarray of int64, shape (sentences + 1,)
    tags : ndarray of int8, shape (N,)
        Filled in.

    Source
    ------
    argmax_T P(T|W), Chelba & Acero (2004), section 2; Viterbi instead of their beam.
    """
    n_tags = word_scores.shape[2]
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    choice = np.zeros((longest, n_tags, n_tags + 1), np.uint8)
    before = np.zeros((n_tags + 1, n_tags + 1))
    after = np.zeros((n_tags + 1, n_tags + 1))
    word, p = np.empty(word_scores.shape[1:]), np.empty(n_tags)
    for s in range(len(starts) - 1):
        before[:] = 0.0
        before[n_tags, n_tags] = 1.0
        for i in range(starts[s], starts[s + 1]):
            _fill_factors(word_scores[i], word)
            _advance(word, history, before, after, choice[i - starts[s]], p)
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
    The other arrays are those of ``viterbi``.
    """
    n_tags = word_scores.shape[2]
    before = np.zeros((n_tags + 1, n_tags + 1))
    after = np.zeros((n_tags + 1, n_tags + 1))
    word, p = np.empty(word_scores.shape[1:]), np.empty(n_tags)
    for s in range(len(starts) - 1):
        before[:] = 0.0
        before[n_tags, n_tags] = 1.0
        for i in range(starts[s], starts[s + 1]):
            _fill_factors(word_scores[i], word)
            after[:] = 0.0
            for t1 in range(n_tags + 1):
                for t2 in range(n_tags + 1):
                    if before[t1, t2] == 0.0:
                        continue
                    _local(word, history, t1, t2, p)
                    for y in range(n_tags):
                        after[y, t1] += before[t1, t2] * p[y]
            for y in range(n_tags):
                probabilities[i, y] = after[y].sum()
            before, after = after, before


@_compile
def viterbi_of_two(word_scores, history, other_scores, other_history, share, starts, tags):
    """Fill in the most probable tags under share * p + (1 - share) * p_other, exactly.

    The probabilities are mixed in each context, so paths are those of one model
    whose local distribution is the mixture. Arrays as in ``viterbi``.

    Source
    ------
    LININT, Daumé III (2007), section 2.
    """
    n_tags = word_scores.shape[2]
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    choice = np.zeros((longest, n_tags, n_tags + 1), np.uint8)
    before = np.zeros((n_tags + 1, n_tags + 1))
    after = np.zeros((n_tags + 1, n_tags + 1))
    word, other = np.empty(word_scores.shape[1:]), np.empty(other_scores.shape[1:])
    p, q = np.empty(n_tags), np.empty(n_tags)
    for s in range(len(starts) - 1):
        before[:] = 0.0
        before[n_tags, n_tags] = 1.0
        for i in range(starts[s], starts[s + 1]):
            _fill_factors(word_scores[i], word)
            _fill_factors(other_scores[i], other)
            after[:] = 0.0
            for t1 in range(n_tags + 1):
                for t2 in range(n_tags + 1):
                    if before[t1, t2] == 0.0:
                        continue
                    _local(word, history, t1, t2, p)
                    _local(other, other_history, t1, t2, q)
                    for y in range(n_tags):
                        reached = before[t1, t2] * (share * p[y] + (1 - share) * q[y])
                        if reached > after[y, t1]:
                            after[y, t1] = reached
                            choice[i - starts[s], y, t1] = t2
            after /= after.max()
            before, after = after, before
        _trace(before, choice, tags[starts[s] : starts[s + 1]])
