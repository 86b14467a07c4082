"""Sums over events and over words, beside numpy: no event, one, more than a block; any tags."""

import numpy as np
import pytest

from workbench.inference.maxent import Events, SecondOrder, UncertainEvents, sum_events, sum_moves
from workbench.inference.memm.scores import sum_rows_of_words

N_ROWS, CLOSE = 7, {"rtol": 1e-11, "atol": 1e-11}


@pytest.fixture(params=[1, 2, 5, 19], ids=lambda k: f"{k} tags")
def n_tags(request):
    return request.param


@pytest.fixture(params=[0, 1, 700], ids=lambda n: f"{n} events")
def events(request, rng):
    rows = rng.integers(0, N_ROWS, (request.param, 3)).astype(np.uint32)
    return Events(rows, 0.1 + rng.random(request.param))


@pytest.fixture
def table(rng, n_tags):
    return rng.normal(size=(N_ROWS, n_tags - 1))


def softmax(table, rows):
    """P(tag | context), the reference first, and log Z."""
    scores = np.column_stack([np.zeros(len(rows)), table[rows].sum(axis=1)])
    log_z = np.log(np.exp(scores).sum(axis=1))
    return np.exp(scores - log_z[:, None]), log_z


def by_row(events, values):
    """Values of events, shape (N, K), times their counts, added to the rows that they read."""
    sums = np.zeros((N_ROWS, values.shape[1]))
    np.add.at(sums, events.rows, (events.counts[:, None] * values)[:, None])
    return sums


@pytest.mark.parametrize("order", ["first", "second", "curvature alone"])
def test_sums_are_those_of_numpy_and_are_added(table, events, n_tags, order):
    n, columns = len(events.rows), (0.0,) * (n_tags - 1)
    of_event = n if order == "second" else 0
    curvature = np.ones((0 if order == "first" else N_ROWS, n_tags))
    second = SecondOrder(curvature, np.zeros(of_event), np.zeros((of_event, n_tags - 1)))
    expected = np.ones_like(table[: 0 if order == "curvature alone" else N_ROWS])
    total = sum_events(table, events, columns, expected, second)
    p, log_z = softmax(table, events.rows)
    np.testing.assert_allclose(total, events.counts @ log_z, **CLOSE)
    if len(expected):
        np.testing.assert_allclose(expected, 1 + by_row(events, p)[:, 1:], **CLOSE)
    if len(curvature):
        np.testing.assert_allclose(curvature, 1 + by_row(events, p * (1 - p)), **CLOSE)
    if order == "second":
        np.testing.assert_allclose(second.probabilities, p[:, 1:], **CLOSE)
        uncertainty = events.counts * (p * (1 - p)).sum(axis=1)
        np.testing.assert_allclose(second.uncertainty, uncertainty, **CLOSE)


def test_expected_counts_move_as_those_of_numpy(table, events, n_tags, rng):
    p, _ = softmax(table, events.rows)
    moves = rng.normal(size=table.shape)
    d = np.column_stack([np.zeros(len(p)), moves[events.rows].sum(axis=1)])
    moved = by_row(events, p * (d - (p * d).sum(axis=1, keepdims=True)))[:, 1:]
    sums = np.ones_like(table)
    sum_moves(moves, UncertainEvents(*events, p[:, 1:].copy()), (0.0,) * (n_tags - 1), sums)
    np.testing.assert_allclose(sums, 1 + moved, **CLOSE)


@pytest.mark.parametrize("n", [0, 1, 5000])
def test_scores_of_words_are_sums_of_rows(rng, n, n_tags):
    base, width = n_tags + 1, n_tags - 1
    table, firsts = rng.normal(size=(4 * base, width)), np.array([0, 0, base, 0], np.uint32)
    rows = rng.integers(0, 4 * base, (4, n), np.uint32)
    rows[2] = rng.integers(base, 4 * base, n)
    words = np.full((n, base, width), np.nan)
    slots = np.array([0, 3]), np.array([2])
    sum_rows_of_words(table, rows, *slots, firsts, (0.0,) * width, words)
    all_histories = rows[2] // base * base + np.arange(base)[:, None]
    expected = (table[rows[0]] + table[rows[3]])[:, None] + table[all_histories.T]
    np.testing.assert_allclose(words, expected, **CLOSE)
