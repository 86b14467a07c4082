"""Maximise a penalized log-likelihood to the end: Newton's method after a climb.

L-BFGS is fast far from the optimum and slow near it: weights that share their
events, as those of a word and of its affixes, turn its last digits into hundreds
of steps. Newton's method takes a handful there, each by conjugate gradients over
the events that are still uncertain, and knows how much there is left to gain.
"""

import time
import warnings

import numpy as np

from workbench.learning.kernels import dot
from workbench.learning.solvers import Fit, NotConverged, Step, maximise

TOLERANCE = 3e-6
_FAR = 0.3  # share of the objective that a step promises: from there climb first
_CLIMBED = 0.05  # tolerance of the climb
_CERTAIN = 0.1  # share of the mean event's curvature: who holds less may be left out
_WORTH = 0.15  # conjugate gradients go on while a product gains this share of their mean gain
_PRODUCTS = 300  # at most, in a step


def solve(log_likelihood, prior, start=None, *, tolerance=TOLERANCE, max_steps=100, on_step=None):
    """Find the weights with the highest log-likelihood less penalty.

    Parameters
    ----------
    log_likelihood : LogLikelihood
        Or what else has ``hessian``.
    prior : GaussianPrior
    start : ndarray, shape (F,), optional
        The prior's mean by default.
    tolerance : float
        Converged after a step that promised to gain less than this fraction of the
        objective; as much may be left to gain at most.
    max_steps : int
        Of Newton's method.
    on_step : callable, optional
        Called with each ``Step``; an exception from it ends the fit.

    Returns
    -------
    fit : Fit
        With a ``NotConverged`` warning if ``max_steps`` came first.

    Source
    ------
    Truncated Newton, Nash & Sofer (1990) for the end of the conjugate gradients.
    """
    newton = _Newton(log_likelihood, prior, prior.mean if start is None else start, on_step)
    newton.report()
    for _ in range(max_steps):
        direction, promise = newton.aim()
        if promise > _FAR and not newton.has_climbed:
            newton.climb()
            continue
        newton.step(direction)
        if newton.stuck or promise <= tolerance:
            return Fit(newton.weights, newton.steps, converged=True)
    warnings.warn(f"not converged after {max_steps} steps", NotConverged, stacklevel=2)
    return Fit(newton.weights, newton.steps, converged=False)


class _Newton:
    """The state of the ascent; works on the cost, the objective with its sign reversed."""

    def __init__(self, log_likelihood, prior, start, on_step):
        self._began = time.perf_counter()
        self._likelihood, self._prior, self._on_step = log_likelihood, prior, on_step
        self.steps, self.has_climbed, self.stuck, self._certain = [], False, False, _CERTAIN
        self._place(np.array(start, float), *self._evaluate(start))

    def _evaluate(self, weights):
        log_likelihood, ascent = self._likelihood(weights)
        penalty, pull = self._prior.penalty(weights)
        return (log_likelihood, penalty), pull - ascent

    def _place(self, weights, terms, gradient):
        self.weights, self._terms, self._gradient = weights, terms, gradient

    @property
    def _cost(self):
        return self._terms[1] - self._terms[0]

    def report(self):
        norm = float(np.sqrt(dot(self._gradient, self._gradient)))
        seconds = time.perf_counter() - self._began
        self._tell(Step(len(self.steps), *self._terms, norm, seconds))

    def _tell(self, step):
        self.steps.append(step)
        if self._on_step:
            self._on_step(step)

    def climb(self):
        """Come near by L-BFGS."""
        self.has_climbed, first, began = True, len(self.steps), self.steps[-1].seconds

        def tell(step):
            if step.iteration:  # the first was told
                self._tell(
                    Step(
                        first - 1 + step.iteration, step.log_likelihood, step.penalty,
                        step.gradient_norm, began + step.seconds,
                    )
                )  # fmt: skip

        fit = maximise(
            self._likelihood, self._prior, self.weights, tolerance=_CLIMBED, on_step=tell
        )
        self._place(fit.weights, *self._evaluate(fit.weights))

    def aim(self):
        """Return Newton's step and the fraction of the objective that it promises to gain."""
        hessian = self._likelihood.hessian(self.weights, self._certain)
        step, gain = _solve(hessian, 1 / self._prior.sigma2, self._gradient)
        return step, gain / max(abs(self._cost), 1e-300)

    def step(self, direction):
        """Go in a direction, less far until the cost falls as its slope promises (Armijo)."""
        length, slope = 1.0, dot(self._gradient, direction)
        while True:
            weights = self.weights + length * direction
            terms, gradient = self._evaluate(weights)
            fall = self._cost - (terms[1] - terms[0])
            if fall >= -1e-4 * length * slope or length < 1e-3:
                break
            length /= 2
        self.stuck = fall <= 0
        # A step too long may come of the events that were left out: take more of them in.
        self._certain = min(_CERTAIN, self._certain * (10 if length == 1 else 0.01))
        if not self.stuck:
            self._place(weights, terms, gradient)
            self.report()


def _solve(hessian, precision, gradient):
    """Solve (hessian + precision) step = -gradient by preconditioned conjugate gradients.

    Returns
    -------
    step : ndarray, shape (F,)
    gain : float
        What the step gains if the cost is the parabola that the Hessian makes of it.
    """
    scale = 1 / (hessian.diagonal + precision)
    step, rest = np.zeros_like(gradient), -gradient
    turned = scale * rest
    direction, size, gain = turned, dot(rest, turned), 0.0
    for product in range(1, _PRODUCTS + 1):
        if size <= 0:
            break
        bent = hessian @ direction + precision * direction
        length = size / dot(direction, bent)
        step += length * direction
        rest -= length * bent
        gain += 0.5 * length * size
        if product * 0.5 * length * size <= _WORTH * gain:
            break
        turned = scale * rest
        size, last = dot(rest, turned), size
        direction = turned + (size / last) * direction
    return step, gain
