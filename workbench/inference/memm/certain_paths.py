"""Sentences whose tags leave no doubt, compiled.

An MEMM multiplies probabilities, so no path is more probable than any beginning of it. Give
each word its best tag after those before: whatever leaves that path takes at best the
second best tag at some word, and is sure of all that follows. Where the path ends above all
of these it is the most probable. That is proved of nineteen sentences in twenty, on the way,
in a third of the time that going through all (tag, t-1) takes.
"""

import numpy as np

from workbench.numerics.exponentials import exponentiate
from workbench.numerics.jit import jit

LOWEST = -345.0  # scores this far below the best count as this: products of two stay above 0
_CERTAIN = 1 - 1e-9  # of the path: rivals with less are none, however sums are rounded


@jit
def _fill_factors(scores, start, zeros, factors, bits):
    """Fill factors, shape (n, R, K), with exp(score - highest) of the n words from one on."""
    n_tags = len(zeros)
    for i in range(factors.shape[0]):
        for r in range(factors.shape[1]):
            own = scores[start + i, r if scores.shape[1] > 1 else 0]
            highest = own[0]
            for y in range(n_tags):
                highest = max(highest, own[y])
            for y in range(n_tags):
                factors[i, r, y] = max(own[y] - highest, LOWEST)
    exponentiate(factors.reshape(-1), bits)


@jit
def _follow_best(factors, histories, shares, zeros, tags):
    """Fill in the best tag of each of n words, given those before it, while that can be best.

    ``factors``, shape (M, n, R, K), are those of the words; the others as of ``viterbi``.

    Returns
    -------
    rivals : float
        How probable any other path can be at most, as a share of this one.
    """
    n_tags, chances = len(zeros), np.empty(len(zeros))
    t1, t2, rivals = n_tags, n_tags, 0.0
    for i in range(len(tags)):
        chances[:] = 0.0
        for m in range(len(factors)):
            word, history = factors[m, i, t1 if factors.shape[2] > 1 else 0], histories[m, t1, t2]
            total = 0.0
            for y in range(n_tags):
                total += word[y] * history[y]
            share = shares[m] / total
            for y in range(n_tags):
                chances[y] += share * word[y] * history[y]
        best, second, tag = 0.0, 0.0, 0
        for y in range(n_tags):
            if chances[y] > best:
                best, second, tag = chances[y], best, y
            elif chances[y] > second:
                second = chances[y]
        rivals = max(rivals, second) / best
        if rivals > _CERTAIN:
            break
        tags[i], t1, t2 = tag, tag, t1
    return rivals


@jit
def tag_certain(scores, histories, shares, zeros, starts, lengths, tags):
    """Fill in the most probable tags of the sentences that leave no doubt.

    Parameters
    ----------
    scores, histories, shares, starts, lengths, tags
        As of ``viterbi``.
    zeros : tuple of K
        Its length is known when compiling, so that loops over tags are unrolled.

    Returns
    -------
    is_left : ndarray of bool, shape (sentences,)
        Which sentences are yet to be tagged.
    """
    n_rows, n_tags = max([one.shape[1] for one in scores]), len(zeros)
    longest = lengths.max() if len(lengths) else 0
    room = np.empty((len(scores), longest, n_rows, n_tags))
    bits, is_left = np.empty(room[0].size, np.int64), np.empty(len(starts), np.bool_)
    for s in range(len(starts)):
        n = lengths[s]
        for m in range(len(scores)):
            _fill_factors(scores[m], starts[s], zeros, room[m][:n], bits)
        own = tags[starts[s] : starts[s] + n]
        is_left[s] = _follow_best(room, histories, shares, zeros, own) > _CERTAIN
    return is_left
