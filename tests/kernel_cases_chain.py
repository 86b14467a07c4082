"""Arguments for the compiled functions of linear chains; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.inference.chain import (
    batches,
    chain_hessian_products,
    chain_sums,
    chain_viterbi,
    forward_backward,
    semiring,
)
from workbench.scoring import chain_cell_sums as cell_sums
from workbench.scoring import chain_word_sums as word_sums
from workbench.scoring.chain_cells import pad_labels

ROWS, RUNS = 6, 3  # rows of the table but the transitions; runs of single cells


# --- a chain: words and what they sum, scores, sentences ----------------------------------


def _edges(rng, n, most):
    return np.concatenate([[0], np.cumsum(rng.integers(0, most + 1, n))]).astype(np.int32)


def _words(rng, n, n_tags):
    """Each word sums up to five rows and up to two runs."""
    row_edges, run_edges = _edges(rng, n, 5), _edges(rng, n, 2)
    sizes = rng.integers(1, n_tags + 1, RUNS).astype(np.uint8)
    ends = np.cumsum(sizes).astype(np.int32)
    labels = [np.sort(rng.choice(n_tags, size, replace=False)) for size in sizes]
    rows, runs = rng.integers(0, ROWS, row_edges[-1]), rng.integers(0, RUNS, run_edges[-1])
    return cell_sums.WordCells(
        row_edges, rows.astype(np.int32), run_edges, (ends - sizes)[runs], sizes[runs],
        np.concatenate(labels).astype(np.int8),
    )  # fmt: skip


def _scores(rng, n, n_tags):
    words, padding = _words(rng, n, n_tags), pad_labels(n_tags)
    table = np.zeros((ROWS + n_tags + 1, len(padding)))
    table[:, :n_tags] = rng.normal(size=(len(table), n_tags))
    singles = rng.normal(size=len(words.labels))
    return word_sums.ChainScores(words, table, singles, padding)


def _stretches(rng, n, n_tags=0):
    """Stretches that have n words in all, of up to nine words."""
    starts = np.array(sorted({0, *rng.integers(0, n, n // 4), *range(0, n, 9)} if n else ()), int)
    lengths = np.diff([*starts, n])[: len(starts)]
    order = np.argsort(-lengths, kind="stable")
    begins = rng.random(len(starts)) < 0.7
    return batches.Stretches(starts[order], lengths[order], begins)


def _chain(rng, n, n_tags):
    return [_scores(rng, n, n_tags), _stretches(rng, n)]


def _batch(rng, n, n_tags):
    """A batch of at least one word, and scores."""
    scores, stretches = _chain(rng, max(n, 1), n_tags)
    return batches.make_batch(stretches, 0, len(stretches.starts)), scores


def _filled(rng, n, n_tags):
    """A batch whose scores are filled in: what ``forward_backward`` takes."""
    batch, scores = _batch(rng, n, n_tags)
    rows = np.zeros((4, batch.blocks[-1], len(scores.padding)))
    word_sums.fill_scores(scores, batch, rows[0])
    word_sums.subtract_highest(rows[0], scores.padding)
    transitions = forward_backward.find_transitions(scores.table, scores.padding)
    sums = forward_backward.Lattice(*rows[:3]), rows[3]
    return [*sums, batch, transitions, scores.padding, _pairs(rng, len(scores.padding))]


def _pairs(rng, width):
    return forward_backward.PairSums(*rng.random((4, width, width)))


def _summed(rng, n, n_tags):
    """A batch that has been summed: itself, transitions, lattice, sums over pairs."""
    arguments = _filled(rng, n, n_tags)
    lattice, _, batch, transitions, _, pairs = arguments
    forward_backward.forward_backward(*arguments)
    return batch, transitions, lattice, pairs


def _zeros(scores):
    return cell_sums.CellValues(np.zeros_like(scores.table), np.zeros_like(scores.singles))


# --- scoring ------------------------------------------------------------------------------


def _storage(rng, n, n_tags):
    """Nine predicates with random weights, n rows that fire two each, stored in all ways."""
    exists = rng.random((9, n_tags)) < 0.5
    first = np.concatenate([[0], np.cumsum(exists.sum(axis=1))]).astype(np.int32)
    fired = rng.integers(0, 9, 2 * n).astype(np.int32)
    edges, labels = np.arange(n + 1, dtype=np.int32) * 2, np.nonzero(exists)[1].astype(np.int8)
    own = exists[fired].reshape(n, 2, n_tags).any(axis=1)
    kind = np.where(own.any(axis=1), rng.integers(0, 2, n), 2)  # of the table, single, none
    places = np.where(kind == 0, np.cumsum(kind == 0) - 1, -1)
    places = np.where(kind == 1, -1 - np.cumsum(kind == 1), places).astype(np.int32)
    starts = np.concatenate([[0, 0], np.cumsum(own[kind == 1].sum(axis=1))]).astype(np.int32)
    storage = cell_sums.Storage(places, starts, np.nonzero(own[kind == 1])[1].astype(np.int8))
    values = np.zeros((np.sum(kind == 0), n_tags)), np.zeros(starts[-1])
    return (cell_sums.Firing(edges, fired, first, labels), storage, cell_sums.CellValues(*values))


def _weights_of_rows(firing, n_tags):
    """Which weights each cell of all rows sums; shape (n_rows, K, F)."""
    f = np.arange(len(firing.labels))
    predicate = np.searchsorted(firing.first, f, side="right") - 1
    sums = np.zeros((len(firing.edges) - 1, n_tags, len(f)))
    for row, (a, b) in enumerate(zip(firing.edges[:-1], firing.edges[1:], strict=True)):
        for p in firing.predicates[a:b]:
            sums[row, firing.labels[predicate == p], f[predicate == p]] += 1
    return sums


def _find_single(storage):
    rows = np.flatnonzero(storage.places < -1)
    return np.repeat(rows, np.diff(storage.starts)[1:]), storage.labels


def _plain_fill(firing, storage, weights, scores):
    dense = _weights_of_rows(firing, scores.table.shape[1]) @ weights
    scores.table[:] = dense[storage.places >= 0]
    scores.singles[:] = dense[_find_single(storage)]


def _plain_gather(firing, storage, values, sums):
    ways = _weights_of_rows(firing, values.table.shape[1])
    dense = np.zeros(ways.shape[:2])
    dense[storage.places >= 0] = values.table
    dense[_find_single(storage)] = values.singles
    sums += np.einsum("ry,ryf->f", dense, ways)


@case(cell_sums.fill_cells, plain=_plain_fill)
def _fill_cells(rng, n, n_tags):
    firing, storage, values = _storage(rng, n, n_tags)
    return [firing, storage, rng.normal(size=len(firing.labels)), values]


@case(cell_sums.gather_cells, plain=_plain_gather)
def _gather_cells(rng, n, n_tags):
    firing, storage, values = _storage(rng, n, n_tags)
    filled = cell_sums.CellValues(*(rng.normal(size=v.shape) for v in values))
    return [firing, storage, filled, rng.normal(size=len(firing.labels))]


def _cells_of_words(words, scores):
    """Number of times that each word sums each cell; (N, table cells) and (N, single cells)."""
    n = len(words.row_edges) - 1
    of_table, of_singles = np.zeros((n, len(scores.table))), np.zeros((n, len(scores.singles)))
    for i in range(n):
        for row in words.rows[words.row_edges[i] : words.row_edges[i + 1]]:
            of_table[i, row] += 1
        for j in range(words.run_edges[i], words.run_edges[i + 1]):
            of_singles[i, words.runs[j] : words.runs[j] + words.sizes[j]] += 1
    return of_table, of_singles


def _places(batch):
    """(row, word) of all words of a batch, and the rows of those where sentences begin."""
    found = [
        (batch.blocks[i] + s, batch.starts[s] + i)
        for s in range(len(batch.starts))
        for i in range(batch.lengths[s])
    ]
    return np.array(found).T, np.flatnonzero(batch.begins)


def _plain_scores(scores, batch, filled):
    of_table, of_singles = _cells_of_words(scores.words, scores)
    by_label = np.zeros((len(scores.singles), len(scores.padding)))
    by_label[np.arange(len(by_label)), scores.words.labels] = scores.singles
    (rows, own), begins = _places(batch)
    filled[rows] = (of_table @ scores.table + of_singles @ by_label)[own]
    filled[begins] += scores.table[-1]


def _plain_add(values, words, batch, sums):
    of_table, of_singles = _cells_of_words(words, sums)
    (rows, own), begins = _places(batch)
    sums.table[:] += of_table[own].T @ values[rows]
    by_label = of_singles[own].T @ values[rows]
    sums.singles[:] += by_label[np.arange(len(by_label)), words.labels]
    sums.table[-1] += values[begins].sum(axis=0)


def _plain_subtract(scores, padding):
    n_tags = padding.count(0.0)
    spread = np.ptp(scores[:, :n_tags], axis=1).max()
    scores += padding - scores[:, :n_tags].max(axis=1, keepdims=True)
    return spread


@case(word_sums.fill_scores, plain=_plain_scores)
def _fill_scores(rng, n, n_tags):
    batch, scores = _batch(rng, n, n_tags)
    return [scores, batch, np.ones((batch.blocks[-1], len(scores.padding)))]


@case(word_sums.add_to_cells, plain=_plain_add)
def _add_to_cells(rng, n, n_tags):
    batch, scores = _batch(rng, n, n_tags)
    values = rng.random((batch.blocks[-1], len(scores.padding)))
    return [values, scores.words, batch, _zeros(scores)]


@case(word_sums.subtract_highest, plain=_plain_subtract)
def _subtract_highest(rng, n, n_tags):
    return [rng.normal(size=(n + 1, len(pad_labels(n_tags)))), pad_labels(n_tags)]


@case(word_sums.count_labels, plain=lambda padding: padding.count(0.0))
def _count_labels(rng, n, n_tags):
    return [pad_labels(n_tags)]


@case(word_sums.transition_rows, plain=lambda table, padding: table[-padding.count(0.0) - 1 :])
def _transition_rows(rng, n, n_tags):
    return [rng.normal(size=(n + n_tags + 1, 8)), pad_labels(n_tags)]


# --- batches ------------------------------------------------------------------------------


@case(batches.batch_size)
def _batch_size(rng, n, n_tags):
    lengths = np.sort(rng.integers(1, 1 << 16, n + 1))[::-1].copy()
    return [lengths, n // 2, 8]


@case(batches.most_words)
def _most_words(rng, n, n_tags):
    return [np.sort(rng.integers(1, 99, n))[::-1].copy(), 8]


@case(batches.make_batch)
def _make_batch(rng, n, n_tags):
    stretches = _stretches(rng, n + 1)
    first = len(stretches.starts) // 2
    return [stretches, first, len(stretches.starts) - first]


@case(batches.next_batch)
def _next_batch(rng, n, n_tags, max_spread=1e9):
    filled = np.zeros((n + 1, len(pad_labels(n_tags))))
    return [*_chain(rng, n + 1, n_tags), 0, max_spread, filled]


@case(batches.next_batch)
def _next_batch_out_of_range(rng, n, n_tags):
    return _next_batch(rng, n, n_tags, max_spread=1.0)


# --- forward and backward -----------------------------------------------------------------


@case(forward_backward.find_transitions)
def _find_transitions(rng, n, n_tags):
    return [_scores(rng, n, n_tags).table, pad_labels(n_tags)]


@case(forward_backward.allocate)
def _allocate(rng, n, n_tags):
    return [_stretches(rng, n).lengths, len(pad_labels(n_tags))]


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
    lattice, _, batch, transitions, padding, _ = _filled(rng, n, n_tags)
    np.exp(lattice.psi, out=lattice.psi)
    return [batch.blocks, transitions.forward, padding, lattice, np.zeros(len(lattice.psi))]


@case(forward_backward._go_backward)
def _go_backward(rng, n, n_tags):
    batch, transitions, lattice, pairs = _summed(rng, n, n_tags)
    return [batch.blocks, transitions.backward, lattice, pairs]


@case(forward_backward.forward_backward)
def _forward_backward(rng, n, n_tags):
    return _filled(rng, n, n_tags)


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
    lattice, marginals, _, transitions, _, pairs = _filled(rng, n, n_tags)
    return [lattice.psi, marginals, transitions, pairs]


# --- sums, marginals, best paths ----------------------------------------------------------


@case(chain_sums._score_labels)
def _score_labels(rng, n, n_tags):
    lattice, _, batch, transitions, *_ = _filled(rng, n, n_tags)
    tags = rng.integers(0, n_tags, len(lattice.psi)).astype(np.int8)
    return [lattice.psi, batch, tags, transitions.scores]


@case(chain_sums.sum_batch)
def _sum_batch(rng, n, n_tags, is_in_range=True):
    lattice, marginals, batch, *others = _filled(rng, n, n_tags)
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
    scores, width = _scores(rng, n, n_tags), len(pad_labels(n_tags))
    sums = _zeros(scores), _zeros(scores)
    return [_pairs(rng, width), rng.random((width, width)), scores.padding, *sums]


def _expansion(n, width):
    lattice = forward_backward.Lattice(*np.zeros((3, n, width)))
    return chain_sums.Expansion(lattice, np.zeros(n, np.int64), np.zeros(n))


@case(chain_sums._keep_words)
def _keep_words(rng, n, n_tags):
    batch, _, lattice, _ = _summed(rng, n, n_tags)
    return [batch, 3, rng.random(lattice.psi.shape), _expansion(*lattice.psi.shape)]


@case(chain_sums.sum_chains)
def _sum_chains(rng, n, n_tags, n_kept=0):
    scores, sentences = _chain(rng, n, n_tags)
    tags = rng.integers(0, n_tags, n).astype(np.int8)
    kept = _expansion(n_kept, len(scores.padding))
    return [scores, tags, sentences, _zeros(scores), _zeros(scores), kept]


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
    return [*_chain(rng, n, n_tags), np.zeros((n, n_tags))]


@case(chain_viterbi.fill_best_paths)
def _fill_best_path(rng, n, n_tags, k=1):
    paths = np.zeros((k, n), np.int8), np.zeros((k, n))
    return [*_chain(rng, n, n_tags), (0.0,) * k, *paths]


@case(chain_viterbi.fill_best_paths)
def _fill_best_paths(rng, n, n_tags):
    return _fill_best_path(rng, n, n_tags, k=4)


@case(chain_viterbi.fill_log_normalizers)
def _fill_log_normalizers(rng, n, n_tags):
    return [*_chain(rng, n, n_tags), np.zeros(n)]


# --- products with the Hessian ------------------------------------------------------------


def _known(rng, n, n_tags):
    """A batch that has been summed, as products with the Hessian know it."""
    batch, transitions, lattice, _ = _summed(rng, n, n_tags)
    moved = rng.normal(size=transitions.forward.shape) * transitions.forward
    both = transitions.forward, moved
    return (
        batch,
        lattice,
        chain_hessian_products.TransitionMoves(*both, *(m.T.copy() for m in both)),
    )


@case(chain_hessian_products.list_words)
def _list_words(rng, n, n_tags):
    return [_stretches(rng, n), 8]


@case(chain_hessian_products.sum_pairs)
def _sum_pairs(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    return [batches.Stretches(*batch[:3]), lattice, np.zeros_like(moves.forward)]


def _plain_step(d_alpha, moved, psi, alpha, moves):
    d_alpha[:] = (d_alpha + moved) * psi + alpha * moves


@case(chain_hessian_products._step_forward, plain=_plain_step)
def _step_forward(rng, n, n_tags):
    return list(rng.normal(size=(5, n, n_tags)))


@case(chain_hessian_products._go_forward)
def _go_forward_along(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    return [batch.blocks, moves, lattice, *rng.normal(size=(2, *lattice.psi.shape))]


@case(chain_hessian_products._start_backward)
def _start_backward(rng, n, n_tags):
    batch, lattice, _ = _known(rng, n, n_tags)
    return [batch, lattice.beta, *rng.normal(size=(2, *lattice.beta.shape))]


def _plain_rho(psi, beta, d_beta, moves, rho, d_rho):
    rho[:] = psi * beta
    d_rho[:] = psi * (d_beta + beta * moves)


@case(chain_hessian_products._fill_rho, plain=_plain_rho)
def _fill_rho(rng, n, n_tags):
    return list(rng.normal(size=(6, n, n_tags)))


@case(chain_hessian_products._go_backward)
def _go_backward_along(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    derivatives = rng.normal(size=(3, *lattice.psi.shape))
    return [batch.blocks, moves, lattice, *derivatives, np.zeros_like(moves.forward)]


def _plain_add_cells(x, y):
    y += x


@case(chain_hessian_products._add_cells, plain=_plain_add_cells)
def _add_cells(rng, n, n_tags):
    return list(rng.normal(size=(2, n, n_tags)))


def _plain_fill_marginals(lattice, d_alpha, d_beta, d_marginals):
    d_marginals[:] = d_alpha * lattice.beta + lattice.alpha * d_beta


@case(chain_hessian_products._fill_marginals, plain=_plain_fill_marginals)
def _fill_marginals(rng, n, n_tags):
    _, lattice, _ = _known(rng, n, n_tags)
    return [lattice, *rng.normal(size=(3, *lattice.psi.shape))]


@case(chain_hessian_products.chain_hessian_vector_product)
def _chain_hessian_vector_product(rng, n, n_tags):
    batch, lattice, moves = _known(rng, n, n_tags)
    scores = _scores(rng, max(n, 1), n_tags)
    return [batches.Stretches(*batch[:3]), lattice, moves, scores, _zeros(scores)]
