"""The log-determinant of a large positive definite matrix, from products with it alone.

log det A = sum of log diag A + log det S, with S = D A D scaled to a diagonal of ones. The second
part is a trace, of log S, and z' log S z has that trace as its mean over vectors z of random signs.
Lanczos' method turns each into a quadrature: z' log S z = |z|^2 sum of t_k^2 log e_k, with e the
eigenvalues of its tridiagonal matrix and t the first entries of their eigenvectors.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh_tridiagonal


class Estimate(NamedTuple):
    """A mean over random vectors, and its standard error."""

    value: float
    error: float


def estimate_log_determinant(
    multiply: Callable[[np.ndarray], np.ndarray], diagonal: np.ndarray, n_probes: int,
    n_steps: int, seed: int,
) -> Estimate:  # fmt: skip
    """Estimate log det A in nats from products with A.

    Parameters
    ----------
    multiply : callable
        From a vector, shape (F,), to A times it.
    diagonal : ndarray, shape (F,)
        Of A, positive.
    n_probes, n_steps : int
        Random vectors, and Lanczos' steps for each.

    Source
    ------
    Ubaru, Chen & Saad (2017), stochastic Lanczos quadrature. That the diagonal is taken out first,
    exactly, is ours: what is left to chance is small.
    """
    scale, rng = 1 / np.sqrt(diagonal), np.random.default_rng(seed)
    found = [
        _quadrature(lambda v: scale * multiply(scale * v), _signs(rng, len(diagonal)), n_steps)
        for _ in range(n_probes)
    ]
    error = float(np.std(found, ddof=1) / np.sqrt(n_probes)) if n_probes > 1 else np.inf
    return Estimate(float(np.log(diagonal).sum() + np.mean(found)), error)


def _signs(rng, n):
    return rng.choice([-1.0, 1.0], n)


def _quadrature(multiply, probe, n_steps):
    """Return an estimate of z' log S z for one probe z."""
    norm = np.linalg.norm(probe)
    basis, alphas, betas = [probe / norm], [], []
    for _ in range(min(n_steps, len(probe))):
        product = multiply(basis[-1])
        alphas.append(float(basis[-1] @ product))
        known = np.array(basis)
        for _ in range(2):  # against all before, which rounding brings back; twice is enough
            product -= known.T @ (known @ product)
        length = np.linalg.norm(product)
        if length < 1e-8 * abs(alphas[0]):
            break
        betas.append(float(length))
        basis.append(product / length)
    eigenvalues, vectors = eigh_tridiagonal(alphas, betas[: len(alphas) - 1])
    return float(norm**2 * (vectors[0] ** 2 @ np.log(eigenvalues)))
