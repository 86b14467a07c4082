"""Compiled vector operations, each beside the line of numpy that it stands for."""

import numpy as np
import pytest

from workbench.numerics import vectors


def places(rng, n):
    return rng.permutation(2 * n)[:n].astype(np.uint32)


def vary(rng, n, count):
    return list(rng.normal(size=(count, n)))


def add_gaussian_gradient(weights, mean, sigma2, slope):
    return ((weights - mean) ** 2 / (2 * sigma2)).sum(), slope + (weights - mean) / sigma2


def step(length, direction, product, scale, solution, rest):
    left = rest - length * product
    return (left**2 * scale).sum(), solution + length * direction, left


def add_product(vector, diagonal, product):
    both = product + diagonal * vector
    return vector @ both, both


def taken(at, vector, filled):
    return None, vector[at]


def added(at, values, vector):
    sums = vector.copy()
    np.add.at(sums, at, values)
    return None, sums


# Arguments, and from them what is returned and what the last arguments become.
CASES = {
    "dot": (lambda rng, n: vary(rng, n, 2), lambda a, b: (a @ b,)),
    "axpy": (lambda rng, n: [0.5, *vary(rng, n, 2)], lambda c, a, b: (None, b + c * a)),
    "add_gaussian_gradient": (
        lambda rng, n: [*vary(rng, n, 2), 0.1 + rng.random(n), *vary(rng, n, 1)],
        add_gaussian_gradient,
    ),
    "add_diagonal_product": (lambda rng, n: vary(rng, n, 3), add_product),
    "conjugate_gradient_step": (
        lambda rng, n: [0.3, *vary(rng, n, 2), rng.random(n), *vary(rng, n, 2)], step,
    ),
    "next_direction": (
        lambda rng, n: [0.3, rng.random(n), *vary(rng, n, 2)],
        lambda c, scale, rest, way: (None, scale * rest + c * way),
    ),
    "take_at": (lambda rng, n: [places(rng, n), *vary(rng, 2 * n, 1), np.empty(n)], taken),
    "add_at": (lambda rng, n: [places(rng, n), *vary(rng, n, 1), *vary(rng, 2 * n, 1)], added),
}  # fmt: skip


@pytest.mark.parametrize("n", [0, 1, 200])
@pytest.mark.parametrize("name", CASES)
def test_an_operation_is_that_of_numpy(rng, name, n):
    make, plain = CASES[name]
    given = make(rng, n)
    value, *arrays = plain(*(np.copy(each) for each in given))
    found = getattr(vectors, name)(*given)
    assert found == (value if value is None else pytest.approx(value, rel=1e-12, abs=1e-12))
    for own, expected in zip(given[len(given) - len(arrays) :], arrays, strict=True):
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=1e-12)


def test_an_inner_product_of_single_precision_is_summed_in_double():
    assert vectors.dot(np.full(10**6, 0.1, np.float32), np.ones(10**6)) == pytest.approx(
        10**6 * float(np.float32(0.1)), rel=1e-12
    )


def test_logarithms_are_those_of_numpy():
    x = np.concatenate([np.linspace(0.5, 40, 9_991), 10.0 ** np.arange(-300, 300)])
    found = x.copy()
    vectors.take_logarithms(found, np.empty(len(x), np.int64))
    assert found == pytest.approx(np.log(x), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("x", [np.empty(0), np.zeros(1), np.linspace(-700, 0, 9_991)], ids=len)
def test_exponentials_are_those_of_numpy(x):
    found = x.copy()
    vectors.exponentiate(found, np.empty(len(x), np.int64))
    # The reduced argument loses digits as |x| grows: an ulp of 700 is 1e-13.
    assert found == pytest.approx(np.exp(x), rel=2e-13)
    assert (found[x == 0] == 1).all()  # exactly
