"""Sums over the sentences of a linear chain, compiled: log-likelihood, expected counts, curvature.

    L = sum over sentences of (score of its own labels - log Z)
    expected(r, y) = sum over words i that read row r of P(y_i = y)
    expected(y', y) = sum over neighbours of P(y_{i-1} = y', y_i = y)

and the curvature, likewise, sums P * (1 - P) instead of P. The Hessian's diagonal has
covariances between words as well; for a scaling these are enough. Letters and recursions are
those of ``forward_backward``.

Were the labels of neighbours known, the Hessian of -L would be a sum over words of

    p(y) (1 - p(y))    between two weights of label y that the word sums
    - p(y) p(y')       between a weight of label y and one of y'

with p(y) = P(y_i = y) of word i: this local curvature is not the chain's Hessian, but its inverse
is a good preconditioner.
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
    forward_backward_in_logs,
    take_words,
)
from workbench.inference.chain.scores import (
    Batch,
    CellValues,
    ChainScores,
    WordWeights,
    add_to_cells,
    transition_rows,
)
from workbench.numerics.jit import jit


class Expansion(NamedTuple):
    """What products with the Hessian need of each of N words; of none where nothing is kept.

    Of sentences in the log domain there is nothing: their words have uncertainty 0.
    """

    lattice: Lattice  # N words, in the order of batches
    rows: np.ndarray  # int64, shape (N,): the row of each word in it
    uncertainty: np.ndarray  # shape (N,): sum of p * (1 - p)


@jit
def _score_labels(filled, batch, tags, transitions):
    """Sum the scores of the labels that sentences have, words, shape (n, L), and transitions."""
    total = 0.0
    for s in range(len(batch.starts)):
        own = tags[batch.starts[s] : batch.starts[s] + batch.lengths[s]]
        for i in range(len(own)):
            total += filled[batch.blocks[i] + s, own[i]]
            if i:
                total += transitions[own[i - 1], own[i]]
    return total


@jit
def sum_batch(
    lattice: Lattice, marginals: np.ndarray, batch: Batch, is_in_range: bool,
    transitions: Transitions, padding: tuple, pairs: PairSums,
) -> float:  # fmt: skip
    """Fill in the marginals of a batch and return its log Z; in logs if factors would overflow."""
    if is_in_range:
        return forward_backward(lattice, marginals, batch, transitions, padding, pairs)
    return forward_backward_in_logs(lattice.psi, marginals, transitions, pairs)


@jit
def to_variances(p: np.ndarray) -> None:
    """Replace p, shape (n, L), by p * (1 - p)."""
    flat = p.reshape(-1)
    for i in range(len(flat)):
        flat[i] *= 1 - flat[i]


# Loops, where array expressions would be shorter: with these numba compiles, too, how the message
# of an error about shapes is put together.
@jit
def _add_means(pairs, forward, rows):
    """Add sums of P(y', y) to the cells of transitions, shape (K + 1, L)."""
    for last in range(len(rows) - 1):
        for k in range(rows.shape[1]):
            rows[last, k] += pairs.products[last, k] * forward[last, k] + pairs.expected[last, k]


@jit
def _add_variances(pairs, forward, rows):
    """Add sums of P * (1 - P) to the cells of transitions, shape (K + 1, L)."""
    for last in range(len(rows) - 1):
        for k in range(rows.shape[1]):
            factor = forward[last, k]
            variance = pairs.products[last, k] * factor - pairs.squares[last, k] * factor**2
            rows[last, k] += max(0.0, variance) + pairs.variances[last, k]


@jit
def _keep_words(batch, first, variances, kept):
    """Note the rows of the words of a batch, from ``first`` on, and how uncertain they are."""
    for s in range(len(batch.starts)):
        for i in range(batch.lengths[s]):
            row, word = batch.blocks[i] + s, batch.starts[s] + i
            kept.rows[word] = first + row
            kept.uncertainty[word] = variances[row].sum()


@jit
def sum_chains(
    scores: ChainScores, tags: np.ndarray, sentences: Stretches,
    expected: CellValues, curvature: CellValues, kept: Expansion,
) -> float:  # fmt: skip
    """Return the log-likelihood of consecutive sentences; add up what the model expects of cells.

    Parameters
    ----------
    tags : ndarray of int8, shape (N,)
    expected, curvature : CellValues
        Are added to; not where the table has no rows.
    kept : Expansion
        Filled where it has words, if the curvature is summed.

    Returns
    -------
    float
        Nats, total: the sum of log P(labels | words).
    """
    padding, width, is_kept = scores.padding, len(scores.padding), len(kept.rows) > 0
    transitions = find_transitions(scores.table, padding)
    n_squares = width if len(curvature.table) else 0
    means, squares = np.zeros((2, width, width)), np.zeros((2, n_squares, width))
    pairs = PairSums(means[0], squares[0], means[1], squares[1])
    # Threads share what is kept: the rows of these sentences are as many as their words.
    row = sentences.starts.min() if is_kept and len(sentences.starts) else 0
    whole, marginals = allocate(sentences.lengths, width)
    whole = kept.lattice if is_kept else whole
    log_likelihood, first = 0.0, np.int64(0)  # of a literal 0 all would be compiled once more
    while first < len(sentences.starts):
        batch, is_in_range = next_batch(
            scores, sentences, first, transitions.max_spread, whole.psi[row:]
        )
        n = batch.blocks[-1]
        lattice, p = take_words(whole, row, row + n), marginals[:n]
        log_likelihood += _score_labels(lattice.psi, batch, tags, transitions.scores)
        log_likelihood -= sum_batch(lattice, p, batch, is_in_range, transitions, padding, pairs)
        if len(expected.table):
            add_to_cells(p, scores.words, batch, expected)
        if len(curvature.table):
            to_variances(p)
            add_to_cells(p, scores.words, batch, curvature)
        if is_kept and is_in_range:
            _keep_words(batch, row, p, kept)
            row += n
        first += len(batch.starts)
    if len(expected.table):
        _add_means(pairs, transitions.forward, transition_rows(expected.table, padding))
    if len(curvature.table):
        _add_variances(pairs, transitions.forward, transition_rows(curvature.table, padding))
    return log_likelihood


@jit
def fill_chain_marginals(
    scores: ChainScores, sentences: Stretches, probabilities: np.ndarray
) -> None:
    """Fill in P(label of word i | words), shape (N, K)."""
    none = np.zeros((0, 0, 0))
    fill_expectations(scores, sentences, np.zeros(0, np.int64), probabilities, none)


@jit
def fill_expectations(
    scores: ChainScores, sentences: Stretches, sentence_ids: np.ndarray,
    probabilities: np.ndarray, pairs: np.ndarray,
) -> None:  # fmt: skip
    """Fill in the marginals of words and how often each sentence has each transition, expected.

    Parameters
    ----------
    sentence_ids : ndarray of int64, shape (N,)
        The sentence of each word.
    probabilities : ndarray, shape (N, K)
        P(label of word i | words).
    pairs : ndarray, shape (sentences, L, L)
        Sums of P(y', y), from label y' to label y, are added; not where there are no rows.
    """
    transitions, first = find_transitions(scores.table, scores.padding), np.int64(0)
    whole, marginals = allocate(sentences.lengths, len(scores.padding))
    none = np.zeros((0, len(scores.padding)))
    while first < len(sentences.starts):
        batch, is_in_range = next_batch(scores, sentences, first, transitions.max_spread, whole.psi)
        n, start = batch.blocks[-1], batch.starts[0]
        lattice, p = take_words(whole, 0, n), marginals[:n]
        expected = pairs[sentence_ids[start]] if len(pairs) else none  # of one sentence, in logs
        sums = PairSums(none, none, expected, none)
        sum_batch(lattice, p, batch, is_in_range, transitions, scores.padding, sums)
        if len(pairs) and is_in_range:
            _add_pairs_by_sentence(batch, lattice, transitions.forward, sentence_ids, pairs)
        for s in range(len(batch.starts)):
            for i in range(batch.lengths[s]):
                row, word = batch.blocks[i] + s, batch.starts[s] + i
                for k in range(probabilities.shape[1]):
                    probabilities[word, k] = p[row, k]
        first += len(batch.starts)


@jit
def _add_pairs_by_sentence(batch, lattice, forward, sentence_ids, pairs):
    """Add P(y', y) of the words of a batch to the sums of their sentences."""
    for s in range(len(batch.starts)):
        own = pairs[sentence_ids[batch.starts[s]]]
        for i in range(1, batch.lengths[s]):
            last, row = batch.blocks[i - 1] + s, batch.blocks[i] + s
            for y in range(len(forward)):
                rho = lattice.psi[row, y] * lattice.beta[row, y]
                for before in range(len(forward)):
                    own[before, y] += lattice.alpha[last, before] * forward[before, y] * rho


_CERTAIN = 1e-3  # p * (1 - p) of a label below which a word says nothing of its weights


@jit
def add_local_curvature(
    words: np.ndarray, p: np.ndarray, weights: WordWeights, numbers: np.ndarray,
    block: np.ndarray,
) -> None:  # fmt: skip
    """Add the local curvature of some words to a block of the Hessian, its lower triangle.

    Parameters
    ----------
    words : ndarray of int64, shape (n,)
    p : ndarray, shape (n, L)
        Probabilities of their labels.
    numbers : ndarray of int32, shape (F,)
        Row and column of each weight in the block; -1 of those outside.
    block : ndarray, shape (m, m)
    """
    found, variances = np.empty((len(block), 2), np.int64), np.empty(p.shape[1])
    for i in range(len(words)):
        for y in range(p.shape[1]):
            variances[y] = p[i, y] * (1 - p[i, y])
        n = _list_uncertain(words[i], weights, numbers, variances, found)
        for a in range(n):
            row, y = found[a]
            for b in range(n):
                column, z = found[b]
                if column <= row:
                    block[row, column] += variances[y] if y == z else -p[i, y] * p[i, z]


@jit
def _list_uncertain(word, weights, numbers, variances, found):
    """List the weights of uncertain labels that a word sums: number and label; return how many."""
    cells, n = weights.cells, 0
    for j in range(cells.row_edges[word], cells.row_edges[word + 1]):
        row = weights.table_rows[cells.rows[j]]
        n = _list_row(row, weights.firing, numbers, variances, found, n)
    for j in range(cells.run_edges[word], cells.run_edges[word + 1]):
        row = weights.single_rows[cells.runs[j]]
        n = _list_row(row, weights.firing, numbers, variances, found, n)
    return n


@jit
def _list_row(row, firing, numbers, variances, found, n):
    """Add the weights of a row to the n found; return how many there are then."""
    for p in firing.predicates[firing.edges[row] : firing.edges[row + 1]]:
        for f in range(firing.first[p], firing.first[p + 1]):
            if numbers[f] >= 0 and variances[firing.labels[f]] > _CERTAIN and n < len(found):
                found[n, 0], found[n, 1] = numbers[f], firing.labels[f]
                n += 1
    return n
