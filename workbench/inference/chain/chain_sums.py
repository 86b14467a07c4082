"""The inner loops of linear chains, compiled: sums over sentences.

Arrays are those that ``sum_chains`` describes. All kernels release the global lock, so
that threads may share the sentences.
"""

import numpy as np

from workbench.inference.chain.forward_backward import (
    cut,
    go_both_ways,
    lay_out,
    make_room,
    n_abreast,
    reach,
    transition_factors,
    turn_to_variances,
)
from workbench.inference.chain.log_domain import sum_in_logs
from workbench.numerics.exponentials import take_logarithms
from workbench.numerics.jit import jit
from workbench.scoring.word_sums import (
    count_labels,
    fill_scores,
    lower,
    scatter,
    transition_rows,
)


@jit
def _fill_abreast(words, scores, padding, sentences, filled):
    """Fill in the scores of a batch, less each word's highest; return blocks and the spread."""
    starts, lengths = sentences
    blocks = lay_out(lengths)
    fill_scores(words, scores, starts, blocks, filled)
    return blocks, lower(filled[: blocks[-1]], padding)


@jit
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


@jit
def _score_labels(filled, blocks, s, tags, transitions):
    """Sum the scores of a sentence's own labels, words and transitions."""
    last, score = len(transitions) - 1, 0.0
    for i in range(len(tags)):
        score += filled[blocks[i] + s, tags[i]] + transitions[last, tags[i]]
        last = tags[i]
    return score


@jit
def _sum_beyond(words, tags, scores, padding, sentence, sums):
    """Do with one sentence, the first of some, what ``sum_chains`` does, in logarithms."""
    (starts, lengths), (expected, curvature) = sentence, sums
    n = lengths[0]
    blocks, filled = np.arange(n + 1), np.empty((n, len(padding)))
    marginals, transitions = np.empty_like(filled), transition_rows(scores[0], padding)
    pairs = np.zeros_like(transitions)
    fill_scores(words, scores, starts, blocks, filled)
    lower(filled, padding)
    value = _score_labels(filled, blocks, 0, tags[starts[0] : starts[0] + n], transitions)
    value -= sum_in_logs(filled, transitions, marginals, pairs, False)
    if len(expected[0]):
        transition_rows(expected[0], padding)[:] += pairs
        scatter(marginals, words, starts, blocks, expected)
    if len(curvature[0]):
        pairs = transition_rows(curvature[0], padding)
        sum_in_logs(filled, transitions, marginals, pairs, True)
        scatter(marginals * (1 - marginals), words, starts, blocks, curvature)
    return value


@jit
def _add_marginals(values, words, starts, padding, blocks, sums):
    """Add values of the words of sentences to cells, and of first words to transitions."""
    scatter(values, words, starts, blocks, sums)
    pairs = transition_rows(sums[0], padding)
    for s in range(len(starts)):
        for k in range(len(padding)):
            pairs[len(pairs) - 1, k] += values[s, k]


@jit
def _add_products(products, forward, padding, sums):
    """Add pairs, summed over all sentences, to transitions."""
    pairs, n_tags = products[0] * forward, count_labels(padding)
    if len(sums[0][0]):
        transition_rows(sums[0][0], padding)[:n_tags] += pairs[:n_tags]
    if len(sums[1][0]):
        bent = np.maximum(0.0, pairs - products[1] * forward**2)
        transition_rows(sums[1][0], padding)[:n_tags] += bent[:n_tags]


@jit
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


@jit
def _keep(near, blocks, row, variances, kept):
    """Note the rows of the words of a batch, from ``row`` on, and how uncertain they are."""
    starts, lengths = near
    _, place, uncertainty = kept
    for s in range(len(starts)):
        for i in range(lengths[s]):
            place[starts[s] + i] = row + blocks[i] + s
            uncertainty[starts[s] + i] = variances[blocks[i] + s].sum()


@jit
def _add_near(words, padding, near, blocks, row, marginals, sums, kept):
    """Add the marginals of a batch to what is asked for.

    For the curvature they are turned to variances; what is kept of words needs these.
    """
    if len(sums[0][0]):
        _add_marginals(marginals, words, near[0], padding, blocks, sums[0])
    if len(sums[1][0]):
        turn_to_variances(marginals)
        _add_marginals(marginals, words, near[0], padding, blocks, sums[1])
    if len(kept[1]):
        _keep(near, blocks, row, marginals, kept)


@jit
def sum_chains(words, tags, scores, padding, sentences, sums, kept):
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
    sums : (tuple of ndarray, tuple of ndarray)
        Table and single cells, as of scores, to which counts under the model are added; and
        likewise p * (1 - p) of marginals and, to transitions, of pairs. Of neither where the
        table has no rows. The Hessian's diagonal has covariances between words as well; for a
        scaling these are enough.
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
    products = np.zeros((1 + (len(sums[1][0]) > 0), width, width))
    if len(kept[1]):
        room = kept[0]
    row = starts.min() if len(kept[1]) and len(starts) else 0
    log_likelihood, first = 0.0, 0
    while first < len(starts):
        n = n_abreast(lengths, first, width)
        batch = starts[first : first + n], lengths[first : first + n]
        near, beyond, blocks = line_up(words, scores, padding, batch, far, room[0][row:])
        for s in range(len(beyond[0])):
            alone = beyond[0][s:], beyond[1][s:]
            log_likelihood += _sum_beyond(words, tags, scores, padding, alone, sums)
        if len(near[0]):
            part = cut(room, marginals, totals, row, blocks[-1])
            log_likelihood += _sum_near(
                tags, padding, transitions, factors, near, blocks, part, products
            )
            _add_near(words, padding, near, blocks, row, part[3], sums, kept)
            row += blocks[-1] if len(kept[1]) else 0
        first += n
    _add_products(products, factors[0], padding, sums)
    return log_likelihood
