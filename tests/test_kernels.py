"""Each compiled kernel against the Python that it was compiled from, edges included."""

import copy

import numpy as np
import pytest

from workbench.learning import kernels as learning
from workbench.models import kernels as decoding

NEVER = -1e30


def _events(rng, n, n_tags, n_rows=7, slots=3):
    width = n_tags + 2  # two columns of padding
    table = rng.normal(size=(n_rows, width))
    table[:, n_tags:] = 0
    padding = (0.0,) * n_tags + (NEVER,) * 2
    rows = rng.integers(0, n_rows, (n, slots)).astype(np.int32)
    tags = rng.integers(0, n_tags, n).astype(np.int8)
    return table, rows, tags, rng.random(n), padding


def _sum_events(rng, n, n_tags):
    table, rows, tags, counts, padding = _events(rng, n, n_tags)
    return learning.sum_events, [table, rows, tags, counts, padding, np.zeros_like(table)]


def _sum_curvature(rng, n, n_tags):
    table, rows, _, counts, padding = _events(rng, n, n_tags)
    return learning.sum_curvature, [table, rows, counts, padding, np.zeros_like(table)]


def _exponentiate(rng, n, n_tags):
    return learning.exponentiate, [-700 * rng.random(n), np.empty(n, np.int64)]


def _take_logarithms(rng, n, n_tags):
    return learning.take_logarithms, [rng.random(n) + 1e-300, np.empty(n, np.int64)]


def _fill_probabilities(rng, n, n_tags):
    table, rows, _, _, padding = _events(rng, n, n_tags)
    width = len(padding)
    block, bits = np.zeros((n + 1, width)), np.empty((n + 1) * width, np.int64)
    scratch = [block, bits, np.zeros(n), np.zeros(n)]
    return learning._fill_probabilities, [table, rows, padding, *scratch]


def _scatter(rng, n, n_tags):
    table, rows, _, _, padding = _events(rng, n, n_tags)
    block, held = rng.random((n, len(padding))), rng.random(len(padding))
    return learning._scatter, [block, rows, padding, np.zeros_like(table), held, 2]


def _dot(rng, n, n_tags):
    return learning.dot, [rng.normal(size=n), rng.normal(size=n)]


def _add_scaled(rng, n, n_tags):
    return learning._add_scaled, [0.5, rng.normal(size=n), rng.normal(size=n)]


def _direction(rng, n, n_tags, n_pairs=3):
    moves, hessian = rng.normal(size=(4, n)), np.diag(np.arange(1.0, n + 1))
    pairs = [moves, moves @ hessian, n_pairs if n else 0, 1]
    return learning.quasi_newton_direction, [rng.normal(size=n), *pairs, rng.random(n) + 0.1]


def _fill_factors(rng, n, n_tags):
    return decoding._fill_factors, [rng.normal(size=(n, n_tags)), np.empty((n, n_tags))]


def _local(rng, n, n_tags):
    word, history = rng.random((1, n_tags)), decoding.history_factors(_history(rng, n_tags))
    return decoding._local, [word, history, 0, n_tags, np.empty(n_tags)]


def _history(rng, n_tags):
    return rng.normal(size=(n_tags + 1, n_tags + 1, n_tags))


def _history_factors(rng, n, n_tags):
    return decoding.history_factors, [_history(rng, n_tags)]


def _text(rng, n, n_tags):
    starts = np.array(sorted({0, n // 3, n // 3 + 1, n} if n > 1 else {0, n}), np.int64)
    words = rng.normal(size=(n, n_tags + 1, n_tags))
    return [words, decoding.history_factors(_history(rng, n_tags)), starts]


def _viterbi(rng, n, n_tags):
    return decoding.viterbi, [*_text(rng, n, n_tags), np.zeros(n, np.int8)]


def _viterbi_of_two(rng, n, n_tags):
    words, history, starts = _text(rng, n, n_tags)
    other, other_history, _ = _text(rng, n, n_tags)
    scores = [words, history, other, other_history]
    return decoding.viterbi_of_two, [*scores, 0.3, starts, np.zeros(n, np.int8)]


def _marginals(rng, n, n_tags):
    return decoding.marginals, [*_text(rng, n, n_tags), np.zeros((n, n_tags))]


def _advance(rng, n, n_tags):
    shape = n_tags, n_tags + 1
    before, after = rng.random((n_tags + 1, n_tags + 1)), np.zeros((n_tags + 1, n_tags + 1))
    word, history = rng.random((n_tags + 1, n_tags)), np.exp(_history(rng, n_tags))
    scratch = [np.zeros(shape, np.uint8), np.empty(n_tags)]
    return decoding._advance, [word, history, before, after, *scratch]


def _trace(rng, n, n_tags):
    choice = rng.integers(0, n_tags, (n, n_tags, n_tags + 1)).astype(np.uint8)
    last = np.zeros((n_tags + 1, n_tags + 1))
    last[:n_tags, :n_tags] = rng.random((n_tags, n_tags))
    return decoding._trace, [last, choice, np.zeros(n, np.int8)]


CASES = [
    _sum_events, _sum_curvature, _exponentiate, _take_logarithms,
    _fill_probabilities, _scatter, _dot, _add_scaled, _direction,
    _fill_factors, _local, _history_factors, _viterbi, _viterbi_of_two, _marginals,
    _advance, _trace,
]  # fmt: skip
SIZES = {"many words": (200, 5), "one word": (1, 5), "one tag": (6, 1), "empty": (0, 5)}


@pytest.mark.parametrize(("n", "n_tags"), SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__.removeprefix("_"))
def test_a_compiled_kernel_does_what_its_python_does(rng, case, n, n_tags):
    kernel, compiled = case(rng, n, n_tags)
    plain = copy.deepcopy(compiled)
    results = kernel(*compiled), kernel.py_func(*plain)
    for fast, slow in zip([results[0], *compiled], [results[1], *plain], strict=True):
        # Compiled sums may be taken in another order: the last digits differ.
        np.testing.assert_allclose(_filled(fast), _filled(slow), rtol=1e-12, atol=1e-12)


def _filled(outcome):
    return np.zeros(0) if outcome is None else np.asarray(outcome, float)


def test_every_kernel_has_its_case(rng):
    tested = {case(rng, 3, 5)[0] for case in CASES}
    kernels = {
        each for module in (learning, decoding) for each in vars(module).values()
        if hasattr(each, "py_func")
    }  # fmt: skip
    assert kernels == tested


def test_exponentials_are_those_of_numpy():
    x = np.linspace(-700, 0, 9_991)
    found = x.copy()
    learning.exponentiate(found, np.empty(len(x), np.int64))
    # The reduced argument loses digits as |x| grows: an ulp of 700 is 1e-13.
    assert found == pytest.approx(np.exp(x), rel=2e-13)


def test_the_exponential_of_zero_is_exactly_one():
    found = np.zeros(3)
    learning.exponentiate(found, np.empty(3, np.int64))
    assert found.tolist() == [1.0] * 3


def test_logarithms_are_those_of_numpy():
    x = np.concatenate([np.linspace(0.5, 40, 9_991), 10.0 ** np.arange(-300, 300)])
    found = x.copy()
    learning.take_logarithms(found, np.empty(len(x), np.int64))
    assert found == pytest.approx(np.log(x), rel=1e-14, abs=1e-15)


def test_the_order_of_events_does_not_matter(rng):
    kernel, arguments = _sum_events(rng, 200, 5)
    kernel(*arguments)
    table, rows, tags, counts, padding, expected = arguments
    order, again = np.argsort(rows[:, 0]), np.zeros_like(expected)
    kernel(table, rows[order], tags[order], counts[order], padding, again)
    assert again == pytest.approx(expected, rel=1e-12)  # sums in another order


def test_expected_counts_are_those_of_numpy(rng):
    kernel, arguments = _sum_events(rng, 200, 5)
    kernel(*arguments)
    table, rows, _, counts, _, found = arguments
    p = np.exp(table[rows].sum(axis=1)[:, :5])
    expected = np.zeros((len(table), 5))
    for event, place in enumerate(rows):
        for row in place:
            expected[row] += counts[event] * p[event] / p[event].sum()
    assert found[:, :5] == pytest.approx(expected, rel=1e-12)


def test_a_direction_without_pairs_is_the_scaled_gradient(rng):
    kernel, arguments = _direction(rng, 5, 0, n_pairs=0)
    assert np.array_equal(kernel(*arguments), arguments[0] * arguments[-1])


def test_a_direction_obeys_the_newest_pair(rng):
    kernel, (_, moves, turns, n_pairs, newest, scale) = _direction(rng, 6, 0)
    found = kernel(turns[newest], moves, turns, n_pairs, newest, scale)
    assert found == pytest.approx(moves[newest])  # the secant condition


def test_a_direction_with_all_pairs_is_that_of_newton():
    hessian = np.diag([1.0, 10.0, 100.0])
    kernel, moves = learning.quasi_newton_direction, np.eye(3)
    gradient = np.array([3.0, -2.0, 1.0])
    found = kernel(gradient, moves, moves @ hessian, 3, 2, np.ones(3))
    assert found == pytest.approx(np.linalg.solve(hessian, gradient))


def test_padding_takes_no_probability(rng):
    kernel, arguments = _sum_events(rng, 20, 5)
    kernel(*arguments)
    assert arguments[-1][:, 5:].max() < 1e-300  # exp(-700), times counts


def test_expected_counts_sum_to_the_counts_in_every_slot(rng):
    kernel, arguments = _sum_events(rng, 20, 5)
    kernel(*arguments)
    assert arguments[-1].sum() == pytest.approx(3 * arguments[3].sum())


def test_kernels_add_to_what_is_there(rng):
    kernel, arguments = _sum_events(rng, 20, 5)
    kernel(*arguments)
    once = arguments[-1].copy()
    kernel(*arguments)
    assert arguments[-1] == pytest.approx(2 * once)
