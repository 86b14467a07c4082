"""Forward and backward through one sentence of a linear chain, compiled.

Scores of words and of transitions are kept as factors, exponentials of at most 1, so
that a word costs L exponentials and 3 K L products. All terms are positive: nothing
cancels, and nothing vanishes as long as the factors of a sentence stay in the range of
doubles. A sentence beyond it, which no trained model has shown yet, takes the road of
logarithms.
"""

import math

import numpy as np
from numba import njit

from workbench.learning.kernels import exponentiate

_compile = njit(cache=True, nogil=True, fastmath=True)
_LOWEST = -700.0  # exp of less is nothing beside 1
_WIDEST = 600.0  # spread of scores whose factors stay far from the ends of doubles


@_compile
def reach(transitions, n_tags):
    """Spread of the scores of a word up to which no product over- or underflows.

    Alpha falls by the spreads of a word and of transitions; what pairs need of a word
    rises by twice that of transitions.
    """
    lowest = highest = transitions[0, 0]
    for last in range(n_tags + 1):
        for k in range(n_tags):
            lowest, highest = min(lowest, transitions[last, k]), max(highest, transitions[last, k])
    return _WIDEST - 2 * (highest - lowest)


@_compile
def transition_factors(transitions, n_tags, padding):
    """Return factors of transitions and their transpose, (L, L), and those at the start, (L,).

    All are 0 beyond K: what padding columns of words hold never counts. Last of the four
    is the highest score, which has factor 1.
    """
    width = len(padding)
    forward, backward, first = np.zeros((width, width)), np.zeros((width, width)), np.zeros(width)
    top = transitions[0, 0]
    for last in range(n_tags + 1):
        for k in range(n_tags):
            top = max(top, transitions[last, k])
    for k in range(n_tags):
        first[k] = math.exp(max(transitions[n_tags, k] - top, _LOWEST))
        for last in range(n_tags):
            forward[last, k] = math.exp(max(transitions[last, k] - top, _LOWEST))
            backward[k, last] = forward[last, k]
    return forward, backward, first, top


@_compile
def make_room(n, padding):
    """Arrays for sentences of up to n words: factors, alpha, marginals, totals; bits, beta."""
    width = len(padding)
    words, alpha, marginals = np.empty((n, width)), np.empty((n, width)), np.empty((n, width))
    return words, alpha, marginals, np.empty(n), np.empty(n * width, np.int64), np.ones((n, width))


@_compile
def _multiply(vector, factors, n_tags, padding, product):
    """Fill product, shape (L,), with vector times factors: four rows at a time, to save stores."""
    width = len(padding)
    a, b, c, d = vector[0], vector[1], vector[2], vector[3]  # rows beyond K are there, and 0
    for k in range(width):
        product[k] = (a * factors[0, k] + b * factors[1, k]) + (
            c * factors[2, k] + d * factors[3, k]
        )
    for row in range(4, n_tags - 3, 4):
        a, b, c, d = vector[row], vector[row + 1], vector[row + 2], vector[row + 3]
        for k in range(width):
            product[k] += (a * factors[row, k] + b * factors[row + 1, k]) + (
                c * factors[row + 2, k] + d * factors[row + 3, k]
            )
    for row in range(max(4, n_tags - n_tags % 4), n_tags):
        a = vector[row]
        for k in range(width):
            product[k] += a * factors[row, k]


@_compile
def _go_forward(words, forward, first, n_tags, padding, alpha, totals):
    """Fill alpha, shape (n, L), each row of sum 1, and totals, (n,), by which rows were divided."""
    width = len(padding)
    alpha[0] = first
    for i in range(len(words)):
        if i:
            _multiply(alpha[i - 1], forward, n_tags, padding, alpha[i])
        total = 0.0
        for k in range(width):
            alpha[i, k] *= words[i, k]
            total += alpha[i, k]
        totals[i] = total
        share = 1 / total
        for k in range(width):
            alpha[i, k] *= share


@_compile
def _go_backward(words, backward, n_tags, padding, alpha, totals, beta, marginals):
    """Fill marginals and beta, shape (n, L); words become beta * word / total, as pairs need."""
    width, n = len(padding), len(words)
    beta[n - 1] = 1.0
    for i in range(n - 1, -1, -1):
        share = 1 / totals[i]
        for k in range(width):
            marginals[i, k] = alpha[i, k] * beta[i, k]
            words[i, k] *= beta[i, k] * share
        if i:
            _multiply(words[i], backward, n_tags, padding, beta[i - 1])


@_compile
def go_both_ways(words, n_tags, padding, factors, room):
    """Turn scores of a sentence into what pairs need, and fill alpha, marginals and totals."""
    forward, backward, first, _ = factors
    _, alpha, marginals, totals, bits, beta = room
    flat = words.reshape(-1)
    for i in range(len(flat)):
        flat[i] = max(flat[i], _LOWEST)
    exponentiate(flat, bits[: len(flat)])
    _go_forward(words, forward, first, n_tags, padding, alpha, totals)
    _go_backward(words, backward, n_tags, padding, alpha, totals, beta, marginals)


@_compile
def add_pairs(words, alpha, n_tags, padding, products):
    """Add alpha of the last word times word to products, shape (L, L), over a sentence."""
    width, n = len(padding), len(words)
    for last in range(n_tags):
        for i in range(1, n - 3, 4):
            a, b, c, d = alpha[i - 1, last], alpha[i, last], alpha[i + 1, last], alpha[i + 2, last]
            for k in range(width):
                products[last, k] += (a * words[i, k] + b * words[i + 1, k]) + (
                    c * words[i + 2, k] + d * words[i + 3, k]
                )
        for i in range(n - (n - 1) % 4, n):
            share = alpha[i - 1, last]
            for k in range(width):
                products[last, k] += share * words[i, k]


@_compile
def add_pair_variances(words, alpha, forward, n_tags, padding, variances):
    """Add p * (1 - p) of every pair of neighbours, p its probability, to (K + 1, L)."""
    width = len(padding)
    for last in range(n_tags):
        for i in range(1, len(words)):
            share = alpha[i - 1, last]
            for k in range(width):
                p = share * words[i, k] * forward[last, k]
                variances[last, k] += p * (1 - p)


# --- the road of logarithms ---------------------------------------------------------------


@_compile
def _log_sum(scores):
    highest = scores.max()
    total = 0.0
    for score in scores:
        total += math.exp(max(score - highest, _LOWEST))
    return highest + math.log(total)


@_compile
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
