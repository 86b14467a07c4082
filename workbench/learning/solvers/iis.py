"""Improved iterative scaling: the training of Chelba & Acero (2004), eq. 2 and 4.

In each sweep every weight moves by the delta that solves
observed = sum over m of expected[m] * exp(m * delta) + (weight + delta - mean) / sigma2,
where expected[m] is what the model expects of the feature in events (x, y) that m features
share. Each weight moves as if no other did, so sweeps are many: this is for comparison alone.
"""

import time

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts
from workbench.features.firing import count_features
from workbench.inference.scores import RowScores
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import FINE, Fit, OnStep, Step, stopped_short, tell

_NEWTON_STEPS = 50


def scale_iteratively(
    events: Contexts, firing: sparse.csr_matrix, features: np.ndarray, prior: GaussianPrior,
    start: np.ndarray | None = None, *, tolerance: float = FINE["iis"], max_sweeps: int = 1000,
    on_step: OnStep = None,
) -> Fit:  # fmt: skip
    """Find the weights with the highest log-likelihood less penalty, as ``maximise`` does.

    Parameters
    ----------
    events : Contexts
    firing : sparse matrix, shape (n_rows, P)
    features : ndarray of bool, shape (P, K)
        As for ``LogLikelihood``, F of them.
    prior : GaussianPrior
        Its mean zero trains (eq. 2), the background's weights adapt (eq. 4).
    start : ndarray, shape (F,), optional
        The prior's mean by default.
    tolerance : float
        Converged when a sweep gains less than this fraction of the objective.
    on_step : callable, optional
        Called with each ``Step``, one a sweep.

    Returns
    -------
    fit : Fit
        With a ``NotConverged`` warning if ``max_sweeps`` came first.

    Source
    ------
    Chelba & Acero (2004), eq. 2 and 4, after Chen & Rosenfeld (2000); deltas by Newton's method.
    """
    began, scaling, steps = time.perf_counter(), _Scaling(events, firing, features), []
    weights = np.array(prior.mean if start is None else start, float)
    for sweep in range(max_sweeps + 1):
        log_likelihood, expected = scaling.expect(weights)
        penalty, pull = prior.penalty(weights)
        norm = float(np.linalg.norm(scaling.observed - expected.sum(axis=0) - pull))
        seconds = time.perf_counter() - began
        steps.append(Step(sweep, log_likelihood, penalty, norm, seconds))
        tell(steps[-1], on_step)
        now = steps[-1].objective
        if sweep and now - steps[-2].objective <= tolerance * abs(now):
            return Fit(weights, steps, converged=True)
        if sweep < max_sweeps:
            weights = weights + scaling.solve(expected, pull, prior.sigma2)
    return stopped_short(weights, steps, f"{max_sweeps} sweeps")


class _Scaling:
    """Events with f#(x, y), the number of features that are active in each, shape (N, K)."""

    def __init__(self, events, firing, features):
        self._events, self._scores = events, RowScores(firing, features)
        n, n_slots = events.rows.shape
        entries = np.ones(n * n_slots), events.rows.ravel(), np.arange(n + 1) * n_slots
        self._reads = sparse.csr_matrix(entries, (n, events.n_rows))
        self._sharp = (self._reads @ (firing @ features.astype(float))).astype(int)
        self._sizes = np.unique(self._sharp[self._sharp > 0])
        self.observed = count_features(events, firing)[features]

    def expect(self, weights):
        """Return the log-likelihood in nats and expected counts by f#, shape (sizes, F)."""
        scores = np.pad(self._reads @ self._scores.of_rows(weights), ((0, 0), (1, 0)))
        scores -= scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        seen = np.take_along_axis(logs, self._events.tags[:, None].astype(int), axis=1).ravel()
        mass = self._events.counts[:, None] * np.exp(logs)
        shares = [np.where(self._sharp == m, mass, 0.0) for m in self._sizes]
        expected = [self._scores.gather_all((self._reads.T @ own)[None]) for own in shares]
        return float(self._events.counts @ seen), np.reshape(expected, (-1, len(weights)))

    def solve(self, expected, pull, sigma2):
        """Return every feature's delta, shape (F,)."""
        delta = np.zeros(expected.shape[1])
        for _ in range(_NEWTON_STEPS):
            grown = expected * np.exp(self._sizes[:, None] * delta)
            excess = self.observed - grown.sum(axis=0) - pull - delta / sigma2
            # Beyond the root an exponential would send the next step anywhere.
            move = np.clip(excess / (self._sizes @ grown + 1 / sigma2), -1, 1)
            delta += move
            if np.abs(move).max(initial=0.0) < 1e-12:
                break
        return delta
