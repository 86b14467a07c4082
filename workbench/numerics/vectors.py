"""Vector operations of the solvers, compiled: no temporary arrays, no threads of BLAS to wake."""

import numpy as np

from workbench.numerics.jit import jit


@jit
def dot(a, b):
    """Inner product, without waking a pool of threads as BLAS would."""
    total = 0.0
    for i in range(len(a)):
        total += np.float64(a[i]) * b[i]
    return total


@jit
def axpy(scale, a, b):
    """Add scale * a to b."""
    for i in range(len(a)):
        b[i] += scale * a[i]


@jit
def add_gaussian_gradient(weights, mean, sigma2, slope):
    """Add (weights - mean) / sigma2 to a slope; return half its product with weights - mean."""
    total = 0.0
    for i in range(len(weights)):
        away = weights[i] - mean[i]
        pull = away / sigma2[i]
        slope[i] += pull
        total += away * pull
    return 0.5 * total


@jit
def add_diagonal_product(vector, precision, product):
    """Add precision * vector to a product; return the inner product of vector and product."""
    inner = 0.0
    for i in range(len(vector)):
        product[i] += precision[i] * vector[i]
        inner += vector[i] * product[i]
    return inner


@jit
def conjugate_gradient_step(length, direction, product, scale, step, rest):
    """Take a step of conjugate gradients; return the new rest's square, scaled."""
    size = 0.0
    for i in range(len(rest)):
        step[i] += length * direction[i]
        rest[i] -= length * product[i]
        size += rest[i] * rest[i] * scale[i]
    return size


@jit
def next_direction(share, scale, rest, direction):
    """Turn a direction to the scaled rest and a share of itself."""
    for i in range(len(rest)):
        direction[i] = scale[i] * rest[i] + share * direction[i]
