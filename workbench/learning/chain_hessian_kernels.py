"""The inner loops of products with the Hessian of linear chains, compiled.

Cells and words are those that ``chain_kernels`` describes. A product tells how expected
counts turn when scores move: the covariance of each count with the move of its whole
sentence. That is the derivative of forward and backward sums, taken along with them. A word
whose label is certain tells the one side of a sentence nothing of the other: so it is
enough to go through the *stretches* between such words, those at their ends included.
"""

import numpy as np
from numba import njit

from workbench.learning.chain_kernels import count_labels, fill_scores, scatter
from workbench.learning.forward_backward_kernels import add_pairs

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def turn_chains(
    words, forward, kept, table, singles, padding, blank, stretches, turned, singles_turned
):
    """Add to cells how their expected counts turn when scores move.

    Parameters
    ----------
    words, padding
        As of ``sum_chains``.
    forward : ndarray, shape (L, L)
        Factors of the transitions.
    kept : tuple of ndarray
        What ``sum_chain_variances`` filled.
    table, singles : ndarray
        By how much the scores of cells move.
    blank : tuple of L zeros
    stretches : ndarray of int64, shape (n, 3)
        Of each the first word, the end, and whether a sentence begins there.
    turned, singles_turned : ndarray
        Are added to, table and single cells.
    """
    n_tags, width = count_labels(padding), len(padding)
    moves, pairs = table[len(table) - n_tags - 1 :], turned[len(table) - n_tags - 1 :]
    moved = np.zeros((width, width))
    for last in range(n_tags):
        for k in range(n_tags):
            moved[last, k] = forward[last, k] * moves[last, k]
    ways, products = (forward, moved, forward.T.copy(), moved.T.copy()), np.zeros((2, width, width))
    longest = 0
    for a, end, _ in stretches:
        longest = max(longest, end - a)
    room = np.empty((5, longest, width))
    for a, end, begins in stretches:
        n = end - a
        m, ahead = room[0][:n], room[1][:n]
        fill_scores(words, a, table, singles, blank, m)
        for k in range(width if begins else 0):
            m[0, k] += moves[n_tags, k]
        _go_forward(m, kept, a, ways, n_tags, padding, ahead)
        _go_backward(m, kept, a, ways, n_tags, padding, ahead, products, room[2:])
        for k in range(width if begins else 0):
            pairs[n_tags, k] += m[0, k]
        scatter(m, words, a, padding, turned, singles_turned)
    for last in range(n_tags):
        for k in range(width):
            pairs[last, k] += products[0, last, k] * forward[last, k]
            pairs[last, k] += products[1, last, k] * moved[last, k]


@_compile
def _multiply_both(x, factors, y, others, n_tags, padding, product):
    """Fill product, shape (L,), with x times factors and y times others: two rows at a time."""
    width = len(padding)
    for k in range(width):
        product[k] = 0.0
    for row in range(0, n_tags, 2):  # a row beyond K is there, and 0
        a, b, c, d = x[row], x[row + 1], y[row], y[row + 1]
        for k in range(width):
            product[k] += (a * factors[row, k] + b * factors[row + 1, k]) + (
                c * others[row, k] + d * others[row + 1, k]
            )


@_compile
def _go_forward(moves, kept, first, ways, n_tags, padding, ahead):
    """Fill ahead, shape (n, L): alpha times the mean move of what leads to a label."""
    alpha, _, share = kept
    width = len(padding)
    for k in range(width):
        ahead[0, k] = alpha[first, k] * moves[0, k]
    for i in range(1, len(moves)):
        w = first + i
        _multiply_both(ahead[i - 1], ways[0], alpha[w - 1], ways[1], n_tags, padding, ahead[i])
        for k in range(width):
            ahead[i, k] = ahead[i, k] * share[w, k] + alpha[w, k] * moves[i, k]


@_compile
def _go_backward(moves, kept, first, ways, n_tags, padding, ahead, products, room):
    """Turn moves into those of the marginals; add those of pairs to products, shape (2, L, L).

    Of the products the first is yet to be multiplied by the factors of transitions, the second
    by their moves.
    """
    alpha, beta, share = kept
    width, n = len(padding), len(moves)
    behind, on, turned = room
    behind[n - 1] = 0.0
    mean = 0.0
    for k in range(width):
        mean += ahead[n - 1, k] * beta[first + n - 1, k]
    for i in range(n - 1, -1, -1):
        w = first + i
        for k in range(width):
            on[i, k] = share[w, k] * beta[w, k]
            turned[i, k] = share[w, k] * (behind[i, k] + beta[w, k] * moves[i, k])
            moves[i, k] = ahead[i, k] * beta[w, k]
            moves[i, k] += alpha[w, k] * (behind[i, k] - mean * beta[w, k])
        if i:
            _multiply_both(turned[i], ways[2], on[i], ways[3], n_tags, padding, behind[i - 1])
            for k in range(width):
                turned[i, k] -= mean * on[i, k]
    add_pairs(on[:n], ahead, n_tags, padding, products[0])
    add_pairs(turned[:n], alpha[first : first + n], n_tags, padding, products[0])
    add_pairs(on[:n], alpha[first : first + n], n_tags, padding, products[1])
