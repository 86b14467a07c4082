"""The inner loops of linear chains, compiled: what words sum, and sums over sentences.

Arrays are those that ``sum_chains`` describes. All kernels release the global lock, so
that threads may share the sentences.
"""

import numpy as np
from numba import njit

from workbench.learning.forward_backward_kernels import (
    add_pair_variances,
    add_pairs,
    go_both_ways,
    make_room,
    reach,
    sum_in_logs,
    transition_factors,
)
from workbench.learning.kernels import take_logarithms

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def longest_sentence(starts):
    """Words of the longest sentence."""
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    return longest


@_compile
def count_labels(padding):
    """K, the number of lanes that are labels."""
    n_tags = 0
    for score in padding:
        n_tags += score == 0
    return n_tags


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
def scatter(marginals, words, first, padding, table, singles):
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
    width, room = len(padding), make_room(longest_sentence(starts), padding)
    factors = transition_factors(transitions, n_tags, padding)
    forward, top = factors[0], factors[3]
    alpha, totals, bits = room[1], room[3], room[4]
    rest, products = reach(transitions, n_tags), np.zeros((width, width))
    log_likelihood = 0.0
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        w, m = room[0][:n], room[2][:n]
        widest = fill_scores(words, a, table, singles, padding, w)
        last = n_tags
        for i in range(n):
            log_likelihood += w[i, tags[a + i]] + transitions[last, tags[a + i]] - top
            last = tags[a + i]
        if widest > rest:
            log_likelihood += n * top - sum_in_logs(w, transitions, m, pairs, False)
        else:
            go_both_ways(w, n_tags, padding, factors, room)
            add_pairs(w, alpha, n_tags, padding, products)
            take_logarithms(totals[:n], bits[:n])
            for i in range(n):
                log_likelihood -= totals[i]
            for k in range(width):
                pairs[n_tags, k] += m[0, k]
        scatter(m, words, a, padding, expected, expected_singles)
    for last in range(n_tags):
        for k in range(width):
            pairs[last, k] += products[last, k] * forward[last, k]
    return log_likelihood


@_compile
def sum_chain_variances(
    words, table, singles, padding, starts, kept, variances, variances_of_singles
):
    """Add p * (1 - p) of every marginal to cells and of every pair's to transitions.

    The Hessian's diagonal has covariances between words as well; for a scaling these are
    enough. ``kept``, (alpha, beta, share), each of shape (N, L) unless they are empty, is
    filled with what products with the Hessian need of the sentences, share being the
    factor of a word and a label by which alpha is multiplied; where a sentence takes the road
    of logarithms with 0. Other arrays as in ``sum_chains``.
    """
    n_tags = count_labels(padding)
    transitions, pairs = table[len(table) - n_tags - 1 :], variances[len(table) - n_tags - 1 :]
    width, room = len(padding), make_room(longest_sentence(starts), padding)
    factors = transition_factors(transitions, n_tags, padding)
    rest = reach(transitions, n_tags)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        w, m = room[0][:n], room[2][:n]
        if fill_scores(words, a, table, singles, padding, w) > rest:
            sum_in_logs(w, transitions, m, pairs, True)
            for array in kept:
                array[a : a + n] = 0.0
        else:
            go_both_ways(w, n_tags, padding, factors, room)
            add_pair_variances(w, room[1], factors[0], n_tags, padding, pairs)
            for k in range(width):
                pairs[n_tags, k] += m[0, k] * (1 - m[0, k])
            if len(kept[0]):
                _keep(w, room[1], room[5], a, kept)
        for i in range(n):
            for k in range(width):
                m[i, k] *= 1 - m[i, k]
        scatter(m, words, a, padding, variances, variances_of_singles)


@_compile
def _keep(words, alpha, beta, first, kept):
    """Keep what ``go_both_ways`` found of a sentence."""
    for i in range(len(words)):
        for k in range(words.shape[1]):
            kept[0][first + i, k] = alpha[i, k]
            kept[1][first + i, k] = beta[i, k]
            kept[2][first + i, k] = words[i, k] / beta[i, k] if beta[i, k] > 0 else 0.0


@_compile
def fill_chain_marginals(words, table, singles, padding, starts, probabilities):
    """Fill in P(label of word i | words), shape (N, K); other arrays as in ``sum_chains``."""
    n_tags = count_labels(padding)
    transitions, room = (
        table[len(table) - n_tags - 1 :],
        make_room(longest_sentence(starts), padding),
    )
    factors = transition_factors(transitions, n_tags, padding)
    pairs = np.zeros((n_tags + 1, len(padding)))
    rest = reach(transitions, n_tags)
    for s in range(len(starts) - 1):
        a, n = starts[s], starts[s + 1] - starts[s]
        w, m = room[0][:n], room[2][:n]
        if fill_scores(words, a, table, singles, padding, w) > rest:
            sum_in_logs(w, transitions, m, pairs, False)
        else:
            go_both_ways(w, n_tags, padding, factors, room)
        probabilities[a : a + n] = m[:, :n_tags]
