"""Sums over the sentences of a linear chain, compiled: log-likelihood, expected counts, variances.

    L = sum over sentences of (score of its own labels - log Z)
    expected(r, y) = sum over words i that read row r of P(y_i = y)
    expected(y', y) = sum over neighbours of P(y_{i-1} = y', y_i = y)

and the curvature, likewise, sums P * (1 - P) in the place of P. The Hessian's diagonal has
covariances between words as well; for a scaling these are enough. Letters and recursions are
those of ``forward_backward``. The global lock is released: threads may share the sentences.
"""

from typing import NamedTuple

import numpy as np

from workbench.inference.chain.batches import Stretches, next_batch
from workbench.inference.chain.forward_backward import (
    Lattice,
    PairSums,
    Transitions,
    allocate,
    find_transitions,
    forward_backward,
    take_words,
)
from workbench.inference.chain.log_domain import forward_backward_in_logs
from workbench.numerics.jit import jit
from workbench.scoring.cell_sums import CellValues, WordCells
from workbench.scoring.word_sums import Batch, add_to_cells, count_labels, transition_rows


class Expansion(NamedTuple):
    """What products with the Hessian need of each of N words; of none where nothing is kept.

    Words are in the order of batches. Of sentences in the log domain there is nothing: their
    words have uncertainty 0.
    """

    psi: np.ndarray  # shape (N, L): psi / c of ``forward_backward``
    alpha: np.ndarray  # shape (N, L)
    beta: np.ndarray  # shape (N, L)
    rows: np.ndarray  # int64, shape (N,): the row of each word in these
    uncertainty: np.ndarray  # shape (N,): sum of p * (1 - p)


@jit
def _score_labels(
    scores: np.ndarray, batch: Batch, tags: np.ndarray, transitions: np.ndarray
) -> float:
    """Sum the scores of the labels that sentences have, words, shape (n, L), and transitions."""
    total = 0.0
    for s in range(len(batch.starts)):
        own = tags[batch.starts[s] : batch.starts[s] + batch.lengths[s]]
        for i in range(len(own)):
            total += scores[batch.blocks[i] + s, own[i]]
            if i:
                total += transitions[own[i - 1], own[i]]
    return total


@jit
def sum_batch(
    batch: Batch,
    is_in_range: bool,
    transitions: Transitions,
    padding: tuple[float, ...],
    lattice: Lattice,
    pairs: PairSums,
) -> float:
    """Fill the marginals of a batch by the way its scores allow; return log Z."""
    if is_in_range:
        return forward_backward(batch, transitions, padding, lattice, pairs)
    return forward_backward_in_logs(lattice.psi, transitions.scores, lattice.marginals, pairs)


@jit
def to_variances(p: np.ndarray) -> None:
    """Replace p, shape (n, L), by p * (1 - p)."""
    flat = p.reshape(-1)
    for i in range(len(flat)):
        flat[i] *= 1 - flat[i]


@jit
def _add_pairs(
    pairs: PairSums,
    forward: np.ndarray,
    padding: tuple[float, ...],
    expected: CellValues,
    curvature: CellValues,
) -> None:
    """Add sums over pairs to the cells of transitions."""
    means, n_tags = pairs.products * forward, count_labels(padding)
    if len(expected.table):
        transition_rows(expected.table, padding)[:n_tags] += (means + pairs.expected)[:n_tags]
    if len(curvature.table):
        variances = np.maximum(0.0, means - pairs.squares * forward**2) + pairs.variances
        transition_rows(curvature.table, padding)[:n_tags] += variances[:n_tags]


@jit
def _keep_words(batch: Batch, first: int, variances: np.ndarray, kept: Expansion) -> None:
    """Note the rows of the words of a batch, from ``first`` on, and how uncertain they are."""
    for s in range(len(batch.starts)):
        for i in range(batch.lengths[s]):
            row, word = batch.blocks[i] + s, batch.starts[s] + i
            kept.rows[word] = first + row
            kept.uncertainty[word] = variances[row].sum()


@jit
def sum_chains(
    words: WordCells,
    tags: np.ndarray,
    scores: CellValues,
    padding: tuple[float, ...],
    sentences: Stretches,
    expected: CellValues,
    curvature: CellValues,
    kept: Expansion,
) -> float:
    """Sum the log-likelihood of sentences and what the model expects of cells.

    Parameters
    ----------
    words : WordCells
        Of N words.
    tags : ndarray of int8, shape (N,)
    scores : CellValues
    padding : tuple of float, L of them
        0 for a label, a large negative number beyond K.
    sentences : Stretches
        The sentences to be summed, neighbours all.
    expected, curvature : CellValues
        Are added to; not where the table has no rows.
    kept : Expansion
        Filled where it has words, if the curvature is summed.

    Returns
    -------
    log_likelihood : float
        Nats, total: the sum of log P(labels | words).
    """
    transitions, width = find_transitions(scores.table, padding), len(padding)
    whole, is_kept = allocate(sentences.lengths, width), len(kept.rows) > 0
    n_squares = width if len(curvature.table) else 0
    pairs = PairSums(
        np.zeros((width, width)), np.zeros((n_squares, width)),
        np.zeros((width, width)), np.zeros((n_squares, width)),
    )  # fmt: skip
    if is_kept:
        whole = Lattice(kept.psi, kept.alpha, kept.beta, whole.marginals, whole.scales)
    # Threads share what is kept: the rows of these sentences are as many as their words.
    row = sentences.starts.min() if is_kept and len(sentences.starts) else 0
    log_likelihood, first = 0.0, 0
    while first < len(sentences.starts):
        batch, is_in_range = next_batch(
            words, scores, padding, sentences, first, transitions.max_spread, whole.psi[row:]
        )
        lattice = take_words(whole, row, batch.blocks[-1])
        log_likelihood += _score_labels(lattice.psi, batch, tags, transitions.scores)
        log_likelihood -= sum_batch(batch, is_in_range, transitions, padding, lattice, pairs)
        if len(expected.table):
            add_to_cells(lattice.marginals, words, batch, expected)
        if len(curvature.table):
            to_variances(lattice.marginals)
            add_to_cells(lattice.marginals, words, batch, curvature)
        if is_kept and is_in_range:
            _keep_words(batch, row, lattice.marginals, kept)
            row += batch.blocks[-1]
        first += len(batch.starts)
    _add_pairs(pairs, transitions.forward, padding, expected, curvature)
    return log_likelihood
