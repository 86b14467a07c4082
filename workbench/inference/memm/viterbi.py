"""The inner loops of decoding, compiled: arrays in, arrays out.

An MEMM over (t-1, t-2) multiplies probabilities; all are kept as factors of
exponentials, so a word costs K exponentials and not K^3. Sentences, longest
first, go side by side, word by word: the innermost loops run over sentences,
which the compiler turns into vector code, four times as fast as a loop over tags.
"""

import numpy as np

from workbench.inference.memm.certain_paths import LOWEST
from workbench.numerics.exponentials import exponentiate
from workbench.numerics.jit import jit

_ABREAST = 128  # sentences side by side
_ROOM = 1 << 26  # bytes of choices: fewer go side by side if they are very long
_WAY = 255  # the bits of a path's probability that tell t-2: K is at most 254
_RESCALE = 16  # words: a best path loses at most a factor of K at each


@jit
def _fill_words(scores, places, words, bits):
    """Fill words, shape (R, K, n), with exp(score - highest) of the words at n places.

    ``scores`` has shape (N, 1, K) or (N, R, K); ``bits`` is scratch as large as words.
    """
    for s in range(len(places)):
        for r in range(len(words)):
            of_word = scores[places[s], r if scores.shape[1] > 1 else 0]
            highest = of_word[0]
            for y in range(len(of_word)):
                highest = max(highest, of_word[y])
            for y in range(len(of_word)):
                words[r, y, s] = max(of_word[y] - highest, LOWEST)
    exponentiate(words.reshape(-1), bits)


@jit
def _take_shares(word, history, before, share, shares):
    """Fill shares, shape (n,): times a tag's factors they make share * before * P(tag | context).

    ``word``, shape (K, n), and ``history``, shape (K,), are the factors of the contexts.
    """
    n = len(shares)
    for s in range(n):
        shares[s] = word[0, s] * history[0]
    for y in range(1, len(history)):
        for s in range(n):
            shares[s] += word[y, s] * history[y]
    for s in range(n):
        shares[s] = share * before[s] / shares[s]


@jit
def _add(word, history, shares, sums):
    """Add to sums, shape (K, at least n), what reaches each tag."""
    for y in range(len(history)):
        for s in range(len(shares)):
            sums[y, s] += word[y, s] * history[y] * shares[s]


@jit
def _keep_best(word, history, shares, others, t1, t2, best):
    """Let (tag, t-1) be reached by way of t-2 where that is better.

    Numbers above 0 are in the order of their bits, of which the last eight of ``best``,
    int64, tell the way: it comes with the best path at no cost but its 14th digit.
    """
    for y in range(len(history)):
        for s in range(len(shares)):
            reached = others[y, s] + word[y, s] * history[y] * shares[s]
            bits = np.float64(reached).view(np.int64)
            best[y, t1, s] = max(best[y, t1, s], (bits & ~_WAY) | t2)


@jit
def _advance(scores, histories, shares, places, i, before, after, is_sum):
    """Move n sentences from every (t-1, t-2) to every (tag, t-1) of word i, at n places.

    Paths are summed or the best is kept. Before the first word both tags are the
    boundary, K; before the second t-2 is.
    """
    n, n_tags, last = len(places), histories.shape[3], len(scores) - 1
    n_rows = max([one.shape[1] for one in scores])
    words, reached = np.empty((last + 1, n_rows, n_tags, n)), np.zeros((n_tags, n))
    taken, bits = np.empty(n), np.empty(n_rows * n_tags * n, np.int64)
    for m in range(last + 1):
        _fill_words(scores[m], places, words[m], bits)
    after[:] = 0.0
    for t1 in range(n_tags if i == 0 else 0, n_tags + (i == 0)):
        row = t1 if n_rows > 1 else 0
        for t2 in range(n_tags if i < 2 else 0, n_tags + (i < 2)):
            if last:
                reached[:] = 0.0
            for m in range(last + 1):
                word, history = words[m, row], histories[m, t1, t2]
                _take_shares(word, history, before[t1, t2], shares[m], taken)
                if is_sum:
                    _add(word, history, taken, after[:, t1])
                elif m < last:
                    _add(word, history, taken, reached)
                else:
                    _keep_best(word, history, taken, reached, t1, t2, after.view(np.int64))


@jit
def _note_choices(paths, n, choice):
    """Read off the ways by which the best paths came."""
    for y in range(len(choice)):
        for t1 in range(choice.shape[1]):
            for s in range(n):
                choice[y, t1, s] = paths[y, t1, s] & _WAY


@jit
def _rescale(paths, n):
    """Divide by the best path of each of n sentences."""
    best = np.zeros(n)
    for t1 in range(len(paths)):
        for t2 in range(len(paths)):
            for s in range(len(best)):
                best[s] = max(best[s], paths[t1, t2, s])
    for t1 in range(len(paths)):
        for t2 in range(len(paths)):
            for s in range(len(best)):
                paths[t1, t2, s] /= best[s]


@jit
def _trace(last, choices, tags):
    """Follow one sentence's choices back from the best (tag, t-1) of its last word."""
    y = t1 = 0
    for a in range(len(last)):
        for b in range(len(last)):
            if last[a, b] > last[y, t1]:
                y, t1 = a, b
    for i in range(len(tags) - 1, -1, -1):
        tags[i] = y
        y, t1 = t1, choices[i, y, t1]


@jit
def _n_abreast(lengths, first, cells):
    """How many sentences, from one on, go side by side; longest first."""
    return min(_ABREAST, len(lengths) - first, max(1, _ROOM // (lengths[first] * cells)))


@jit
def viterbi(scores, histories, shares, starts, lengths, tags):
    """Fill in the most probable tags of sentences, exactly.

    Parameters
    ----------
    scores : tuple of ndarray, each of shape (N, 1, K) or (N, K + 1, K)
        For each of M models, the scores of the predicates that read words; by t-1
        where some read it, too.
    histories : ndarray, shape (M, K + 1, K + 1, K)
        Exponentials, at least exp(LOWEST), of the scores of the predicates that read
        (t-1, t-2) alone; place K is the boundary.
    shares : ndarray, shape (M,)
        In each context the models' probabilities are mixed with these shares.
    starts, lengths : ndarray of int64, shape (sentences,)
        Longest first.
    tags : ndarray of int8, shape (N,)
        Filled in.

    Source
    ------
    argmax_T P(T|W), Chelba & Acero (2004), section 2; Viterbi instead of their beam.
    A mixture of two is LININT of Daumé III (2007), section 2.
    """
    first, base = 0, histories.shape[1]
    while first < len(starts):
        n = _n_abreast(lengths, first, base * base)
        places, ends = starts[first : first + n], lengths[first : first + n]
        choices = np.empty((ends[0], base, base, n), np.uint8)
        before, after = np.ones((base, base, n)), np.empty((base, base, n))
        for i in range(ends[0]):
            _advance(scores, histories, shares, places[:n] + i, i, before, after, False)
            before, after = after, before
            _note_choices(before.view(np.int64), n, choices[i])
            if i % _RESCALE == _RESCALE - 1:
                _rescale(before, n)
            while n and ends[n - 1] == i + 1:
                n -= 1
                tags_of_one = tags[places[n] : places[n] + i + 1]
                _trace(before[:, :, n], choices[:, :, :, n], tags_of_one)
        first += len(places)


@jit
def marginals(scores, histories, shares, starts, lengths, probabilities):
    """Fill in P(tag of word i | W), shape (N, K): an exact sum over the tags before it.

    What follows word i does not matter: an MEMM is normalized word by word.
    The other arrays are those of ``viterbi``.
    """
    first, base = 0, histories.shape[1]
    while first < len(starts):
        n = _n_abreast(lengths, first, base * base)
        places, ends = starts[first : first + n], lengths[first : first + n]
        before, after = np.ones((base, base, n)), np.empty((base, base, n))
        for i in range(ends[0]):
            while ends[n - 1] == i:
                n -= 1
            _advance(scores, histories, shares, places[:n] + i, i, before, after, True)
            before, after = after, before
            for s in range(n):
                for y in range(probabilities.shape[1]):
                    probabilities[places[s] + i, y] = before[y, :, s].sum()
        first += len(places)
