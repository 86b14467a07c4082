"""Row: one gradient pass against the memory floor."""

from unittest.mock import patch

import numpy as np

from benchmarks.kernels import gather_and_scatter
from benchmarks.measure import Row, Target, ratio, take_turns
from workbench.learning import likelihood

_TARGET = Target("<=", 2.5, "×")
_PASSES = 20  # in one run: a single one is too short for the clock


def gradient_pass(bench):
    """Yield the row: ``sum_events`` on one thread against gathering and scattering alone."""
    calls, total = _calls_of_a_pass(bench)
    table = calls[0][0]
    ours, theirs = np.zeros_like(table), np.zeros_like(table)

    def pass_over_events():
        ours[:] = 0
        return sum(likelihood.sum_events(*given, ours, second) for *given, second in calls)

    def floor():
        theirs[:] = 0
        for _, (rows, _), padding, _ in calls:
            gather_and_scatter(table, rows, padding, theirs)

    assert np.isclose(pass_over_events(), total, rtol=1e-12), "not the same objective"
    floor()
    assert np.allclose(theirs, sum(_scattered(table, rows) for _, (rows, _), *_ in calls))
    laps = take_turns(bench.sizes.rounds, lambda: _repeat(pass_over_events), lambda: _repeat(floor))
    mine, floors = (tuple(1000 * lap / _PASSES for lap in side) for side in laps)
    n_events = sum(len(rows) for _, (rows, _), *_ in calls)
    note = f"{n_events:,} distinct events, {table.shape[0]:,} rows of {table.shape[1]}"
    name, rival = "gradient pass, one thread", "gather and scatter"
    yield Row(name, mine, floors, "ms", rival, ratio(mine, floors), _TARGET, note)


def _calls_of_a_pass(bench):
    """What a fit's first pass hands to ``sum_events``, all but the sums, and what it returns."""
    problem = bench.background.adaptation_problem(bench.domain["train"])
    calls, totals, kernel = [], [], likelihood.sum_events

    def record(table, events, padding, expected, second):
        calls.append((table, events, padding, second))
        totals.append(kernel(table, events, padding, expected, second))
        return totals[-1]

    with patch.object(likelihood, "sum_events", record):
        problem.log_likelihood(problem.mean)
    return calls, sum(totals)


def _scattered(table, rows):
    """What the floor should have computed, plainly."""
    gathered, sums = table[rows].sum(axis=1), np.zeros_like(table)
    for column in rows.T:
        np.add.at(sums, column, gathered)
    return sums


def _repeat(run):
    for _ in range(_PASSES):
        run()
