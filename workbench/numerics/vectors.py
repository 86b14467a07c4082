"""Vector operations of solvers and loops, compiled, in place: no temporary arrays, no BLAS to wake.

All arrays have one dimension and one length, except where places in a longer one are given.
Exponentials and logarithms of whole arrays become vector code.
"""

import math

import numpy as np

from workbench.numerics.jit import jit


@jit
def dot(a: np.ndarray, b: np.ndarray) -> float:
    """Return the inner product, summed in double precision."""
    total = 0.0
    for i in range(len(a)):
        total += np.float64(a[i]) * b[i]
    return total


@jit
def axpy(scale: float, a: np.ndarray, b: np.ndarray) -> None:
    """Add scale * a to b."""
    for i in range(len(a)):
        b[i] += scale * a[i]


@jit
def add_gaussian_gradient(
    weights: np.ndarray, mean: np.ndarray, sigma2: np.ndarray, gradient: np.ndarray
) -> float:
    """Add (weights - mean) / sigma2 to a gradient; return sum((weights - mean)^2 / (2 sigma2))."""
    total = 0.0
    for i in range(len(weights)):
        away = weights[i] - mean[i]
        pull = away / sigma2[i]
        gradient[i] += pull
        total += away * pull
    return 0.5 * total


@jit
def add_diagonal_product(vector: np.ndarray, diagonal: np.ndarray, product: np.ndarray) -> float:
    """Add diagonal * vector to a product; return the inner product of vector and product."""
    inner = 0.0
    for i in range(len(vector)):
        product[i] += diagonal[i] * vector[i]
        inner += vector[i] * product[i]
    return inner


@jit
def conjugate_gradient_step(
    length: float, direction: np.ndarray, product: np.ndarray,
    scale: np.ndarray, solution: np.ndarray, residual: np.ndarray,
) -> float:  # fmt: skip
    """Move a solution along a direction, its residual along the product of matrix and direction.

    Returns sum(scale * residual^2) of the new residual: its preconditioned square.
    """
    size = 0.0
    for i in range(len(residual)):
        solution[i] += length * direction[i]
        residual[i] -= length * product[i]
        size += residual[i] * residual[i] * scale[i]
    return size


@jit
def next_direction(
    share: float, scale: np.ndarray, residual: np.ndarray, direction: np.ndarray
) -> None:
    """Replace a direction by scale * residual + share * direction."""
    for i in range(len(residual)):
        direction[i] = scale[i] * residual[i] + share * direction[i]


@jit
def take_at(places: np.ndarray, vector: np.ndarray, taken: np.ndarray) -> None:
    """Fill an array with what stands at some places of a vector."""
    for i in range(len(places)):
        taken[i] = vector[places[i]]


@jit
def add_at(places: np.ndarray, values: np.ndarray, vector: np.ndarray) -> None:
    """Add values to what stands at some places of a vector."""
    for i in range(len(places)):
        vector[places[i]] += values[i]


_LN2 = 0.6931471805599453


@jit
def exponentiate(x: np.ndarray, bits: np.ndarray) -> None:
    """Replace x, each in [-700, 0], by exp(x), to 1e-14; bits is int64 scratch of its size."""
    powers = bits.view(np.float64)
    for i in range(len(x)):
        # exp(x) = 2**n * exp(r): n goes into the exponent's bits, r into Taylor's series.
        n = math.floor(x[i] / _LN2 + 0.5)
        r = x[i] - n * _LN2
        tail = r * (1 / 362880 + r * (1 / 3628800 + r / 39916800))
        tail = r * (1 / 720 + r * (1 / 5040 + r * (1 / 40320 + tail)))
        tail = r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + tail)))
        x[i] = 1 + r * (1 + r * (0.5 + tail))
        bits[i] = (np.int64(n) + 1023) << 52
    for i in range(len(x)):
        x[i] *= powers[i]


@jit
def take_logarithms(x: np.ndarray, bits: np.ndarray) -> None:
    """Replace x, each a normal number > 0, by log(x), to 1e-15; bits is int64 scratch."""
    source = x.view(np.int64)
    mantissas = bits.view(np.float64)
    for i in range(len(x)):
        # The exponent counts from sqrt(2)/2, so that the mantissa is near 1.
        shifted = source[i] + (np.int64(0x3FF0000000000000) - np.int64(0x3FE6A09E667F3BCD))
        bits[i] = (shifted & 0xFFFFFFFFFFFFF) + np.int64(0x3FE6A09E667F3BCD)
        x[i] = ((shifted >> 52) - 1023) * _LN2
    for i in range(len(x)):
        t = (mantissas[i] - 1) / (mantissas[i] + 1)  # log m = 2 artanh t, |t| < 0.172
        u = t * t
        tail = u * (1 / 11 + u * (1 / 13 + u * (1 / 15 + u / 17)))
        tail = u * (1 / 3 + u * (1 / 5 + u * (1 / 7 + u * (1 / 9 + tail))))
        x[i] += 2 * t * (1 + tail)
