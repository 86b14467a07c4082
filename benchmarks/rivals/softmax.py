"""Rows: background training against scikit-learn's multinomial logistic regression."""

import warnings
from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Row, Target, find_rival, ratio, timed
from benchmarks.rivals.scipy_numpy import event_matrix, log_softmax
from benchmarks.texts import Bench
from workbench.features.events import pack_events
from workbench.features.firing import firing_matrix
from workbench.features.selection import Features, select_features
from workbench.features.templates import find_templates
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise

_CUTOFF, _SIGMA2 = 5, 5.0
_TARGET = Target(">=", 30, "×")


def training(bench: Bench) -> Iterator[Row]:
    """Yield a row for each size of text."""
    sklearn, rival = find_rival("sklearn.linear_model", "scikit-learn")
    sizes = bench.sizes
    for corpus in bench.trainings:
        problem = _Problem(corpus)
        # A run of scikit-learn on the larger text takes minutes.
        rounds = sizes.rounds if len(corpus) < 1_000_000 else sizes.long_rounds
        times = range(rounds if sklearn else 0)
        laps = [_time_round(problem, sklearn, sizes.iterations) for _ in times]
        mine, theirs = [tuple(lap[side] for lap in laps) for side in (0, 1)]
        yield Row(
            f"training, {problem.n_words / 1e6:.2g}M words", mine, theirs, "s", rival,
            ratio(theirs, mine), _TARGET, problem.describe(sizes.iterations),
        )  # fmt: skip


def _time_round(problem, sklearn, iterations):
    """Return seconds of (ours, theirs), ours until the objective that theirs reaches."""
    weights, theirs = timed(lambda: problem.fit_sklearn(sklearn, iterations))
    objective = problem.objective(weights)
    assert np.isclose(objective, problem.plain_objective(weights), rtol=1e-9), "not the same"
    _, mine = timed(lambda: problem.maximise_until(objective))
    return mine, theirs


class _Reached(Exception):
    """Ends a fit."""


class _Problem:
    """One text as each side reads it: packed events for ours, a CSR matrix for theirs.

    scikit-learn has a weight for every predicate and every tag. So that both
    maximise the same function, ours has, too: no mask of pairs that were seen.
    """

    def __init__(self, corpus):
        self.n_words = len(corpus)
        self._events = events = pack_events(corpus, find_templates("ca04"))
        seen = select_features(events, _CUTOFF)
        every = Features(seen.blocks, np.ones_like(seen.exists))
        self._exists = every.exists
        self._firing = firing_matrix(events, every.values, every.n_predicates)
        self._matrix = event_matrix(events, every)
        self._prior = GaussianPrior(np.zeros(every.exists.size), _SIGMA2)
        self._likelihood = self._make_likelihood()
        self._likelihood(self._prior.mean)  # compile
        self._likelihood.curvature(self._prior.mean)

    def _make_likelihood(self):
        return LogLikelihood(self._events, self._firing, self._exists)

    def fit_sklearn(self, sklearn, iterations):
        """Return its weights, shape (P, K); the same cost divided by the number of words."""
        model = sklearn.LogisticRegression(
            C=_SIGMA2, fit_intercept=False, max_iter=iterations, tol=0
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has not converged is the point
            model.fit(self._matrix, self._events.tags, sample_weight=self._events.counts)
        return model.coef_.T

    def objective(self, weights):
        flat = weights.ravel()
        return self._likelihood(flat)[0] - self._prior.penalty(flat)[0]

    def plain_objective(self, weights):
        """The same from scikit-learn's matrix."""
        events = self._events
        log_p = log_softmax(self._matrix @ weights)[np.arange(len(events.tags)), events.tags]
        return events.counts @ log_p - (weights**2).sum() / (2 * _SIGMA2)

    def maximise_until(self, objective):
        """Fit from zero until an objective is reached."""

        def stop(step):
            if step.objective >= objective:
                raise _Reached

        try:
            maximise(self._make_likelihood(), self._prior, tolerance=1e-12, on_step=stop)
        except _Reached:
            return
        raise AssertionError("ours did not reach the objective")

    def describe(self, iterations):
        n_predicates, n_tags = self._exists.shape
        return (
            f"{len(self._events.tags):,} distinct events with counts, {n_predicates:,} predicates "
            f"× {n_tags} tags, all pairs on both sides; lbfgs, {iterations} iterations"
        )
