"""Sums over the candidates of each sentence: one softmax a sentence; formulas and compiled loops.

With scores s(w) = log q0(w) + sum over features of weight * value of the candidates w of a
sentence, and t(w) the shares that are to be learnt, which sum to 1::

    p(w)         exp s(w) / Z,   Z = sum over the sentence's candidates of exp s
    value        sum over sentences of sum t(w) s(w) - log Z
    gradient     of feature i: sum over sentences and candidates of (t(w) - p(w)) f_i(w)
    curvature    of feature i: sum over sentences of the variance of f_i under p
    product      Hessian of -value times v: with d(w) = sum over features of v * f, of feature i
                 the sum of p(w) (d(w) - mean of d under p) f_i(w)

Values are packed by sentence and feature, ``SentenceColumns``: what belongs to one sentence stays
in the first cache, the vectors of all features are touched once a column, and columns that are
alike are summed as one pattern. What a column is taken relative to cancels in each of these.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.numerics.jit import jit


class _Sentence(NamedTuple):
    """One sentence of ``SentenceColumns``: its columns, the number of its patterns, its entries."""

    features: np.ndarray
    patterns: np.ndarray
    n_patterns: int
    owners: np.ndarray
    candidates: np.ndarray
    values: np.ndarray


@jit
def _take(columns, s):
    """Return a sentence by its number."""
    own = slice(columns.column_starts[s], columns.column_starts[s + 1])
    part = slice(columns.entry_starts[s], columns.entry_starts[s + 1])
    return _Sentence(
        columns.features[own], columns.patterns[own],
        columns.pattern_starts[s + 1] - columns.pattern_starts[s],
        columns.owners[part], columns.candidates[part], columns.values[part],
    )  # fmt: skip


@jit
def _widest(starts):
    """Return the size of the largest of some ranges, given by their starts."""
    most = 0
    for s in range(len(starts) - 1):
        most = max(most, starts[s + 1] - starts[s])
    return most


@jit
def _spread(weights, sentence, own, scores):
    """Add weight * value of every entry to the score of its candidate.

    ``own`` is scratch: the sum of the weights of each pattern's features.
    """
    own[: sentence.n_patterns] = 0.0
    for q in range(len(sentence.features)):
        own[sentence.patterns[q]] += weights[sentence.features[q]]
    for e in range(len(sentence.values)):
        scores[sentence.candidates[e]] += own[sentence.owners[e]] * sentence.values[e]


@jit
def _gather(residuals, sentence, own, sums):
    """Add residual * value of every entry to the sums of its features; ``own`` is scratch."""
    own[: sentence.n_patterns] = 0.0
    for e in range(len(sentence.values)):
        own[sentence.owners[e]] += residuals[sentence.candidates[e]] * sentence.values[e]
    for q in range(len(sentence.features)):
        sums[sentence.features[q]] += own[sentence.patterns[q]]


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
    value, own = 0.0, np.empty(_widest(columns.pattern_starts))
    residuals = np.empty(_widest(columns.sentence_starts))
    for s in range(len(columns.sentence_starts) - 1):
        first, end = columns.sentence_starts[s], columns.sentence_starts[s + 1]
        sentence, scores, share = _take(columns, s), probabilities[first:end], shares[first:end]
        scores[:] = offsets[first:end]
        _spread(weights, sentence, own, scores)
        for c in range(len(scores)):
            value += share[c] * scores[c]
        value -= _normalize(scores)
        if len(gradient):
            for c in range(len(scores)):
                residuals[c] = share[c] - scores[c]
            _gather(residuals, sentence, own, gradient)
    return value


@jit
def add_curvature(
    columns: SentenceColumns, probabilities: np.ndarray, curvature: np.ndarray
) -> None:
    """Add to each feature, (F,), the sum of its variances under p, (C,), over the sentences."""
    means, squares = np.empty((2, _widest(columns.pattern_starts)))
    for s in range(len(columns.sentence_starts) - 1):
        p = probabilities[columns.sentence_starts[s] : columns.sentence_starts[s + 1]]
        sentence = _take(columns, s)
        means[: sentence.n_patterns] = squares[: sentence.n_patterns] = 0.0
        for e in range(len(sentence.values)):
            part = p[sentence.candidates[e]] * sentence.values[e]
            means[sentence.owners[e]] += part
            squares[sentence.owners[e]] += part * sentence.values[e]
        for q in range(len(sentence.features)):
            k = sentence.patterns[q]
            curvature[sentence.features[q]] += max(0.0, squares[k] - means[k] * means[k])


@jit
def add_hessian_product(
    vector: np.ndarray, columns: SentenceColumns, probabilities: np.ndarray, moves: np.ndarray,
    product: np.ndarray,
) -> None:  # fmt: skip
    """Add the product of the Hessian of -value with a vector, both (F,), to ``product``.

    Moves, shape (C,), are scratch.
    """
    own = np.empty(_widest(columns.pattern_starts))
    for s in range(len(columns.sentence_starts) - 1):
        first, end = columns.sentence_starts[s], columns.sentence_starts[s + 1]
        sentence, p, move, mean = _take(columns, s), probabilities[first:end], moves[first:end], 0.0
        move[:] = 0.0
        _spread(vector, sentence, own, move)
        for c in range(len(move)):
            mean += p[c] * move[c]
        for c in range(len(move)):
            move[c] = p[c] * (move[c] - mean)
        _gather(move, sentence, own, product)
