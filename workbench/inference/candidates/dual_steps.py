"""Steps of stochastic dual coordinate ascent on candidate sets; compiled.

The log-likelihood of S sentences less a Gaussian penalty has a dual problem: to find a
distribution a_s over the candidates of each sentence that lowers, with t_s the target, o_s the
offsets, F_s the values of the candidates, mu and sigma2 the mean and variances of the prior::

    D(a) = sum over s of a_s log a_s + (t_s - a_s)(o_s + F_s mu)  +  sum of (w - mu)^2 / (2 sigma2)
    w    = mu + sigma2 * sum over s of F_s'(t_s - a_s)

D is never below the objective, and at the optimum, where a_s is p_s under w, it is the same. A
step takes one sentence, whose p under the current weights shows where to go: with d = p - a ::

    a <- a + g d,  w <- w - g sigma2 F'd,    g = A / (A + N)
    A = sum of d (log p - log a),  N = sum of sigma2 (F'd)^2

A is by how much D falls at first, N the curvature of its square; were the slope of the entropy
linear along the way, D would be lowest there. The step is halved until D does fall.

Source
------
Shalev-Shwartz & Zhang (2013), *Stochastic dual coordinate ascent*; of log-linear models Collins,
Globerson, Koo, Carreras & Bartlett (2008), *Exponentiated gradient algorithms*, section 3.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates.candidate_sums import _normalize, _spread, _take, _widest
from workbench.numerics.jit import jit

LEAST_SHARE = 1e-300  # of a candidate, so that its logarithm is a number
_LEAST_FALL = 1e-14  # of D, in nats: sentences that promise less stay as they are
_ROUNDING = 1e-9  # falls below this are not seen through the rounding of the entropy
_SHORTEST = 1e-12  # share of a move


class Duals(NamedTuple):
    """The dual variables of C candidates; those of one sentence sum to 1."""

    shares: np.ndarray  # shape (C,)
    logs: np.ndarray  # their logarithms, shape (C,)


@jit
def step_through_sentences(
    order: np.ndarray, weights: np.ndarray, sigma2: np.ndarray, columns: SentenceColumns,
    offsets: np.ndarray, duals: Duals,
) -> float:  # fmt: skip
    """Take one step for each sentence, in a given order; return the sum of the duality gaps met.

    What D exceeds the objective by is a sum over sentences of a (log a - log p). Each is taken
    before its sentence's step, so the gap after the steps is mostly less than their sum.

    Parameters
    ----------
    order : ndarray of int
    weights : ndarray, shape (F,)
        w, which follows the duals.
    sigma2 : ndarray, shape (F,)
    columns : SentenceColumns
    offsets : ndarray, shape (C,)
    duals : Duals
        They are changed.
    """
    own = np.empty(_widest(columns.pattern_starts))
    scores, moves = np.empty((2, _widest(columns.sentence_starts)))
    gap = 0.0
    for i in range(len(order)):
        first, end = columns.sentence_starts[order[i]], columns.sentence_starts[order[i] + 1]
        sentence, logs, move = _take(columns, order[i]), scores[: end - first], moves[: end - first]
        a = Duals(duals.shares[first:end], duals.logs[first:end])
        logs[:] = offsets[first:end]
        _spread(weights, sentence, own, logs)
        fall = _aim(a, logs, move)
        for c in range(len(logs)):
            gap += a.shares[c] * (a.logs[c] - logs[c])
        if fall > _LEAST_FALL:
            curvature = _project(move, sentence, sigma2, own)
            length = _go(a, logs, move, fall, curvature)
            for q in range(len(sentence.features)):
                feature = sentence.features[q]
                weights[feature] -= length * sigma2[feature] * own[sentence.patterns[q]]
    return gap


@jit
def _aim(a, scores, move):
    """Fill the move p - a of a sentence, and log p where the scores were; return A."""
    move[:] = scores
    log_z, fall = _normalize(move), 0.0
    for c in range(len(move)):
        scores[c] -= log_z
        move[c] -= a.shares[c]
        fall += move[c] * (scores[c] - a.logs[c])
    return fall


@jit
def _project(move, sentence, sigma2, own):
    """Fill F'd of each pattern of a sentence from its move d; return N."""
    own[: sentence.n_patterns] = 0.0
    for e in range(len(sentence.values)):
        own[sentence.owners[e]] += move[sentence.candidates[e]] * sentence.values[e]
    curvature = 0.0
    for q in range(len(sentence.features)):
        curvature += sigma2[sentence.features[q]] * own[sentence.patterns[q]] ** 2
    return curvature


@jit
def _go(a, logs, move, fall, curvature):
    """Move the shares of a sentence until D has fallen; return which share of the move it was."""
    before, slope, length = 0.0, 0.0, fall / (fall + curvature)
    for c in range(len(move)):
        before += a.shares[c] * a.logs[c]
        slope += move[c] * logs[c]
    while True:
        after = 0.0
        for c in range(len(move)):
            share = max(a.shares[c] + length * move[c], LEAST_SHARE)
            a.logs[c] = math.log(share)
            after += share * a.logs[c]
        gain = before - after + length * (slope - 0.5 * length * curvature)
        if gain >= 0 or fall < _ROUNDING or length < _SHORTEST:
            break
        length *= 0.5
    for c in range(len(move)):
        a.shares[c] = max(a.shares[c] + length * move[c], LEAST_SHARE)
    return length
