"""L-BFGS that knows the curvature: its steps, within all of space or within orthants.

Counts of features span six orders of magnitude and the curvature of the
log-likelihood moves by as many while a model learns, so the Hessian's diagonal
is taken afresh as the fit goes on and L-BFGS corrects it from there. On 2.3
million words that halves the passes that a fixed scaling by counts needs.
"""

import time
from collections import deque

import numpy as np

from workbench.numerics.vectors import axpy, dot

_MEMORY = 5  # pairs kept
_REFRESH = (10, 20, 30, 45, 60, 80, 100, 130, 160, 200, 250, 300, 400)  # steps with new curvature
_ENOUGH = 0.15  # share of what the slope promises: steps that gain little lead astray
_TINY = 1e-30  # products smaller than this have no use
_FLAT = 1e-9  # least curvature: no step to where rounding hides the log-likelihood


def quasi_newton_direction(gradient, pairs, scale):
    """Multiply a gradient by the inverse Hessian of L-BFGS (the two-loop recursion).

    Parameters
    ----------
    gradient : ndarray, shape (F,)
    pairs : sequence of (ndarray, ndarray)
        Differences of successive points and of their gradients, shape (F,), newest last.
    scale : ndarray, shape (F,)
        Diagonal inverse Hessian to begin with.

    Returns
    -------
    direction : ndarray, shape (F,)
    """
    direction, known = gradient.copy(), []
    for move, turn in reversed(pairs):
        rho = 1 / dot(move, turn)
        known.append((move, turn, rho, rho * dot(move, direction)))
        axpy(-known[-1][-1], turn, direction)
    direction *= scale
    if known:
        _, turn, rho, _ = known[0]
        direction *= 1 / (rho * dot(scale * turn, turn))
    for move, turn, rho, alpha in reversed(known):
        axpy(alpha - rho * dot(turn, direction), move, direction)
    return direction


class LBFGS:
    """The state of an L-BFGS ascent; works on the cost, the objective with its sign reversed.

    Parameters
    ----------
    log_likelihood, prior
        As of ``maximise``.
    start : ndarray, shape (F,)

    Attributes
    ----------
    weights : ndarray, shape (F,)
    stuck : bool
        Whether the last step found no lower cost, to rounding.
    """

    def __init__(self, log_likelihood, prior, start):
        self._began = time.perf_counter()
        self._likelihood, self._prior = log_likelihood, prior
        self.weights = np.array(start, float)
        self._cost, self._gradient = self._evaluate(self.weights)
        self._pairs: deque = deque()
        self._scale = self._inverse_curvature()
        self.stuck = False

    def _evaluate(self, weights):
        log_likelihood, slope = self._likelihood(weights)
        np.negative(slope, out=slope)
        penalty = self._prior.add_gradient(weights, slope)
        self._last = log_likelihood, penalty
        return penalty - log_likelihood, slope

    def _inverse_curvature(self):
        # A thousandth of the counts keeps a feature whose events are all certain in bounds.
        curvature = self._likelihood.curvature(self.weights)
        axpy(1e-3, self._likelihood.observed, curvature)
        curvature += 1 / self._prior.sigma2 + _FLAT
        return np.reciprocal(curvature, out=curvature)

    def report(self):
        """Return log-likelihood, penalty, both in nats, norm of the gradient, seconds so far."""
        slope = self._slope()
        return *self._last, float(np.sqrt(dot(slope, slope))), time.perf_counter() - self._began

    def step(self, iteration):
        """Go one step, or find that there is none: then the climb is ``stuck``."""
        if iteration in _REFRESH:
            self._scale = self._inverse_curvature()
        slope = self._slope()
        direction = quasi_newton_direction(slope, self._pairs, self._scale)
        np.negative(direction, out=direction)
        if len(self._pairs) == _MEMORY:  # before the step makes arrays, and gone from memory
            self._pairs.popleft()
        weights, cost, gradient = self._search(direction, slope)
        self.stuck = not cost < self._cost
        if not self.stuck:
            self._remember(weights, gradient)
            self.weights, self._cost, self._gradient = weights, cost, gradient

    def _slope(self):
        return self._gradient

    def _search(self, direction, slope):
        """Shorten the step until the cost falls as the slope promises (Armijo).

        The cost is above 0: a step that promises to gain more than all of it is too long.
        """
        length = min(1.0, abs(self._cost) / max(-dot(slope, direction), _TINY))
        while True:
            weights, promise = self._reach(direction, length, slope)
            cost, gradient = self._evaluate(weights)
            excess = cost - self._cost - promise
            if excess <= (_ENOUGH - 1) * promise or length < 1e-9:
                return weights, cost, gradient
            self._retreat(direction, length)
            length *= max(0.1, -promise / (2 * excess))
            del weights, gradient  # before the next are made

    def _reach(self, direction, length, slope):
        """Where a step leads and by how much the slope says that the cost changes.

        The direction becomes that place, until ``_retreat``: an array less.
        """
        promise = length * dot(slope, direction)
        direction *= length
        direction += self.weights
        return direction, promise

    def _retreat(self, direction, length):
        """Make the place to which a direction has led the direction again."""
        direction -= self.weights
        direction /= length

    def _remember(self, weights, gradient):
        """Keep how the weights moved and how the gradient turned."""
        # What they teach of the curvature is rough: single precision takes no step more.
        move, turn = pair = tuple(np.empty(len(weights), np.float32) for _ in "mt")
        with np.errstate(over="ignore"):
            np.subtract(weights, self.weights, out=move, casting="same_kind")
            np.subtract(gradient, self._gradient, out=turn, casting="same_kind")
        if np.isfinite(pair).all() and dot(move, turn) > _TINY:
            self._pairs.append(pair)


class OWLQN(LBFGS):
    """The ascent under an exponential prior, whose cost has an edge at the mean.

    Quasi-Newton pairs are of the log-likelihood alone; a step stays on the side of the
    mean, weight by weight, on which it begins, and ends on the mean if it would cross.

    Source
    ------
    OWL-QN, Andrew & Gao (2007).
    """

    def _evaluate(self, weights):
        log_likelihood, ascent = self._likelihood(weights)
        penalty, _ = self._prior.penalty(weights)
        self._last = log_likelihood, penalty
        return penalty - log_likelihood, np.negative(ascent, out=ascent)

    def _slope(self):
        return self._prior.descent(self.weights, self._gradient)

    def _reach(self, direction, length, slope):
        away = self.weights - self._prior.mean
        side = np.where(away != 0, np.sign(away), -np.sign(slope))
        downhill = np.where(direction * slope < 0, direction, 0.0)
        weights = self._prior.project(self.weights + length * downhill, side)
        return weights, dot(slope, weights - self.weights)

    def _retreat(self, direction, length):
        """Do nothing: it is still there."""
