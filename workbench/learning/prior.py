"""The Gaussian prior: one class for smoothing and for adaptation."""

from dataclasses import dataclass

import numpy as np

from workbench.learning.kernels import dot
from workbench.text.errors import InputError


def check_sigma2(sigma2):
    """Return a variance as float, or raise InputError if it is not a number > 0."""
    try:
        value = float(sigma2)
    except (TypeError, ValueError):
        value = np.nan
    if not (value > 0 and np.isfinite(value)):
        raise InputError(f"sigma2 {sigma2}: a finite number greater than 0 is allowed")
    return value


@dataclass(frozen=True, eq=False)
class GaussianPrior:
    """Independent Gaussians, one per weight.

    Attributes
    ----------
    mean : ndarray, shape (F,)
        Zeros smooth a model; the background's weights adapt it.
    sigma2 : float or ndarray, shape (F,)
        Variance (not its root).
    """

    mean: np.ndarray
    sigma2: float | np.ndarray

    def penalty(self, weights):
        """Return the cost, in nats, of leaving the mean, and its gradient, shape (F,).

        The constant of the density is left out, so the cost is zero at the mean.

        Source
        ------
        Chelba & Acero (2004), eq. 1 and 3, second term, sign reversed.
        """
        away = weights - self.mean
        pull = away / self.sigma2
        return 0.5 * dot(away, pull), pull
