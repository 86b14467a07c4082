"""Problems of learning over a flat vector of weights: all that adaptation needs of a learner.

Priors, solvers, warm starts and every method of adaptation work on a ``Problem``: a log-likelihood
of F weights and the mean of their prior. What the weights belong to is known to the learner alone,
which derives from these classes: a table of predicates and tags (``models/table_problems.py``), or
anything else.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from workbench.learning.influence import Influence
from workbench.learning.prior import ExponentialPrior, Prior
from workbench.learning.solvers import find_solver, finest_solver
from workbench.learning.solvers.fit import EDGED, FINE, Fit
from workbench.text.errors import InputError


class Problem:
    """A log-likelihood of some weights, the mean of their prior, and the model that they make.

    Parameters
    ----------
    log_likelihood : callable
        From weights, shape (F,), to nats and gradient, as solvers take it: with ``observed``
        and ``curvature``, and for Newton's method ``expand``.
    mean : ndarray, shape (F,)
        Zeros train; a background's weights adapt it.
    solvers : tuple of str
        Names of ``SOLVERS`` that the log-likelihood can do with.
    """

    def __init__(self, log_likelihood: Any, mean: np.ndarray, solvers: tuple[str, ...]):
        self.log_likelihood, self.mean, self.solvers = log_likelihood, mean, solvers

    def maximise(
        self, prior: Prior, start: np.ndarray | None = None, solver: str | None = None,
        tolerance: float | None = None, **options: Any,
    ) -> Fit:  # fmt: skip
        """Return the ``Fit`` under a prior.

        By default the start, shape (F,), is the prior's mean, the solver the one that reaches
        the optimum the fastest, and the tolerance such that it does. Options are the solver's:
        ``on_step``, the most steps.
        """
        solver = solver or finest_solver(prior.name, self.solvers)
        solve = find_solver(solver, prior.name, self.solvers)
        if tolerance is None:
            tolerance = EDGED if isinstance(prior, ExponentialPrior) else FINE[solver]
        return solve(*self.input_of(solver), prior, start, tolerance=tolerance, **options)

    def input_of(self, solver: str) -> tuple:
        """Return what a solver works on, its first arguments: the log-likelihood."""
        return (self.log_likelihood,)

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of some weights, shape (F,); ``record`` says how it was made."""
        raise NotImplementedError


class ActiveLikelihood(NamedTuple):
    """The log-likelihood of some data, and which weights it depends on."""

    log_likelihood: Any  # of F weights, as in ``Problem``
    places: np.ndarray  # of int, shape (F,): their places among all weights


class HigherCutoff(NamedTuple):
    """The same adaptation at a higher cut-off."""

    problem: "AdaptationProblem"
    kept: np.ndarray  # bool, shape (F,): which active weights of the lower cut-off it has
    repack: Callable  # from a text packed for the lower cut-off to the text packed for this one


class AdaptationProblem(Problem):
    """The adaptation of a background to data: weights of both, of which some can move.

    The *active* weights are those that the log-likelihood of the adaptation data depends on:
    tens of thousands on 100k words, whatever the size of the background. All others stay.

    Parameters
    ----------
    background_weights : ndarray, shape (number of all,)
        The background's; 0 for features that only the adaptation data have.
    active : ActiveLikelihood
        Of the adaptation data.
    is_inherited : ndarray of bool, shape (number of all,)
        Which features are the background's.

    Attributes
    ----------
    background : object
        The model that is adapted.
    cutoff : int or None
        Features of the adaptation data seen less often are not added to the background's;
        0 adds all, None adds none.
    all_inherited : ndarray of bool, shape (number of all,)
        Which of all features, active or not, are the background's.
    dropped : frozenset of int
        Sentences of the data that ``without`` has left out.

    Source
    ------
    Chelba & Acero (2004), section 4; of CRFs Zhang, Qiu, Huang & Wu (2008), section 4.
    """

    background: Any = None
    cutoff: int | None = 0
    dropped: frozenset[int] = frozenset()

    def __init__(
        self, background_weights: np.ndarray, active: ActiveLikelihood, is_inherited: np.ndarray,
        solvers: tuple[str, ...],
    ):  # fmt: skip
        super().__init__(active.log_likelihood, background_weights[active.places], solvers)
        self.background_weights, self.places = background_weights, active.places
        self.all_inherited = is_inherited

    @property
    def n_features(self) -> int:
        """How many features background and adaptation data have together."""
        return len(self.background_weights)

    @property
    def n_active(self) -> int:
        """How many weights can move."""
        return len(self.mean)

    @property
    def slopes(self) -> Any:
        """The slopes of all sentences of the data, as in ``EventSlopes``."""
        raise NotImplementedError

    @property
    def is_observed(self) -> np.ndarray:
        """Which active features the adaptation data hold: F_adapt; bool, shape (F,)."""
        return self.log_likelihood.observed > 0

    @cached_property
    def is_inherited(self) -> np.ndarray:
        """Which active features are the background's; bool, shape (F,)."""
        return self.all_inherited[self.places]

    @property
    def n_new(self) -> int:
        """How many features the adaptation data add."""
        return int(np.count_nonzero(~self.all_inherited))

    def all_weights(self, weights: np.ndarray) -> np.ndarray:
        """Return all weights, the active ones as given, shape (F,), the others the background's."""
        of_all = self.background_weights.copy()
        of_all[self.places] = weights
        return of_all

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model whose active weights are given, shape (F,); the others stay."""
        return self.model_of_all(self.all_weights(weights), fit, **record)

    def model_of_all(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of all weights."""
        raise NotImplementedError

    def likelihood_of(self, data: Any) -> ActiveLikelihood:
        """Return the log-likelihood of other data over the same weights."""
        raise NotImplementedError

    def raise_cutoff(self, cutoff: int | None) -> HigherCutoff:
        """Return this adaptation at a higher cut-off, made of what is there."""
        raise NotImplementedError

    def without(self, sentences: Collection[int]) -> "AdaptationProblem":
        """Return this adaptation without some sentences of its data, by their numbers.

        The features stay, and so do the numbers of the other sentences.
        """
        raise NotImplementedError

    def drop_from(self, data: Any, sentences: Collection[int]) -> tuple[frozenset[int], np.ndarray]:
        """Return the numbers of all sentences dropped so far and now, and of those that are left.

        InputError if data have no such sentence, or none would be left.
        """
        n = data.n_sentences
        dropped = self.dropped | frozenset(map(int, sentences))
        if strange := sorted(number for number in dropped if not 0 <= number < n):
            allowed = f"0 to {n - 1:,} are allowed"
            raise InputError(f"{data.name}: sentence {strange[0]}: {allowed}")
        if len(dropped) == n:
            raise InputError(f"{data.name}: no sentence would be left to adapt to")
        return dropped, np.setdiff1d(np.arange(n), sorted(dropped))

    def direction(self, cells: Iterable[tuple]) -> np.ndarray:
        """Return the gradient by the active weights, shape (F,), of a sum of named weights."""
        raise NotImplementedError

    def name_parts(self, predicates: np.ndarray) -> list[str]:
        """Return the names of what the ``predicates`` of ``Parts`` number."""
        raise NotImplementedError

    def influence(self, weights: np.ndarray, sigma2: float | np.ndarray) -> Influence:
        """Return the ``Influence`` of each sentence at the optimal weights of a variance."""
        return Influence(
            self.log_likelihood, self.slopes, weights, sigma2, self.likelihood_of_sentences,
            self.dropped,
        )  # fmt: skip

    def likelihood_of_sentences(self, sentences: Collection[int]) -> Any:
        """Return the log-likelihood of some sentences of the data alone, by their numbers."""
        raise NotImplementedError

    def classes(self) -> dict[str, np.ndarray]:
        """Return the classes of features: places among all weights by the name of a class."""
        raise NotImplementedError

    def templates(self) -> dict[str, np.ndarray]:
        """Return the features of each template: places among all weights by its name."""
        raise NotImplementedError

    def pack(self, data: Any) -> Any:
        """Return data made ready to be tagged by the models of this problem."""
        return data
