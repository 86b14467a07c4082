"""Forward and backward sums of a linear chain, compiled: scaled for training, in logs for the rest.

A sentence has n words, s_i(y) are the scores of word i (the transition from the boundary is
part of the first word's) and t(y', y) those of transitions. Of the sequences y_1 .. y_n

    P(y_1 .. y_n) = exp(sum_i s_i(y_i) + sum_i t(y_{i-1}, y_i)) / Z.

With factors of at most 1, psi_i(y) = exp(s_i(y) - max s_i) and Phi(y', y) = exp(t(y', y) - top),

    alpha_1(y) = psi_1(y) / c_1
    alpha_i(y) = psi_i(y) / c_i * sum over y' of alpha_{i-1}(y') Phi(y', y)
    beta_n(y') = 1
    beta_{i-1}(y') = sum over y of Phi(y', y) rho_i(y),   rho_i(y) = psi_i(y) / c_i * beta_i(y)

with c_i such that alpha_i sums to 1. Then

    log Z = sum_i (log c_i + max s_i) + (n - 1) top
    P(y_i = y) = alpha_i(y) beta_i(y)
    P(y_{i-1} = y', y_i = y) = alpha_{i-1}(y') Phi(y', y) rho_i(y).

All terms are positive: nothing cancels, and nothing vanishes as long as scores spread less
than ``max_spread``. Of what spreads wider, and of best paths, the logarithms are taken:

    log alpha_i(y) = s_i(y) + SUM over y' of (log alpha_{i-1}(y') + t(y', y)) - log c_i

where SUM is a choice of semiring: the log of the sum of exponentials (log Z and, backward,
marginals), or the k highest, best first, and where they were (the k best paths; Viterbi's is
k = 1). k is known when compiling, as the length of ``ranks``, so that the loops of k = 1 have no
trace of it. Log-sums take any scores, but products of matrices of exponentials are 27 times as
fast with 5 labels, 56 times with 22.

Source
------
Rabiner (1989), section V.A, scales hidden Markov models so; Lafferty, McCallum & Pereira
(2001) for the chain; Goodman (1999), semiring parsing; Huang & Chiang (2005), algorithm 2.
"""

import math
from typing import NamedTuple

import numpy as np

from workbench.inference.chain.batches import most_words
from workbench.inference.chain.scores import Batch, count_labels, transition_rows
from workbench.numerics.jit import jit
from workbench.numerics.vectors import exponentiate, take_logarithms

_LOWEST = -700.0  # exp of less is nothing next to 1
_WIDEST = 600.0  # spread of scores whose factors stay far from the ends of doubles


class Transitions(NamedTuple):
    """The scores of transitions and their exponentials; padding beyond K labels is 0."""

    scores: np.ndarray  # shape (K + 1, L): t(y', y), the boundary's last
    forward: np.ndarray  # shape (L, L): Phi
    backward: np.ndarray  # shape (L, L): its transpose
    top: float  # the highest score between labels, of factor 1
    max_spread: float  # of a word's scores, up to which no product over- or underflows


class Lattice(NamedTuple):
    """Forward and backward sums of n words, all of shape (n, L)."""

    psi: np.ndarray  # psi / c
    alpha: np.ndarray
    beta: np.ndarray


class PairSums(NamedTuple):
    """Sums over pairs of neighbours; of none where an array has no rows."""

    products: np.ndarray  # shape (L, L): of P(y', y) / Phi(y', y)
    squares: np.ndarray  # shape (L, L): of its square
    expected: np.ndarray  # shape (L, L): of P(y', y) of sentences in the log domain
    variances: np.ndarray  # shape (L, L): of P * (1 - P), likewise


@jit
def find_transitions(table: np.ndarray, padding: tuple[float, ...]) -> Transitions:
    """Return the transitions of a table of cells, shape (rows, L)."""
    scores, n_tags, width = transition_rows(table, padding), count_labels(padding), len(padding)
    top = lowest = scores[0, 0]
    for last in range(n_tags):
        for k in range(n_tags):
            top, lowest = max(top, scores[last, k]), min(lowest, scores[last, k])
    forward, backward = np.zeros((width, width)), np.zeros((width, width))
    for last in range(n_tags):
        for k in range(n_tags):
            forward[last, k] = math.exp(max(scores[last, k] - top, _LOWEST))
            backward[k, last] = forward[last, k]
    # Alpha falls by the spreads of a word and of transitions; rho rises by twice the latter.
    return Transitions(scores, forward, backward, top, _WIDEST - 2 * (top - lowest))


@jit
def allocate(lengths: np.ndarray, width: int) -> tuple[Lattice, np.ndarray]:
    """Return a lattice and marginals for any batch of stretches of these lengths."""
    room = np.zeros((4, most_words(lengths, width), width))
    return Lattice(room[0], room[1], room[2]), room[3]


@jit
def take_words(lattice: Lattice, first: int, end: int) -> Lattice:
    """Return some rows of a lattice; views."""
    return Lattice(lattice.psi[first:end], lattice.alpha[first:end], lattice.beta[first:end])


@jit
def multiply_cells(x: np.ndarray, y: np.ndarray, product: np.ndarray) -> None:
    """Fill product with x times y, cell by cell; all of shape (n, L)."""
    a, b, c = x.reshape(-1), y.reshape(-1), product.reshape(-1)
    for j in range(len(c)):
        c[j] = a[j] * b[j]


@jit
def copy_cells(x: np.ndarray, copy: np.ndarray) -> None:
    """Fill a copy with x, cell by cell; both of shape (n, L)."""
    a, b = x.reshape(-1), copy.reshape(-1)
    for j in range(len(a)):
        b[j] = a[j]


@jit
def add_to(total: np.ndarray, x: np.ndarray) -> None:
    """Add x to a total, cell by cell; both of shape (n, L)."""
    a, b = total.reshape(-1), x.reshape(-1)
    for j in range(len(a)):
        a[j] += b[j]


@jit
def _scale(psi, alpha, scales, padding):
    """Divide rows of alpha and of psi by the sums of alpha's, which fill scales."""
    width = len(padding)
    for s in range(len(alpha)):
        total = 0.0
        for k in range(width):
            total += alpha[s, k]
        scales[s] = total
    for s in range(len(alpha)):
        share = 1 / scales[s]
        for k in range(width):
            alpha[s, k] *= share
        for k in range(width):
            psi[s, k] *= share


@jit
def _go_forward(blocks, forward, padding, lattice, scales):
    """Fill alpha and scales, c; psi becomes psi / c."""
    psi, alpha = lattice.psi, lattice.alpha
    for i in range(len(blocks) - 1):
        a, end = blocks[i], blocks[i + 1]
        if i == 0:
            copy_cells(psi[:end], alpha[:end])
        else:
            last = blocks[i - 1]
            np.dot(alpha[last : last + end - a], forward, out=alpha[a:end])
            multiply_cells(alpha[a:end], psi[a:end], alpha[a:end])
        _scale(psi[a:end], alpha[a:end], scales[a:end], padding)


@jit
def _go_backward(blocks, backward, lattice, pairs):
    """Fill beta, and add to the sums over pairs."""
    psi, alpha, beta = lattice
    rho, squares = np.empty_like(psi[: blocks[1]]), np.empty_like(psi[: blocks[1]])
    product = np.empty_like(backward)
    for i in range(len(blocks) - 2, -1, -1):
        a, end = blocks[i], blocks[i + 1]
        n = end - a
        n_next = blocks[i + 2] - end if i + 2 < len(blocks) else 0
        beta[a + n_next : end] = 1.0  # sentences that end here
        if i:
            before = slice(blocks[i - 1], blocks[i - 1] + n)
            here = rho[:n]
            multiply_cells(psi[a:end], beta[a:end], here)
            np.dot(here, backward, out=beta[before])
            if len(pairs.products):
                np.dot(alpha[before].T, here, out=product)
                add_to(pairs.products, product)
            if len(pairs.squares):
                multiply_cells(alpha[before], alpha[before], squares[:n])
                multiply_cells(here, here, here)
                np.dot(squares[:n].T, here, out=product)
                add_to(pairs.squares, product)


@jit
def forward_backward(
    lattice: Lattice, marginals: np.ndarray, batch: Batch,
    transitions: Transitions, padding: tuple, pairs: PairSums,
) -> float:  # fmt: skip
    """Return log Z, summed over the sentences of a batch.

    The lattice, whose psi holds the scores of words, at most 0, and the marginals, shape
    (n, L), are filled; to the pairs is added.
    """
    flat, scales = lattice.psi.reshape(-1), np.empty(len(marginals))
    for i in range(len(flat)):
        flat[i] = max(flat[i], _LOWEST)
    exponentiate(flat, marginals.reshape(-1).view(np.int64))
    _go_forward(batch.blocks, transitions.forward, padding, lattice, scales)
    _go_backward(batch.blocks, transitions.backward, lattice, pairs)
    multiply_cells(lattice.alpha, lattice.beta, marginals)
    take_logarithms(scales, np.empty(len(scales), np.int64))
    return scales.sum() + (len(scales) - len(batch.starts)) * transitions.top


NEVER = -1e30  # score of what does not exist


@jit
def log_sum(scores: np.ndarray) -> float:
    """Logarithm of the sum of exponentials."""
    highest, total = scores.max(), 0.0
    for score in scores:
        total += math.exp(max(score - highest, _LOWEST))
    return highest + math.log(total)


@jit
def log_sum_step(before: np.ndarray, transitions: np.ndarray, after: np.ndarray) -> None:
    """Fill after, shape (K,), with log-sums over y' of before[y'] + transitions[y', y]."""
    reached = np.empty_like(before)
    for y in range(len(after)):
        for last in range(len(before)):
            reached[last] = before[last] + transitions[last, y]
        after[y] = log_sum(reached)


@jit
def k_max_step(
    before: np.ndarray, transitions: np.ndarray, ranks: tuple, padding: tuple,
    after: np.ndarray, origins: np.ndarray,
) -> None:  # fmt: skip
    """Fill after with the k highest of before[r, y'] + transitions[y', y], best first.

    Of equals the first wins. Origins, int64, become y' * k + r of each. The transitions have
    shape (K + 1, L), the other arrays (k, L); the tuples have lengths k and L.
    """
    n_best, width = len(ranks), len(padding)
    for r in range(n_best):
        for y in range(width):
            after[r, y], origins[r, y] = before[r, 0] + transitions[0, y], r
    for last in range(1, len(transitions) - 1):
        for r in range(n_best):
            reached = before[r, last]
            for y in range(width):
                score, origin = reached + transitions[last, y], last * n_best + r
                for j in range(n_best):  # put it where it belongs; lower ones move down
                    is_better = score > after[j, y]
                    lower = after[j, y] if is_better else score
                    lower_origin = origins[j, y] if is_better else origin
                    after[j, y] = score if is_better else after[j, y]
                    origins[j, y] = origin if is_better else origins[j, y]
                    score, origin = lower, lower_origin


@jit
def forward_in_logs(scores: np.ndarray, between: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return log alpha, shape (n, K), and log c, shape (n,), whose sum is log Z.

    ``scores``, shape (n, K), are those of words, ``between``, shape (K, K), of transitions.
    """
    alpha, scales, before = scores.copy(), np.empty(len(scores)), np.zeros(len(between))
    for i in range(len(scores)):
        if i:
            log_sum_step(alpha[i - 1], between, before)
        for y in range(len(before)):
            alpha[i, y] += before[y]
        scales[i] = log_sum(alpha[i])
        for y in range(len(before)):
            alpha[i, y] -= scales[i]
    return alpha, scales


@jit
def forward_backward_in_logs(
    filled: np.ndarray, marginals: np.ndarray, transitions: Transitions, pairs: PairSums
) -> float:
    """Fill in the marginals of one sentence, shape (n, L), add to pairs, and return log Z.

    ``filled``, shape (n, L), are the scores of words.
    """
    n_tags = len(transitions.scores) - 1
    between, scores = transitions.scores[:n_tags, :n_tags].copy(), filled[:, :n_tags].copy()
    (alpha, scales), backward = forward_in_logs(scores, between), between.T.copy()
    beta, ahead, marginals[:] = np.zeros_like(scores), np.empty(n_tags), 0.0
    for i in range(len(scores) - 1, 0, -1):
        for y in range(n_tags):
            ahead[y] = scores[i, y] + beta[i, y]
        log_sum_step(ahead, backward, beta[i - 1])
        for y in range(n_tags):
            beta[i - 1, y] -= scales[i]
    for i in range(len(scores)):
        for y in range(n_tags):
            marginals[i, y] = math.exp(max(alpha[i, y] + beta[i, y], _LOWEST))
            on = scores[i, y] + beta[i, y] - scales[i]
            for last in range(n_tags if i else 0):
                p = math.exp(max(alpha[i - 1, last] + between[last, y] + on, _LOWEST))
                if len(pairs.expected):
                    pairs.expected[last, y] += p
                if len(pairs.variances):
                    pairs.variances[last, y] += p * (1 - p)
    return scales.sum()
