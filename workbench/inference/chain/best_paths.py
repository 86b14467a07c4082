"""The most probable label sequences of a linear chain, the best or the k best, compiled.

    best_i(y) = s_i(y) + max over y' of (best_{i-1}(y') + t(y', y))

and where the maximum was, from which the sequence is traced back; for the k best every label
keeps its k best sequences.

Source
------
Viterbi (1967); Huang & Chiang (2005) for k best.
"""

import numpy as np

from workbench.inference.chain.batches import Stretches, make_batch
from workbench.inference.chain.forward_backward import NEVER, forward_in_logs, k_max_step
from workbench.inference.chain.scores import (
    Batch,
    ChainScores,
    count_labels,
    fill_scores,
    transition_rows,
)
from workbench.numerics.jit import jit


@jit
def fill_best_paths(
    scores: ChainScores, sentences: Stretches, ranks: tuple, tags: np.ndarray, totals: np.ndarray
) -> None:
    """Fill in the k most probable label sequences of each sentence, the best first.

    Parameters
    ----------
    ranks : tuple of k
    tags : ndarray of int8, shape (k, N)
        -1 where a sentence has fewer paths.
    totals : ndarray, shape (k, N)
        At the first word of each sentence: the sequence's score, log P(labels | words) + log Z.
    """
    padding, n_best, width = scores.padding, len(ranks), len(scores.padding)
    longest = sentences.lengths[0] if len(sentences.lengths) else 0
    transitions = transition_rows(scores.table, padding)
    blocks = np.arange(longest + 1)
    ends, choices = np.zeros_like(transitions), np.empty((longest, n_best, width), np.uint16)
    best, reached = np.empty((n_best, width)), np.empty((n_best, width))
    origins, filled = np.empty((n_best, width), np.int64), np.empty((longest, width))
    for s in range(len(sentences.starts)):
        a, n, one = sentences.starts[s], sentences.lengths[s], slice(s, s + 1)
        alone = Batch(sentences.starts[one], sentences.lengths[one], sentences.begins[one], blocks)
        fill_scores(scores, alone, filled)
        best[:] = NEVER
        best[0] = filled[0]
        for i in range(1, n):
            k_max_step(best, transitions, ranks, padding, reached, origins)
            for r in range(n_best):
                for y in range(width):
                    best[r, y] = reached[r, y] + filled[i, y]
                    choices[i, r, y] = origins[r, y]
        k_max_step(best, ends, ranks, padding, reached, origins)  # whole sequences, all labels
        for r in range(n_best):
            totals[r, a], origin, is_there = reached[r, 0], origins[r, 0], reached[r, 0] > NEVER / 2
            for i in range(n - 1, -1, -1):
                tags[r, a + i] = origin // n_best if is_there else -1
                origin = np.int64(choices[i, origin % n_best, origin // n_best])


@jit
def fill_log_normalizers(scores: ChainScores, sentences: Stretches, log_z: np.ndarray) -> None:
    """Fill in log Z of each sentence at its first word, shape (N,)."""
    n_tags = count_labels(scores.padding)
    between = transition_rows(scores.table, scores.padding)[:n_tags, :n_tags].copy()
    for s in range(len(sentences.starts)):
        filled = np.empty((sentences.lengths[s], len(scores.padding)))
        fill_scores(scores, make_batch(sentences, s, 1), filled)
        log_z[sentences.starts[s]] = forward_in_logs(filled[:, :n_tags].copy(), between)[1].sum()
