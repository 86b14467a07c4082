"""Training and adaptation of a model of candidate sets, as problems of flat weights."""

from collections.abc import Callable, Collection, Iterable
from copy import copy
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from workbench.candidates.learning import Learning
from workbench.candidates.likelihood import CandidateLikelihood, RelativeValues
from workbench.candidates.ranking import PackedCandidates, place_shared_names
from workbench.candidates.sets import CandidateSets
from workbench.features.selection import check_cutoff, min_count
from workbench.learning.prior import GaussianPrior, zero_mean_prior
from workbench.learning.problem import ActiveLikelihood, AdaptationProblem, HigherCutoff, Problem
from workbench.learning.solvers.fit import Fit
from workbench.models.table_problems import outcome_of
from workbench.text.errors import InputError

_SOLVERS = ("newton", "lbfgs")
_TOLERANCE = 2e-4  # of L-BFGS: ends within 1e-4 of the optimum at the default variance


class CandidateTraining(Problem):
    """The training of a model on candidate sets; its prior's mean is 0.

    Features are those that tell candidates apart in ``cutoff`` sentences or more, and in one at
    the least: no other can change a probability.
    """

    solver_names = _SOLVERS

    def __init__(self, kind: Any, sets: CandidateSets, learning: Learning, cutoff: int = 0):
        self._kind, self.corpus, self.learning = kind, sets, learning
        self._cutoff = check_cutoff(cutoff)
        sample = learning.sample(sets)
        values = RelativeValues.of(sample)
        counts = values.count_sentences()
        is_kept = (counts >= max(self._cutoff, 1)) & _is_learnt(sets, learning)
        self.features = tuple(compress(sets.feature_names, is_kept.tolist()))
        kept = np.flatnonzero(is_kept)
        log_likelihood = learning.likelihood(sample, values.take(kept))
        super().__init__(log_likelihood, np.broadcast_to(0.0, len(kept)), _SOLVERS)

    def learn(
        self, solver: str = "lbfgs", *, prior: str = GaussianPrior.name,
        start: np.ndarray | None = None, on_step: Callable | None = None,
        tolerance: float | None = None, **strength: float,
    ) -> Any:  # fmt: skip
        """Return the model under a zero-mean prior of some strength, as in ``check_strength``.

        The other parameters are those of ``Problem.maximise``.
        """
        options: dict[str, Any] = {"on_step": on_step}
        if tolerance is not None or solver == "lbfgs":  # need not be at the very optimum
            options["tolerance"] = _TOLERANCE if tolerance is None else tolerance
        zero_mean = zero_mean_prior(len(self.mean), prior, **strength)
        fit = self.maximise(zero_mean, start, solver, **options)
        return self.model(fit.weights, fit, prior=prior, **strength, solver=solver)

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of some weights, shape (F,)."""
        info = {
            **describe_sets(self.corpus), "cutoff": self._cutoff, **record,
            "features": len(self.features), **outcome_of(fit),
        }  # fmt: skip
        return self._kind(self.features, weights, self.learning, info)


class CandidateAdaptation(AdaptationProblem):
    """The adaptation of a background to candidate sets, with the union of their features.

    A feature of the adaptation data is new if the background lacks it and it tells candidates
    apart in ``cutoff`` sentences or more, as in ``AdaptationProblem``.

    Attributes
    ----------
    features : tuple of str
        Names of all features, the background's first.

    Raises
    ------
    InputError
        If the sets share no feature with the background.

    Source
    ------
    Chelba & Acero (2004), section 4, on the model of Plank & van Noord (2008).
    """

    def __init__(self, background: Any, sets: CandidateSets, cutoff: int | None = 0):
        self.background, self.corpus, self._whole = background, sets, sets
        self.cutoff = None if cutoff is None else check_cutoff(cutoff)
        inherited = place_shared_names(sets, background.features)
        values = RelativeValues.of(background.learning.sample(sets))
        counts = values.count_sentences()
        is_new = (counts >= max(min_count(cutoff), 1)) & (inherited < 0)
        new = np.flatnonzero(is_new & _is_learnt(sets, background.learning))
        names = [sets.feature_names[place] for place in new.tolist()]
        self.features = (*background.features, *names)
        n_old = len(background.features)
        weights = np.concatenate([background.weights, np.zeros(len(new))])
        is_inherited = np.arange(len(weights)) < n_old
        inherited[new] = n_old + np.arange(len(new))
        active = self._activate(sets, inherited, values)
        super().__init__(weights, active, is_inherited, _SOLVERS)

    def _activate(self, sets, place_of, values=None):
        """Return the log-likelihood of sets over the features that tell their candidates apart.

        ``place_of`` has the place among all features of each of the sets'.
        """
        learning = self.background.learning
        sample = learning.sample(sets)
        values = RelativeValues.of(sample) if values is None else values
        told = np.flatnonzero((values.count_sentences() > 0) & (place_of >= 0))
        told = told[np.argsort(place_of[told])]
        return ActiveLikelihood(learning.likelihood(sample, values.take(told)), place_of[told])

    @cached_property
    def slopes(self) -> CandidateLikelihood:
        """The log-likelihood of all sentences of the data, which has their slopes."""
        return self._likelihood_over_active(self._whole)

    def without(self, sentences: Collection[int]) -> "CandidateAdaptation":
        """Return this adaptation without some sentences, as in ``AdaptationProblem``.

        InputError if there is no such sentence, or none would be left.
        """
        fewer = copy(self)
        fewer.dropped, left = self.drop_from(self._whole, sentences)
        fewer.corpus = self._whole.take(left)
        fewer.log_likelihood = self._likelihood_over_active(fewer.corpus)
        return fewer

    def likelihood_of_sentences(self, sentences: Collection[int]) -> CandidateLikelihood:
        """Return the log-likelihood of some sentences alone, as in ``AdaptationProblem``."""
        return self._likelihood_over_active(self._whole.take(np.asarray(sentences)))

    def _likelihood_over_active(self, sets):
        """Return the log-likelihood of some sentences of the data over the active weights."""
        places = place_shared_names(sets, self.features)
        column_of = np.empty(len(self.features), np.int64)
        column_of[places[places >= 0]] = np.flatnonzero(places >= 0)
        learning = self.background.learning
        sample = learning.sample(sets)
        return learning.likelihood(sample, RelativeValues.of(sample).take(column_of[self.places]))

    def direction(self, cells: Iterable[tuple[str, float]]) -> np.ndarray:
        """Return the gradient by the active weights, shape (F,), of a sum of named weights.

        ``cells`` are (feature, factor); what is no active feature counts as nothing.
        """
        place_of = {self.features[place]: i for i, place in enumerate(self.places.tolist())}
        gradient = np.zeros(self.n_active)
        for name, factor in cells:
            if name in place_of:
                gradient[place_of[name]] += factor
        return gradient

    def name_parts(self, predicates: np.ndarray) -> list[str]:
        """Return the names of the features of ``Parts``."""
        return [self.features[place] for place in self.places[predicates].tolist()]

    def likelihood_of(self, data: CandidateSets) -> ActiveLikelihood:
        """Return the log-likelihood of other sets over the same weights."""
        return self._activate(data, place_shared_names(data, self.features))

    def raise_cutoff(self, cutoff: int | None) -> HigherCutoff:
        """Return this adaptation at a higher cut-off; InputError if it is lower than this one's."""
        least = min_count(cutoff)
        if least < min_count(self.cutoff):
            raise InputError(f"cutoff {cutoff}: {self.cutoff} or more, or none, is allowed")
        higher = type(self)(self.background, self._whole, cutoff)
        names = set(higher.features)
        kept = np.array([self.features[place] in names for place in self.places], bool)
        higher = higher.without(self.dropped) if self.dropped else higher
        return HigherCutoff(higher, kept, lambda packed: higher.pack(packed.corpus))

    def model_of_all(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of all weights, shape (number of features,)."""
        old = self.background
        info = {
            **describe_sets(self.corpus), "name": f"{old.info['name']} + {self.corpus.name}",
            "background": old.info, "cutoff": self.cutoff, "features": len(self.features),
            "new_features": self.n_new, **record, **outcome_of(fit),
        }  # fmt: skip
        return type(old)(self.features, weights, old.learning, info)

    def classes(self) -> dict[str, np.ndarray]:
        """Return places of features by their class: what is before the first = of the name."""
        places: dict[str, list[int]] = {}
        for place, name in enumerate(self.features):
            places.setdefault(name.split("=", 1)[0], []).append(place)
        return {name: np.array(own) for name, own in places.items()}

    def pack(self, data: CandidateSets) -> PackedCandidates:
        """Return sets made ready for the models of this problem."""
        return PackedCandidates(data, self.features, self.background.learning.reference)


def describe_sets(sets: CandidateSets) -> dict[str, Any]:
    """Return what a model records of the data that it has learnt."""
    return {
        "name": sets.name, "sentences": sets.n_sentences, "candidates": len(sets),
        "text": sets.fingerprint,
    }  # fmt: skip


def _is_learnt(sets: CandidateSets, learning: Learning) -> np.ndarray:
    """Return which features have a weight to be learnt: all but log q0."""
    is_learnt = np.ones(len(sets.feature_names), bool)
    if learning.reference and learning.reference in sets.feature_names:
        is_learnt[sets.feature_names.index(learning.reference)] = False
    return is_learnt
