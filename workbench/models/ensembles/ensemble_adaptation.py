"""The adaptation of all members of an ensemble, as one problem of flat weights."""

from dataclasses import replace
from typing import Any

import numpy as np

from workbench.learning.prior import GaussianPrior, Prior
from workbench.learning.problem import Problem
from workbench.learning.solvers.fit import Fit, Step
from workbench.models.tables.active_features import outcome_of
from workbench.text.corpus import Corpus


class EnsembleAdaptation(Problem):
    """The adaptations of all members of a background to one corpus.

    The weights of the first member come first, those of the others after them. They share
    nothing but the prior's strength, so each member is fitted by itself.

    Parameters
    ----------
    background : Ensemble
    corpus, cutoff
        As in ``TableAdaptation``, from which the errors are, too.
    """

    def __init__(self, background: Any, corpus: Corpus, cutoff: int | None = 0):
        self.background, self.corpus = background, corpus
        self._parts = [model.adaptation_problem(corpus, cutoff) for model in background.members]
        self.cutoff = self._parts[0].cutoff
        mean = np.concatenate([part.mean for part in self._parts])
        super().__init__(None, mean, self._parts[0].solvers)

    @property
    def is_inherited(self) -> np.ndarray:
        """Which active features are the background's; bool, shape (F,)."""
        return np.concatenate([part.is_inherited for part in self._parts])

    def maximise(
        self, prior: Prior, start: np.ndarray | None = None, solver: str | None = None,
        **options: Any,
    ) -> Fit:  # fmt: skip
        """Return the ``Fit`` of all under a prior, of one last step; as ``Problem.maximise``."""
        fits = [
            part.maximise(_part_of(prior, own), None if start is None else start[own], solver,
                          **options)
            for part, own in self._with_places()
        ]  # fmt: skip
        last = [fit.steps[-1] for fit in fits]
        step = Step(
            sum(each.iteration for each in last), sum(each.log_likelihood for each in last),
            sum(each.penalty for each in last),
            float(np.linalg.norm([each.gradient_norm for each in last])),
            sum(each.seconds for each in last),
        )  # fmt: skip
        weights = np.concatenate([fit.weights for fit in fits])
        return Fit(weights, [step], all(fit.converged for fit in fits))

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of these active weights, shape (F,); ``record`` says how it was made."""
        models = [part.model(weights[own], **record) for part, own in self._with_places()]
        found = type(self.background).of(*models)
        new = sum(part.n_new for part in self._parts)
        own = {"background": self.background.info, "new_features": new, **outcome_of(fit)}
        return replace(found, info=found.info | own)

    def _with_places(self):
        """Return each problem with the slice of its weights among all."""
        ends = np.cumsum([len(part.mean) for part in self._parts]).tolist()
        places = (slice(end - len(p.mean), end) for p, end in zip(self._parts, ends, strict=True))
        return zip(self._parts, places, strict=True)


def _part_of(prior, own):
    """Return the prior of some of its weights."""
    if isinstance(prior, GaussianPrior) and isinstance(prior.sigma2, np.ndarray):
        return GaussianPrior(prior.mean[own], prior.sigma2[own])
    return replace(prior, mean=prior.mean[own])
