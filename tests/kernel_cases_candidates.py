"""Arguments for the compiled functions of candidate sets; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates import (
    candidate_sums,
    column_packing,
    column_patterns,
    dual_steps,
)

F = 7


def make_columns(rng, n):
    """Columns of n sentences with one to four candidates, and the number of candidates."""
    sizes, n_columns = rng.integers(1, 5, n), rng.integers(0, 6, n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    column_starts = np.concatenate([[0], np.cumsum(n_columns)])
    n_patterns = np.where(n_columns, rng.integers(1, np.maximum(n_columns, 1) + 1), 0)
    lengths = rng.integers(0, 6, n) * (n_columns > 0)

    def draw(below, counts):
        drawn = [rng.integers(0, most, k) for most, k in zip(below, counts, strict=True) if k]
        return np.concatenate([np.zeros(0), *drawn]).astype(np.uint16)

    values = rng.normal(size=lengths.sum()).astype(np.float32)
    return SentenceColumns(
        starts, column_starts, rng.integers(0, F, column_starts[-1]).astype(np.uint32),
        draw(n_patterns, n_columns), np.concatenate([[0], np.cumsum(n_patterns)]),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        draw(n_patterns, lengths), draw(sizes, lengths), values,
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


@case(candidate_sums._take)
def take(rng, n, n_tags):
    return [make_columns(rng, n + 1)[0], 0]


@case(candidate_sums._widest)
def widest(rng, n, n_tags):
    return [make_columns(rng, n)[0].column_starts]


@case(candidate_sums._spread)
def spread(rng, n, n_tags):
    sentence = candidate_sums._take.py_func(make_columns(rng, n + 1)[0], n)
    return [rng.normal(size=F), sentence, np.empty(6), np.zeros(4)]


@case(candidate_sums._gather)
def gather(rng, n, n_tags):
    sentence = candidate_sums._take.py_func(make_columns(rng, n + 1)[0], n)
    return [rng.normal(size=4), sentence, np.zeros(6), np.ones(F)]


@case(candidate_sums._normalize)
def normalize(rng, n, n_tags):
    return [rng.normal(size=n + 1)]


def make_rows(rng, n):
    """Sentences of one to three candidates as rows, and what their columns are filled into."""
    sizes = rng.integers(1, 4, n)
    lengths = rng.integers(0, 5, sizes.sum())
    features = [rng.permutation(F)[:k] for k in lengths]
    features = np.concatenate([np.zeros(0), *features]).astype(np.int32)
    size = len(features)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    values = rng.integers(-1, 3, size).astype(np.float32)
    rows = column_patterns.Rows(features, values, starts, np.concatenate([[0], np.cumsum(sizes)]))
    columns = SentenceColumns(
        rows.sentence_starts, np.zeros(n + 1, np.int64), np.zeros(size, np.uint32),
        np.zeros(size, np.uint16), *np.zeros((2, n + 1), np.int64),
        *np.zeros((2, size), np.uint16), np.zeros(size, np.float32),
    )  # fmt: skip
    found = column_patterns.make_scratch(size, 3, F)
    for scratch in found[1:]:
        scratch[:] = 0
    return rows, columns, found


@case(column_packing.fill_columns)
def fill_columns(rng, n, n_tags):
    return list(make_rows(rng, n))


@case(column_patterns.find_columns)
def find_columns(rng, n, n_tags):
    rows, _, found = make_rows(rng, n + 1)
    return [rows, 0, rows.sentence_starts[1], found]


def found_columns(rng, n, *steps):
    """Columns to fill, how many there are in the first sentence, its size, what is found of it."""
    rows, columns, found = make_rows(rng, n + 1)
    size = rows.sentence_starts[1]
    n_columns = column_patterns.find_columns.py_func(rows, 0, size, found)
    for step in steps:
        step.py_func(n_columns, size, found)
    return columns, n_columns, size, found


@case(column_patterns.subtract_common)
def subtract_common(rng, n, n_tags):
    return list(found_columns(rng, n)[1:])


@case(column_patterns.subtract_from_others)
def subtract_from_others(rng, n, n_tags):
    return list(found_columns(rng, n, *_STEPS[:1])[1:])


@case(column_patterns.count_bits)
def count_bits(rng, n, n_tags):
    return [np.uint64(rng.integers(0, 2**63))]


@case(column_patterns.find_patterns)
def find_patterns(rng, n, n_tags):
    return list(found_columns(rng, n, *_STEPS[:2])[1:])


@case(column_patterns._are_alike)
def are_alike(rng, n, n_tags):
    n_columns, _, found = found_columns(rng, n, *_STEPS[:2])[1:]
    return [0, max(n_columns - 1, 0), 1, found]


_STEPS = (
    column_patterns.subtract_common,
    column_patterns.subtract_from_others,
    column_patterns.find_patterns,
)


@case(column_packing._write_columns)
def write_columns(rng, n, n_tags):
    columns, n_columns, _, found = found_columns(rng, n, *_STEPS)
    return [columns, 0, n_columns, found]


@case(column_packing._write_entries)
def write_entries(rng, n, n_tags):
    columns, _, _, found = found_columns(rng, n, *_STEPS)
    return [columns, 0, found.patterns.max(initial=-1) + 1, found]


def make_duals(rng, size):
    """Shares of candidates, 0 among them, and their logarithms."""
    shares = np.maximum(rng.integers(0, 3, size) / 4, dual_steps.LEAST_SHARE)
    return dual_steps.Duals(shares, np.log(shares))


@case(dual_steps.step_through_sentences)
def step_through_sentences(rng, n, n_tags):
    columns, size = make_columns(rng, n)
    weights, sigma2 = rng.normal(size=F), rng.random(F)
    order = rng.permutation(n)
    return [order, weights, sigma2, columns, rng.normal(size=size), make_duals(rng, size)]


@case(dual_steps._aim)
def aim(rng, n, n_tags):
    return [make_duals(rng, n + 1), rng.normal(size=n + 1), np.zeros(n + 1)]


@case(dual_steps._project)
def project(rng, n, n_tags):
    sentence = candidate_sums._take.py_func(make_columns(rng, n + 1)[0], n)
    return [rng.normal(size=4), sentence, rng.random(F), np.zeros(6)]


@case(dual_steps._go)
def go(rng, n, n_tags):
    p = rng.dirichlet(np.ones(n + 1))
    duals = make_duals(rng, n + 1)
    duals.shares[:] /= duals.shares.sum()
    return [duals, np.log(p), p - duals.shares, 100.0, 0.5]
