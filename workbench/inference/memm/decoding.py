"""The best tags of sentences, argmax over T of P(T | W), the k best, and words' marginals.

Chelba & Acero (2004), section 3, do not say how they search; here the answer is exact.

Where all tags are allowed the words after i say nothing about its tag, and sums over all
beginnings are the marginals. Where A is the event that each word has an allowed tag they say
something: with alpha_i(y, t1), those sums over the beginnings in A, and
gamma_i(y, t1) = P(t1, y | W, A)::

    gamma_n(y, t1) = alpha_n(y, t1) / Z
    gamma_{i-1}(t1, t2) = alpha_{i-1}(t1, t2)
                          * sum over y of P(y | w_i, t1, t2) gamma_i(y, t1) / alpha_i(y, t1)

Source
------
Rabiner (1989), section III.B, has both sums for hidden Markov models; here the second is of the
tags' own probabilities, so that nothing underflows.
"""

import numpy as np

from workbench.inference import BestPaths
from workbench.inference.memm.greedy import tag_greedily
from workbench.inference.memm.recursion import (
    TAG_BITS,
    TAG_MASK,
    advance,
    count_abreast,
    fill_marginals,
    fill_weights,
    fill_words,
    keep_allowed,
    rescale,
)
from workbench.inference.memm.scores import (
    LOWEST,
    Mixture,
    Spans,
    part_by_bounds,
    run_over_sentences,
)
from workbench.numerics.jit import jit

_RESCALE = 16  # words: a best path loses at most a factor of K at each


def viterbi(mixture: Mixture, starts: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Return the most probable tags of all sentences, exactly; int8, shape (N,).

    Of those allowed, bool, shape (N, K), at least one a word, where they are given.

    Of each sentence the greedy path is tried first: where a bound proves that it is the best
    it is taken, and the recursion runs over the sentences that are left. ``starts``, int64,
    shape (sentences + 1,), are those of the sentences, and the end of the last.
    """
    found = np.empty((1, starts[-1]), np.int8)
    columns = (0.0,) * mixture.histories.shape[-1]

    def run(spans: Spans) -> None:
        given = () if allowed is None else (allowed,)
        is_left = tag_greedily(mixture, columns, spans, found[0], *given)
        free, bound = part_by_bounds(Spans(*(each[is_left] for each in spans)), allowed)
        fill_best_paths(mixture, free, found)
        if allowed is not None:
            fill_best_paths(mixture, bound, found, allowed)

    run_over_sentences(run, starts)
    return found[0]


def k_best(mixture: Mixture, starts: np.ndarray, k: int) -> BestPaths:
    """Return the k most probable tag sequences of all sentences, k from 1 to 256.

    Which of two comes first is uncertain where they agree in eleven digits; lost are paths
    that are 1e300 times less probable than the best.
    """
    found = np.full((k, starts[-1]), -1, np.int8)
    run_over_sentences(lambda spans: fill_best_paths(mixture, spans, found), starts)
    sums = _sum_log_probabilities(mixture, starts, found)
    return BestPaths(found, np.where(found[:, starts[:-1]] < 0, -np.inf, sums))


def _sum_log_probabilities(mixture, starts, found):
    """Return log P(T | W) of k paths, shape (k, N), of each sentence, shape (k, sentences).

    Most words have the tags of the best path, and so its probabilities, which are found once.
    """
    triples = [_with_tags_before(mixture, starts, tags) for tags in found]
    best = _chances(mixture, np.arange(found.shape[1]), triples[0])
    sums = [np.add.reduceat(np.log(best), starts[:-1])]
    for triple in triples[1:]:
        own, others = best.copy(), np.flatnonzero((triple != triples[0]).any(axis=0))
        own[others] = _chances(mixture, others, triple[:, others])
        sums.append(np.add.reduceat(np.log(own), starts[:-1]))
    return np.stack(sums)


def _with_tags_before(mixture, starts, tags):
    """Return each word's tag and the two before it, shape (3, N); the boundary before the first."""
    boundary, before = mixture.histories.shape[1] - 1, [tags.astype(np.intp)]
    for _ in range(2):
        shifted = np.concatenate([[boundary], before[-1]])[:-1]
        shifted[starts[:-1]] = boundary
        before.append(shifted)
    return np.stack(before)


def _chances(mixture, places, triple):
    """Return P(tag | words, two tags before) of the words at some places, shape (n,)."""
    (tags, t1, t2), chances = triple, np.zeros(len(places))
    for words, history, share in zip(*mixture, strict=True):
        scores = np.log(history[t1, t2])
        scores[:, 1:] += words[places, t1 if words.shape[1] > 1 else 0]
        scores = np.maximum(scores - scores.max(axis=1, keepdims=True), 2 * LOWEST)
        scores = np.exp(scores)
        chances += share * scores[np.arange(len(places)), tags] / scores.sum(axis=1)
    return chances


@jit
def _note_ways(paths: np.ndarray, n: int, mask: int, ways: np.ndarray) -> None:
    """Read off the ways by which the paths of n sentences came."""
    for y in range(len(ways)):
        for t1 in range(ways.shape[1]):
            for rank in range(ways.shape[2]):
                for s in range(n):
                    ways[y, t1, rank, s] = paths[y, t1, rank, s] & mask


@jit
def _trace(last: np.ndarray, ways: np.ndarray, s: int, found: np.ndarray) -> None:
    """Follow the ways back from the best (tag, t-1, rank) of the last word of sentence s.

    ``last`` has the probabilities by tag, t-1, rank and sentence; those of the paths that are
    followed become 0. ``ways`` has one more axis, of words; ``found`` has shape (k, words).
    """
    for path in range(len(found)):
        y = t1 = rank = 0
        for a in range(len(last)):
            for b in range(len(last)):
                for c in range(last.shape[2]):
                    if last[a, b, c, s] > last[y, t1, rank, s]:
                        y, t1, rank = a, b, c
        if last[y, t1, rank, s] == 0:
            break
        last[y, t1, rank, s] = 0.0
        for i in range(found.shape[1] - 1, -1, -1):
            found[path, i], way = y, np.int64(ways[i, y, t1, rank, s])
            y, t1, rank = t1, int(way & TAG_MASK), int(way >> TAG_BITS)


@jit
def fill_best_paths(
    mixture: Mixture, spans: Spans, found: np.ndarray, allowed: np.ndarray | None = None
) -> None:
    """Fill in the k most probable paths of some sentences; int8, shape (k, N).

    Of allowed tags, bool, shape (N, K), where these are given.
    """
    (starts, lengths), first, base, k = spans, 0, mixture.histories.shape[1], len(found)
    mask = TAG_MASK
    while mask >> TAG_BITS < k - 1:
        mask = mask << 1 | 1
    while first < len(starts):
        n = count_abreast(lengths, first, 2 * k * base * base)
        places, ends = starts[first : first + n], lengths[first : first + n]
        ways = np.empty((ends[0], base, base, k, n), np.uint16)
        before, after = np.zeros((base, base, k, n)), np.empty((base, base, k, n))
        for s in range(n):
            before[base - 1, base - 1, 0, s] = 1.0
        for i in range(ends[0]):
            advance(mixture, places[:n] + i, i, before, after, mask)
            before, after = after, before
            _note_ways(before.view(np.int64), n, mask, ways[i])
            if allowed is not None:  # such a path may lose more at a word than a factor of K
                keep_allowed(before, places[:n] + i, allowed)
                rescale(before, n)
            elif i % _RESCALE == _RESCALE - 1:
                rescale(before, n)
            while n and ends[n - 1] == i + 1:
                n -= 1
                _trace(before, ways, n, found[:, places[n] : places[n] + i + 1])
        first += len(places)


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
    (starts, lengths), base = spans, mixture.histories.shape[1]
    first = mask = np.int64(0)  # of a literal 0 all would be compiled once more
    while first < len(starts):
        n = most = count_abreast(lengths, first, 8 * base * base)
        places, ends = starts[first : first + n], lengths[first : first + n]
        alpha, before = np.empty((ends[0], base, base, 1, n)), np.ones((base, base, 1, n))
        for i in range(ends[0]):
            while ends[n - 1] == i:
                n -= 1
            advance(mixture, places[:n] + i, i, before, alpha[i], mask)
            before = alpha[i]
            keep_allowed(before, places[:n] + i, allowed)
            rescale(before, n)
        gamma, n = np.empty((base, base, 1, most)), 0
        for i in range(ends[0] - 1, -1, -1):
            if n:
                _go_back(mixture, places[:n] + i + 1, i + 1, alpha[i], alpha[i + 1], gamma)
            while n < most and ends[n] > i:
                for y in range(base):
                    for t1 in range(base):
                        gamma[y, t1, 0, n] = alpha[i, y, t1, 0, n]
                n += 1
            _normalize(gamma, n)
            for s in range(n):
                for y in range(found.shape[1]):
                    total = 0.0
                    for t1 in range(base):
                        total += gamma[y, t1, 0, s]
                    found[places[s] + i, y] = total
        first += most
