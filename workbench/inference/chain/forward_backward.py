"""Forward and backward through sentences of a linear chain, side by side, compiled.

Sentences go longest first, so that those that reach position i are the first of them: their
words there are a *block* of rows. A step is then one small product of matrices, which
BLAS does many times as fast as row by row, and what is left are long loops over blocks.

Scores of words and of transitions are kept as factors, exponentials of at most 1, so
that a word costs L exponentials and three products of a row with a matrix. All terms are
positive: nothing cancels, and nothing vanishes as long as the factors of a sentence stay in
the range of doubles. A sentence beyond it, which no trained model has shown yet, takes the
road of logarithms.
"""

import math

import numpy as np

from workbench.numerics.exponentials import exponentiate
from workbench.numerics.jit import jit

_LOWEST = -700.0  # exp of less is nothing beside 1
_WIDEST = 600.0  # spread of scores whose factors stay far from the ends of doubles
_ABREAST = 64  # sentences side by side
_ROOM = 1 << 15  # cells of a batch: its arrays stay in the second cache


@jit
def n_abreast(lengths, first, width):
    """How many sentences, from one on, go side by side; longest first."""
    widest = max(1, _ROOM // max(1, lengths[first] * width))
    return min(_ABREAST, widest, len(lengths) - first)


@jit
def lay_out(lengths):
    """Return where the blocks of positions begin, and the end of the last; longest first."""
    blocks, n = np.zeros(lengths[0] + 1, np.int64), len(lengths)
    for i in range(lengths[0]):
        while lengths[n - 1] <= i:
            n -= 1
        blocks[i + 1] = blocks[i] + n
    return blocks


@jit
def reach(transitions):
    """Spread of the scores of a word up to which no product over- or underflows.

    Alpha falls by the spreads of a word and of transitions; what pairs need of a word
    rises by twice that of transitions.
    """
    lowest = highest = transitions[0, 0]
    n_tags = len(transitions) - 1
    for last in range(n_tags + 1):
        for k in range(n_tags):
            lowest, highest = min(lowest, transitions[last, k]), max(highest, transitions[last, k])
    return _WIDEST - 2 * (highest - lowest)


@jit
def transition_factors(transitions, padding):
    """Return factors of transitions and their transpose, (L, L), and those at the start, (L,).

    All are 0 beyond K: what padding columns of words hold never counts. Last of the four
    is the highest score, which has factor 1.
    """
    width, n_tags = len(padding), len(transitions) - 1
    forward, backward, first = np.zeros((width, width)), np.zeros((width, width)), np.zeros(width)
    top = transitions[0, 0]
    for last in range(n_tags + 1):
        for k in range(n_tags):
            top = max(top, transitions[last, k])
    for k in range(n_tags):
        first[k] = math.exp(max(transitions[n_tags, k] - top, _LOWEST))
        for last in range(n_tags):
            forward[last, k] = math.exp(max(transitions[last, k] - top, _LOWEST))
            backward[k, last] = forward[last, k]
    return forward, backward, first, top


@jit
def make_room(lengths, padding):
    """Arrays for the batches of sentences, longest first; see ``go_both_ways``.

    Returns
    -------
    room : ndarray, shape (3, n, L)
        For share, alpha and beta of n words.
    marginals : ndarray, shape (n, L)
    totals : ndarray, shape (n,)
    """
    width, total = len(padding), 0
    for length in lengths:
        total += length
    longest = lengths[0] if len(lengths) else 0
    n = min(total, max(longest, _ROOM // width))
    return np.empty((3, n, width)), np.empty((n, width)), np.empty(n)


@jit
def cut(room, marginals, totals, row, n):
    """Return what a batch of n words takes of a room, from a row of its first array on."""
    share, alpha, beta = room[0], room[1], room[2]
    end = row + n
    return share[row:end], alpha[row:end], beta[row:end], marginals[:n], totals[:n]


@jit
def turn_to_variances(p):
    """Replace p, shape (n, L), by p * (1 - p)."""
    flat = p.reshape(-1)
    for i in range(len(flat)):
        flat[i] *= 1 - flat[i]


@jit
def multiply_cells(x, y, product):
    """Fill product with x times y, cell by cell; all of shape (n, L)."""
    a, b, c = x.reshape(-1), y.reshape(-1), product.reshape(-1)
    for j in range(len(c)):
        c[j] = a[j] * b[j]


@jit
def _scale(words, alpha, totals, padding):
    """Divide rows of alpha by their sums, which fill totals, and so those of words."""
    width = len(padding)
    for s in range(len(alpha)):
        total = 0.0
        for k in range(width):
            total += alpha[s, k]
        totals[s] = total
    for s in range(len(alpha)):
        share = 1 / totals[s]
        for k in range(width):
            alpha[s, k] *= share
        for k in range(width):
            words[s, k] *= share


@jit
def _go_forward(blocks, factors, padding, words, alpha, totals):
    """Fill alpha, shape (n, L), each row of sum 1, and totals, (n,), by which rows were divided."""
    forward, _, first, _ = factors
    alpha[: blocks[1]] = first
    for i in range(len(blocks) - 1):
        a, end = blocks[i], blocks[i + 1]
        if i:
            last = blocks[i - 1]
            np.dot(alpha[last : last + end - a], forward, out=alpha[a:end])
        multiply_cells(alpha[a:end], words[a:end], alpha[a:end])
        _scale(words[a:end], alpha[a:end], totals[a:end], padding)


@jit
def _go_backward(blocks, backward, share, alpha, beta, products):
    """Fill beta, shape (n, L), and add pairs, or with two products also their squares."""
    on, product = np.empty_like(share[: blocks[1]]), np.empty_like(backward)
    squares = np.empty_like(on)
    for i in range(len(blocks) - 2, -1, -1):
        a, end = blocks[i], blocks[i + 1]
        n = end - a
        on_to_next = blocks[i + 2] - end if i + 2 < len(blocks) else 0
        beta[a + on_to_next : end] = 1.0  # sentences that end here
        if i:
            last = blocks[i - 1]
            before, here = alpha[last : last + n], on[:n]
            multiply_cells(share[a:end], beta[a:end], here)
            np.dot(here, backward, out=beta[last : last + n])
            np.dot(before.T, here, out=product)
            products[0] += product
            if len(products) > 1:
                multiply_cells(before, before, squares[:n])
                multiply_cells(here, here, here)
                np.dot(squares[:n].T, here, out=product)
                products[1] += product


@jit
def go_both_ways(blocks, factors, padding, part, products):
    """Go forward and backward through a batch of sentences, n words in all.

    Parameters
    ----------
    blocks : ndarray of int64
        See ``lay_out``.
    factors : tuple
        See ``transition_factors``.
    padding : tuple of L
    part : tuple of ndarray
        Share, alpha, beta and marginals, shape (n, L), and totals, shape (n,). The first
        holds scores, at most 0, and becomes the factor of a word by which alpha is
        multiplied. The others are filled in; the logarithms of totals sum to log Z, less
        scores that were taken off.
    products : ndarray, shape (1 or 2, L, L)
        Sums over pairs of neighbours are added, of their probabilities divided by the factors
        of transitions; and of the squares of these.
    """
    share, alpha, beta, marginals, totals = part
    flat = share.reshape(-1)
    for i in range(len(flat)):
        flat[i] = max(flat[i], _LOWEST)
    exponentiate(flat, marginals.reshape(-1).view(np.int64))
    _go_forward(blocks, factors, padding, share, alpha, totals)
    _go_backward(blocks, factors[1], share, alpha, beta, products)
    multiply_cells(alpha, beta, marginals)
