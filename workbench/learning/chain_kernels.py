"""The inner loops of linear chains, compiled: forward and backward through sentences.

Scores of a word are sums of rows, as those of events are; between words stand scores
of (last label, label). Both are kept as factors, exponentials of at most 1, so that a
word costs L exponentials and 2 K L products. All terms are positive: nothing cancels,
and nothing vanishes as long as the factors of a sentence stay in the range of doubles.
A sentence beyond it, which no trained model has shown yet, takes the road of logarithms.
"""

import math

import numpy as np
from numba import njit

from workbench.learning.kernels import exponentiate, take_logarithms

_compile = njit(cache=True, nogil=True, fastmath=True)
_LOWEST = -700.0  # exp of less is nothing beside 1
_WIDEST = 600.0  # spread of the scores, word and transition, up to which no factor vanishes


@_compile
def longest_sentence(starts):
    """Words of the longest sentence."""
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    return longest


@_compile
def spread_of(transitions, n_tags):
    """Difference of the highest and the lowest transition score."""
    lowest = highest = transitions[0, 0]
    for last in range(n_tags + 1):
        for k in range(n_tags):
            lowest, highest = min(lowest, transitions[last, k]), max(highest, transitions[last, k])
    return highest - lowest


@_compile
def fill_scores(table, rows, padding, scores):
    """Fill scores, shape (n, L), with sums of rows less each word's highest; returns their spread.

    The spread is the largest difference of a word's scores, padding left out.
    """
    width = len(padding)
    spread = 0.0
    for i in range(len(rows)):
        for k in range(width):
            scores[i, k] = padding[k]
        for s in range(rows.shape[1]):
            row = rows[i, s]
            for k in range(width):
                scores[i, k] += table[row, k]
        highest, lowest = scores[i, 0], scores[i, 0]
        for k in range(width):
            highest = max(highest, scores[i, k])
            lowest = min(lowest, scores[i, k] - 2 * padding[k])
        spread = max(spread, highest - lowest)
        for k in range(width):
            scores[i, k] -= highest
    return spread


@_compile
def _fill_factors(transitions, padding, forward, backward):
    """Fill factors of transitions, shape (K + 1, L), and their transpose, (K, L); returns the top.

    Both are 0 beyond K: what padding columns of words hold never counts.
    """
    n_tags = len(backward)
    top = transitions[0, 0]
    for last in range(n_tags + 1):
        for k in range(n_tags):
            top = max(top, transitions[last, k])
    forward[:], backward[:] = 0.0, 0.0
    for last in range(n_tags + 1):
        for k in range(n_tags):
            forward[last, k] = math.exp(max(transitions[last, k] - top, _LOWEST))
            if last < n_tags:
                backward[k, last] = forward[last, k]
    return top


@_compile
def _go_forward(words, forward, padding, alpha, totals):
    """Fill alpha, shape (n, L), each row of sum 1, and totals, (n,), by which rows were divided."""
    width, n_tags = len(padding), len(forward) - 1
    for i in range(len(words)):
        for k in range(width):
            alpha[i, k] = 0.0
        if i == 0:
            for k in range(width):
                alpha[i, k] = forward[n_tags, k]
        else:
            for last in range(n_tags):
                share = alpha[i - 1, last]
                for k in range(width):
                    alpha[i, k] += share * forward[last, k]
        total = 0.0
        for k in range(width):
            alpha[i, k] *= words[i, k]
            total += alpha[i, k]
        totals[i] = total
        share = 1 / total
        for k in range(width):
            alpha[i, k] *= share


@_compile
def _go_backward(words, backward, padding, alpha, totals, beta, marginals):
    """Fill marginals, shape (n, L); words become beta * word / total, what pairs need of a word."""
    width, n_tags = len(padding), len(backward)
    for k in range(width):
        beta[k] = 1.0
    for i in range(len(words) - 1, -1, -1):
        share = 1 / totals[i]
        for k in range(width):
            marginals[i, k] = alpha[i, k] * beta[k]
            words[i, k] *= beta[k] * share
        for k in range(width):
            beta[k] = 0.0
        for y in range(n_tags):
            share = words[i, y]
            for k in range(width):
                beta[k] += share * backward[y, k]


@_compile
def _add_pairs(words, alpha, padding, pairs):
    """Add alpha of the last word times word to pairs, shape (K + 1, L), over a sentence."""
    width = len(padding)
    for last in range(len(pairs) - 1):
        for i in range(1, len(words)):
            share = alpha[i - 1, last]
            for k in range(width):
                pairs[last, k] += share * words[i, k]


@_compile
def _add_pair_variances(words, alpha, forward, padding, variances):
    """Add p * (1 - p) of every pair of neighbours, p its probability, to (K + 1, L)."""
    width = len(padding)
    for last in range(len(variances) - 1):
        for i in range(1, len(words)):
            share = alpha[i - 1, last]
            for k in range(width):
                p = share * words[i, k] * forward[last, k]
                variances[last, k] += p * (1 - p)


@_compile
def _scatter(marginals, rows, padding, sums):
    width = len(padding)
    for i in range(len(rows)):
        for s in range(rows.shape[1]):
            row = rows[i, s]
            for k in range(width):
                sums[row, k] += marginals[i, k]


@_compile
def sum_chains(table, rows, tags, transitions, padding, starts, expected, pairs):
    """Sum the log-likelihood of sentences and what the model expects of rows and transitions.

    Parameters
    ----------
    table : ndarray, shape (n_rows, L)
        Scores of rows; L is K rounded up to whole vector registers.
    rows : ndarray of int32, shape (N, S)
    tags : ndarray of int8, shape (N,)
    transitions : ndarray, shape (K + 1, L)
        Scores by last label (K before the first word) and label.
    padding : tuple of float, L of them
        0 for a label, a large negative number beyond K.
    starts : ndarray of int64, shape (sentences + 1,)
        Of the sentences to be summed.
    expected : ndarray, shape (n_rows, L)
        Counts under the model are added to it.
    pairs : ndarray, shape (K + 1, L)
        So are counts of transitions.

    Returns
    -------
    log_likelihood : float
        Nats, total: the sum of log P(labels | words).

    Source
    ------
    Lafferty, McCallum & Pereira (2001); scaled as Rabiner (1989) scales hidden Markov models.
    """
    width, n_tags, longest = len(padding), len(transitions) - 1, longest_sentence(starts)
    words, alpha = np.empty((longest, width)), np.empty((longest, width))
    marginals, totals = np.empty((longest, width)), np.empty(longest)
    bits, beta = np.empty(longest * width, np.int64), np.empty(width)
    forward, backward = np.empty((n_tags + 1, width)), np.empty((n_tags, width))
    top = _fill_factors(transitions, padding, forward, backward)
    rest, products = _WIDEST - spread_of(transitions, n_tags), np.zeros((n_tags + 1, width))
    log_likelihood = 0.0
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        part, w, m = rows[a : a + n], words[:n], marginals[:n]
        spread = fill_scores(table, part, padding, w)
        last = n_tags
        for i in range(n):
            log_likelihood += w[i, tags[a + i]] + transitions[last, tags[a + i]] - top
            last = tags[a + i]
        if spread > rest:
            log_likelihood += n * top - _sum_in_logs(w, transitions, m, pairs, False)
        else:
            _exponentiate(w, bits)
            _go_forward(w, forward, padding, alpha, totals)
            _go_backward(w, backward, padding, alpha, totals, beta, m)
            _add_pairs(w, alpha, padding, products)
            take_logarithms(totals[:n], bits[:n])
            for i in range(n):
                log_likelihood -= totals[i]
            for k in range(width):
                pairs[n_tags, k] += m[0, k]
        _scatter(m, part, padding, expected)
    for last in range(n_tags):
        for k in range(width):
            pairs[last, k] += products[last, k] * forward[last, k]
    return log_likelihood


@_compile
def _exponentiate(scores, bits):
    flat = scores.reshape(-1)
    for i in range(len(flat)):
        flat[i] = max(flat[i], _LOWEST)
    exponentiate(flat, bits[: len(flat)])


@_compile
def sum_chain_variances(table, rows, transitions, padding, starts, sums, pairs):
    """Add p * (1 - p) of every marginal to rows and of every pair's to transitions.

    Arrays as in ``sum_chains``. The Hessian's diagonal has covariances between words as
    well; for a scaling these are enough.
    """
    width, n_tags, longest = len(padding), len(transitions) - 1, longest_sentence(starts)
    words, alpha = np.empty((longest, width)), np.empty((longest, width))
    marginals, totals = np.empty((longest, width)), np.empty(longest)
    bits, beta = np.empty(longest * width, np.int64), np.empty(width)
    forward, backward = np.empty((n_tags + 1, width)), np.empty((n_tags, width))
    _fill_factors(transitions, padding, forward, backward)
    rest = _WIDEST - spread_of(transitions, n_tags)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        part, w, m = rows[a : a + n], words[:n], marginals[:n]
        if fill_scores(table, part, padding, w) > rest:
            _sum_in_logs(w, transitions, m, pairs, True)
        else:
            _exponentiate(w, bits)
            _go_forward(w, forward, padding, alpha, totals)
            _go_backward(w, backward, padding, alpha, totals, beta, m)
            _add_pair_variances(w, alpha, forward, padding, pairs)
            for k in range(width):
                pairs[n_tags, k] += m[0, k] * (1 - m[0, k])
        for i in range(n):
            for k in range(width):
                m[i, k] *= 1 - m[i, k]
        _scatter(m, part, padding, sums)


@_compile
def fill_chain_marginals(table, rows, transitions, padding, starts, probabilities):
    """Fill in P(label of word i | words), shape (N, K); other arrays as in ``sum_chains``."""
    width, n_tags, longest = len(padding), len(transitions) - 1, longest_sentence(starts)
    words, alpha = np.empty((longest, width)), np.empty((longest, width))
    marginals, totals = np.empty((longest, width)), np.empty(longest)
    bits, beta = np.empty(longest * width, np.int64), np.empty(width)
    forward, backward = np.empty((n_tags + 1, width)), np.empty((n_tags, width))
    pairs = np.zeros((n_tags + 1, width))
    _fill_factors(transitions, padding, forward, backward)
    rest = _WIDEST - spread_of(transitions, n_tags)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        w, m = words[:n], marginals[:n]
        if fill_scores(table, rows[a : a + n], padding, w) > rest:
            _sum_in_logs(w, transitions, m, pairs, False)
        else:
            _exponentiate(w, bits)
            _go_forward(w, forward, padding, alpha, totals)
            _go_backward(w, backward, padding, alpha, totals, beta, m)
        probabilities[a : a + n] = m[:, :n_tags]


# --- the road of logarithms ---------------------------------------------------------------


@_compile
def _log_sum(scores):
    highest = scores.max()
    total = 0.0
    for score in scores:
        total += math.exp(max(score - highest, _LOWEST))
    return highest + math.log(total)


@_compile
def _sum_in_logs(scores, transitions, marginals, pairs, is_curved):
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
