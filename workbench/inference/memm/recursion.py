"""The recursion over the last two tags of an MEMM, in two semirings; compiled.

alpha_i(y, t1) stands for all beginnings of a sentence that end with tags t1, y at word i::

    alpha_i(y, t1) = (+) over t2 of alpha_{i-1}(t1, t2) * P(y | w_i, t1, t2)

With (+) a sum it is the probability that the sentence goes through (t1, y), whatever follows: an
MEMM is normalized word by word. With (+) "the k largest of all" it is the k most probable paths
that end there, best first; k = 1 is Viterbi's maximum. Numbers above 0 are in the order of their
bits, so a path keeps, in the last bits of its probability, the way by which it came: t2, and its
rank among the paths there. What is compared is then a single integer, at no cost but its 14th
digit (for k <= 256 its 11th).

Sentences, longest first, go side by side: the innermost loops run over sentences, which the
compiler turns into vector code, four times as fast as a loop over tags.
"""

import numpy as np

from workbench.inference.memm.scores import LOWEST, Mixture, Spans
from workbench.numerics.jit import jit
from workbench.numerics.vectors import exponentiate

TAG_BITS = 8  # for t2: K is at most 254
TAG_MASK = (1 << TAG_BITS) - 1
_LEAST = 1e-300  # probability of a path, its best rival's is about 1: less is no path
_NOTHING = 1e-305  # less than any probability of a tag, of which two LOWEST are the least
_ABREAST = 128  # sentences side by side
_ROOM = 1 << 26  # bytes of ways: fewer sentences go side by side if they are very long


@jit
def count_abreast(lengths: np.ndarray, first: int, n_cells: int) -> int:
    """Return how many sentences, from ``first`` on, go side by side; a word has ``n_cells``."""
    return min(_ABREAST, len(lengths) - first, max(1, _ROOM // (lengths[first] * n_cells)))


@jit
def fill_words(scores: np.ndarray, places: np.ndarray, words: np.ndarray, bits: np.ndarray) -> None:
    """Fill words, shape (R, K, n), with exp(score - highest) of the words at n places.

    ``scores`` has shape (N, 1, K - 1) or (N, R, K - 1); ``bits`` is scratch as large as words.
    """
    for s in range(len(places)):
        for r in range(len(words)):
            own, highest = scores[places[s], r if scores.shape[1] > 1 else 0], 0.0
            for y in range(len(own)):
                highest = max(highest, own[y])
            words[r, 0, s] = max(-highest, LOWEST)
            for y in range(len(own)):
                words[r, y + 1, s] = max(own[y] - highest, LOWEST)
    exponentiate(words.reshape(-1), bits)


@jit
def fill_weights(
    word: np.ndarray, history: np.ndarray, before: np.ndarray, share: float, weights: np.ndarray
) -> None:
    """Fill weights, shape (n,): times a tag's factors they make share * before * P(tag | x).

    ``word``, shape (K, n), and ``history``, shape (K,), are the factors of the contexts.
    """
    n = len(weights)
    for s in range(n):
        weights[s] = word[0, s] * history[0]
    for y in range(1, len(history)):
        for s in range(n):
            weights[s] += word[y, s] * history[y]
    for s in range(n):
        weights[s] = share * before[s] / weights[s]


@jit
def _add(word, history, weights, sums):
    """Add to sums, shape (K, at least n), what reaches each tag."""
    for y in range(len(history)):
        for s in range(len(weights)):
            sums[y, s] += word[y, s] * history[y] * weights[s]


@jit
def _keep_best(word, history, weights, others, t1, way, mask, best):
    """Let (tag, t-1) be reached by a way, ``others`` included, where that is better: k = 1.

    ``best``, int64, shape (K + 1, K + 1, 1, at least n), are bits of numbers; those in the
    mask tell the way.
    """
    for y in range(len(history)):
        for s in range(len(weights)):
            reached = others[y, s] + word[y, s] * history[y] * weights[s]
            bits = np.float64(reached).view(np.int64)
            best[y, t1, 0, s] = max(best[y, t1, 0, s], (bits & ~mask) | way)


@jit
def _keep_k_best(before, chances, t1, way, mask, best, left):
    """Let what reaches (tag, t-1) take its place among the best k, the largest first.

    What falls out of one place is tried at the next. Paths by one t2 come best first, so one has
    as many better ones above it as its rank, and is first tried below them. ``before``, shape
    (n,), are the paths' probabilities, ``chances``, shape (K, n), those of each tag; ``left``,
    int64, is scratch of shape (n,), the others are as in ``_keep_best``.
    """
    n = len(before)
    for y in range(len(chances)):
        for s in range(n):
            reached = before[s] * chances[y, s]
            bits = np.float64(reached).view(np.int64)
            left[s] = (bits & ~mask) | way if reached > _LEAST else 0
        for rank in range(way >> TAG_BITS, best.shape[2]):
            for s in range(n):
                bits = left[s]
                left[s] = min(best[y, t1, rank, s], bits)
                best[y, t1, rank, s] = max(best[y, t1, rank, s], bits)


@jit
def _keep_paths(words, history, shares, before, t1, t2, mask, best):
    """Let the k paths that end with (t1, t2), shape (k, n), go on to every tag.

    ``words``, shape (M, K, n), and ``history``, shape (M, K), are the factors of the contexts.
    """
    n, chances = words.shape[2], np.zeros(words.shape[1:])
    weights, ones, left = np.empty(n), np.ones(n), np.empty(n, np.int64)
    for m in range(len(words)):
        fill_weights(words[m], history[m], ones, shares[m], weights)
        _add(words[m], history[m], weights, chances)
    for rank in range(len(before)):
        way = t2 | rank << TAG_BITS
        _keep_k_best(before[rank, :n], chances, t1, way, mask, best, left)


@jit
def advance(
    mixture: Mixture, places: np.ndarray, i: int, before: np.ndarray, after: np.ndarray, mask: int
) -> None:
    """Move n sentences from every (t-1, t-2) to every (tag, t-1) of word i, at n places.

    Before the first word, 0, both tags are the boundary, K; before the second t-2 is.
    Probabilities before and after, which is filled, have shape (K + 1, K + 1, k, at least n).
    The mask has the last bits, which tell the way; it is 0 to sum, with k = 1.
    """
    scores, histories, shares = mixture
    n, n_tags, last = len(places), histories.shape[3], len(scores) - 1
    n_rows = max([one.shape[1] for one in scores])
    words, reached = np.empty((last + 1, n_rows, n_tags, n)), np.zeros((n_tags, n))
    weights, bits = np.empty(n), np.empty(n_rows * n_tags * n, np.int64)
    for m in range(last + 1):
        fill_words(scores[m], places, words[m], bits)
    after[:] = 0.0
    best = after.view(np.int64)
    for t1 in range(n_tags if i == 0 else 0, n_tags + (i == 0)):
        row = t1 if n_rows > 1 else 0
        for t2 in range(n_tags if i < 2 else 0, n_tags + (i < 2)):
            if before.shape[2] > 1:
                of_row, own = words[:, row], histories[:, t1, t2]
                _keep_paths(of_row, own, shares, before[t1, t2], t1, t2, mask, best)
                continue
            if last:
                reached[:] = 0.0
            for m in range(last + 1):
                word, history = words[m, row], histories[m, t1, t2]
                fill_weights(word, history, before[t1, t2, 0], shares[m], weights)
                if not mask:
                    _add(word, history, weights, after[:, t1, 0])
                elif m < last:
                    _add(word, history, weights, reached)
                else:
                    _keep_best(word, history, weights, reached, t1, t2, mask, best)


@jit
def rescale(paths: np.ndarray, n: int) -> None:
    """Divide the paths of each of n sentences by its best."""
    best = np.zeros(n)
    for t1 in range(len(paths)):
        for t2 in range(len(paths)):
            for s in range(n):
                best[s] = max(best[s], paths[t1, t2, 0, s])
    for t1 in range(len(paths)):
        for t2 in range(len(paths)):
            for rank in range(paths.shape[2]):
                for s in range(n):
                    paths[t1, t2, rank, s] /= best[s]


@jit
def keep_allowed(paths: np.ndarray, places: np.ndarray, allowed: np.ndarray) -> None:
    """Give 0 to the paths of n sentences that end with a tag not allowed at n places.

    ``allowed``, bool, has shape (N, K). Paths of next to no probability become 0, too: of these
    nothing may be left but the bits of their ways.
    """
    for y in range(allowed.shape[1]):
        for t1 in range(paths.shape[1]):
            for rank in range(paths.shape[2]):
                for s in range(len(places)):
                    if not (allowed[places[s], y] and paths[y, t1, rank, s] > _NOTHING):
                        paths[y, t1, rank, s] = 0.0


@jit
def fill_marginals(mixture: Mixture, spans: Spans, found: np.ndarray) -> None:
    """Fill in the marginals of some sentences, shape (N, K)."""
    (starts, lengths), base = spans, mixture.histories.shape[1]
    first = mask = np.int64(0)  # of a literal 0 all would be compiled once more
    while first < len(starts):
        n = count_abreast(lengths, first, base * base)
        places, ends = starts[first : first + n], lengths[first : first + n]
        before, after = np.ones((base, base, 1, n)), np.empty((base, base, 1, n))
        for i in range(ends[0]):
            while ends[n - 1] == i:
                n -= 1
            advance(mixture, places[:n] + i, i, before, after, mask)
            before, after = after, before
            for s in range(n):
                for y in range(found.shape[1]):
                    found[places[s] + i, y] = before[y, :, 0, s].sum()
        first += len(places)
