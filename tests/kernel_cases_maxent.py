"""Arguments for the compiled functions of MaxEnt; see ``kernel_registry.case``."""

import numpy as np
from kernel_registry import case

from workbench.inference.maxent import event_sums as learning
from workbench.inference.maxent import hessian_products as hessian

NEVER = -1e30


def _events(rng, n, n_tags, n_rows=7, slots=3):
    """A table, events with tags, and padding; the first tag is the reference."""
    width = n_tags + 1  # two columns of padding
    table = rng.normal(size=(n_rows, width))
    table[:, n_tags - 1 :] = 0
    rows = rng.integers(0, n_rows, (n, slots)).astype(np.int32)
    return table, (rows, rng.random(n)), (0.0,) * (n_tags - 1) + (NEVER,) * 2


def _ways(rng):
    """Which of nine predicates each of seven rows fires."""
    return np.arange(8, dtype=np.int32) * 2, rng.integers(0, 9, 14).astype(np.int32)


@case(learning.sum_events)
def _sum_events(rng, n, n_tags):
    table, events, padding = _events(rng, n, n_tags)
    nothing = np.empty((0, n_tags + 2)), np.empty(0), np.empty((0, n_tags + 1))
    return [table, events, padding, np.zeros_like(table), nothing]


@case(learning.sum_events)
def _expand_events(rng, n, n_tags):
    table, events, padding = _events(rng, n, n_tags)
    second = np.zeros((len(table), n_tags + 2)), np.zeros(n), np.zeros((n, n_tags + 1))
    return [table, events, padding, np.zeros_like(table), second]


@case(learning._fill_scores)
def _fill_scores(rng, n, n_tags):
    table, (rows, _), padding = _events(rng, n, n_tags)
    filled = np.zeros((n + 1, len(padding))), np.zeros(n + 1), np.zeros(n)
    return [table, rows, padding, *filled]


@case(learning._share_counts)
def _share_counts(rng, n, n_tags):
    width = n_tags + 1
    block, references = -rng.random((n + 1, width)), -rng.random(n + 1)
    scratch = np.empty((n + 1) * width, np.int64), np.zeros(n + 1)
    return [rng.random(n), (0.0,) * width, block, references, *scratch]


@case(learning._sum_logs)
def _sum_logs(rng, n, n_tags):
    totals, counts = 1 + rng.random((2, n))
    return [rng.normal(size=n), totals, counts, np.empty(n, np.int64)]


@case(learning._bend)
def _bend(rng, n, n_tags):
    block, counts = rng.random((n, n_tags + 1)), 1 + rng.random(n)
    told = np.zeros(n), np.zeros_like(block)
    return [block, rng.random(n), counts, np.zeros((n, n_tags + 2)), *told]


@case(learning._release)
def _release(rng, n, n_tags):
    return [rng.random(n_tags), 3, rng.random((7, n_tags))]


@case(hessian.turn)
def _turn(rng, n, n_tags):
    table, (rows, counts), padding = _events(rng, n, n_tags)
    dense, turned = rng.normal(size=(2, 1, 9, len(padding)))
    events = rows, counts, rng.random((n, len(padding)))
    given = [dense, np.unique(rows), _ways(rng), events, padding, (table, np.ones_like(table))]
    return [*given, turned[0]]


@case(hessian._clear)
def _clear(rng, n, n_tags):
    return [rng.normal(size=(7, 6)), np.unique(rng.integers(0, 7, 4))]


@case(hessian._scatter_rows)
def _scatter_rows(rng, n, n_tags):
    active, turned = np.unique(rng.integers(0, 7, 4)), rng.normal(size=(9, 6))
    return [rng.normal(size=(7, 6)), active, *_ways(rng), (0.0,) * 6, turned]


@case(hessian._sum_turns)
def _sum_turns(rng, n, n_tags):
    table, (rows, counts), padding = _events(rng, n, n_tags)
    events = rows, counts, rng.random((n, len(padding)))
    return [table, events, padding, np.zeros_like(table)]


@case(learning._scatter)
def _scatter(rng, n, n_tags):
    table, (rows, _), padding = _events(rng, n, n_tags)
    block, held = rng.random((n, len(padding))), rng.random(len(padding))
    return [block, rows, padding, np.zeros_like(table), held, 2]
