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
def count_chains(words, tags, padding, starts, table, singles):
    """Count the labels of words and their transitions in cells; arrays as of ``sum_chains``."""
    row_edges, rows, cell_edges, cells, labels = words
    n_tags = count_labels(padding)
    between = table[len(table) - n_tags - 1 :]
    for s in range(len(starts) - 1):
        last = n_tags
        for i in range(starts[s], starts[s + 1]):
            for j in range(row_edges[i], row_edges[i + 1]):
                table[rows[j], tags[i]] += 1
            for j in range(cell_edges[i], cell_edges[i + 1]):
                singles[cells[j]] += labels[cells[j]] == tags[i]
            between[last, tags[i]] += 1
            last = tags[i]


@_compile
def count_labels(padding):
    """K, the number of lanes that are labels."""
    n_tags = 0
    for score in padding:
        n_tags += score == 0
    return n_tags


@_compile
def fill_scores(words, first, table, singles, padding, scores):
    """Fill scores, shape (n, L), with sums less each word's highest; returns their spread.

    The n words are those from ``first`` on. The spread is the largest difference of a
    word's scores, padding left out.
    """
    row_edges, rows, cell_edges, cells, labels = words
    width = len(padding)
    widest = 0.0
    for i in range(len(scores)):
        for k in range(width):
            scores[i, k] = padding[k]
        for j in range(row_edges[first + i], row_edges[first + i + 1]):
            row = rows[j]
            for k in range(width):
                scores[i, k] += table[row, k]
        for j in range(cell_edges[first + i], cell_edges[first + i + 1]):
            scores[i, labels[cells[j]]] += singles[cells[j]]
        highest, lowest = scores[i, 0], scores[i, 0]
        for k in range(width):
            highest = max(highest, scores[i, k])
            lowest = min(lowest, scores[i, k] - 2 * padding[k])
        widest = max(widest, highest - lowest)
        for k in range(width):
            scores[i, k] -= highest
    return widest


@_compile
def _fill_factors(transitions, n_tags, forward, backward, first):
    """Fill factors of transitions and their transpose, (L, L), and those at the start, (L,).

    All are 0 beyond K: what padding columns of words hold never counts. Returns the
    highest score, which has factor 1.
    """
    top = transitions[0, 0]
    for last in range(n_tags + 1):
        for k in range(n_tags):
            top = max(top, transitions[last, k])
    forward[:], backward[:], first[:] = 0.0, 0.0, 0.0
    for k in range(n_tags):
        first[k] = math.exp(max(transitions[n_tags, k] - top, _LOWEST))
        for last in range(n_tags):
            forward[last, k] = math.exp(max(transitions[last, k] - top, _LOWEST))
            backward[k, last] = forward[last, k]
    return top


@_compile
def _multiply(vector, factors, n_tags, padding, product):
    """Fill product, shape (L,), with vector times factors: four rows at a time, to save stores."""
    width = len(padding)
    for k in range(width):
        product[k] = 0.0
    for row in range(0, n_tags, 4):  # rows beyond K are there, and 0
        a, b, c, d = vector[row], vector[row + 1], vector[row + 2], vector[row + 3]
        for k in range(width):
            product[k] += (a * factors[row, k] + b * factors[row + 1, k]) + (
                c * factors[row + 2, k] + d * factors[row + 3, k]
            )


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
    """Fill marginals, shape (n, L); words become beta * word / total, what pairs need of a word."""
    width = len(padding)
    beta[:] = 1.0
    for i in range(len(words) - 1, -1, -1):
        share = 1 / totals[i]
        for k in range(width):
            marginals[i, k] = alpha[i, k] * beta[k]
            words[i, k] *= beta[k] * share
        _multiply(words[i], backward, n_tags, padding, beta)


@_compile
def _add_pairs(words, alpha, n_tags, padding, products):
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
def _add_pair_variances(words, alpha, forward, n_tags, padding, variances):
    """Add p * (1 - p) of every pair of neighbours, p its probability, to (K + 1, L)."""
    width = len(padding)
    for last in range(n_tags):
        for i in range(1, len(words)):
            share = alpha[i - 1, last]
            for k in range(width):
                p = share * words[i, k] * forward[last, k]
                variances[last, k] += p * (1 - p)


@_compile
def _scatter(marginals, words, first, padding, table, singles):
    """Add marginals, shape (n, L), of the words from ``first`` on to what they sum."""
    row_edges, rows, cell_edges, cells, labels = words
    width = len(padding)
    for i in range(len(marginals)):
        for j in range(row_edges[first + i], row_edges[first + i + 1]):
            row = rows[j]
            for k in range(width):
                table[row, k] += marginals[i, k]
        for j in range(cell_edges[first + i], cell_edges[first + i + 1]):
            singles[cells[j]] += marginals[i, labels[cells[j]]]


@_compile
def sum_chains(words, tags, table, singles, padding, starts, expected, expected_singles):
    """Sum the log-likelihood of sentences and what the model expects of cells.

    Parameters
    ----------
    words : tuple of ndarray
        What each of N words sums: see ``Cells``.
    tags : ndarray of int8, shape (N,)
    table : ndarray, shape (rows, L)
        Scores; L is K rounded up to whole vector registers. The last K + 1 rows are
        transitions: by last label, K before the first word.
    singles : ndarray
        Scores of single cells.
    padding : tuple of float, L of them
        0 for a label, a large negative number beyond K.
    starts : ndarray of int64, shape (sentences + 1,)
        Of the sentences to be summed.
    expected, expected_singles : ndarray
        Counts under the model are added, to table and single cells.

    Returns
    -------
    log_likelihood : float
        Nats, total: the sum of log P(labels | words).

    Source
    ------
    Lafferty, McCallum & Pereira (2001); scaled as Rabiner (1989) scales hidden Markov models.
    """
    n_tags = count_labels(padding)
    transitions, pairs = table[len(table) - n_tags - 1 :], expected[len(table) - n_tags - 1 :]
    width, longest = len(padding), longest_sentence(starts)
    factors, alpha = np.empty((longest, width)), np.empty((longest, width))
    marginals, totals = np.empty((longest, width)), np.empty(longest)
    bits, beta = np.empty(longest * width, np.int64), np.empty(width)
    forward, backward, first = np.empty((width, width)), np.empty((width, width)), np.empty(width)
    top = _fill_factors(transitions, n_tags, forward, backward, first)
    rest, products = _WIDEST - spread_of(transitions, n_tags), np.zeros((width, width))
    log_likelihood = 0.0
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        w, m = factors[:n], marginals[:n]
        widest = fill_scores(words, a, table, singles, padding, w)
        last = n_tags
        for i in range(n):
            log_likelihood += w[i, tags[a + i]] + transitions[last, tags[a + i]] - top
            last = tags[a + i]
        if widest > rest:
            log_likelihood += n * top - _sum_in_logs(w, transitions, m, pairs, False)
        else:
            _exponentiate(w, bits)
            _go_forward(w, forward, first, n_tags, padding, alpha, totals)
            _go_backward(w, backward, n_tags, padding, alpha, totals, beta, m)
            _add_pairs(w, alpha, n_tags, padding, products)
            take_logarithms(totals[:n], bits[:n])
            for i in range(n):
                log_likelihood -= totals[i]
            for k in range(width):
                pairs[n_tags, k] += m[0, k]
        _scatter(m, words, a, padding, expected, expected_singles)
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
def sum_chain_variances(words, table, singles, padding, starts, variances, variances_of_singles):
    """Add p * (1 - p) of every marginal to cells and of every pair's to transitions.

    Arrays as in ``sum_chains``. The Hessian's diagonal has covariances between words as
    well; for a scaling these are enough.
    """
    n_tags = count_labels(padding)
    transitions, pairs = table[len(table) - n_tags - 1 :], variances[len(table) - n_tags - 1 :]
    width, longest = len(padding), longest_sentence(starts)
    factors, alpha = np.empty((longest, width)), np.empty((longest, width))
    marginals, totals = np.empty((longest, width)), np.empty(longest)
    bits, beta = np.empty(longest * width, np.int64), np.empty(width)
    forward, backward, first = np.empty((width, width)), np.empty((width, width)), np.empty(width)
    _fill_factors(transitions, n_tags, forward, backward, first)
    rest = _WIDEST - spread_of(transitions, n_tags)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        w, m = factors[:n], marginals[:n]
        if fill_scores(words, a, table, singles, padding, w) > rest:
            _sum_in_logs(w, transitions, m, pairs, True)
        else:
            _exponentiate(w, bits)
            _go_forward(w, forward, first, n_tags, padding, alpha, totals)
            _go_backward(w, backward, n_tags, padding, alpha, totals, beta, m)
            _add_pair_variances(w, alpha, forward, n_tags, padding, pairs)
            for k in range(width):
                pairs[n_tags, k] += m[0, k] * (1 - m[0, k])
        for i in range(n):
            for k in range(width):
                m[i, k] *= 1 - m[i, k]
        _scatter(m, words, a, padding, variances, variances_of_singles)


@_compile
def fill_chain_marginals(words, table, singles, padding, starts, probabilities):
    """Fill in P(label of word i | words), shape (N, K); other arrays as in ``sum_chains``."""
    n_tags = count_labels(padding)
    transitions = table[len(table) - n_tags - 1 :]
    width, longest = len(padding), longest_sentence(starts)
    factors, alpha = np.empty((longest, width)), np.empty((longest, width))
    marginals, totals = np.empty((longest, width)), np.empty(longest)
    bits, beta = np.empty(longest * width, np.int64), np.empty(width)
    forward, backward, first = np.empty((width, width)), np.empty((width, width)), np.empty(width)
    pairs = np.zeros((n_tags + 1, width))
    _fill_factors(transitions, n_tags, forward, backward, first)
    rest = _WIDEST - spread_of(transitions, n_tags)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        w, m = factors[:n], marginals[:n]
        if fill_scores(words, a, table, singles, padding, w) > rest:
            _sum_in_logs(w, transitions, m, pairs, False)
        else:
            _exponentiate(w, bits)
            _go_forward(w, forward, first, n_tags, padding, alpha, totals)
            _go_backward(w, backward, n_tags, padding, alpha, totals, beta, m)
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
