"""Stochastic dual coordinate ascent: a model trained in a few passes, with a bound on what is left.

L-BFGS sums over all sentences before it moves a weight; this moves weights after each sentence.
Under a strong prior, where no sentence has much weight, that takes a tenth of the passes. What the
dual objective exceeds the objective by, the *duality gap*, bounds what is left to gain. Where the
prior is weak the gap closes slowly, and L-BFGS goes on from there.
"""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import TOLERANCE, Fit, OnStep, Step, maximise, tell

_PATIENCE = 5  # passes that must halve the gap together, or L-BFGS takes over
_NEAR = 10  # times the tolerance: gaps met in a pass, from which on its end may be near enough


def maximise_by_dual_ascent(
    log_likelihood: Any, prior: GaussianPrior, start: np.ndarray | None = None, *,
    tolerance: float = TOLERANCE, max_steps: int = 500,
    on_step: OnStep = None,
) -> Fit:  # fmt: skip
    """Return the fit with the highest log-likelihood less penalty: SDCA, then L-BFGS if need be.

    Parameters
    ----------
    log_likelihood : CandidateLikelihood
        Or whatever has its ``__call__``, ``value``, ``dual``, ``curvature`` and ``observed``.
    prior : GaussianPrior
    start : ndarray, shape (F,), optional
        The prior's mean by default.
    tolerance : float
        Converged when the duality gap is this fraction of the objective; as much may be left to
        gain at most.
    on_step : callable, optional
        Called with each ``Step`` at which the objective is known: after every fifth pass over the
        sentences, in random order, and after each of the last. An exception from it ends the
        fit. The norm of the gradient is not known there: nan.

    Warns
    -----
    NotConverged
        If ``max_steps`` came first.

    Source
    ------
    Shalev-Shwartz & Zhang (2013), *Stochastic dual coordinate ascent*, JMLR 14.
    """
    began, rng = time.perf_counter(), np.random.default_rng(0)
    steps: list[Step] = []
    gaps: list[float] = []  # met in each pass, before its steps
    dual, max_steps = log_likelihood.dual(prior, start), max(max_steps, 1)
    for n in range(1, max_steps + 1):
        gaps.append(dual.step(rng.permutation(dual.n_sentences)))
        bound = dual.objective()
        is_stuck = n > _PATIENCE and gaps[-1] > 0.5 * gaps[-1 - _PATIENCE]
        is_near = gaps[-1] <= _NEAR * tolerance * abs(bound)
        if not (is_near or is_stuck or n % _PATIENCE == 0 or n == max_steps):
            continue  # the objective would cost nearly half a pass
        value, penalty = log_likelihood.value(dual.weights), prior.penalty(dual.weights)[0]
        steps.append(Step(n - 1, value, penalty, np.nan, time.perf_counter() - began))
        tell(steps[-1], on_step)
        if bound - steps[-1].objective <= tolerance * abs(steps[-1].objective):
            return Fit(dual.weights, steps, converged=True)
        if is_stuck:
            break
    limits = {"tolerance": tolerance, "max_steps": max_steps - n}
    return _finish(log_likelihood, prior, dual.weights, steps, limits, on_step)


def _finish(log_likelihood, prior, weights, steps, limits, on_step):
    """Return the fit that goes on from some weights, or from the mean if that is better."""
    n, seconds = steps[-1].iteration + 1, steps[-1].seconds
    if steps[-1].objective < log_likelihood.value(prior.mean):
        weights = prior.mean

    def follow(step):
        steps.append(replace(step, iteration=n + step.iteration, seconds=seconds + step.seconds))
        if on_step:
            on_step(steps[-1])

    rest = maximise(log_likelihood, prior, weights, on_step=follow, **limits)
    return Fit(rest.weights, steps, rest.converged)
