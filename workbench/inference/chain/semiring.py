"""One step of the recursions of a linear chain over a semiring, compiled.

All that is asked of whole sequences is a sum of products: with s_i(y) the scores of word i
and t(y', y) those of transitions, as logarithms,

    alpha_i(y) = s_i(y) * SUM over y' of alpha_{i-1}(y') * t(y', y).

The semiring says what the product and the sum are; the product is + for all of these:

    log-sum    log of the sum of exponentials     log Z and, backward, marginals
    max        the highest, and where it was      the best path: Viterbi's
    k-max      the k highest, best first          the k best paths; max is k-max with k = 1

k is known when compiling (the length of ``ranks``), so that Viterbi's loops are those of k-max
without a trace of k. A recursion that takes the sum as an argument would be compiled anew in
each process: compiled functions among arguments are not kept on disk. Hence two steps, and in
``log_domain`` and ``chain_viterbi`` the three lines of a recursion each. Log Z of ordinary
scores is summed by products of matrices of exponentials, in ``forward_backward``: 27 times as
fast as by log-sums with 5 labels, 56 times with 22.

Source
------
Goodman (1999), semiring parsing; Huang & Chiang (2005), algorithm 2, for k-max.
"""

import math

import numpy as np

from workbench.numerics.jit import jit

NEVER = -1e30  # score of what does not exist
_LOWEST = -700.0  # exp of less is nothing next to 1


@jit
def log_sum(scores: np.ndarray) -> float:
    """Logarithm of the sum of exponentials."""
    highest, total = scores.max(), 0.0
    for score in scores:
        total += math.exp(max(score - highest, _LOWEST))
    return highest + math.log(total)


@jit
def log_sum_step(before: np.ndarray, transitions: np.ndarray, after: np.ndarray) -> None:
    """Fill after, shape (K,), with log-sums over y' of before[y'] + transitions[y', y]."""
    for y in range(len(after)):
        after[y] = log_sum(before + transitions[:, y])


@jit
def k_max_step(
    before: np.ndarray,
    transitions: np.ndarray,
    ranks: tuple[float, ...],
    padding: tuple[float, ...],
    after: np.ndarray,
    origins: np.ndarray,
) -> None:
    """Fill after with the k highest of before[r, y'] + transitions[y', y], best first.

    Of equals the first wins.

    Parameters
    ----------
    before : ndarray, shape (k, L)
    transitions : ndarray, shape (K + 1, L)
    ranks : tuple of k
    padding : tuple of L
    after : ndarray, shape (k, L)
    origins : ndarray of int64, shape (k, L)
        Filled with y' * k + r of each.
    """
    n_best, width = len(ranks), len(padding)
    for r in range(n_best):
        for y in range(width):
            after[r, y], origins[r, y] = before[r, 0] + transitions[0, y], r
    for last in range(1, len(transitions) - 1):
        for r in range(n_best):
            reached = before[r, last]
            for y in range(width):
                score, origin = reached + transitions[last, y], last * n_best + r
                for j in range(n_best):  # put it where it belongs; lower ones move down
                    is_better = score > after[j, y]
                    lower = after[j, y] if is_better else score
                    lower_origin = origins[j, y] if is_better else origin
                    after[j, y] = score if is_better else after[j, y]
                    origins[j, y] = origin if is_better else origins[j, y]
                    score, origin = lower, lower_origin
