"""Arguments for the compiled functions of MaxEnt; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.inference import maxent
from workbench.inference.maxent import Events, SecondOrder, UncertainEvents


def columns_of(n_tags):
    return (0.0,) * (n_tags - 1)


def make_events(rng, n, n_tags, n_rows=7, slots=3):
    """A table of relative scores, and events."""
    rows = rng.integers(0, n_rows, (n, slots)).astype(np.uint32)
    return rng.normal(size=(n_rows, n_tags - 1)), Events(rows, rng.random(n))


@case(maxent.sum_events)
def sum_events(rng, n, n_tags):
    table, events = make_events(rng, n, n_tags)
    nothing = SecondOrder(np.empty((0, n_tags)), np.empty(0), np.empty((0, n_tags - 1)))
    return [table, events, columns_of(n_tags), np.zeros_like(table), nothing]


@case(maxent.sum_events)
def sum_events_to_the_second_order(rng, n, n_tags):
    table, events = make_events(rng, n, n_tags)
    second = np.zeros((len(table), n_tags)), np.zeros(n), np.zeros((n, n_tags - 1))
    return [table, events, columns_of(n_tags), np.zeros_like(table), SecondOrder(*second)]


@case(maxent.sum_events)
def sum_curvature_alone(rng, n, n_tags):
    table, events = make_events(rng, n, n_tags)
    second = np.zeros((len(table), n_tags)), np.empty(0), np.empty((0, n_tags - 1))
    return [table, events, columns_of(n_tags), table[:0], SecondOrder(*second)]


@case(maxent.sum_groups)
def sum_two_groups_of_three(rng, n, n_tags):
    starts, width = np.array([0, n // 3, n // 2, n]), n_tags - 1
    sums = maxent.GroupSums(*(np.ones((3, *[width] * axes)) for axes in range(3)))
    events = rng.normal(size=(n, n_tags)), rng.integers(0, n_tags, n), 1 + rng.random(n)
    return [*events, starts, np.array([0, 2]), rng.normal(size=(3, width)), sums]


@case(maxent._fill_scores)
def fill_scores(rng, n, n_tags):
    table, (rows, _) = make_events(rng, n, n_tags)
    filled = np.zeros((n + 1, n_tags - 1)), np.zeros(n + 1), np.zeros(n)
    return [table, rows, columns_of(n_tags), *filled]


@case(maxent._share_counts)
def share_counts(rng, n, n_tags):
    block, references = -rng.random((n + 1, n_tags - 1)), -rng.random(n + 1)
    scratch = np.empty((n + 1) * n_tags, np.int64), np.zeros(n + 1)
    return [rng.random(n), columns_of(n_tags), block, references, *scratch]


@case(maxent._sum_normalizers)
def sum_normalizers(rng, n, n_tags):
    totals, counts = 1 + rng.random((2, n))
    return [rng.normal(size=n), totals, counts, np.empty(n, np.int64)]


@case(maxent._fill_curvature)
def fill_curvature(rng, n, n_tags):
    block, counts = rng.random((n, n_tags - 1)), 1 + rng.random(n)
    filled = np.zeros((n, n_tags)), np.zeros(n), np.zeros_like(block)
    return [block, rng.random(n), counts, *filled]


@case(maxent._scatter)
def scatter(rng, n, n_tags):
    table, (rows, _) = make_events(rng, n, n_tags)
    return [rng.random((n, n_tags - 1)), rows, columns_of(n_tags), np.ones_like(table)]


def make_uncertain(rng, n, n_tags):
    """Scores of rows, and uncertain events."""
    scores, events = make_events(rng, n, n_tags)
    return scores, UncertainEvents(*events, rng.random((n, n_tags - 1)))


@case(maxent.sum_moves)
def sum_moves(rng, n, n_tags):
    scores, events = make_uncertain(rng, n, n_tags)
    return [scores, events, columns_of(n_tags), np.ones_like(scores)]
