"""Probabilities of the labels of each word, P(y_i = y | words), compiled."""

import numpy as np

from workbench.inference.chain.batches import Stretches, next_batch
from workbench.inference.chain.chain_sums import sum_batch
from workbench.inference.chain.forward_backward import PairSums, find_transitions
from workbench.numerics.jit import jit
from workbench.scoring.word_sums import ChainScores


@jit
def fill_chain_marginals(
    scores: ChainScores, sentences: Stretches, probabilities: np.ndarray
) -> None:
    """Fill in P(label of word i | words), shape (N, K)."""
    transitions, first = find_transitions(scores.table, scores.padding), 0
    none = np.zeros((0, len(scores.padding)))
    pairs = PairSums(none, none, none, none)
    while first < len(sentences.starts):
        batch, filled, is_in_range = next_batch(scores, sentences, first, transitions.max_spread)
        _, p, _ = sum_batch(filled, batch, is_in_range, transitions, scores.padding, pairs)
        for s in range(len(batch.starts)):
            for i in range(batch.lengths[s]):
                row = p[batch.blocks[i] + s]
                probabilities[batch.starts[s] + i] = row[: probabilities.shape[1]]
        first += len(batch.starts)
