"""Arguments for the compiled functions of candidate sets; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates import candidate_sums, column_packing

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
    rows = column_packing._Rows(features, values, starts, np.concatenate([[0], np.cumsum(sizes)]))
    columns = SentenceColumns(
        rows.sentence_starts, np.zeros(n + 1, np.int64), np.zeros(size, np.uint32),
        np.zeros(size, np.uint16), *np.zeros((2, n + 1), np.int64),
        *np.zeros((2, size), np.uint16), np.zeros(size, np.float32),
    )  # fmt: skip
    found, patterns = column_packing._make_scratch(size, F)
    for scratch in (*found[1:], *patterns):
        scratch[:] = 0
    return rows, columns, found, patterns


@case(column_packing.fill_columns)
def fill_columns(rng, n, n_tags):
    return list(make_rows(rng, n))


@case(column_packing._find_columns)
def find_columns(rng, n, n_tags):
    rows, _, found, _ = make_rows(rng, n + 1)
    return [rows, 0, rows.sentence_starts[1], found]


def found_columns(rng, n):
    rows, columns, found, _ = make_rows(rng, n + 1)
    end = rows.sentence_starts[1]
    return rows, columns, found, end, column_packing._find_columns.py_func(rows, 0, end, found)


@case(column_packing._place_columns)
def place_columns(rng, n, n_tags):
    _, columns, found, end, n_columns = found_columns(rng, n)
    return [columns, 0, n_columns, end, found]


@case(column_packing._fill_entries)
def fill_entries(rng, n, n_tags):
    rows, columns, found, end, n_columns = found_columns(rng, n)
    column_packing._place_columns.py_func(columns, 0, n_columns, end, found)
    return [rows, 0, end, columns, found]


@case(column_packing._fill_absent)
def fill_absent(rng, n, n_tags):
    _, columns, found, _ = make_rows(rng, n + 5)
    found.common[0] = 2.0
    return [columns, found, 0, 2]


def make_entries(rng, n):
    """Columns of one sentence: entries of n features, and of what is scratch."""
    _, columns, found, patterns = make_rows(rng, n + 5)
    columns.candidates[:] = rng.integers(0, 2, len(columns.values))
    columns.values[:] = rng.integers(1, 3, len(columns.values))
    return columns, found, patterns


@case(column_packing._merge_columns)
def merge_columns(rng, n, n_tags):
    columns, found, patterns = make_entries(rng, n)
    n_columns = min(n + 2, len(columns.values) // 2)
    found.number[:n_columns], found.begin[:n_columns] = np.arange(n_columns), np.arange(n_columns)
    found.position[:n_columns] = found.begin[:n_columns] + 1
    return [columns, 0, n_columns, found, patterns]


@case(column_packing._find_slot)
def find_slot(rng, n, n_tags):
    columns, _, patterns = make_entries(rng, n)
    patterns.slots[:9], patterns.length[:2], patterns.begin[:2] = -1, 1, [0, 1]
    patterns.slots[[3, 4]] = [0, 1]
    return [columns, 2, 1, 9, patterns]


@case(column_packing._are_equal)
def are_equal(rng, n, n_tags):
    return [make_entries(rng, n)[0], 0, 1, 1]
