"""Truncated Newton's method on the path of the prior: to the very end of a fit.

L-BFGS turns the last digits into hundreds of steps: weights that share their events, as
those of a word and of its affixes, pull against one another. Newton's method takes a
handful, each by conjugate gradients over the events that are still uncertain, and knows
how much there is left to gain. Far from the optimum its steps go too far; but under a
strong prior no optimum is far from the mean. So the prior starts as strong as a step can
be trusted under, and is loosened from step to step until it is the one asked for.
"""

import time
from typing import Any, NamedTuple

import numpy as np

from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.conjugate_gradients import solve_truncated
from workbench.learning.solvers.fit import FINE, Fit, OnStep, Step, stopped_short, tell
from workbench.numerics.vectors import dot

_TRUSTED_GAIN = 0.6  # share of the log-likelihood that a step may expect to gain
_STRENGTHS = tuple(2.5**k for k in range(40))  # of the prior: multiples of the one asked for
_LOOSENED = 1.5  # factor, at least, from one step to the next
_SAME_PRODUCTS = 0.8  # share of a step's products that the next makes too
_CALL_EVERY = 0.03  # seconds between two calls of ``on_step`` within a long step
_LEFT_OUT = 0.3  # share of the mean event's curvature below which the Hessian has no event
_ARMIJO = 1e-4
_KEPT = 0.1  # share of what a step promised; one that falls by less was led by a wrong Hessian
_ROUNDING = 1e-9  # share of the cost that a step may promise for nothing


class _Point(NamedTuple):
    """Log-likelihood, its gradient and Hessian (None for the last), penalty and its gradient."""

    log_likelihood: float
    ascent: np.ndarray
    hessian: Any
    penalty: float
    pull: np.ndarray


def maximise_by_newton(
    log_likelihood: Any, prior: GaussianPrior, start: np.ndarray | None = None, *,
    tolerance: float = FINE["newton"], max_steps: int = 100,
    on_step: OnStep = None,
) -> Fit:  # fmt: skip
    """Return the fit with the highest log-likelihood less penalty, by Newton's method.

    Parameters
    ----------
    log_likelihood : LogLikelihood
        Or whatever has its ``__call__`` and ``expand``.
    start : ndarray, shape (F,), optional
        The prior's mean by default.
    tolerance : float
        Converged after a step that promised to gain less than this fraction of the
        objective; as much may be left to gain at most.
    on_step : callable, optional
        Called with each ``Step``, and with it again while the next takes long; an exception
        from it ends the fit.

    Returns
    -------
    fit : Fit
        With a ``NotConverged`` warning if ``max_steps`` came first, or a step that promises more
        than the tolerance gains nothing.
    """
    newton = _Newton(log_likelihood, prior, prior.mean if start is None else start, on_step)
    for _ in range(max_steps):
        direction, promise = newton.find_direction(tolerance)
        is_last = newton.strength == 1 and promise <= tolerance
        is_whole = newton.step(direction, promise, is_last)
        if newton.stuck and promise > max(tolerance, _ROUNDING):
            break
        if (is_last and is_whole) or newton.stuck:
            return Fit(newton.weights, newton.steps, converged=True)
    return stopped_short(newton.weights, newton.steps, f"{len(newton.steps) - 1} steps")


class _Newton:
    """The state of the fit; it minimises the cost, the objective with its sign reversed."""

    def __init__(self, log_likelihood, prior, start, on_step):
        self._began = time.perf_counter()
        self._log_likelihood, self._prior, self._on_step = log_likelihood, prior, on_step
        self.steps, self.stuck, self.strength, self._left_out = [], False, np.inf, _LEFT_OUT
        self.weights = np.array(start, float)
        self._n_products = 0  # of the last step
        self._here = self._evaluate(self.weights)
        self._report()

    def _evaluate(self, weights, is_last=False):
        if is_last:
            view = *self._log_likelihood(weights), None
        else:
            view = self._log_likelihood.expand(weights, self._left_out)
        return _Point(*view, *self._prior.penalty(weights))

    def _cost(self, point):
        return self.strength * point.penalty - point.log_likelihood

    def _slope(self):
        return self.strength * self._here.pull - self._here.ascent

    def _report(self):
        here = self._here
        slope = here.pull - here.ascent
        norm, seconds = float(np.sqrt(dot(slope, slope))), time.perf_counter() - self._began
        self.steps.append(Step(len(self.steps), here.log_likelihood, here.penalty, norm, seconds))
        self._call()

    def _call(self):
        tell(self.steps[-1], self._on_step)
        self._called = time.perf_counter()

    def _call_if_due(self):
        """Let ``on_step`` end a step that takes hundreds of products."""
        if time.perf_counter() - self._called > _CALL_EVERY:
            self._call()

    def find_direction(self, tolerance):
        """Choose the prior's strength; return a step and the share of the cost it promises."""
        self.strength = max(1.0, min(self._trusted_strength(), self.strength / _LOOSENED))
        precision = self.strength / self._prior.sigma2
        cost = max(abs(self._cost(self._here)), 1e-300)
        at_least = _SAME_PRODUCTS * self._n_products
        equations = self._here.hessian, precision, self._slope()
        solved = solve_truncated(*equations, at_least, tolerance * cost, self._call_if_due)
        self._n_products = solved.n_products
        return solved.step, solved.gain / cost

    def _trusted_strength(self):
        """Return the weakest prior under which the log-likelihood does not rise too far.

        How far a step raises it is guessed by the diagonal of the Hessian.
        """
        ascent, pull = self._here.ascent, self._here.pull
        for strength in _STRENGTHS:
            precision = self._here.hessian.diagonal + strength / self._prior.sigma2
            rise = dot(ascent, (ascent - strength * pull) / precision)
            if rise <= -_TRUSTED_GAIN * self._here.log_likelihood:
                return strength
        return 1.0

    def step(self, direction, promise, is_last):
        """Take a step, shortened until the cost falls as its slope promises (Armijo).

        Returns whether it was the whole step.
        """
        length, slope, cost = 1.0, dot(self._slope(), direction), self._cost(self._here)
        while True:
            weights = self.weights + length * direction
            point = self._evaluate(weights, is_last and length == 1)
            fall = cost - self._cost(point)
            if fall >= -_ARMIJO * length * slope or length < 1e-3:
                break
            length *= min(0.5, max(0.1, length * slope / (2 * (length * slope + fall))))
        self.stuck = fall <= 0 and self.strength == 1
        # A step too long, or for nothing, may come of the events that were left out: take more in.
        is_kept = length == 1 and fall > _KEPT * promise * abs(cost)
        self._left_out = min(_LEFT_OUT, self._left_out * (10 if is_kept else 0.1))
        if fall > 0:
            self.weights, self._here = weights, point
            self._report()
        return length == 1
