"""What a fit is, step by step; and ``maximise``: L-BFGS or OWL-QN until the objective is flat."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.learning.prior import ExponentialPrior, Prior
from workbench.learning.solvers.lbfgs import LBFGS, OWLQN

# How far each fit goes: the share of the objective that is left to gain, of L-BFGS what ten steps
# together gain. A model of TOLERANCE is kept on disk under it.
TOLERANCE = 5e-4  # of training: tighter ones move no error rate of a background by 0.02 points
FIRST = 3e-3  # of an adaptation that is shown at once
FINE = {"newton": 5e-6, "lbfgs": 1e-6, "iis": 1e-7, "sdca": TOLERANCE}  # of fits to the optimum
EDGED = 1e-4  # under an exponential prior: edges of the cost make the last digits dear
_LEAST_PULL = 1000.0  # times the prior's is what is left of the gradient: it decides nothing
WINDOW = 10  # steps over which progress is judged


class NotConverged(UserWarning):
    """The fit stopped at its limit of steps, short of its tolerance."""


@dataclass(frozen=True)
class Step:
    """One step of a fit, as ``on_step`` gets it."""

    iteration: int
    log_likelihood: float  # nats, total
    penalty: float  # nats
    gradient_norm: float
    seconds: float  # since the fit began

    @property
    def objective(self) -> float:
        """What is maximised, in nats: eq. 1 or 3 of Chelba & Acero (2004)."""
        return self.log_likelihood - self.penalty


OnStep = Callable[[Step], object] | None
_follower = ContextVar[OnStep]("called with each step of every fit", default=None)


@contextmanager
def follow_fits(on_step: OnStep) -> Iterator[None]:
    """Call ``on_step`` with each step of every fit in the block, whatever it is a part of.

    An exception from it ends the fit, and so the block.
    """
    token = _follower.set(on_step)
    try:
        yield
    finally:
        _follower.reset(token)


def tell(step: Step, on_step: OnStep) -> None:
    """Call the callback of a fit, and the one of ``follow_fits``, with a step."""
    for call in (on_step, _follower.get()):
        if call:
            call(step)


@dataclass(frozen=True, eq=False)
class Fit:
    """The outcome of a fit: weights, shape (F,), and the steps that led to them."""

    weights: np.ndarray
    steps: list[Step]
    converged: bool

    @property
    def log_likelihood(self) -> float:
        """Nats, total, at the end."""
        return self.steps[-1].log_likelihood

    @property
    def objective(self) -> float:
        """Penalized log-likelihood in nats at the end."""
        return self.steps[-1].objective

    @property
    def seconds(self) -> float:
        """Duration."""
        return self.steps[-1].seconds


def stopped_short(weights: np.ndarray, steps: list[Step], limit: str) -> Fit:
    """Return the ``Fit`` of a solver that came to its limit, and warn ``NotConverged``."""
    warnings.warn(f"not converged after {limit}", NotConverged, stacklevel=3)
    return Fit(weights, steps, converged=False)


def maximise(
    log_likelihood: Any, prior: Prior, start: np.ndarray | None = None, *,
    tolerance: float = TOLERANCE, max_steps: int = 500,
    on_step: OnStep = None,
) -> Fit:  # fmt: skip
    """Return the fit with the highest log-likelihood less penalty: L-BFGS, or OWL-QN.

    Parameters
    ----------
    log_likelihood : LogLikelihood
        Or whatever has its ``__call__``, ``curvature`` and ``observed``.
    prior : GaussianPrior or ExponentialPrior
        The exponential one is for OWL-QN.
    start : ndarray, shape (F,), optional
        The prior's mean by default.
    tolerance : float
        Converged when ten steps together gain less than this fraction of the objective.
    on_step : callable, optional
        Called with each ``Step``; an exception from it ends the fit.

    Warns
    -----
    NotConverged
        If ``max_steps`` came first, or the prior does not hold the weights: without one their
        optimum may be at infinity.
    """
    method = OWLQN if isinstance(prior, ExponentialPrior) else LBFGS
    state = method(log_likelihood, prior, prior.mean if start is None else start)
    steps: list[Step] = []
    for iteration in range(max_steps + 1):
        steps.append(Step(iteration, *state.report()))
        tell(steps[-1], on_step)
        if state.stuck or _is_flat(steps, tolerance):
            if _is_adrift(prior, state.weights, steps[-1].gradient_norm):
                return stopped_short(state.weights, steps, f"{iteration} steps, a prior too weak")
            return Fit(state.weights, steps, converged=True)
        if iteration < max_steps:
            state.step(iteration)
    return stopped_short(state.weights, steps, f"{max_steps} steps")


def _is_adrift(prior, weights, gradient_norm):
    """Return whether the gradient, 0 at the optimum, is far from it beside the prior's pull."""
    pull = np.linalg.norm(prior.penalty(weights)[1])
    return 0 < _LEAST_PULL * pull < gradient_norm


def _is_flat(steps, tolerance):
    if len(steps) <= WINDOW:
        return steps[-1].gradient_norm == 0
    gain = steps[-1].objective - steps[-1 - WINDOW].objective
    return gain <= tolerance * abs(steps[-1].objective)
