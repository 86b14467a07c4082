"""The recursions of a linear chain in the log domain, each a choice of semiring; compiled.

All that is asked of whole sequences is a sum of products: with s_i(y) the scores of word i
and t(y', y) those of transitions, as logarithms,

    alpha_i(y) = s_i(y) * SUM over y' of alpha_{i-1}(y') * t(y', y).

The semiring says what the product and the sum are; the product is + for all of these:

    log-sum    log of the sum of exponentials     log Z and, backward, marginals
    max        the highest, and where it was      the best path: Viterbi's
    k-max      the k highest, best first          the k best paths; max is k-max with k = 1

k is known when compiling (the length of ``ranks``), so that Viterbi's loops are those of k-max
without a trace of k. A recursion that takes the sum as an argument would be compiled anew in
each process: compiled functions among arguments are not kept on disk. Hence two steps, and
here and in ``chain_viterbi`` the three lines of a recursion each. Log-sums take any scores but
are slow; of ordinary scores ``forward_backward`` sums by products of matrices of exponentials,
27 times as fast with 5 labels, 56 times with 22. With log c_i such that alpha_i sums to 1

    log alpha_i = s_i + log-sum over y' of (log alpha_{i-1}(y') + t(y', .)) - log c_i
    log beta_{i-1} = log-sum over y of (t(., y) + s_i(y) + log beta_i(y)) - log c_i

Source
------
Goodman (1999), semiring parsing; Huang & Chiang (2005), algorithm 2, for k-max.
"""

import math

import numpy as np

from workbench.inference.chain.forward_backward import PairSums, Transitions
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
    before: np.ndarray, transitions: np.ndarray, ranks: tuple, padding: tuple,
    after: np.ndarray, origins: np.ndarray,
) -> None:  # fmt: skip
    """Fill after with the k highest of before[r, y'] + transitions[y', y], best first.

    Of equals the first wins. Origins, int64, become y' * k + r of each. The transitions have
    shape (K + 1, L), the other arrays (k, L); the tuples have lengths k and L.
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


@jit
def forward_in_logs(scores: np.ndarray, between: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return log alpha, shape (n, K), and log c, shape (n,), whose sum is log Z.

    ``scores``, shape (n, K), are those of words, ``between``, shape (K, K), of transitions.
    """
    alpha, scales, before = scores.copy(), np.empty(len(scores)), np.zeros(len(between))
    for i in range(len(scores)):
        if i:
            log_sum_step(alpha[i - 1], between, before)
        alpha[i] += before
        scales[i] = log_sum(alpha[i])
        alpha[i] -= scales[i]
    return alpha, scales


@jit
def forward_backward_in_logs(
    filled: np.ndarray, marginals: np.ndarray, transitions: Transitions, pairs: PairSums
) -> float:
    """Fill in the marginals of one sentence, shape (n, L), add to pairs, and return log Z.

    ``filled``, shape (n, L), are the scores of words.
    """
    n_tags = len(transitions.scores) - 1
    between, scores = transitions.scores[:n_tags, :n_tags].copy(), filled[:, :n_tags].copy()
    (alpha, scales), backward = forward_in_logs(scores, between), between.T.copy()
    beta, marginals[:] = np.zeros_like(scores), 0.0
    for i in range(len(scores) - 1, 0, -1):
        log_sum_step(scores[i] + beta[i], backward, beta[i - 1])
        beta[i - 1] -= scales[i]
    for i in range(len(scores)):
        for y in range(n_tags):
            marginals[i, y] = math.exp(max(alpha[i, y] + beta[i, y], _LOWEST))
            on = scores[i, y] + beta[i, y] - scales[i]
            for last in range(n_tags if i else 0):
                p = math.exp(max(alpha[i - 1, last] + between[last, y] + on, _LOWEST))
                if len(pairs.expected):
                    pairs.expected[last, y] += p
                if len(pairs.variances):
                    pairs.variances[last, y] += p * (1 - p)
    return scales.sum()
