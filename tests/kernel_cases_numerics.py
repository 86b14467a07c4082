"""Arguments for the compiled functions of numerics and scoring; see ``kernel_registry.case``."""

import numpy as np
from kernel_cases_maxent import _ways
from kernel_registry import case

from workbench.numerics import exponentials, vectors
from workbench.scoring import context_sums as scoring
from workbench.scoring import row_sums as between
from workbench.scoring import weight_table as outermost


def _place(rng, n, n_tags):
    """Places of some weights, of nine predicates, in order; and scratch."""
    cells = np.sort(rng.choice(9 * n_tags, min(n, 9 * n_tags), replace=False))
    padding = (0.0,) * (n_tags + 1)
    place = outermost.place_cells(cells // n_tags, cells % n_tags, padding)
    return padding, place, np.ones((9, n_tags + 2))


@case(between.sum_rows)
def _sum_rows(rng, n, n_tags):
    chosen, sources = np.unique(rng.integers(0, 7, 4)), rng.normal(size=(2, 9, 6))
    return [sources, chosen, *_ways(rng), (0.0,) * 6, np.ones((7, 6))]


@case(outermost.spread)
def _spread(rng, n, n_tags):
    way, table = _place(rng, n, n_tags), np.ones((9, n_tags + 1))
    return [rng.normal(size=len(way[1])), *way, table]


@case(outermost.gather)
def _gather(rng, n, n_tags):
    way, sums = _place(rng, n, n_tags), rng.normal(size=(2, 9, n_tags + 1))
    return [sums, rng.random(9), *way, np.ones(len(way[1]))]


@case(vectors.add_diagonal_product)
def _damp(rng, n, n_tags):
    return list(rng.normal(size=(3, n)))


@case(vectors.add_gaussian_gradient)
def _add_pull(rng, n, n_tags):
    weights, mean, slope = rng.normal(size=(3, n))
    return [weights, mean, 0.1 + rng.random(n), slope]


@case(vectors.conjugate_gradient_step)
def _descend(rng, n, n_tags):
    return [
        0.3,
        *rng.normal(size=(2, n)),
        rng.random(n),
        *rng.normal(size=(2, n)),
    ]


@case(vectors.next_direction)
def _conjugate(rng, n, n_tags):
    return [0.3, rng.random(n), *rng.normal(size=(2, n))]


@case(exponentials.exponentiate)
def _exponentiate(rng, n, n_tags):
    return [-700 * rng.random(n), np.empty(n, np.int64)]


@case(exponentials.take_logarithms)
def _take_logarithms(rng, n, n_tags):
    return [rng.random(n) + 1e-300, np.empty(n, np.int64)]


@case(vectors.dot)
def _dot(rng, n, n_tags):
    return [rng.normal(size=n), rng.normal(size=n)]


@case(vectors.axpy)
def _add_scaled(rng, n, n_tags):
    return [0.5, rng.normal(size=n), rng.normal(size=n)]


@case(scoring.sum_rows_of_words)
def _sum_rows_of_words(rng, n, n_tags):
    table, rows = rng.normal(size=(4, n_tags)), rng.integers(0, 4, (n, 3))
    slots, words = np.array([0, 2]), np.ones((n, 2, n_tags))
    return [table, rows, slots, (0.0,) * n_tags, words]


@case(scoring.add_rows_by_tag)
def _add_rows_by_tag(rng, n, n_tags):
    table, places = rng.normal(size=(4, n_tags + 1, n_tags)), rng.integers(0, 4, n)
    return [table, places, rng.normal(size=(n, n_tags + 1, n_tags))]
