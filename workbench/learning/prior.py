"""Priors: Gaussian, for smoothing and adaptation alike, and exponential."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.numerics.vectors import add_gaussian_gradient
from workbench.text.errors import InputError


def check_positive(value: Any, name: str = "sigma2") -> float:
    """Return a variance or a rate as float, or raise InputError, by name, if it is not > 0."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not (number > 0 and np.isfinite(number)):
        raise InputError(f"{name} {value}: a finite number greater than 0 is allowed")
    return number


@dataclass(frozen=True, eq=False)
class GaussianPrior:
    """Independent Gaussians, one per weight.

    A mean, shape (F,), of zeros smooths a model; the background's weights adapt it. ``sigma2``,
    one for all or of shape (F,), is the variance (not its root).
    """

    mean: np.ndarray
    sigma2: float | np.ndarray

    name = "gaussian"

    def penalty(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the cost, in nats, of leaving the mean, and its gradient, shape (F,).

        The constant of the density is left out, so the cost is zero at the mean.

        Source
        ------
        Chelba & Acero (2004), eq. 1 and 3, second term, sign reversed.
        """
        pull = np.zeros(len(weights))
        return self.add_gradient(weights, pull), pull

    def add_gradient(self, weights: np.ndarray, slope: np.ndarray) -> float:
        """Add the gradient of the penalty to a slope, shape (F,); return the penalty, in nats."""
        sigma2 = np.broadcast_to(self.sigma2, len(slope))
        return add_gaussian_gradient(weights, self.mean, sigma2, slope)


@dataclass(frozen=True, eq=False)
class ExponentialPrior:
    """Exponential densities of the distance from the mean: weights may stay there exactly.

    ``alpha`` is the rate: what a distance of 1 from the mean, shape (F,), costs, in nats. If
    two-sided weights may fall below the mean as well as rise above it, at the same cost.

    Source
    ------
    Goodman (2004), for training: mean 0, weights >= 0, alpha taken off every observed
    count. To adapt, weights must be able to fall as well: two sides, as in the
    inequality constraints of Kazama & Tsujii (2003), which end in the same penalty.
    """

    mean: np.ndarray
    alpha: float
    two_sided: bool = False

    name, sigma2 = "exponential", np.inf  # no curvature

    def penalty(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the cost in nats and its gradient, shape (F,), 0 at the mean itself."""
        away = weights - self.mean
        return self.alpha * float(np.abs(away).sum()), self.alpha * np.sign(away)

    def pseudo_gradient(self, weights: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Return the subgradient of least norm of a cost whose smooth part has a slope; (F,)."""
        away = weights - self.mean
        up, down = slope + self.alpha, slope - self.alpha
        at_mean = np.minimum(up, 0)
        if self.two_sided:
            at_mean = at_mean + np.maximum(down, 0)
        return np.where(away > 0, up, np.where(away < 0, down, at_mean))

    def project(self, weights: np.ndarray, side: np.ndarray) -> np.ndarray:
        """Return weights; those not on their side of the mean (1 above, -1 below) are set to it."""
        away = weights - self.mean
        return self.mean + np.where(away * side > 0, away, 0.0)


Prior = GaussianPrior | ExponentialPrior
PRIORS: dict[str, type[Prior]] = {prior.name: prior for prior in (GaussianPrior, ExponentialPrior)}


def check_strength(sigma2: Any = None, alpha: Any = None) -> dict:
    """Return which prior is meant and how strong it is, as models record it.

    That is ``prior``, a key of ``PRIORS``, and ``alpha``, an exponential prior's rate, or where
    it is None ``sigma2``, a Gaussian's variance; InputError if that one is not a number > 0.
    """
    if alpha is None:
        return {"prior": GaussianPrior.name, "sigma2": check_positive(sigma2)}
    return {"prior": ExponentialPrior.name, "alpha": check_positive(alpha, "alpha")}


def zero_mean_prior(n_features: int, prior: str, **strength: float) -> Prior:
    """Return the zero-mean prior of the strength that ``check_strength`` returned.

    That is eq. 1 of Chelba & Acero (2004), or Goodman's (2004), weights >= 0.
    """
    kind: Any = PRIORS[prior]
    return kind(np.broadcast_to(0.0, n_features), **strength)
