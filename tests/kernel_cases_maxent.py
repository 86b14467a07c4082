"""Arguments for the compiled functions of MaxEnt; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.inference.maxent import event_sums, hessian_products
from workbench.inference.maxent.event_sums import Events, SecondOrder
from workbench.inference.maxent.hessian_products import RowScratch, UncertainEvents
from workbench.scoring.row_sums import FiringRows


def columns_of(n_tags):
    return (0.0,) * (n_tags - 1)


def make_events(rng, n, n_tags, n_rows=7, slots=3):
    """A table of relative scores, and events."""
    rows = rng.integers(0, n_rows, (n, slots)).astype(np.uint32)
    return rng.normal(size=(n_rows, n_tags - 1)), Events(rows, rng.random(n))


def make_firing(rng):
    """Which of nine predicates some of seven rows fire, two each."""
    chosen = np.unique(rng.integers(0, 7, 4)).astype(np.uint32)
    predicates = rng.integers(0, 9, 14).astype(np.uint32)
    return FiringRows(chosen, np.arange(8, dtype=np.uint32) * 2, predicates)


@case(event_sums.sum_events)
def sum_events(rng, n, n_tags):
    table, events = make_events(rng, n, n_tags)
    nothing = SecondOrder(np.empty((0, n_tags)), np.empty(0), np.empty((0, n_tags - 1)))
    return [table, events, columns_of(n_tags), np.zeros_like(table), nothing]


@case(event_sums.sum_events)
def sum_events_to_the_second_order(rng, n, n_tags):
    table, events = make_events(rng, n, n_tags)
    second = np.zeros((len(table), n_tags)), np.zeros(n), np.zeros((n, n_tags - 1))
    return [table, events, columns_of(n_tags), np.zeros_like(table), SecondOrder(*second)]


@case(event_sums.sum_events)
def sum_curvature_alone(rng, n, n_tags):
    table, events = make_events(rng, n, n_tags)
    second = np.zeros((len(table), n_tags)), np.empty(0), np.empty((0, n_tags - 1))
    return [table, events, columns_of(n_tags), table[:0], SecondOrder(*second)]


@case(event_sums._fill_scores)
def fill_scores(rng, n, n_tags):
    table, (rows, _) = make_events(rng, n, n_tags)
    filled = np.zeros((n + 1, n_tags - 1)), np.zeros(n + 1), np.zeros(n)
    return [table, rows, columns_of(n_tags), *filled]


@case(event_sums._share_counts)
def share_counts(rng, n, n_tags):
    block, references = -rng.random((n + 1, n_tags - 1)), -rng.random(n + 1)
    scratch = np.empty((n + 1) * n_tags, np.int64), np.zeros(n + 1)
    return [rng.random(n), columns_of(n_tags), block, references, *scratch]


@case(event_sums._sum_normalizers)
def sum_normalizers(rng, n, n_tags):
    totals, counts = 1 + rng.random((2, n))
    return [rng.normal(size=n), totals, counts, np.empty(n, np.int64)]


@case(event_sums._fill_curvature)
def fill_curvature(rng, n, n_tags):
    block, counts = rng.random((n, n_tags - 1)), 1 + rng.random(n)
    filled = np.zeros((n, n_tags)), np.zeros(n), np.zeros_like(block)
    return [block, rng.random(n), counts, *filled]


@case(event_sums._scatter)
def scatter(rng, n, n_tags):
    table, (rows, _) = make_events(rng, n, n_tags)
    return [rng.random((n, n_tags - 1)), rows, columns_of(n_tags), np.ones_like(table)]


def make_uncertain(rng, n, n_tags):
    """Scores of rows, and uncertain events."""
    scores, events = make_events(rng, n, n_tags)
    return scores, UncertainEvents(*events, rng.random((n, n_tags - 1)))


@case(hessian_products.hessian_vector_product)
def hessian_vector_product(rng, n, n_tags):
    scores, events = make_uncertain(rng, n, n_tags)
    moves, product = rng.normal(size=(2, 9, n_tags - 1))
    firing = make_firing(rng)._replace(chosen=np.unique(events.rows))
    scratch = RowScratch(scores, np.ones_like(scores))
    return [moves, firing, events, columns_of(n_tags), scratch, product]


@case(hessian_products._clear)
def clear(rng, n, n_tags):
    return [rng.normal(size=(7, n_tags)), make_firing(rng).chosen]


@case(hessian_products._sum_moves)
def sum_moves(rng, n, n_tags):
    scores, events = make_uncertain(rng, n, n_tags)
    return [scores, events, columns_of(n_tags), np.ones_like(scores)]
