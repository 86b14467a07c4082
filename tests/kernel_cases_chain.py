"""Cases for the compiled sums, best paths and Hessian products of a chain."""

import numpy as np
from chain_instances import (
    make_chain,
    make_filled,
    make_pairs,
    make_scores,
    make_stretches,
    make_summed,
    make_zeros,
)
from kernel_registry import case

from workbench.inference.chain import batches, best_paths, forward_backward, hessian
from workbench.inference.chain import forward_backward as semiring
from workbench.inference.chain import sums as chain_sums
from workbench.inference.chain import sums as local_curvature
from workbench.inference.chain.scores import Firing, WordWeights, pad_labels

# --- forward and backward -----------------------------------------------------------------


@case(forward_backward.find_transitions)
def _find_transitions(rng, n, n_tags):
    return [make_scores(rng, n, n_tags).table, pad_labels(n_tags)]


@case(forward_backward.allocate)
def _allocate(rng, n, n_tags):
    return [make_stretches(rng, n).lengths, len(pad_labels(n_tags))]


@case(forward_backward.take_words)
def _take_words(rng, n, n_tags):
    return [forward_backward.Lattice(*rng.normal(size=(3, n, 8))), n // 3, n // 2]


def _plain_multiply(x, y, product):
    product[:] = x * y


@case(forward_backward.multiply_cells, plain=_plain_multiply)
def _multiply_cells(rng, n, n_tags):
    return list(rng.normal(size=(3, n, n_tags)))


@case(forward_backward._scale)
def _scale(rng, n, n_tags):
    width = len(pad_labels(n_tags))
    return [*rng.random((2, n, width)), np.zeros(n), pad_labels(n_tags)]


@case(forward_backward._go_forward)
def _go_forward(rng, n, n_tags):
    lattice, _, batch, transitions, padding, _ = make_filled(rng, n, n_tags)
    np.exp(lattice.psi, out=lattice.psi)
    return [batch.blocks, transitions.forward, padding, lattice, np.zeros(len(lattice.psi))]


@case(forward_backward._go_backward)
def _go_backward(rng, n, n_tags):
    batch, transitions, lattice, pairs = make_summed(rng, n, n_tags)
    return [batch.blocks, transitions.backward, lattice, pairs]


@case(forward_backward.forward_backward)
def _forward_backward(rng, n, n_tags):
    return make_filled(rng, n, n_tags)


# --- semirings and the log domain ---------------------------------------------------------


@case(semiring.log_sum, plain=np.logaddexp.reduce)
def _log_sum(rng, n, n_tags):
    return [rng.normal(size=n_tags) * 10]


def _plain_log_sum_step(before, transitions, after):
    after[:] = np.logaddexp.reduce(before[:, None] + transitions, axis=0)


@case(semiring.log_sum_step, plain=_plain_log_sum_step)
def _log_sum_step(rng, n, n_tags):
    return [rng.normal(size=n_tags), rng.normal(size=(n_tags, n_tags)), np.zeros(n_tags)]


def _plain_k_max(before, transitions, ranks, padding, after, origins):
    n_tags, k = len(transitions) - 1, len(ranks)
    reached = before[:, :n_tags].T[:, :, None] + transitions[:n_tags, None]  # (y', r, y)
    reached = reached.reshape(n_tags * k, len(padding))
    origins[:] = np.argsort(-reached, axis=0, kind="stable")[:k]
    after[:] = np.take_along_axis(reached, origins, axis=0)


def _k_max(rng, n_tags, k):
    width = len(pad_labels(n_tags))
    before = -np.sort(-rng.normal(size=(k, width)), axis=0)
    given = before, rng.normal(size=(n_tags + 1, width)), (0.0,) * k, pad_labels(n_tags)
    return [*given, np.zeros((k, width)), np.zeros((k, width), np.int64)]


@case(semiring.k_max_step, plain=_plain_k_max)
def _max_step(rng, n, n_tags):
    return _k_max(rng, n_tags, 1)


@case(semiring.k_max_step, plain=_plain_k_max)
def _k_max_step(rng, n, n_tags):
    return _k_max(rng, n_tags, 4)


@case(semiring.forward_in_logs)
def _forward_in_logs(rng, n, n_tags):
    return [rng.normal(size=(n, n_tags)) * 9, rng.normal(size=(n_tags, n_tags)) * 9]


@case(semiring.forward_backward_in_logs)
def _forward_backward_in_logs(rng, n, n_tags):
    lattice, marginals, _, transitions, _, pairs = make_filled(rng, n, n_tags)
    return [lattice.psi, marginals, transitions, pairs]


# --- sums, marginals, best paths ----------------------------------------------------------


@case(chain_sums._score_labels)
def _score_labels(rng, n, n_tags):
    lattice, _, batch, transitions, *_ = make_filled(rng, n, n_tags)
    tags = rng.integers(0, n_tags, len(lattice.psi)).astype(np.int8)
    return [lattice.psi, batch, tags, transitions.scores]


@case(chain_sums.sum_batch)
def _sum_batch(rng, n, n_tags, is_in_range=True):
    lattice, marginals, batch, *others = make_filled(rng, n, n_tags)
    return [lattice, marginals, batch, is_in_range, *others]


@case(chain_sums.sum_batch)
def _sum_batch_in_logs(rng, n, n_tags):
    return _sum_batch(rng, n, n_tags, is_in_range=False)


def _plain_variances(p):
    p[:] = p * (1 - p)


@case(chain_sums.to_variances, plain=_plain_variances)
def _to_variances(rng, n, n_tags):
    return [rng.random((n, n_tags))]


@case(chain_sums._add_pairs)
def _add_pairs(rng, n, n_tags):
    scores, width = make_scores(rng, n, n_tags), len(pad_labels(n_tags))
    sums = make_zeros(scores), make_zeros(scores)
    return [make_pairs(rng, width), rng.random((width, width)), scores.padding, *sums]


def _expansion(n, width):
    lattice = forward_backward.Lattice(*np.zeros((3, n, width)))
    return chain_sums.Expansion(lattice, np.zeros(n, np.int64), np.zeros(n))


@case(chain_sums._keep_words)
def _keep_words(rng, n, n_tags):
    batch, _, lattice, _ = make_summed(rng, n, n_tags)
    return [batch, 3, rng.random(lattice.psi.shape), _expansion(*lattice.psi.shape)]


@case(chain_sums.sum_chains)
def _sum_chains(rng, n, n_tags, n_kept=0):
    scores, sentences = make_chain(rng, n, n_tags)
    tags = rng.integers(0, n_tags, n).astype(np.int8)
    kept = _expansion(n_kept, len(scores.padding))
    return [scores, tags, sentences, make_zeros(scores), make_zeros(scores), kept]


@case(chain_sums.sum_chains)
def _expand_chains(rng, n, n_tags):
    return _sum_chains(rng, n, n_tags, n_kept=n)


@case(chain_sums.sum_chains)
def _sum_wide_chains(rng, n, n_tags):
    """With scores that no double has as a factor."""
    scores, *others = _sum_chains(rng, n, n_tags)
    wide = scores._replace(table=scores.table * 300, singles=scores.singles * 300)
    return [wide, *others]


@case(chain_sums.fill_chain_marginals)
def _fill_chain_marginals(rng, n, n_tags):
    return [*make_chain(rng, n, n_tags), np.zeros((n, n_tags))]


@case(chain_sums._add_pairs_by_sentence)
def _add_pairs_by_sentence(rng, n, n_tags):
    batch, transitions, lattice, _ = make_summed(rng, n, n_tags)
    ids = rng.integers(0, 2, max([0, *(batch.starts + 1)]))
    return [batch, lattice, transitions.forward, ids, np.zeros((2, *transitions.forward.shape))]


@case(chain_sums.fill_expectations)
def _fill_expectations(rng, n, n_tags):
    scores, sentences = make_chain(rng, n, n_tags)
    ids, width = rng.integers(0, 3, n), len(scores.padding)
    return [scores, sentences, ids, np.zeros((n, n_tags)), np.zeros((3, width, width))]


@case(chain_sums.fill_expectations)
def _fill_wide_expectations(rng, n, n_tags):
    """With scores that no double has as a factor."""
    scores, *others = _fill_expectations(rng, n, n_tags)
    return [scores._replace(table=scores.table * 300, singles=scores.singles * 300), *others]


@case(best_paths.fill_best_paths)
def _fill_best_path(rng, n, n_tags, k=1):
    paths = np.zeros((k, n), np.int8), np.zeros((k, n))
    return [*make_chain(rng, n, n_tags), (0.0,) * k, *paths]


@case(best_paths.fill_best_paths)
def _fill_best_paths(rng, n, n_tags):
    return _fill_best_path(rng, n, n_tags, k=4)


@case(best_paths.fill_log_normalizers)
def _fill_log_normalizers(rng, n, n_tags):
    return [*make_chain(rng, n, n_tags), np.zeros(n)]


# --- products with the Hessian ------------------------------------------------------------


def _known(rng, n, n_tags):
    """A batch that has been summed, as products with the Hessian know it."""
    batch, transitions, lattice, _ = make_summed(rng, n, n_tags)
    moved = rng.normal(size=transitions.forward.shape) * transitions.forward
    both = transitions.forward, moved
    return (batch, lattice, hessian.TransitionMoves(*both, *(m.T.copy() for m in both)))


def _word_weights(rng, n, n_tags):
    """Words that sum rows; each row fires up to two of four predicates with all labels."""
    scores = make_scores(rng, n, n_tags)
    edges = np.arange(len(scores.table) + 1, dtype=np.int32) * 2
    predicates = rng.integers(0, 4, edges[-1]).astype(np.int32)
    first = np.arange(5, dtype=np.int32) * n_tags
    labels = np.tile(np.arange(n_tags), 4).astype(np.int8)
    rows = [rng.integers(0, len(scores.table), m) for m in (len(scores.table), 99)]
    firing = Firing(edges, predicates, first, labels)
    return WordWeights(scores.words, *(r.astype(np.int32) for r in rows), firing)


@case(local_curvature.add_local_curvature)
def _add_local_curvature(rng, n, n_tags):
    p = rng.dirichlet(np.ones(len(pad_labels(n_tags))), n)
    numbers = rng.permutation(np.r_[np.arange(4), np.full(4 * n_tags, -1)])[: 4 * n_tags]
    weights = _word_weights(rng, n, n_tags)
    return [np.arange(n), p, weights, numbers.astype(np.int32), np.zeros((4, 4))]


@case(local_curvature._list_uncertain)
def _list_uncertain(rng, n, n_tags):
    weights = _word_weights(rng, max(n, 1), n_tags)
    numbers, variances = np.arange(4 * n_tags, dtype=np.int32), rng.random(n_tags)
    return [0, weights, numbers, variances, np.zeros((40, 2), np.int64)]


@case(local_curvature._list_row)
def _list_row(rng, n, n_tags):
    firing, numbers = _word_weights(rng, n, n_tags).firing, np.arange(4 * n_tags, dtype=np.int32)
    return [1, firing, numbers, rng.random(n_tags), np.zeros((40, 2), np.int64), 3]


@case(hessian.list_words)
def _list_words(rng, n, n_tags):
    return [make_stretches(rng, n), 8]


@case(hessian.sum_pairs)
def _sum_pairs(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    return [batches.Stretches(*batch[:3]), lattice, np.zeros_like(moves.forward)]


def _plain_step(d_alpha, moved, psi, alpha, moves):
    d_alpha[:] = (d_alpha + moved) * psi + alpha * moves


@case(hessian._step_forward, plain=_plain_step)
def _step_forward(rng, n, n_tags):
    return list(rng.normal(size=(5, n, n_tags)))


@case(hessian._go_forward)
def _go_forward_along(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    return [batch.blocks, moves, lattice, *rng.normal(size=(2, *lattice.psi.shape))]


@case(hessian._start_backward)
def _start_backward(rng, n, n_tags):
    batch, lattice, _ = _known(rng, n, n_tags)
    return [batch, lattice.beta, *rng.normal(size=(2, *lattice.beta.shape))]


def _plain_rho(psi, beta, d_beta, moves, rho, d_rho):
    rho[:] = psi * beta
    d_rho[:] = psi * (d_beta + beta * moves)


@case(hessian._fill_rho, plain=_plain_rho)
def _fill_rho(rng, n, n_tags):
    return list(rng.normal(size=(6, n, n_tags)))


@case(hessian._go_backward)
def _go_backward_along(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    derivatives = rng.normal(size=(3, *lattice.psi.shape))
    return [batch.blocks, moves, lattice, *derivatives, np.zeros_like(moves.forward)]


def _plain_add_cells(x, y):
    y += x


@case(hessian._add_cells, plain=_plain_add_cells)
def _add_cells(rng, n, n_tags):
    return list(rng.normal(size=(2, n, n_tags)))


def _plain_fill_marginals(lattice, d_alpha, d_beta, d_marginals):
    d_marginals[:] = d_alpha * lattice.beta + lattice.alpha * d_beta


@case(hessian._fill_marginals, plain=_plain_fill_marginals)
def _fill_marginals(rng, n, n_tags):
    _, lattice, _ = _known(rng, n, n_tags)
    return [lattice, *rng.normal(size=(3, *lattice.psi.shape))]


@case(hessian.chain_hessian_vector_product)
def _chain_hessian_vector_product(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    scores = make_scores(rng, max(n, 1), n_tags)
    return [batches.Stretches(*batch[:3]), lattice, moves, scores, make_zeros(scores)]
