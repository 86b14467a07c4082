"""Marginals of an MEMM: P(tag of word i | W), also where only some tags are allowed; compiled.

Where all are, the words after i say nothing about its tag, and sums over all beginnings are the
marginals. Where A is the event that each word has an allowed tag they say something: with
alpha_i(y, t1), those sums over the beginnings in A, and gamma_i(y, t1) = P(t1, y | W, A)::

    gamma_n(y, t1) = alpha_n(y, t1) / Z
    gamma_{i-1}(t1, t2) = alpha_{i-1}(t1, t2)
                          * sum over y of P(y | w_i, t1, t2) gamma_i(y, t1) / alpha_i(y, t1)

Source
------
Rabiner (1989), section III.B, has both sums for hidden Markov models; here the second is of the
tags' own probabilities, so that nothing underflows.
"""

import numpy as np

from workbench.inference.memm.mixture import Mixture, Spans, part_by_bounds, run_over_sentences
from workbench.inference.memm.recursion import (
    advance,
    count_abreast,
    fill_marginals,
    fill_weights,
    fill_words,
    keep_allowed,
    rescale,
)
from workbench.numerics.jit import jit


def marginals(
    mixture: Mixture, starts: np.ndarray, allowed: np.ndarray | None = None
) -> np.ndarray:
    """Return P(tag of word i | W), shape (N, K), by the starts of sentences and the last's end.

    Where allowed tags are given, bool, shape (N, K), at least one a word: P(tag | W, A).
    """
    found = np.empty((starts[-1], mixture.histories.shape[-1]))

    def run(spans: Spans) -> None:
        free, bound = part_by_bounds(spans, allowed)
        fill_marginals(mixture, free, found)
        if allowed is not None:
            fill_allowed_marginals(mixture, bound, allowed, found)

    run_over_sentences(run, starts)
    return found


@jit
def _go_back(mixture, places, i, before, after, chances):
    """Turn gamma of word i, at n places, into that of the word before; i is 1 or more.

    ``before`` and ``after`` are alpha of the word before and of word i, ``chances`` gamma; all
    have shape (K + 1, K + 1, 1, at least n).
    """
    scores, histories, shares = mixture
    n, n_tags = len(places), histories.shape[3]
    n_rows = max([one.shape[1] for one in scores])
    words, bits = np.empty((n_rows, n_tags, n)), np.empty(n_rows * n_tags * n, np.int64)
    ratios, weights = np.zeros((n_tags, n_tags, n)), np.empty(n)
    for y in range(n_tags):
        for t1 in range(n_tags):
            for s in range(n):
                if after[y, t1, 0, s] > 0:
                    ratios[t1, y, s] = chances[y, t1, 0, s] / after[y, t1, 0, s]
    chances[:, :, :, :n] = 0.0
    for m in range(len(scores)):
        fill_words(scores[m], places, words, bits)
        for t1 in range(n_tags):
            word = words[t1 if n_rows > 1 else 0]
            for t2 in range(n_tags if i < 2 else 0, n_tags + (i < 2)):
                history = histories[m, t1, t2]
                fill_weights(word, history, before[t1, t2, 0], shares[m], weights)
                for y in range(n_tags):
                    for s in range(n):
                        reached = word[y, s] * history[y] * weights[s]
                        chances[t1, t2, 0, s] += reached * ratios[t1, y, s]


@jit
def _normalize(chances, n):
    """Divide the probabilities of n sentences, shape (K + 1, K + 1, 1, at least n), by sums."""
    for s in range(n):
        total = 0.0
        for y in range(len(chances)):
            for t1 in range(len(chances)):
                total += chances[y, t1, 0, s]
        for y in range(len(chances)):
            for t1 in range(len(chances)):
                chances[y, t1, 0, s] /= total


@jit
def fill_allowed_marginals(
    mixture: Mixture, spans: Spans, allowed: np.ndarray, found: np.ndarray
) -> None:
    """Fill in P(tag | W, A) of some sentences, shape (N, K); allowed tags, bool, are as large."""
    (starts, lengths), first, base = spans, 0, mixture.histories.shape[1]
    while first < len(starts):
        n = most = count_abreast(lengths, first, 8 * base * base)
        places, ends = starts[first : first + n], lengths[first : first + n]
        alpha, before = np.empty((ends[0], base, base, 1, n)), np.ones((base, base, 1, n))
        for i in range(ends[0]):
            while ends[n - 1] == i:
                n -= 1
            advance(mixture, places[:n] + i, i, before, alpha[i], 0)
            before = alpha[i]
            keep_allowed(before, places[:n] + i, allowed)
            rescale(before, n)
        gamma, n = np.empty((base, base, 1, most)), 0
        for i in range(ends[0] - 1, -1, -1):
            if n:
                _go_back(mixture, places[:n] + i + 1, i + 1, alpha[i], alpha[i + 1], gamma)
            while n < most and ends[n] > i:
                gamma[:, :, :, n] = alpha[i][:, :, :, n]
                n += 1
            _normalize(gamma, n)
            for s in range(n):
                for y in range(found.shape[1]):
                    found[places[s] + i, y] = gamma[y, :, 0, s].sum()
        first += most
