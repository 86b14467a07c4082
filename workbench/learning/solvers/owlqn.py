"""OWL-QN: L-BFGS under an exponential prior, whose cost has an edge at the mean."""

import numpy as np

from workbench.learning.solvers.lbfgs import LBFGS
from workbench.numerics.vectors import dot


class OWLQN(LBFGS):
    """The state of a fit by OWL-QN; parameters and attributes are those of ``LBFGS``.

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
