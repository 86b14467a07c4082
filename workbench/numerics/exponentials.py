"""Exponentials and logarithms of whole arrays, compiled to vector code, in place."""

import math

import numpy as np

from workbench.numerics.jit import jit

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
