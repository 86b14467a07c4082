"""L-BFGS with a diagonal of true curvature and a backtracking line search (Armijo); OWL-QN.

Counts of features span six orders of magnitude, and so does the curvature of the
log-likelihood while a model learns. So the inverse Hessian that L-BFGS starts from is the
diagonal of the true one, taken afresh now and then: on 2.3 million words that halves the
passes that a fixed scaling by counts needs.
"""

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from workbench.learning.prior import Prior
from workbench.numerics.vectors import axpy, dot

_PAIRS = 5  # kept of (s, y)
_CURVATURE_AT = (10, 20, 30, 45, 60, 80, 100, 130, 160, 200, 250, 300, 400)  # steps
_ARMIJO = 0.15  # share of the gain that the gradient promises: steps that gain little lead astray
_SMALLEST_PRODUCT = 1e-30  # of s and y: a pair with less is of no use
_LEAST_CURVATURE = 1e-9  # else steps could go to where rounding hides the log-likelihood
_SHORTEST_STEP = 1e-9


def quasi_newton_direction(gradient: np.ndarray, pairs: Sequence, scale: np.ndarray) -> np.ndarray:
    """Return the inverse Hessian of L-BFGS times a gradient, shape (F,): two-loop recursion.

    Parameters
    ----------
    pairs : sequence of (ndarray, ndarray)
        ``s[k] = x[k+1] - x[k]`` and ``y[k] = g[k+1] - g[k]``, shape (F,), newest last.
    scale : ndarray, shape (F,)
        Diagonal inverse Hessian to begin with.

    Source
    ------
    Nocedal & Wright (2006), algorithm 7.4.
    """
    direction, known = gradient.copy(), []
    for s, y in reversed(pairs):
        rho = 1 / dot(s, y)
        alpha = rho * dot(s, direction)
        known.append((s, y, rho, alpha))
        axpy(-alpha, y, direction)
    direction *= scale
    if known:
        _, y, rho, _ = known[0]
        direction *= 1 / (rho * dot(scale * y, y))
    for s, y, rho, alpha in reversed(known):
        axpy(alpha - rho * dot(y, direction), s, direction)
    return direction


class LBFGS:
    """The state of a fit by L-BFGS; it minimises the cost, the objective with its sign reversed.

    It is ``stuck`` where the last step found no lower cost, to rounding.

    Source
    ------
    Nocedal & Wright (2006), algorithm 7.5; pairs in single precision, which costs no step.
    """

    def __init__(self, log_likelihood: Any, prior: Prior, start: np.ndarray):
        self._began, self._log_likelihood = time.perf_counter(), log_likelihood
        self._prior: Any = prior
        self.weights, self.stuck = np.array(start, float), False
        self._cost, self._gradient = self._evaluate(self.weights)
        self._pairs: deque = deque()
        self._scale = self._inverse_curvature()

    def _evaluate(self, weights):
        log_likelihood, gradient = self._log_likelihood(weights)
        np.negative(gradient, out=gradient)
        penalty = self._prior.add_gradient(weights, gradient)
        self._last = log_likelihood, penalty
        return penalty - log_likelihood, gradient

    def _inverse_curvature(self):
        # A thousandth of the counts keeps a feature whose events are all certain in bounds.
        curvature = self._log_likelihood.curvature(self.weights)
        axpy(1e-3, self._log_likelihood.observed, curvature)
        curvature += 1 / self._prior.sigma2 + _LEAST_CURVATURE
        return np.reciprocal(curvature, out=curvature)

    def report(self) -> tuple[float, float, float, float]:
        """Return log-likelihood and penalty in nats, norm of the gradient, seconds so far."""
        slope = self._slope()
        return *self._last, float(np.sqrt(dot(slope, slope))), time.perf_counter() - self._began

    def step(self, iteration: int) -> None:
        """Take one step, or find that none lowers the cost and become ``stuck``."""
        if iteration in _CURVATURE_AT:
            self._scale = self._inverse_curvature()
        slope = self._slope()
        direction = quasi_newton_direction(slope, self._pairs, self._scale)
        np.negative(direction, out=direction)
        if len(self._pairs) == _PAIRS:  # forgotten before the step makes arrays of its own
            self._pairs.popleft()
        weights, cost, gradient = self._search(direction, slope)
        self.stuck = not cost < self._cost
        if not self.stuck:
            self._add_pair(weights, gradient)
            self.weights, self._cost, self._gradient = weights, cost, gradient

    def _slope(self):
        """Gradient of the cost."""
        return self._gradient

    def _search(self, direction, slope):
        """Shorten the step until the cost falls by enough of what the slope promises (Armijo).

        The cost is above 0: a step that promises to gain more than all of it is too long.
        """
        length = min(1.0, abs(self._cost) / max(-dot(slope, direction), _SMALLEST_PRODUCT))
        while True:
            weights, promise = self._go(direction, length, slope)
            cost, gradient = self._evaluate(weights)
            excess = cost - self._cost - promise
            if excess <= (_ARMIJO - 1) * promise or length < _SHORTEST_STEP:
                return weights, cost, gradient
            self._go_back(direction, length)
            length *= max(0.1, -promise / (2 * excess))
            del weights, gradient  # before the next are made

    def _go(self, direction, length, slope):
        """Return where a step ends, and by how much the slope says that the cost changes.

        The array of the direction becomes that place, until ``_go_back``: an array less.
        """
        promise = length * dot(slope, direction)
        direction *= length
        direction += self.weights
        return direction, promise

    def _go_back(self, direction, length):
        """Make the place where a step ended the direction again."""
        direction -= self.weights
        direction /= length

    def _add_pair(self, weights, gradient):
        s, y = pair = tuple(np.empty(len(weights), np.float32) for _ in "sy")
        with np.errstate(over="ignore"):
            np.subtract(weights, self.weights, out=s, casting="same_kind")
            np.subtract(gradient, self._gradient, out=y, casting="same_kind")
        if np.isfinite(s).all() and np.isfinite(y).all() and dot(s, y) > _SMALLEST_PRODUCT:
            self._pairs.append(pair)


class OWLQN(LBFGS):
    """L-BFGS under an exponential prior, whose cost has a kink at the mean.

    The pairs (s, y) are of the log-likelihood alone. A step stays in one orthant around the
    mean: each weight on the side where it begins, and on the mean if it would cross.

    Source
    ------
    Andrew & Gao (2007), *Scalable training of L1-regularized log-linear models*.
    """

    def _evaluate(self, weights):
        log_likelihood, gradient = self._log_likelihood(weights)
        penalty, _ = self._prior.penalty(weights)
        self._last = log_likelihood, penalty
        return penalty - log_likelihood, np.negative(gradient, out=gradient)

    def _slope(self):
        return self._prior.pseudo_gradient(self.weights, self._gradient)

    def _go(self, direction, length, slope):
        away = self.weights - self._prior.mean
        side = np.where(away != 0, np.sign(away), -np.sign(slope))
        downhill = np.where(direction * slope < 0, direction, 0.0)
        weights = self._prior.project(self.weights + length * downhill, side)
        return weights, dot(slope, weights - self.weights)

    def _go_back(self, direction, length):
        """Do nothing: the direction is still what it was."""
