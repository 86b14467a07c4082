"""Probabilities of the labels of each word, P(y_i = y | words), compiled."""

import numpy as np

from workbench.inference.chain.batches import Stretches, next_batch
from workbench.inference.chain.chain_sums import sum_batch
from workbench.inference.chain.forward_backward import (
    PairSums,
    allocate,
    find_transitions,
    take_words,
)
from workbench.numerics.jit import jit
from workbench.scoring.chain_word_sums import ChainScores


@jit
def fill_chain_marginals(
    scores: ChainScores, sentences: Stretches, probabilities: np.ndarray
) -> None:
    """Fill in P(label of word i | words), shape (N, K)."""
    transitions, first = find_transitions(scores.table, scores.padding), 0
    none = np.zeros((0, len(scores.padding)))
    pairs = PairSums(none, none, none, none)
    whole, marginals = allocate(sentences.lengths, len(scores.padding))
    while first < len(sentences.starts):
        batch, is_in_range = next_batch(scores, sentences, first, transitions.max_spread, whole.psi)
        n = batch.blocks[-1]
        lattice, p = take_words(whole, 0, n), marginals[:n]
        sum_batch(lattice, p, batch, is_in_range, transitions, scores.padding, pairs)
        for s in range(len(batch.starts)):
            for i in range(batch.lengths[s]):
                row = p[batch.blocks[i] + s]
                probabilities[batch.starts[s] + i] = row[: probabilities.shape[1]]
        first += len(batch.starts)
