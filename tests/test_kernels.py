"""Each compiled kernel against the Python that it was compiled from, edges included."""

import copy

import numpy as np
import pytest

from workbench.inference.maxent import event_sums as learning
from workbench.inference.maxent import hessian_products as hessian
from workbench.inference.memm import certain_paths as certain
from workbench.inference.memm import viterbi as decoding
from workbench.numerics import exponentials, vectors
from workbench.scoring import context_sums as scoring
from workbench.scoring import row_sums as between
from workbench.scoring import weight_table as outermost

NEVER = -1e30


def _events(rng, n, n_tags, n_rows=7, slots=3):
    """A table, events with tags, and padding; the first tag is the reference."""
    width = n_tags + 1  # two columns of padding
    table = rng.normal(size=(n_rows, width))
    table[:, n_tags - 1 :] = 0
    rows = rng.integers(0, n_rows, (n, slots)).astype(np.int32)
    return table, (rows, rng.random(n)), (0.0,) * (n_tags - 1) + (NEVER,) * 2


def _sum_events(rng, n, n_tags):
    table, events, padding = _events(rng, n, n_tags)
    nothing = np.empty((0, n_tags + 2)), np.empty(0), np.empty((0, n_tags + 1))
    return learning.sum_events, [table, events, padding, np.zeros_like(table), nothing]


def _expand_events(rng, n, n_tags):
    table, events, padding = _events(rng, n, n_tags)
    second = np.zeros((len(table), n_tags + 2)), np.zeros(n), np.zeros((n, n_tags + 1))
    return learning.sum_events, [table, events, padding, np.zeros_like(table), second]


def _fill_scores(rng, n, n_tags):
    table, (rows, _), padding = _events(rng, n, n_tags)
    filled = np.zeros((n + 1, len(padding))), np.zeros(n + 1), np.zeros(n)
    return learning._fill_scores, [table, rows, padding, *filled]


def _share_counts(rng, n, n_tags):
    width = n_tags + 1
    block, references = -rng.random((n + 1, width)), -rng.random(n + 1)
    scratch = np.empty((n + 1) * width, np.int64), np.zeros(n + 1)
    return learning._share_counts, [rng.random(n), (0.0,) * width, block, references, *scratch]


def _sum_logs(rng, n, n_tags):
    totals, counts = 1 + rng.random((2, n))
    return learning._sum_logs, [rng.normal(size=n), totals, counts, np.empty(n, np.int64)]


def _bend(rng, n, n_tags):
    block, counts = rng.random((n, n_tags + 1)), 1 + rng.random(n)
    told = np.zeros(n), np.zeros_like(block)
    return learning._bend, [block, rng.random(n), counts, np.zeros((n, n_tags + 2)), *told]


def _release(rng, n, n_tags):
    return learning._release, [rng.random(n_tags), 3, rng.random((7, n_tags))]


def _ways(rng):
    """Which of nine predicates each of seven rows fires."""
    return np.arange(8, dtype=np.int32) * 2, rng.integers(0, 9, 14).astype(np.int32)


def _turn(rng, n, n_tags):
    table, (rows, counts), padding = _events(rng, n, n_tags)
    dense, turned = rng.normal(size=(2, 1, 9, len(padding)))
    events = rows, counts, rng.random((n, len(padding)))
    given = [dense, np.unique(rows), _ways(rng), events, padding, (table, np.ones_like(table))]
    return hessian.turn, [*given, turned[0]]


def _sum_rows(rng, n, n_tags):
    chosen, sources = np.unique(rng.integers(0, 7, 4)), rng.normal(size=(2, 9, 6))
    return between.sum_rows, [sources, chosen, *_ways(rng), (0.0,) * 6, np.ones((7, 6))]


def _clear(rng, n, n_tags):
    return hessian._clear, [rng.normal(size=(7, 6)), np.unique(rng.integers(0, 7, 4))]


def _scatter_rows(rng, n, n_tags):
    active, turned = np.unique(rng.integers(0, 7, 4)), rng.normal(size=(9, 6))
    return hessian._scatter_rows, [rng.normal(size=(7, 6)), active, *_ways(rng), (0.0,) * 6, turned]


def _sum_turns(rng, n, n_tags):
    table, (rows, counts), padding = _events(rng, n, n_tags)
    events = rows, counts, rng.random((n, len(padding)))
    return hessian._sum_turns, [table, events, padding, np.zeros_like(table)]


def _place(rng, n, n_tags):
    """Places of some weights, of nine predicates, in order; and scratch."""
    cells = np.sort(rng.choice(9 * n_tags, min(n, 9 * n_tags), replace=False))
    padding = (0.0,) * (n_tags + 1)
    place = outermost.place_cells(cells // n_tags, cells % n_tags, padding)
    return padding, place, np.ones((9, n_tags + 2))


def _spread(rng, n, n_tags):
    way, table = _place(rng, n, n_tags), np.ones((9, n_tags + 1))
    return outermost.spread, [rng.normal(size=len(way[1])), *way, table]


def _gather(rng, n, n_tags):
    way, sums = _place(rng, n, n_tags), rng.normal(size=(2, 9, n_tags + 1))
    return outermost.gather, [sums, rng.random(9), *way, np.ones(len(way[1]))]


def _damp(rng, n, n_tags):
    return vectors.add_diagonal_product, list(rng.normal(size=(3, n)))


def _add_pull(rng, n, n_tags):
    weights, mean, slope = rng.normal(size=(3, n))
    return vectors.add_gaussian_gradient, [weights, mean, 0.1 + rng.random(n), slope]


def _descend(rng, n, n_tags):
    return vectors.conjugate_gradient_step, [
        0.3,
        *rng.normal(size=(2, n)),
        rng.random(n),
        *rng.normal(size=(2, n)),
    ]


def _conjugate(rng, n, n_tags):
    return vectors.next_direction, [0.3, rng.random(n), *rng.normal(size=(2, n))]


def _exponentiate(rng, n, n_tags):
    return exponentials.exponentiate, [-700 * rng.random(n), np.empty(n, np.int64)]


def _take_logarithms(rng, n, n_tags):
    return exponentials.take_logarithms, [rng.random(n) + 1e-300, np.empty(n, np.int64)]


def _scatter(rng, n, n_tags):
    table, (rows, _), padding = _events(rng, n, n_tags)
    block, held = rng.random((n, len(padding))), rng.random(len(padding))
    return learning._scatter, [block, rows, padding, np.zeros_like(table), held, 2]


def _dot(rng, n, n_tags):
    return vectors.dot, [rng.normal(size=n), rng.normal(size=n)]


def _add_scaled(rng, n, n_tags):
    return vectors.axpy, [0.5, rng.normal(size=n), rng.normal(size=n)]


def _history(rng, n_tags):
    return np.exp(-rng.random((n_tags + 1, n_tags + 1, n_tags)))


def _sum_rows_of_words(rng, n, n_tags):
    table, rows = rng.normal(size=(4, n_tags)), rng.integers(0, 4, (n, 3))
    slots, words = np.array([0, 2]), np.ones((n, 2, n_tags))
    return scoring.sum_rows_of_words, [table, rows, slots, (0.0,) * n_tags, words]


def _add_rows_by_tag(rng, n, n_tags):
    table, places = rng.normal(size=(4, n_tags + 1, n_tags)), rng.integers(0, 4, n)
    return scoring.add_rows_by_tag, [table, places, rng.normal(size=(n, n_tags + 1, n_tags))]


def _fill_words(rng, n, n_tags):
    words, bits = np.zeros((n_tags + 1, n_tags, n)), np.zeros((n_tags + 1) * n_tags * n, np.int64)
    scores = 100 * rng.normal(size=(9, n_tags + 1, n_tags))
    return decoding._fill_words, [scores, rng.integers(0, 9, n), words, bits]


def _take_shares(rng, n, n_tags):
    factors = [rng.random((n_tags, n)), _history(rng, n_tags)[0, 0]]
    return decoding._take_shares, [*factors, rng.random(n), 0.3, np.zeros(n)]


def _add(rng, n, n_tags):
    factors = [rng.random((n_tags, n)), _history(rng, n_tags)[0, 0]]
    return decoding._add, [*factors, rng.random(n), rng.random((n_tags, n + 1))]


def _keep_best(rng, n, n_tags):
    _, (word, history, shares, _) = _add(rng, n, n_tags)
    others, best = rng.random((n_tags, n)), rng.random((n_tags, n_tags, n)).view(np.int64)
    return decoding._keep_best, [word, history, shares, others, 0, 3, best]


def _paths(rng, n, n_tags):
    return rng.random((n_tags + 1, n_tags + 1, n + 1))


def _text(rng, n, n_tags, models=1):
    starts = np.array(sorted({0, n // 3, n // 3 + 1, n} if n > 1 else {0, n}), np.int64)
    order = np.argsort(-np.diff(starts), kind="stable")
    scores = tuple(rng.normal(size=(n, r, n_tags)) for r in (1, n_tags + 1)[:models])
    histories = np.stack([_history(rng, n_tags) for _ in scores])
    shares = np.array([0.3, 0.7]) if models == 2 else np.ones(1)
    return [scores, histories, shares, starts[:-1][order], np.diff(starts)[order]]


def _advance(rng, n, n_tags, is_sum=False):
    scores, histories, shares, *_ = _text(rng, 9, n_tags, 2)
    before, after = _paths(rng, n, n_tags), np.zeros((n_tags + 1, n_tags + 1, n + 1))
    places = rng.integers(0, 9, n)
    return decoding._advance, [scores, histories, shares, places, 2, before, after, is_sum]


def _note_choices(rng, n, n_tags):
    choice = np.zeros((n_tags + 1, n_tags + 1, n + 1), np.uint8)
    return decoding._note_choices, [_paths(rng, n, n_tags).view(np.int64), n, choice]


def _rescale(rng, n, n_tags):
    return decoding._rescale, [_paths(rng, n, n_tags), n]


def _trace(rng, n, n_tags):
    choices = rng.integers(0, n_tags, (n, n_tags, n_tags + 1)).astype(np.uint8)
    last = np.zeros((n_tags + 1, n_tags + 1))
    last[:n_tags, :n_tags] = rng.random((n_tags, n_tags))
    return decoding._trace, [last, choices, np.zeros(n, np.int8)]


def _n_abreast(rng, n, n_tags):
    lengths = np.sort(rng.integers(1, 1 << 20, n + 1))[::-1].copy()
    return decoding._n_abreast, [lengths, n // 2, n_tags**2]


def _fill_factors(rng, n, n_tags):
    factors, bits = np.zeros((n, n_tags + 1, n_tags)), np.zeros((n_tags + 1) * n_tags * n, np.int64)
    scores = 100 * rng.normal(size=(n + 2, n_tags + 1, n_tags))
    return certain._fill_factors, [scores, 2, (0.0,) * n_tags, factors, bits]


def _follow_best(rng, n, n_tags):
    factors = rng.random((2, n, n_tags + 1, n_tags)) ** 9  # a best path that goes on for a while
    histories, shares = np.stack([_history(rng, n_tags) for _ in range(2)]), np.array([0.3, 0.7])
    given = factors, histories, shares, (0.0,) * n_tags
    return certain._follow_best, [*given, np.zeros(n, np.int8)]


def _tag_certain(rng, n, n_tags):
    scores, histories, shares, *sentences = _text(rng, n, n_tags, 2)
    sharp = tuple(9 * one for one in scores)
    given = sharp, histories, shares, (0.0,) * n_tags
    return certain.tag_certain, [*given, *sentences, np.zeros(n, np.int8)]


def _viterbi(rng, n, n_tags):
    return decoding.viterbi, [*_text(rng, n, n_tags, 2), np.zeros(n, np.int8)]


def _marginals(rng, n, n_tags):
    return decoding.marginals, [*_text(rng, n, n_tags), np.zeros((n, n_tags))]


CASES = [
    _sum_events, _expand_events, _fill_scores, _share_counts, _sum_logs, _bend, _release,
    _exponentiate, _take_logarithms, _scatter, _dot, _add_scaled,
    _turn, _sum_rows, _clear, _scatter_rows, _sum_turns, _descend, _conjugate,
    _spread, _gather, _damp, _add_pull,
    _sum_rows_of_words, _add_rows_by_tag, _fill_words, _take_shares, _add, _keep_best,
    _advance, _note_choices, _rescale, _trace, _n_abreast, _viterbi, _marginals,
    _fill_factors, _follow_best, _tag_certain,
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
    parts = outcome if isinstance(outcome, tuple) else () if outcome is None else (outcome,)
    return np.concatenate([np.zeros(0), *(np.ravel(np.asarray(part, float)) for part in parts)])


def test_every_kernel_has_its_case(rng):
    tested = {case(rng, 3, 5)[0] for case in CASES}
    modules = learning, outermost, between, hessian, decoding, certain, scoring
    named = [each for module in modules for each in vars(module).values()]
    assert {each for each in named if hasattr(each, "py_func")} == tested


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
    kernel, arguments = _sum_events(rng, 200, 5)
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
    kernel, arguments = _sum_events(rng, 200, 5)
    total = kernel(*arguments)
    table, (rows, counts), _, found, _ = arguments
    (p, log_z), expected = _softmax(table, rows), np.zeros((len(table), 5))
    for event, place in enumerate(rows):
        for row in place:
            expected[row] += counts[event] * p[event]
    assert found[:, :4] == pytest.approx(expected[:, 1:], rel=1e-12)
    assert total == pytest.approx(counts @ log_z, rel=1e-12)


def test_the_second_order_is_that_of_numpy(rng):
    kernel, arguments = _expand_events(rng, 200, 5)
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
    _, (weights, *way, table) = _spread(rng, 30, 5)
    sums, values = rng.normal(size=(1, *table.shape)), np.empty(len(weights))
    outermost.spread(weights, *way, table)
    sums[0, :, 4:] = 0  # what padding holds is nothing, and so are its scores
    outermost.gather(sums, np.zeros(9), *way, values)
    assert (table[:, :4] * sums[0, :, :4]).sum() == pytest.approx(weights @ values)


def test_padding_takes_no_probability(rng):
    kernel, arguments = _sum_events(rng, 20, 5)
    kernel(*arguments)
    assert arguments[3][:, 4:].max() < 1e-300  # exp(-700), times counts


def test_kernels_add_to_what_is_there(rng):
    kernel, arguments = _sum_events(rng, 20, 5)
    kernel(*arguments)
    once = arguments[3].copy()
    kernel(*arguments)
    assert arguments[3] == pytest.approx(2 * once)
