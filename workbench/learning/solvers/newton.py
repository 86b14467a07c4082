"""Maximise a penalized log-likelihood to the end: Newton's method on the path of the prior.

L-BFGS turns the last digits into hundreds of steps: weights that share their events, as
those of a word and of its affixes, pull against one another. Newton's method takes a
handful, each by conjugate gradients over the events that are still uncertain, and knows
how much there is left to gain. Far from the optimum its steps go too far; but under a
strong prior no optimum is far from the mean. So the prior is made as strong as a step can
be trusted under, and loosened from step to step until it is the one asked for.
"""

import time
import warnings

import numpy as np

from workbench.learning.solvers.conjugate_gradients import solve_truncated
from workbench.learning.solvers.fit import Fit, NotConverged, Step
from workbench.numerics.vectors import dot

TOLERANCE = 5e-6
_TRUSTED = 0.6  # share of the log-likelihood that a step may expect to gain
_STRENGTHS = tuple(2.5**k for k in range(40))  # of the prior: multiples of the one asked for
_LOOSENED = 1.5  # at least, from one step to the next
_AGAIN = 0.8  # share of a step's products that the next makes in any case, if these left much
_LITTLE = 0.3  # share of the tolerance that products may leave: the next shows what it needs
_SILENCE = 0.03  # seconds after which ``on_step`` is called again
_CERTAIN = 0.3  # share of the mean event's curvature: who holds less may be left out


def solve(log_likelihood, prior, start=None, *, tolerance=TOLERANCE, max_steps=100, on_step=None):
    """Find the weights with the highest log-likelihood less penalty.

    Parameters
    ----------
    log_likelihood : LogLikelihood
        Or what else has ``expand``.
    prior : GaussianPrior
    start : ndarray, shape (F,), optional
        The prior's mean by default.
    tolerance : float
        Converged after a step that promised to gain less than this fraction of the
        objective; as much may be left to gain at most.
    max_steps : int
    on_step : callable, optional
        Called with each ``Step``, and with it again while the next takes long; an exception
        from it ends the fit.

    Returns
    -------
    fit : Fit
        With a ``NotConverged`` warning if ``max_steps`` came first.
    """
    newton = _Newton(log_likelihood, prior, prior.mean if start is None else start, on_step)
    for _ in range(max_steps):
        direction, promise = newton.aim(tolerance)
        is_last = newton.strength == 1 and promise <= tolerance
        is_whole = newton.step(direction, is_last)
        if (is_last and is_whole) or newton.stuck:
            return Fit(newton.weights, newton.steps, converged=True)
    warnings.warn(f"not converged after {max_steps} steps", NotConverged, stacklevel=2)
    return Fit(newton.weights, newton.steps, converged=False)


class _Newton:
    """The state of the ascent; works on the cost, the objective with its sign reversed."""

    def __init__(self, log_likelihood, prior, start, on_step):
        self._began = time.perf_counter()
        self._likelihood, self._prior, self._on_step = log_likelihood, prior, on_step
        self.steps, self.stuck, self.strength, self._certain = [], False, np.inf, _CERTAIN
        self.weights, self._last = np.array(start, float), None
        self._here = self._look(self.weights)
        self._report()

    def _look(self, weights, is_last=False):
        """Log-likelihood, ascent and Hessian, penalty and pull at some weights."""
        if is_last:
            return (*self._likelihood(weights), None, *self._prior.penalty(weights))
        return *self._likelihood.expand(weights, self._certain), *self._prior.penalty(weights)

    def _cost(self, view):
        value, _, _, penalty, _ = view
        return self.strength * penalty - value

    def _slope(self):
        _, ascent, _, _, pull = self._here
        return self.strength * pull - ascent

    def _report(self):
        value, ascent, _, penalty, pull = self._here
        slope = pull - ascent
        norm, seconds = float(np.sqrt(dot(slope, slope))), time.perf_counter() - self._began
        self.steps.append(Step(len(self.steps), value, penalty, norm, seconds))
        self._tell()

    def _tell(self):
        if self._on_step:
            self._on_step(self.steps[-1])
        self._told = time.perf_counter()

    def _hear(self):
        """Let whoever has lost patience end a step that takes hundreds of products."""
        if time.perf_counter() - self._told > _SILENCE:
            self._tell()

    def aim(self, tolerance):
        """Choose the prior's strength; return a step and the share of the cost it promises."""
        self.strength = max(1.0, min(self._trusted_strength(), self.strength / _LOOSENED))
        hessian, precision = self._here[2], self.strength / self._prior.sigma2
        cost = max(abs(self._cost(self._here)), 1e-300)
        enough, at_least = tolerance * cost, 0
        if self._last is not None and self._last.left > _LITTLE * enough:
            at_least = _AGAIN * self._last.n_products
        equations = hessian, precision, self._slope()
        self._last = solve_truncated(*equations, at_least, enough, self._hear)
        return self._last.step, self._last.gain / cost

    def _trusted_strength(self):
        """Return the weakest prior under which the log-likelihood does not rise too far.

        How far a step raises it is guessed by the diagonal of the Hessian.
        """
        value, ascent, hessian, _, pull = self._here
        for strength in _STRENGTHS:
            precision = hessian.diagonal + strength / self._prior.sigma2
            if dot(ascent, (ascent - strength * pull) / precision) <= -_TRUSTED * value:
                return strength
        return 1.0

    def step(self, direction, is_last):
        """Go in a direction, less far until the cost falls as its slope promises (Armijo).

        Returns whether it was all the way.
        """
        length, slope, cost = 1.0, dot(self._slope(), direction), self._cost(self._here)
        while True:
            weights = self.weights + length * direction
            view = self._look(weights, is_last and length == 1)
            fall = cost - self._cost(view)
            if fall >= -1e-4 * length * slope or length < 1e-3:
                break
            length *= min(0.5, max(0.1, length * slope / (2 * (length * slope + fall))))
        self.stuck = fall <= 0 and self.strength == 1
        if length < 1:  # what was left there says nothing here
            self._last = self._last._replace(left=np.inf)
        # A step too long may come of the events that were left out: take more of them in.
        self._certain = min(_CERTAIN, self._certain * (10 if length == 1 else 0.1))
        if fall > 0:
            self.weights, self._here = weights, view
            self._report()
        return length == 1
