"""Forward and backward sums of one sentence in the log domain, compiled: slow, for any scores.

The sums of ``forward_backward`` as logarithms, by the log-sum steps of ``semiring``:

    log alpha_i = s_i + log-sum over y' of (log alpha_{i-1}(y') + t(y', .)) - log c_i
    log beta_{i-1} = log-sum over y of (t(., y) + s_i(y) + log beta_i(y)) - log c_i
"""

import math

import numpy as np

from workbench.inference.chain.forward_backward import PairSums, Transitions
from workbench.inference.chain.semiring import log_sum, log_sum_step
from workbench.numerics.jit import jit

_LOWEST = -700.0  # exp of less is nothing next to 1


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
