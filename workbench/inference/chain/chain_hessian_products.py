"""The inner loops of products with the Hessian of linear chains, compiled.

Cells and words are those that ``sum_chains`` describes. A product tells how expected
counts turn when scores move: the covariance of each count with the move of its whole
sentence. That is the derivative of forward and backward sums, taken along with them. A word
whose label is certain tells the one side of a sentence nothing of the other: so it is
enough to go through the *stretches* between such words, those at their ends included.
Stretches go side by side, longest first, as sentences do.
"""

import numpy as np

from workbench.inference.chain.forward_backward import (
    lay_out,
    make_room,
    multiply_cells,
    n_abreast,
)
from workbench.numerics.jit import jit
from workbench.scoring.word_sums import fill_scores, scatter


@jit
def list_rows(starts, lengths, width):
    """Return which word each row of the batches of stretches is."""
    order, first, row = np.empty(lengths.sum(), np.int64), 0, 0
    while first < len(starts):
        n = n_abreast(lengths, first, width)
        blocks = lay_out(lengths[first : first + n])
        for s in range(n):
            for i in range(lengths[first + s]):
                order[row + blocks[i] + s] = starts[first + s] + i
        first, row = first + n, row + blocks[-1]
    return order


@jit
def sum_pairs(lengths, share, alpha, beta, pairs):
    """Add alpha of each word but the last of a stretch, times on of the next; (L, L)."""
    on, product, first, row = share * beta, np.empty_like(pairs), 0, 0
    while first < len(lengths):
        n = n_abreast(lengths, first, pairs.shape[1])
        blocks = row + lay_out(lengths[first : first + n])
        for i in range(1, len(blocks) - 1):
            a, end = blocks[i], blocks[i + 1]
            before = alpha[blocks[i - 1] : blocks[i - 1] + end - a]
            np.dot(before.T, on[a:end], out=product)
            pairs += product
        first, row = first + n, blocks[-1]


@jit
def _fill_moves(words, moves, stretches, blocks, filled):
    """Fill in how the scores of the words of a batch of stretches move, shape (n, L)."""
    starts, _, begins = stretches
    fill_scores(words, moves, starts, blocks, filled)
    boundary = moves[0][len(moves[0]) - 1]
    for s in range(len(starts)):
        for k in range(filled.shape[1] if begins[s] else 0):
            filled[s, k] += boundary[k]


@jit
def _scatter_turns(turns, words, stretches, blocks, turned):
    """Add how marginals turn, shape (n, L), to cells, those of first words to the boundary's."""
    starts, _, begins = stretches
    scatter(turns, words, starts, blocks, turned)
    boundary = turned[0][len(turned[0]) - 1]
    for s in range(len(starts)):
        for k in range(len(boundary) if begins[s] else 0):
            boundary[k] += turns[s, k]


@jit
def _advance(ahead, along, share, alpha, moves):
    """Turn sums over the last label, (n, L), into alpha times the mean move of what leads here."""
    a, b, c = ahead.reshape(-1), along.reshape(-1), share.reshape(-1)
    d, e = alpha.reshape(-1), moves.reshape(-1)
    for j in range(len(a)):
        a[j] = (a[j] + b[j]) * c[j] + d[j] * e[j]


@jit
def _go_forward(blocks, forward, moved, kept, moves, ahead, along):
    """Fill ahead, shape (n, L): alpha times the mean move of what leads to a label."""
    share, alpha, _ = kept
    multiply_cells(alpha[: blocks[1]], moves[: blocks[1]], ahead[: blocks[1]])
    for i in range(1, len(blocks) - 1):
        a, end, last = blocks[i], blocks[i + 1], blocks[i - 1]
        n = end - a
        np.dot(ahead[last : last + n], forward, out=ahead[a:end])
        np.dot(alpha[last : last + n], moved, out=along[:n])
        _advance(ahead[a:end], along[:n], share[a:end], alpha[a:end], moves[a:end])


@jit
def _begin_behind(blocks, lengths, beta, ahead, behind):
    """Fill behind at the end of each stretch: less the mean move of all of it."""
    for s in range(len(lengths)):
        row, mean = blocks[lengths[s] - 1] + s, 0.0
        for k in range(beta.shape[1]):
            mean += ahead[row, k] * beta[row, k]
        for k in range(beta.shape[1]):
            behind[row, k] = -mean * beta[row, k]


@jit
def _recede(share, beta, behind, moves, on, turned):
    """Fill on, share times beta, and turned, by how much it moves; all of shape (n, L)."""
    a, b, c = share.reshape(-1), beta.reshape(-1), behind.reshape(-1)
    d, e, f = moves.reshape(-1), on.reshape(-1), turned.reshape(-1)
    for j in range(len(a)):
        e[j] = a[j] * b[j]
        f[j] = a[j] * (c[j] + b[j] * d[j])


@jit
def _add_cells(x, y):
    a, b = x.reshape(-1), y.reshape(-1)
    for j in range(len(a)):
        a[j] += b[j]


@jit
def _go_backward(blocks, backward, moved, kept, moves, ahead, behind, products):
    """Fill behind, what ahead is of alpha of beta, and add the moves of pairs to products."""
    share, alpha, beta = kept
    on, turned = np.empty_like(share[: blocks[1]]), np.empty_like(share[: blocks[1]])
    along, product = np.empty_like(on), np.empty_like(backward)
    for i in range(len(blocks) - 2, 0, -1):
        a, end, last = blocks[i], blocks[i + 1], blocks[i - 1]
        n = end - a
        _recede(share[a:end], beta[a:end], behind[a:end], moves[a:end], on[:n], turned[:n])
        np.dot(turned[:n], backward, out=behind[last : last + n])
        np.dot(on[:n], moved, out=along[:n])
        _add_cells(behind[last : last + n], along[:n])
        np.dot(ahead[last : last + n].T, on[:n], out=product)
        products += product
        np.dot(alpha[last : last + n].T, turned[:n], out=product)
        products += product


@jit
def _turn_marginals(kept, ahead, behind, turns):
    """Fill in how marginals move, shape (n, L)."""
    _, alpha, beta = kept
    a, b, c = alpha.reshape(-1), beta.reshape(-1), turns.reshape(-1)
    d, e = ahead.reshape(-1), behind.reshape(-1)
    for j in range(len(c)):
        c[j] = d[j] * b[j] + a[j] * e[j]


@jit
def turn_chains(words, blank, ways, part, moves, turned):
    """Add to cells how their expected counts turn when scores move.

    Parameters
    ----------
    words : tuple of ndarray
        As of ``sum_chains``.
    blank : tuple of L zeros
    ways : tuple of ndarray, each of shape (L, L)
        Factors of the transitions; these times their moves; the transpose of both.
    part : tuple of ndarray
        The stretches: their starts, lengths and whether a sentence begins there, longest
        first; and what ``sum_chains`` kept of their words, (share, alpha, beta), shape
        (3, n, L), in the order of ``list_rows``.
    moves : tuple of ndarray
        By how much the scores of cells move, table and single cells.
    turned : tuple of ndarray
        Are added to, likewise; of transitions those before the first word alone.

    Returns
    -------
    products : ndarray, shape (L, L)
        Of the others what is yet to be multiplied by their factors.
    """
    starts, lengths, begins, kept = part
    forward, moved, backward, moved_back = ways
    room, along, _ = make_room(lengths, blank)
    products, first, row = np.zeros_like(forward), 0, 0
    while first < len(starts):
        end = first + n_abreast(lengths, first, len(blank))
        stretches, blocks = (
            (starts[first:end], lengths[first:end], begins[first:end]),
            lay_out(lengths[first:end]),
        )
        n = blocks[-1]
        share, alpha, beta = kept[0], kept[1], kept[2]
        own = share[row : row + n], alpha[row : row + n], beta[row : row + n]
        moving, ahead, behind = room[0][:n], room[1][:n], room[2][:n]
        _fill_moves(words, moves, stretches, blocks, moving)
        _go_forward(blocks, forward, moved, own, moving, ahead, along)
        _begin_behind(blocks, stretches[1], own[2], ahead, behind)
        _go_backward(blocks, backward, moved_back, own, moving, ahead, behind, products)
        _turn_marginals(own, ahead, behind, moving)
        _scatter_turns(moving, words, stretches, blocks, turned)
        first, row = end, row + n
    return products
