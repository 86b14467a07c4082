"""Arguments for the compiled functions of numerics and scoring; see ``kernel_registry.case``."""

import numpy as np
from kernel_cases_maxent import columns_of
from kernel_registry import case

from workbench.inference import scores as row_scores
from workbench.inference.memm import scores as memm_context_sums
from workbench.numerics import vectors
from workbench.numerics import vectors as exponentials


@case(exponentials.exponentiate)
def exponentiate(rng, n, n_tags):
    return [-700 * rng.random(n), np.empty(n, np.int64)]


@case(exponentials.take_logarithms)
def take_logarithms(rng, n, n_tags):
    return [rng.random(n) + 1e-300, np.empty(n, np.int64)]


@case(vectors.dot, np.dot)
def dot(rng, n, n_tags):
    return list(rng.normal(size=(2, n)))


@case(vectors.dot)
def dot_of_single_precision(rng, n, n_tags):
    return [rng.normal(size=n).astype(np.float32), rng.normal(size=n)]


@case(vectors.axpy)
def axpy(rng, n, n_tags):
    return [0.5, *rng.normal(size=(2, n))]


@case(vectors.add_gaussian_gradient)
def add_gaussian_gradient(rng, n, n_tags):
    weights, mean, slope = rng.normal(size=(3, n))
    return [weights, mean, 0.1 + rng.random(n), slope]


@case(vectors.take_at)
def take_at(rng, n, n_tags):
    return [rng.permutation(2 * n)[:n].astype(np.uint32), rng.normal(size=2 * n), np.empty(n)]


@case(vectors.add_at)
def add_at(rng, n, n_tags):
    places = rng.permutation(2 * n)[:n].astype(np.uint32)
    return [places, rng.normal(size=n), rng.normal(size=2 * n)]


@case(vectors.add_diagonal_product)
def add_diagonal_product(rng, n, n_tags):
    return list(rng.normal(size=(3, n)))


@case(vectors.conjugate_gradient_step)
def conjugate_gradient_step(rng, n, n_tags):
    return [0.3, *rng.normal(size=(2, n)), rng.random(n), *rng.normal(size=(2, n))]


@case(vectors.next_direction)
def next_direction(rng, n, n_tags):
    return [0.3, rng.random(n), *rng.normal(size=(2, n))]


def make_cells(rng, n, n_tags):
    """Columns, places of some weights in a table of nine predicates, and that table as scratch."""
    cells = np.sort(rng.choice(9 * n_tags, min(n, 9 * n_tags), replace=False)).astype(np.uint32)
    return columns_of(n_tags), cells, np.ones((9, n_tags))


@case(row_scores.spread)
def spread(rng, n, n_tags):
    given = make_cells(rng, n, n_tags)
    return [rng.normal(size=len(given[1])), *given, np.ones((9, n_tags - 1))]


@case(row_scores.subtract_reference)
def subtract_reference(rng, n, n_tags):
    return [rng.normal(size=(n, n_tags)), columns_of(n_tags), np.zeros((n, n_tags - 1))]


@case(row_scores.gather)
def gather(rng, n, n_tags):
    given, sums = make_cells(rng, n, n_tags), rng.normal(size=(9, n_tags - 1))
    return [sums, rng.random(9), *given, np.ones(len(given[1]))]


@case(memm_context_sums.sum_rows_of_words)
def sum_rows_of_words(rng, n, n_tags):
    table = rng.normal(size=(4 * (n_tags + 1), n_tags - 1))
    rows, words = rng.integers(0, 12, (4, n), np.uint32), np.ones((n, n_tags + 1, n_tags - 1))
    alone, both, firsts = np.array([0, 3]), np.array([2]), np.zeros(4, np.uint32)
    return [table, rows, alone, both, firsts, columns_of(n_tags), words]
