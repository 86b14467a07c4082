"""Hessian-vector products of a linear chain: formula and compiled loops.

H v is how expected counts change as the weights move along v. If thereby the scores of word i
move by m_i(y) and transitions by M(y', y), it is the derivative of ``forward_backward`` along
(m, M), taken with it, in the same letters; d is the derivative with the scales c held fixed:

    d alpha_1     = alpha_1 m_1
    d alpha_i(y)  = psi_i(y) / c_i * sum over y' of (d alpha_{i-1}(y') + alpha_{i-1}(y') M(y', y))
                    * Phi(y', y) + alpha_i(y) m_i(y)
    d rho_i       = psi_i / c_i * (d beta_i + beta_i m_i)
    d beta_{i-1}(y') = sum over y of Phi(y', y) (d rho_i(y) + M(y', y) rho_i(y))
    d beta_n      = - beta_n * sum over y of d alpha_n(y)       the derivative of 1 / Z
    d P(y_i = y)  = d alpha_i(y) beta_i(y) + alpha_i(y) d beta_i(y)
    d P(y', y)    = Phi (d alpha_{i-1} rho_i + alpha_{i-1} d rho_i) + M P(y', y)

A word whose label is certain says nothing of the one side of a sentence to the other: it is
enough to go through the stretches between such words, those at their ends included.

Source
------
Pearlmutter (1994), exact multiplication by the Hessian.
"""

from typing import NamedTuple

import numpy as np

from workbench.inference.chain.batches import Stretches, batch_size, make_batch
from workbench.inference.chain.forward_backward import (
    Lattice,
    add_to,
    allocate,
    multiply_cells,
    take_words,
)
from workbench.inference.chain.scores import CellValues, ChainScores, add_to_cells, fill_scores
from workbench.numerics.jit import jit


class TransitionMoves(NamedTuple):
    """Factors of transitions and their derivatives, all of shape (L, L)."""

    forward: np.ndarray  # Phi
    moved: np.ndarray  # Phi * M
    backward: np.ndarray  # the transpose of forward
    moved_back: np.ndarray  # and of moved


@jit
def list_words(stretches: Stretches, width: int) -> np.ndarray:
    """Return the words of stretches in the order of batches; int64, shape (n,)."""
    order, first, row = np.empty(stretches.lengths.sum(), np.int64), np.int64(0), 0
    while first < len(stretches.starts):
        batch = make_batch(stretches, first, batch_size(stretches.lengths, first, width))
        for s in range(len(batch.starts)):
            for i in range(batch.lengths[s]):
                order[row + batch.blocks[i] + s] = batch.starts[s] + i
        first, row = first + len(batch.starts), row + batch.blocks[-1]
    return order


@jit
def sum_pairs(stretches: Stretches, lattice: Lattice, pairs: np.ndarray) -> None:
    """Add alpha_{i-1} times rho_i of the pairs in stretches, shape (L, L)."""
    rho, alpha = np.empty_like(lattice.psi), lattice.alpha
    multiply_cells(lattice.psi, lattice.beta, rho)
    product, first, row = np.empty_like(pairs), np.int64(0), 0
    while first < len(stretches.starts):
        n = batch_size(stretches.lengths, first, pairs.shape[1])
        blocks = row + make_batch(stretches, first, n).blocks
        for i in range(1, len(blocks) - 1):
            a, end = blocks[i], blocks[i + 1]
            np.dot(alpha[blocks[i - 1] : blocks[i - 1] + end - a].T, rho[a:end], out=product)
            add_to(pairs, product)
        first, row = first + n, blocks[-1]


@jit
def _step_forward(d_alpha, moved, psi, alpha, moves):
    """Make d alpha of the two sums over the label before; all of shape (n, L)."""
    a, b, c = d_alpha.reshape(-1), moved.reshape(-1), psi.reshape(-1)
    d, e = alpha.reshape(-1), moves.reshape(-1)
    for j in range(len(a)):
        a[j] = (a[j] + b[j]) * c[j] + d[j] * e[j]


@jit
def _go_forward(blocks, transitions, lattice, moves, d_alpha):
    """Fill d alpha, shape (n, L)."""
    psi, alpha, n_first = lattice.psi, lattice.alpha, blocks[1]
    moved = np.empty_like(moves[:n_first])
    multiply_cells(alpha[:n_first], moves[:n_first], d_alpha[:n_first])
    for i in range(1, len(blocks) - 1):
        a, end, last = blocks[i], blocks[i + 1], blocks[i - 1]
        n = end - a
        np.dot(d_alpha[last : last + n], transitions.forward, out=d_alpha[a:end])
        np.dot(alpha[last : last + n], transitions.moved, out=moved[:n])
        _step_forward(d_alpha[a:end], moved[:n], psi[a:end], alpha[a:end], moves[a:end])


@jit
def _start_backward(batch, beta, d_alpha, d_beta):
    """Fill d beta, shape (n, L), at the end of each stretch."""
    for s in range(len(batch.lengths)):
        row, mean = batch.blocks[batch.lengths[s] - 1] + s, 0.0
        for k in range(beta.shape[1]):
            mean += d_alpha[row, k] * beta[row, k]
        for k in range(beta.shape[1]):
            d_beta[row, k] = -mean * beta[row, k]


@jit
def _fill_rho(psi, beta, d_beta, moves, rho, d_rho):
    """Fill rho and d rho; all of shape (n, L)."""
    a, b, c = psi.reshape(-1), beta.reshape(-1), d_beta.reshape(-1)
    d, e, f = moves.reshape(-1), rho.reshape(-1), d_rho.reshape(-1)
    for j in range(len(a)):
        e[j] = a[j] * b[j]
        f[j] = a[j] * (c[j] + b[j] * d[j])


@jit
def _go_backward(blocks, transitions, lattice, moves, d_alpha, d_beta, pairs):
    """Fill d beta, and add d alpha times rho and alpha times d rho to pairs, shape (L, L)."""
    psi, alpha, beta = lattice
    rho, d_rho = np.empty_like(beta[: blocks[1]]), np.empty_like(beta[: blocks[1]])
    moved, product = np.empty_like(rho), np.empty_like(pairs)
    for i in range(len(blocks) - 2, 0, -1):
        own = slice(blocks[i], blocks[i + 1])
        n = blocks[i + 1] - blocks[i]
        before = slice(blocks[i - 1], blocks[i - 1] + n)
        _fill_rho(psi[own], beta[own], d_beta[own], moves[own], rho[:n], d_rho[:n])
        np.dot(d_rho[:n], transitions.backward, out=d_beta[before])
        np.dot(rho[:n], transitions.moved_back, out=moved[:n])
        add_to(d_beta[before], moved[:n])
        np.dot(d_alpha[before].T, rho[:n], out=product)
        add_to(pairs, product)
        np.dot(alpha[before].T, d_rho[:n], out=product)
        add_to(pairs, product)


@jit
def _fill_marginals(lattice, d_alpha, d_beta, d_marginals):
    """Fill the derivatives of marginals, shape (n, L)."""
    a, b, c = lattice.alpha.reshape(-1), lattice.beta.reshape(-1), d_marginals.reshape(-1)
    d, e = d_alpha.reshape(-1), d_beta.reshape(-1)
    for j in range(len(c)):
        c[j] = d[j] * b[j] + a[j] * e[j]


@jit
def chain_hessian_vector_product(
    stretches: Stretches, lattice: Lattice,
    transitions: TransitionMoves, moves: ChainScores, product: CellValues,
) -> np.ndarray:  # fmt: skip
    """Add to cells, ``product``, the derivatives of their expected counts.

    Of transitions those before the first word alone: of the others d P(y', y), but for
    M P(y', y), is returned, shape (L, L), yet to be multiplied by Phi. ``moves`` says by how
    much the scores of cells move; the lattice is of the stretches, in the order of batches.
    """
    pairs, first, row = np.zeros_like(transitions.forward), np.int64(0), 0
    room, width = allocate(stretches.lengths, len(pairs))[0], len(pairs)
    while first < len(stretches.starts):
        n = batch_size(stretches.lengths, first, width)
        batch = make_batch(stretches, first, n)
        end = row + batch.blocks[-1]
        own = take_words(lattice, row, end)
        d_scores, d_alpha, d_beta = take_words(room, 0, end - row)
        fill_scores(moves, batch, d_scores)
        _go_forward(batch.blocks, transitions, own, d_scores, d_alpha)
        _start_backward(batch, own.beta, d_alpha, d_beta)
        _go_backward(batch.blocks, transitions, own, d_scores, d_alpha, d_beta, pairs)
        _fill_marginals(own, d_alpha, d_beta, d_scores)
        add_to_cells(d_scores, moves.words, batch, product)
        first, row = first + n, end
    return pairs
