"""Sums over the candidates of each sentence: one softmax a sentence; formulas and compiled loops.

With scores s(w) = log q0(w) + sum over features of weight * value of the candidates w of a
sentence, and t(w) the shares that are to be learnt, which sum to 1::

    p(w)         exp s(w) / Z,   Z = sum over the sentence's candidates of exp s
    value        sum over sentences of sum t(w) s(w) - log Z
    gradient     of feature i: sum over sentences and candidates of (t(w) - p(w)) f_i(w)
    curvature    of feature i: sum over sentences of the variance of f_i under p
    product      Hessian of -value times v: with d(w) = sum over features of v * f, of feature i
                 the sum of p(w) (d(w) - mean of d under p) f_i(w)

Values are packed by sentence and feature, ``SentenceColumns``: a column is scattered and
gathered by candidate within one sentence, whose scores stay in the first cache, and touches the
vectors of all features once. What a column is taken relative to cancels in each of these.
"""

import math

import numpy as np

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.numerics.jit import jit


@jit
def _score_columns(weights, features, entry_starts, candidates, values, scores):
    """Add weight * value of some columns of one sentence to the scores of its candidates."""
    for q in range(len(features)):
        weight = weights[features[q]]
        for e in range(entry_starts[q], entry_starts[q + 1]):
            scores[candidates[e]] += weight * values[e]


@jit
def _normalize(scores):
    """Replace scores by probabilities; return log Z."""
    highest, total = scores[0], 0.0
    for c in range(len(scores)):
        highest = max(highest, scores[c])
    for c in range(len(scores)):
        scores[c] = math.exp(scores[c] - highest)
        total += scores[c]
    for c in range(len(scores)):
        scores[c] /= total
    return highest + math.log(total)


@jit
def sum_sentences(
    weights: np.ndarray, columns: SentenceColumns, offsets: np.ndarray, shares: np.ndarray,
    probabilities: np.ndarray, gradient: np.ndarray,
) -> float:  # fmt: skip
    """Return the log-likelihood of sentences, in nats; fill probabilities and the gradient.

    Parameters
    ----------
    weights : ndarray, shape (F,)
    columns : SentenceColumns
    offsets, shares : ndarray, shape (C,)
        log q0 and t of each candidate.
    probabilities : ndarray, shape (C,)
        Filled with p.
    gradient : ndarray, shape (F,)
        The gradient is added to it, unless it has no entries.
    """
    value = 0.0
    for s in range(len(columns.sentence_starts) - 1):
        first, end = columns.sentence_starts[s], columns.sentence_starts[s + 1]
        start, stop = columns.column_starts[s], columns.column_starts[s + 1]
        scores, share = probabilities[first:end], shares[first:end]
        features, entries = columns.features[start:stop], columns.entry_starts[start : stop + 1]
        scores[:] = offsets[first:end]
        _score_columns(weights, features, entries, columns.candidates, columns.values, scores)
        for c in range(len(scores)):
            value += share[c] * scores[c]
        value -= _normalize(scores)
        if len(gradient):
            for q in range(len(features)):
                total = 0.0
                for e in range(entries[q], entries[q + 1]):
                    c = columns.candidates[e]
                    total += (share[c] - scores[c]) * columns.values[e]
                gradient[features[q]] += total
    return value


@jit
def add_curvature(
    columns: SentenceColumns, probabilities: np.ndarray, curvature: np.ndarray
) -> None:
    """Add to each feature, (F,), the sum of its variances under p, (C,), over the sentences."""
    for s in range(len(columns.sentence_starts) - 1):
        p = probabilities[columns.sentence_starts[s] : columns.sentence_starts[s + 1]]
        for q in range(columns.column_starts[s], columns.column_starts[s + 1]):
            mean = square = 0.0
            for e in range(columns.entry_starts[q], columns.entry_starts[q + 1]):
                part = p[columns.candidates[e]] * columns.values[e]
                mean += part
                square += part * columns.values[e]
            curvature[columns.features[q]] += max(0.0, square - mean * mean)


@jit
def add_hessian_product(
    vector: np.ndarray, columns: SentenceColumns, probabilities: np.ndarray, moves: np.ndarray,
    product: np.ndarray,
) -> None:  # fmt: skip
    """Add the product of the Hessian of -value with a vector, both (F,), to ``product``.

    Moves, shape (C,), are scratch.
    """
    for s in range(len(columns.sentence_starts) - 1):
        first, end = columns.sentence_starts[s], columns.sentence_starts[s + 1]
        start, stop = columns.column_starts[s], columns.column_starts[s + 1]
        p, move, mean = probabilities[first:end], moves[first:end], 0.0
        features, entries = columns.features[start:stop], columns.entry_starts[start : stop + 1]
        move[:] = 0.0
        _score_columns(vector, features, entries, columns.candidates, columns.values, move)
        for c in range(len(move)):
            mean += p[c] * move[c]
        for c in range(len(move)):
            move[c] = p[c] * (move[c] - mean)
        for q in range(len(features)):
            total = 0.0
            for e in range(entries[q], entries[q + 1]):
                total += move[columns.candidates[e]] * columns.values[e]
            product[features[q]] += total
