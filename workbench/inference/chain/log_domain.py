"""Forward and backward through one sentence by logarithms, compiled: slow, for any scores."""

import math

import numpy as np

from workbench.numerics.jit import jit

_LOWEST = -700.0  # exp of less is nothing beside 1


@jit
def _log_sum(scores):
    highest = scores.max()
    total = 0.0
    for score in scores:
        total += math.exp(max(score - highest, _LOWEST))
    return highest + math.log(total)


@jit
def sum_in_logs(scores, transitions, marginals, pairs, is_curved):
    """Fill marginals of a sentence from logarithms, add to pairs, return log Z.

    ``scores``, shape (n, L), are logarithms; with ``is_curved`` p * (1 - p) is added to
    pairs, not p. Slow, and right for scores of any size.
    """
    n, n_tags = len(scores), len(transitions) - 1
    alpha, beta = np.empty((n, n_tags)), np.zeros((n, n_tags))
    reached, totals = np.empty(n_tags), np.empty(n)
    for i in range(n):
        for y in range(n_tags):
            for last in range(n_tags):
                reached[last] = 0.0 if i == 0 else alpha[i - 1, last] + transitions[last, y]
            before = transitions[n_tags, y] if i == 0 else _log_sum(reached)
            alpha[i, y] = scores[i, y] + before
        totals[i] = _log_sum(alpha[i])
        alpha[i] -= totals[i]
    for i in range(n - 2, -1, -1):
        for last in range(n_tags):
            for y in range(n_tags):
                reached[y] = transitions[last, y] + scores[i + 1, y] + beta[i + 1, y]
            beta[i, last] = _log_sum(reached) - totals[i + 1]
    marginals[:] = 0.0
    for i in range(n):
        for y in range(n_tags):
            marginals[i, y] = math.exp(max(alpha[i, y] + beta[i, y], _LOWEST))
            for last in range(n_tags if i else 1):
                p = marginals[i, y]
                if i:
                    on = transitions[last, y] + scores[i, y] + beta[i, y] - totals[i]
                    p = math.exp(max(alpha[i - 1, last] + on, _LOWEST))
                pairs[last if i else n_tags, y] += p * (1 - p) if is_curved else p
    return totals.sum()
