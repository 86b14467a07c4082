"""Every compiled function against its obvious form, edges included; numpy's where there is one."""

import copy

import kernel_cases_maxent
import kernel_cases_numerics
import numpy as np
import pytest
from kernel_registry import find_kernels, flatten, load_cases

from workbench.inference.maxent import event_sums as learning
from workbench.numerics import exponentials
from workbench.scoring import weight_table as outermost

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
    exponentials.exponentiate(found, np.empty(len(x), np.int64))
    # The reduced argument loses digits as |x| grows: an ulp of 700 is 1e-13.
    assert found == pytest.approx(np.exp(x), rel=2e-13)


def test_the_exponential_of_zero_is_exactly_one():
    found = np.zeros(3)
    exponentials.exponentiate(found, np.empty(3, np.int64))
    assert found.tolist() == [1.0] * 3


def test_logarithms_are_those_of_numpy():
    x = np.concatenate([np.linspace(0.5, 40, 9_991), 10.0 ** np.arange(-300, 300)])
    found = x.copy()
    exponentials.take_logarithms(found, np.empty(len(x), np.int64))
    assert found == pytest.approx(np.log(x), rel=1e-14, abs=1e-15)


def test_the_order_of_events_does_not_matter(rng):
    kernel, arguments = learning.sum_events, kernel_cases_maxent._sum_events(rng, 200, 5)
    kernel(*arguments)
    table, (rows, counts), padding, expected, nothing = arguments
    order, again = np.argsort(rows[:, 0]), np.zeros_like(expected)
    kernel(table, (rows[order], counts[order]), padding, again, nothing)
    assert again == pytest.approx(expected, rel=1e-12)  # sums in another order


def _softmax(table, rows):
    """P(tag | context) of five tags, the reference first, and log Z."""
    scores = np.column_stack([np.zeros(len(rows)), table[rows].sum(axis=1)[:, :4]])
    totals = np.exp(scores).sum(axis=1)
    return np.exp(scores) / totals[:, None], np.log(totals)


def test_expected_counts_and_normalizers_are_those_of_numpy(rng):
    kernel, arguments = learning.sum_events, kernel_cases_maxent._sum_events(rng, 200, 5)
    total = kernel(*arguments)
    table, (rows, counts), _, found, _ = arguments
    (p, log_z), expected = _softmax(table, rows), np.zeros((len(table), 5))
    for event, place in enumerate(rows):
        for row in place:
            expected[row] += counts[event] * p[event]
    assert found[:, :4] == pytest.approx(expected[:, 1:], rel=1e-12)
    assert total == pytest.approx(counts @ log_z, rel=1e-12)


def test_the_second_order_is_that_of_numpy(rng):
    kernel, arguments = learning.sum_events, kernel_cases_maxent._expand_events(rng, 200, 5)
    kernel(*arguments)
    table, (rows, counts), _, _, (curvature, uncertainty, probabilities) = arguments
    (p, _), bent = _softmax(table, rows), np.zeros((len(table), 5))
    for event, place in enumerate(rows):
        for row in place:
            bent[row] += counts[event] * p[event] * (1 - p[event])
    assert curvature[:, :5] == pytest.approx(bent, rel=1e-12)
    assert uncertainty == pytest.approx(counts * (p * (1 - p)).sum(axis=1), rel=1e-12)
    assert probabilities[:, :4] == pytest.approx(p[:, 1:], rel=1e-12)


def test_what_weights_spread_is_what_gather_takes_back(rng):
    """<spread(w), sums> = <w, gather(sums)>: one is the transpose of the other."""
    weights, *way, table = kernel_cases_numerics._spread(rng, 30, 5)
    sums, values = rng.normal(size=(1, *table.shape)), np.empty(len(weights))
    outermost.spread(weights, *way, table)
    sums[0, :, 4:] = 0  # what padding holds is nothing, and so are its scores
    outermost.gather(sums, np.zeros(9), *way, values)
    assert (table[:, :4] * sums[0, :, :4]).sum() == pytest.approx(weights @ values)


def test_padding_takes_no_probability(rng):
    kernel, arguments = learning.sum_events, kernel_cases_maxent._sum_events(rng, 20, 5)
    kernel(*arguments)
    assert arguments[3][:, 4:].max() < 1e-300  # exp(-700), times counts


def test_kernels_add_to_what_is_there(rng):
    kernel, arguments = learning.sum_events, kernel_cases_maxent._sum_events(rng, 20, 5)
    kernel(*arguments)
    once = arguments[3].copy()
    kernel(*arguments)
    assert arguments[3] == pytest.approx(2 * once)
