"""Maximise a penalized log-likelihood by L-BFGS, step by step, until it is flat."""

import warnings
from dataclasses import dataclass

import numpy as np

from workbench.learning.prior import ExponentialPrior
from workbench.learning.solvers.lbfgs import LBFGS, OWLQN

TOLERANCE = 5e-4  # tighter ones move no error rate of a background by 0.02 points
_WINDOW = 10  # steps over which progress is judged


class NotConverged(UserWarning):
    """The fit stopped at its limit of steps, short of its tolerance."""


@dataclass(frozen=True)
class Step:
    """One step of a fit, as told to ``on_step``."""

    iteration: int
    log_likelihood: float  # nats, total
    penalty: float  # nats
    gradient_norm: float
    seconds: float  # since the fit began

    @property
    def objective(self):
        """What is maximised, in nats: eq. 1 or 3 of Chelba & Acero (2004)."""
        return self.log_likelihood - self.penalty


@dataclass(frozen=True, eq=False)
class Fit:
    """The outcome of a fit: weights, shape (F,), and the steps that led to them."""

    weights: np.ndarray
    steps: list
    converged: bool

    @property
    def log_likelihood(self):
        """Nats, total, at the end."""
        return self.steps[-1].log_likelihood

    @property
    def objective(self):
        """Penalized log-likelihood in nats at the end."""
        return self.steps[-1].objective

    @property
    def seconds(self):
        """Duration."""
        return self.steps[-1].seconds


def maximise(
    log_likelihood, prior, start=None, *, tolerance=TOLERANCE, max_steps=500, on_step=None
):
    """Find the weights with the highest log-likelihood less penalty.

    Parameters
    ----------
    log_likelihood : LogLikelihood
    prior : GaussianPrior or ExponentialPrior
    start : ndarray, shape (F,), optional
        The prior's mean by default.
    tolerance : float
        Converged when ten steps together gain less than this fraction of the objective.
    max_steps : int
    on_step : callable, optional
        Called with each ``Step``; an exception from it ends the fit.

    Returns
    -------
    fit : Fit
        With a ``NotConverged`` warning if ``max_steps`` came first.
    """
    kind = OWLQN if isinstance(prior, ExponentialPrior) else LBFGS
    climb = kind(log_likelihood, prior, prior.mean if start is None else start)
    steps = []
    for iteration in range(max_steps + 1):
        steps.append(Step(iteration, *climb.report()))
        if on_step:
            on_step(steps[-1])
        if climb.stuck or _is_flat(steps, tolerance):
            return Fit(climb.weights, steps, converged=True)
        if iteration < max_steps:
            climb.step(iteration)
    warnings.warn(f"not converged after {max_steps} steps", NotConverged, stacklevel=2)
    return Fit(climb.weights, steps, converged=False)


def _is_flat(steps, tolerance):
    if len(steps) <= _WINDOW:
        return steps[-1].gradient_norm == 0
    gain = steps[-1].objective - steps[-1 - _WINDOW].objective
    return gain <= tolerance * abs(steps[-1].objective)
