"""Vector operations of the solvers, compiled: no temporary arrays, no threads of BLAS to wake.

All arrays have one dimension and one length, except where places in a longer one are given.
"""

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
