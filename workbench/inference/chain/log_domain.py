"""Forward and backward sums of one sentence in the log domain, compiled: slow, for any scores.

The sums of ``forward_backward`` as logarithms, by the log-sum steps of ``semiring``:

    log alpha_i = s_i + log-sum over y' of (log alpha_{i-1}(y') + t(y', .)) - log c_i
    log beta_{i-1} = log-sum over y of (t(., y) + s_i(y) + log beta_i(y)) - log c_i
"""

import math

import numpy as np

from workbench.inference.chain.forward_backward import PairSums
from workbench.inference.chain.semiring import log_sum, log_sum_step
from workbench.numerics.jit import jit

_LOWEST = -700.0  # exp of less is nothing beside 1


@jit
def forward_backward_in_logs(
    scores: np.ndarray, transitions: np.ndarray, marginals: np.ndarray, pairs: PairSums
) -> float:
    """Fill the marginals of a sentence, shape (n, L), add to pairs, return log Z.

    ``scores``, shape (n, L), are those of words, ``transitions``, shape (K + 1, L), of labels.
    """
    n, n_tags = len(scores), len(transitions) - 1
    between = transitions[:n_tags, :n_tags].copy()
    backward = between.T.copy()
    alpha, beta, scales = scores[:, :n_tags].copy(), np.zeros((n, n_tags)), np.empty(n)
    before = np.empty(n_tags)
    for i in range(n):
        if i:
            log_sum_step(alpha[i - 1], between, before)
            alpha[i] += before
        scales[i] = log_sum(alpha[i])
        alpha[i] -= scales[i]
    for i in range(n - 1, 0, -1):
        log_sum_step(scores[i, :n_tags] + beta[i], backward, beta[i - 1])
        beta[i - 1] -= scales[i]
    marginals[:] = 0.0
    for i in range(n):
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
