"""Arguments for the compiled functions of candidate sets; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates import candidate_sums

F = 7


def make_columns(rng, n):
    """Columns of n sentences with one to four candidates, and the number of candidates."""
    sizes, n_columns = rng.integers(1, 5, n), rng.integers(0, 6, n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    column_starts = np.concatenate([[0], np.cumsum(n_columns)])
    of_column = np.repeat(sizes, n_columns)
    lengths = rng.integers(1, of_column + 1) if n else np.zeros(0, int)
    candidates = [rng.permutation(size)[:k] for size, k in zip(of_column, lengths, strict=True)]
    candidates = np.concatenate([np.zeros(0), *candidates]).astype(np.int32)
    return SentenceColumns(
        starts, column_starts, rng.integers(0, F, len(of_column)).astype(np.int32),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), candidates,
        rng.normal(size=len(candidates)).astype(np.float32),
    ), starts[-1]  # fmt: skip


@case(candidate_sums.sum_sentences)
def sum_sentences(rng, n, n_tags):
    columns, size = make_columns(rng, n)
    offsets, shares, p = rng.random((3, size))
    return [rng.normal(size=F), columns, offsets, shares, p, np.ones(F)]


@case(candidate_sums.sum_sentences)
def sum_sentences_without_gradient(rng, n, n_tags):
    return [*sum_sentences(rng, n, n_tags)[:-1], np.zeros(0)]


@case(candidate_sums.add_curvature)
def add_curvature(rng, n, n_tags):
    columns, size = make_columns(rng, n)
    return [columns, rng.random(size), np.ones(F)]


@case(candidate_sums.add_hessian_product)
def add_hessian_product(rng, n, n_tags):
    columns, size = make_columns(rng, n)
    return [rng.normal(size=F), columns, rng.random(size), np.zeros(size), np.ones(F)]


@case(candidate_sums._score_columns)
def score_columns(rng, n, n_tags):
    columns, _ = make_columns(rng, max(n, 1))
    stop = columns.column_starts[1]
    packed = columns.features[:stop], columns.entry_starts[: stop + 1]
    return [rng.normal(size=F), *packed, columns.candidates, columns.values, np.zeros(5)]


@case(candidate_sums._normalize)
def normalize(rng, n, n_tags):
    return [rng.normal(size=n + 1)]
