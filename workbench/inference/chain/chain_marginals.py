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
from workbench.scoring.cell_sums import CellValues, WordCells


@jit
def fill_chain_marginals(
    words: WordCells,
    scores: CellValues,
    padding: tuple[float, ...],
    sentences: Stretches,
    probabilities: np.ndarray,
) -> None:
    """Fill in P(label of word i | words), shape (N, K); other arguments as of ``sum_chains``."""
    transitions, width, first = find_transitions(scores.table, padding), len(padding), 0
    whole, none = allocate(sentences.lengths, width), np.zeros((0, width))
    while first < len(sentences.starts):
        batch, is_in_range = next_batch(
            words, scores, padding, sentences, first, transitions.max_spread, whole.psi
        )
        lattice, pairs = take_words(whole, 0, batch.blocks[-1]), PairSums(none, none, none, none)
        sum_batch(batch, is_in_range, transitions, padding, lattice, pairs)
        for s in range(len(batch.starts)):
            for i in range(batch.lengths[s]):
                row = lattice.marginals[batch.blocks[i] + s]
                probabilities[batch.starts[s] + i] = row[: probabilities.shape[1]]
        first += len(batch.starts)
