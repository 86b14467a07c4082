"""Every compiled function against its obvious form, edges included; numpy's where there is one."""

import copy

import kernel_cases_maxent
import kernel_cases_numerics
import numpy as np
import pytest
from kernel_registry import find_kernels, flatten, load_cases

from workbench.inference import scores as row_scores
from workbench.inference.maxent import sum_events
from workbench.numerics import vectors

SIZES = {"many words": (200, 5), "one word": (1, 5), "one tag": (6, 1), "empty": (0, 5)}
CASES = load_cases()
NAMES = [f"{make.__module__.removeprefix('kernel_cases_')}.{make.__name__}" for *_, make in CASES]


@pytest.mark.parametrize(("n", "n_tags"), SIZES.values(), ids=SIZES)
@pytest.mark.parametrize(("kernel", "plain", "make"), CASES, ids=NAMES)
def test_a_kernel_does_what_its_obvious_form_does(rng, kernel, plain, make, n, n_tags):
    given = make(rng, n, n_tags)
    same = copy.deepcopy(given)
    fast, slow = (kernel(*given), *given), (plain(*same), *same)
    for own, other in zip(fast, slow, strict=True):
        # Compiled sums may be taken in another order: the last digits differ.
        np.testing.assert_allclose(flatten(own), flatten(other), rtol=1e-12, atol=1e-12)


def test_every_kernel_has_its_case():
    tested = {kernel for kernel, *_ in CASES}
    assert len(tested) > 30
    missing = [name for name, kernel in find_kernels().items() if kernel not in tested]
    assert missing == []


def test_exponentials_are_those_of_numpy():
    x = np.linspace(-700, 0, 9_991)
    found = x.copy()
    vectors.exponentiate(found, np.empty(len(x), np.int64))
    # The reduced argument loses digits as |x| grows: an ulp of 700 is 1e-13.
    assert found == pytest.approx(np.exp(x), rel=2e-13)


def test_the_exponential_of_zero_is_exactly_one():
    found = np.zeros(3)
    vectors.exponentiate(found, np.empty(3, np.int64))
    assert found.tolist() == [1.0] * 3


def test_logarithms_are_those_of_numpy():
    x = np.concatenate([np.linspace(0.5, 40, 9_991), 10.0 ** np.arange(-300, 300)])
    found = x.copy()
    vectors.take_logarithms(found, np.empty(len(x), np.int64))
    assert found == pytest.approx(np.log(x), rel=1e-14, abs=1e-15)


def test_the_order_of_events_does_not_matter(rng):
    table, events, columns, expected, nothing = kernel_cases_maxent.sum_events(rng, 200, 5)
    sum_events(table, events, columns, expected, nothing)
    order, again = np.argsort(events.rows[:, 0]), np.zeros_like(expected)
    sum_events(table, events.take(order), columns, again, nothing)
    assert again == pytest.approx(expected, rel=1e-12)  # sums in another order


def _softmax(table, rows):
    """P(tag | context) of five tags, the reference first, and log Z."""
    scores = np.column_stack([np.zeros(len(rows)), table[rows].sum(axis=1)])
    totals = np.exp(scores).sum(axis=1)
    return np.exp(scores) / totals[:, None], np.log(totals)


def _sum_by_row(events, n_rows, values):
    sums = np.zeros((n_rows, values.shape[1]))
    for event, place in enumerate(events.rows):
        for row in place:
            sums[row] += events.counts[event] * values[event]
    return sums


def test_expected_counts_and_normalizers_are_those_of_numpy(rng):
    table, events, columns, found, nothing = kernel_cases_maxent.sum_events(rng, 200, 5)
    total = sum_events(table, events, columns, found, nothing)
    p, log_z = _softmax(table, events.rows)
    assert found == pytest.approx(_sum_by_row(events, len(table), p)[:, 1:], rel=1e-12)
    assert total == pytest.approx(events.counts @ log_z, rel=1e-12)


def test_the_second_order_is_that_of_numpy(rng):
    given = kernel_cases_maxent.sum_events_to_the_second_order(rng, 200, 5)
    sum_events(*given)
    table, events, _, _, second = given
    p, _ = _softmax(table, events.rows)
    curvature = _sum_by_row(events, len(table), p * (1 - p))
    assert second.curvature == pytest.approx(curvature, rel=1e-12)
    uncertainty = events.counts * (p * (1 - p)).sum(axis=1)
    assert second.uncertainty == pytest.approx(uncertainty, rel=1e-12)
    assert second.probabilities == pytest.approx(p[:, 1:], rel=1e-12)


def test_gather_is_the_transpose_of_spread(rng):
    """<spread(w), sums> = <w, gather(sums)>."""
    weights, *given, relative = kernel_cases_numerics.spread(rng, 30, 5)
    sums, values = rng.normal(size=relative.shape), np.empty(len(weights))
    row_scores.spread(weights, *given, relative)
    row_scores.gather(sums, np.zeros(9), *given, values)
    assert (relative * sums).sum() == pytest.approx(weights @ values)


def test_kernels_add_to_what_is_there(rng):
    given = kernel_cases_maxent.sum_events(rng, 20, 5)
    sum_events(*given)
    once = given[3].copy()
    sum_events(*given)
    assert given[3] == pytest.approx(2 * once)
