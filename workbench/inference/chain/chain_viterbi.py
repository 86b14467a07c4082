"""The inner loops of decoding a linear chain, compiled; arrays as in ``sum_chains``."""

import numpy as np

from workbench.inference.chain.chain_sums import line_up
from workbench.inference.chain.forward_backward import (
    cut,
    go_both_ways,
    make_room,
    n_abreast,
    reach,
    transition_factors,
)
from workbench.inference.chain.log_domain import sum_in_logs
from workbench.numerics.jit import jit
from workbench.scoring.word_sums import fill_scores, lower, transition_rows


@jit
def chain_viterbi(words, scores, padding, sentences, tags):
    """Fill in the most probable labels, int8, shape (N,); other arrays as in ``sum_chains``."""
    starts, lengths = sentences
    width, longest = len(padding), lengths[0] if len(lengths) else 0
    transitions, rows = transition_rows(scores[0], padding), np.arange(longest + 1)
    filled, choice = np.empty((longest, width)), np.empty((longest, width), np.uint8)
    before, after, chosen = np.empty(width), np.empty(width), np.empty(width, np.int64)
    for s in range(len(starts)):
        a, n = starts[s], lengths[s]
        fill_scores(words, scores, starts[s:], rows[: n + 1], filled)
        lower(filled[:n], padding)
        for k in range(width):
            before[k] = transitions[len(transitions) - 1, k] + filled[0, k]
        for i in range(1, n):
            _advance(before, transitions, padding, after, chosen)
            for k in range(width):
                before[k] = after[k] + filled[i, k]
                choice[i, k] = chosen[k]
        best = np.argmax(before)
        for i in range(n - 1, -1, -1):
            tags[a + i] = best
            best = choice[i, best]


@jit
def _advance(before, transitions, padding, after, chosen):
    """Move the best path to each label one word on; the first of equals wins."""
    for k in range(len(padding)):
        after[k] = before[0] + transitions[0, k]
        chosen[k] = 0
    for last in range(1, len(transitions) - 1):
        reached = before[last]
        for k in range(len(padding)):
            better = reached + transitions[last, k] > after[k]
            after[k] = reached + transitions[last, k] if better else after[k]
            chosen[k] = last if better else chosen[k]


@jit
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


@jit
def _fill_beyond(words, scores, padding, sentence, probabilities):
    """Fill in the marginals of one sentence, the first of some, by logarithms."""
    starts, n = sentence[0], sentence[1][0]
    blocks, filled = np.arange(n + 1), np.empty((n, len(padding)))
    marginals, transitions = np.empty_like(filled), transition_rows(scores[0], padding)
    fill_scores(words, scores, starts, blocks, filled)
    lower(filled, padding)
    sum_in_logs(filled, transitions, marginals, np.zeros_like(transitions), False)
    probabilities[starts[0] : starts[0] + n] = marginals[:, : probabilities.shape[1]]
