"""Chains of random words and scores that compiled functions are tried with."""

import numpy as np

from workbench.inference.chain import batches, forward_backward
from workbench.inference.chain import scores as cell_sums
from workbench.inference.chain import scores as word_sums
from workbench.inference.chain.scores import pad_labels

ROWS, RUNS = 6, 3  # rows of the table but the transitions; runs of single cells


def make_edges(rng, n, most):
    return np.concatenate([[0], np.cumsum(rng.integers(0, most + 1, n))]).astype(np.int32)


def make_words(rng, n, n_tags):
    """Each word sums up to five rows and up to two runs."""
    row_edges, run_edges = make_edges(rng, n, 5), make_edges(rng, n, 2)
    sizes = rng.integers(1, n_tags + 1, RUNS).astype(np.uint8)
    ends = np.cumsum(sizes).astype(np.int32)
    labels = [np.sort(rng.choice(n_tags, size, replace=False)) for size in sizes]
    rows, runs = rng.integers(0, ROWS, row_edges[-1]), rng.integers(0, RUNS, run_edges[-1])
    return cell_sums.WordCells(
        row_edges, rows.astype(np.int32), run_edges, (ends - sizes)[runs], sizes[runs],
        np.concatenate(labels).astype(np.int8),
    )  # fmt: skip


def make_scores(rng, n, n_tags):
    words, padding = make_words(rng, n, n_tags), pad_labels(n_tags)
    table = np.zeros((ROWS + n_tags + 1, len(padding)))
    table[:, :n_tags] = rng.normal(size=(len(table), n_tags))
    singles = rng.normal(size=len(words.labels))
    return word_sums.ChainScores(words, table, singles, padding)


def make_stretches(rng, n, n_tags=0):
    """Stretches that have n words in all, of up to nine words."""
    starts = np.array(sorted({0, *rng.integers(0, n, n // 4), *range(0, n, 9)} if n else ()), int)
    lengths = np.diff([*starts, n])[: len(starts)]
    order = np.argsort(-lengths, kind="stable")
    begins = rng.random(len(starts)) < 0.7
    return batches.Stretches(starts[order], lengths[order], begins)


def make_chain(rng, n, n_tags):
    return [make_scores(rng, n, n_tags), make_stretches(rng, n)]


def make_batch(rng, n, n_tags):
    """A batch of at least one word, and scores."""
    scores, stretches = make_chain(rng, max(n, 1), n_tags)
    return batches.make_batch(stretches, 0, len(stretches.starts)), scores


def make_filled(rng, n, n_tags):
    """A batch whose scores are filled in: what ``forward_backward`` takes."""
    batch, scores = make_batch(rng, n, n_tags)
    rows = np.zeros((4, batch.blocks[-1], len(scores.padding)))
    word_sums.fill_scores(scores, batch, rows[0])
    word_sums.subtract_highest(rows[0], scores.padding)
    transitions = forward_backward.find_transitions(scores.table, scores.padding)
    sums = forward_backward.Lattice(*rows[:3]), rows[3]
    return [*sums, batch, transitions, scores.padding, make_pairs(rng, len(scores.padding))]


def make_pairs(rng, width):
    return forward_backward.PairSums(*rng.random((4, width, width)))


def make_summed(rng, n, n_tags):
    """A batch that has been summed: itself, transitions, lattice, sums over pairs."""
    arguments = make_filled(rng, n, n_tags)
    lattice, _, batch, transitions, _, pairs = arguments
    forward_backward.forward_backward(*arguments)
    return batch, transitions, lattice, pairs


def make_zeros(scores):
    return cell_sums.CellValues(np.zeros_like(scores.table), np.zeros_like(scores.singles))
