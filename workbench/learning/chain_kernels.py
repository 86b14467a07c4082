"""The inner loops of linear chains, compiled: what words sum, and sums over sentences.

Arrays are those that ``sum_chains`` describes. All kernels release the global lock, so
that threads may share the sentences.
"""

import numpy as np
from numba import njit

from workbench.learning.forward_backward_kernels import (
    cut,
    go_both_ways,
    lay_out,
    make_room,
    n_abreast,
    reach,
    sum_in_logs,
    transition_factors,
    turn_to_variances,
)
from workbench.learning.kernels import take_logarithms

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def count_labels(padding):
    """K, the number of lanes that are labels."""
    n_tags = 0
    for score in padding:
        n_tags += score == 0
    return n_tags


@_compile
def count_chains(words, tags, padding, starts, counts):
    """Count the labels of words and their transitions in cells; arrays as of ``sum_chains``.

    ``starts``, shape (sentences + 1,), are those of all sentences.
    """
    row_edges, rows, cell_edges, cells, labels = words
    table, singles = counts
    between, n_tags = transition_rows(table, padding), count_labels(padding)
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
def transition_rows(table, padding):
    """Rows of transitions, those at the end of a table of cells; shape (K + 1, L)."""
    return table[len(table) - count_labels(padding) - 1 :]


@_compile
def fill_scores(words, scores, starts, blocks, filled):
    """Fill in sums of cells of the words of sentences side by side, shape (n, L); see ``lay_out``.

    Rows go four at a time, to save stores. L is not known when compiling: a loop that is
    unrolled would not become vector code.
    """
    row_edges, rows, cell_edges, cells, labels = words
    (table, singles), width = scores, filled.shape[1]
    for s in range(blocks[1]):
        for i in range(len(blocks) - 1):
            if blocks[i] + s >= blocks[i + 1]:
                break
            place, w = blocks[i] + s, starts[s] + i
            first, end = row_edges[w], row_edges[w + 1]
            for k in range(width):
                filled[place, k] = 0.0
            for j in range(first, end - 3, 4):
                a, b, c, d = rows[j], rows[j + 1], rows[j + 2], rows[j + 3]
                for k in range(width):
                    filled[place, k] += (table[a, k] + table[b, k]) + (table[c, k] + table[d, k])
            for j in range(end - (end - first) % 4, end):
                a = rows[j]
                for k in range(width):
                    filled[place, k] += table[a, k]
            for j in range(cell_edges[w], cell_edges[w + 1]):
                filled[place, labels[cells[j]]] += singles[cells[j]]


@_compile
def lower(scores, padding):
    """Take the highest score of each row, shape (n, L), off it; return the largest spread."""
    width, n_tags, widest = len(padding), count_labels(padding), 0.0
    tops = np.empty(len(scores))
    for i in range(len(scores)):
        highest = lowest = scores[i, 0]
        for k in range(n_tags):
            highest, lowest = max(highest, scores[i, k]), min(lowest, scores[i, k])
        tops[i], widest = highest, max(widest, highest - lowest)
    for i in range(len(scores)):
        for k in range(width):
            scores[i, k] += padding[k] - tops[i]
    return widest


@_compile
def scatter(values, words, starts, blocks, sums):
    """Add values of the words of sentences, rows as in ``fill_scores``, to what they sum."""
    row_edges, rows, cell_edges, cells, labels = words
    table, singles = sums
    for s in range(blocks[1]):
        for i in range(len(blocks) - 1):
            if blocks[i] + s >= blocks[i + 1]:
                break
            place, w = blocks[i] + s, starts[s] + i
            for j in range(row_edges[w], row_edges[w + 1]):
                row = rows[j]
                for k in range(values.shape[1]):  # not known when compiling, as above
                    table[row, k] += values[place, k]
            for j in range(cell_edges[w], cell_edges[w + 1]):
                singles[cells[j]] += values[place, labels[cells[j]]]


@_compile
def _fill_abreast(words, scores, padding, sentences, filled):
    """Fill in the scores of a batch, less each word's highest; return blocks and the spread."""
    starts, lengths = sentences
    blocks = lay_out(lengths)
    fill_scores(words, scores, starts, blocks, filled)
    return blocks, lower(filled[: blocks[-1]], padding)


@_compile
def line_up(words, scores, padding, sentences, far, filled):
    """Fill in the scores of those sentences of a batch whose spread is not beyond ``far``.

    Returns
    -------
    near, beyond : tuple of ndarray
        Starts and lengths of these sentences, and of the others.
    blocks : ndarray of int64
        See ``lay_out``; of none if there is no near one.
    """
    starts, lengths = sentences
    blocks, spread = _fill_abreast(words, scores, padding, sentences, filled)
    is_near = np.full(len(starts), spread <= far)
    for s in range(len(starts) if spread > far else 0):
        alone = starts[s : s + 1], lengths[s : s + 1]
        is_near[s] = _fill_abreast(words, scores, padding, alone, filled)[1] <= far
    near = starts[is_near], lengths[is_near]
    if spread > far and len(near[0]):
        blocks, _ = _fill_abreast(words, scores, padding, near, filled)
    return near, (starts[~is_near], lengths[~is_near]), blocks


@_compile
def _score_labels(filled, blocks, s, tags, transitions):
    """Sum the scores of a sentence's own labels, words and transitions."""
    last, score = len(transitions) - 1, 0.0
    for i in range(len(tags)):
        score += filled[blocks[i] + s, tags[i]] + transitions[last, tags[i]]
        last = tags[i]
    return score


@_compile
def _sum_beyond(words, tags, scores, padding, sentence, expected, curvature):
    """Do with one sentence, the first of some, what ``sum_chains`` does, in logarithms."""
    starts, n = sentence[0], sentence[1][0]
    blocks, filled = np.arange(n + 1), np.empty((n, len(padding)))
    marginals, transitions = np.empty_like(filled), transition_rows(scores[0], padding)
    fill_scores(words, scores, starts, blocks, filled)
    lower(filled, padding)
    value = _score_labels(filled, blocks, 0, tags[starts[0] : starts[0] + n], transitions)
    pairs = transition_rows(expected[0], padding)
    value -= sum_in_logs(filled, transitions, marginals, pairs, False)
    scatter(marginals, words, starts, blocks, expected)
    if len(curvature[0]):
        pairs = transition_rows(curvature[0], padding)
        sum_in_logs(filled, transitions, marginals, pairs, True)
        scatter(marginals * (1 - marginals), words, starts, blocks, curvature)
    return value


@_compile
def _add_marginals(values, words, starts, padding, blocks, sums):
    """Add values of the words of sentences to cells, and of first words to transitions."""
    scatter(values, words, starts, blocks, sums)
    pairs = transition_rows(sums[0], padding)
    for s in range(len(starts)):
        for k in range(len(padding)):
            pairs[len(pairs) - 1, k] += values[s, k]


@_compile
def _add_products(products, forward, padding, expected, curvature):
    """Add pairs, summed over all sentences, to transitions."""
    pairs = transition_rows(expected[0], padding)
    for last in range(len(pairs) - 1):
        for k in range(len(padding)):
            p = products[0, last, k] * forward[last, k]
            pairs[last, k] += p
            if len(products) > 1:
                square = products[1, last, k] * forward[last, k] ** 2
                transition_rows(curvature[0], padding)[last, k] += max(0.0, p - square)


@_compile
def _sum_near(tags, padding, transitions, factors, near, blocks, part, products):
    """Go both ways through a batch whose scores are filled in; return its log-likelihood."""
    starts, lengths = near
    log_likelihood = 0.0
    for s in range(len(starts)):
        own = tags[starts[s] : starts[s] + lengths[s]]
        log_likelihood += _score_labels(part[0], blocks, s, own, transitions)
    go_both_ways(blocks, factors, padding, part, products)
    totals, n = part[4], blocks[-1]
    take_logarithms(totals, np.empty(n, np.int64))
    return log_likelihood - totals.sum() - n * factors[3]


@_compile
def _keep(near, blocks, row, variances, kept):
    """Note the rows of the words of a batch, from ``row`` on, and how uncertain they are."""
    starts, lengths = near
    _, place, uncertainty = kept
    for s in range(len(starts)):
        for i in range(lengths[s]):
            place[starts[s] + i] = row + blocks[i] + s
            uncertainty[starts[s] + i] = variances[blocks[i] + s].sum()


@_compile
def sum_chains(words, tags, scores, padding, sentences, expected, curvature, kept):
    """Sum the log-likelihood of sentences and what the model expects of cells.

    Parameters
    ----------
    words : tuple of ndarray
        What each of N words sums: see ``Cells``.
    tags : ndarray of int8, shape (N,)
    scores : tuple of ndarray
        Of the table, shape (rows, L), L being K rounded up to whole vector registers, and
        of single cells. The last K + 1 rows of the table are transitions: by last label,
        K before the first word.
    padding : tuple of float, L of them
        0 for a label, a large negative number beyond K.
    sentences : tuple of ndarray of int64
        Starts and lengths of the sentences to be summed, longest first.
    expected : tuple of ndarray
        Counts under the model are added, to table and single cells.
    curvature : tuple of ndarray
        Likewise p * (1 - p) of marginals and, to transitions, of pairs, unless the table has
        no rows. The Hessian's diagonal has covariances between words as well; for a scaling
        these are enough.
    kept : tuple of ndarray
        Unless it is empty, (share, alpha, beta), shape (3, words, L), is filled with what
        products with the Hessian need: see ``go_both_ways``; then ``place``, shape (N,), with
        the row of each word, and ``uncertainty``, shape (N,), with the sum of its p * (1 - p).
        Of sentences that take the road of logarithms there is nothing: they have 0.

    Returns
    -------
    log_likelihood : float
        Nats, total: the sum of log P(labels | words).

    Source
    ------
    Lafferty, McCallum & Pereira (2001); scaled as Rabiner (1989) scales hidden Markov models.
    """
    starts, lengths = sentences
    transitions, width = transition_rows(scores[0], padding), len(padding)
    factors, far = transition_factors(transitions, padding), reach(transitions)
    room, marginals, totals = make_room(lengths, padding)
    products = np.zeros((1 + (len(curvature[0]) > 0), width, width))
    if len(kept[1]):
        room = kept[0]
    row = starts.min() if len(kept[1]) and len(starts) else 0
    log_likelihood, first = 0.0, 0
    while first < len(starts):
        n = n_abreast(lengths, first, width)
        batch = starts[first : first + n], lengths[first : first + n]
        near, beyond, blocks = line_up(words, scores, padding, batch, far, room[0][row:])
        for s in range(len(beyond[0])):
            log_likelihood += _sum_beyond(
                words, tags, scores, padding, (beyond[0][s:], beyond[1][s:]), expected, curvature
            )
        if len(near[0]):
            part = cut(room, marginals, totals, row, blocks[-1])
            log_likelihood += _sum_near(
                tags, padding, transitions, factors, near, blocks, part, products
            )
            _add_marginals(part[3], words, near[0], padding, blocks, expected)
            if len(curvature[0]):
                turn_to_variances(part[3])
                _add_marginals(part[3], words, near[0], padding, blocks, curvature)
            if len(kept[1]):
                _keep(near, blocks, row, part[3], kept)
                row += blocks[-1]
        first += n
    _add_products(products, factors[0], padding, expected, curvature)
    return log_likelihood


@_compile
def fill_chain_marginals(words, scores, padding, sentences, probabilities):
    """Fill in P(label of word i | words), shape (N, K); other arrays as in ``sum_chains``."""
    starts, lengths = sentences
    transitions, width = transition_rows(scores[0], padding), len(padding)
    factors, far = transition_factors(transitions, padding), reach(transitions)
    room, marginals, totals = make_room(lengths, padding)
    products, first = np.zeros((1, width, width)), 0
    while first < len(starts):
        n = n_abreast(lengths, first, width)
        batch = starts[first : first + n], lengths[first : first + n]
        near, beyond, blocks = line_up(words, scores, padding, batch, far, room[0])
        for s in range(len(beyond[0])):
            _fill_beyond(words, scores, padding, (beyond[0][s:], beyond[1][s:]), probabilities)
        if len(near[0]):
            part = cut(room, marginals, totals, 0, blocks[-1])
            go_both_ways(blocks, factors, padding, part, products)
        for s in range(len(near[0])):
            for i in range(near[1][s]):
                probabilities[near[0][s] + i] = marginals[blocks[i] + s, : probabilities.shape[1]]
        first += n


@_compile
def _fill_beyond(words, scores, padding, sentence, probabilities):
    """Fill in the marginals of one sentence, the first of some, by logarithms."""
    starts, n = sentence[0], sentence[1][0]
    blocks, filled = np.arange(n + 1), np.empty((n, len(padding)))
    marginals, transitions = np.empty_like(filled), transition_rows(scores[0], padding)
    fill_scores(words, scores, starts, blocks, filled)
    lower(filled, padding)
    sum_in_logs(filled, transitions, marginals, np.zeros_like(transitions), False)
    probabilities[starts[0] : starts[0] + n] = marginals[:, : probabilities.shape[1]]
