"""The log-likelihood of some data over the features that it depends on."""

from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.features.contexts import Contexts
from workbench.features.selection import Features
from workbench.learning.problem import ActiveLikelihood
from workbench.learning.solvers.fit import Fit


def active_likelihood(
    likelihood: Callable, events: Contexts, features: Features, firing: Any = None
) -> ActiveLikelihood:
    """Return the log-likelihood of events over the features whose predicates can fire in them.

    ``likelihood`` is that of the kind of model: ``MEMM.likelihood`` or ``CRF.likelihood``;
    ``firing``, sparse, shape (n_rows, P), is given where it is there already.
    """
    firing = features.firing(events) if firing is None else firing
    return activate(likelihood, events, features, firing, find_fired(events, firing))


def activate(
    likelihood: Callable, events: Contexts, features: Features, firing: Any, fired: np.ndarray
) -> ActiveLikelihood:
    """Return the ``ActiveLikelihood`` of events over the features of predicates, by number."""
    exists = features.exists
    is_active = np.zeros(features.shape, bool)
    is_active[fired] = exists[fired]
    log_likelihood = likelihood(events, firing[:, fired], exists[fired])
    return ActiveLikelihood(log_likelihood, np.flatnonzero(is_active[exists]))


def find_fired(events: Contexts, firing: Any) -> np.ndarray:
    """Return the numbers of the predicates that can fire in the events."""
    return np.flatnonzero(firing.T @ events.reachable)


def outcome_of(fit: Fit | None) -> dict:
    """Return what a model records of its fit."""
    return {"log_likelihood": fit.log_likelihood, "converged": fit.converged} if fit else {}
