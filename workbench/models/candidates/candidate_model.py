"""The model of candidate sets: a maximum-entropy distribution over the candidates of a sentence."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.learning.prior import GaussianPrior, check_positive, check_strength
from workbench.learning.solvers import find_solver
from workbench.models.candidates.candidate_problems import CandidateAdaptation, CandidateTraining
from workbench.models.candidates.learning import BEST_ALIKE, Learning
from workbench.models.candidates.ranking import PackedCandidates, Ranking, choose, rank_by
from workbench.models.capitalizer import Capitalizer
from workbench.models.files import check_info, check_weights, require, write_parts
from workbench.settings import CANDIDATES
from workbench.text.tasks import TaskName


@dataclass(eq=False, repr=False)
class CandidateModel:
    """p(candidate | sentence), proportional to q0 * exp(sum of weight * value).

    Parameters
    ----------
    features : tuple of str
        Names of the F features.
    weights : ndarray, shape (F,)
    learning : Learning
        What was learnt of each sentence, and what an adaptation learns, too.
    info : dict
        Where it comes from: data and their hash, cut-off, prior, convergence.

    Source
    ------
    Plank & van Noord (2008), section 3, eq. 1 and 2, with the reference distribution q0.
    """

    features: tuple[str, ...]
    weights: np.ndarray
    learning: Learning = field(default_factory=Learning)
    info: dict = field(default_factory=dict)
    kind, task = "candidates", TaskName.CANDIDATES
    __repr__ = Capitalizer.__repr__

    @classmethod
    def fit(
        cls, sets: CandidateSets, cutoff: int = CANDIDATES["cutoff"],
        sigma2: float = CANDIDATES["sigma2"], learning: Learning = BEST_ALIKE, *,
        alpha: float | None = None, solver: str = "lbfgs", **options: Any,
    ) -> Self:  # fmt: skip
        """Return a model trained on candidate sets.

        Parameters
        ----------
        cutoff : int
            Features that tell candidates apart in fewer sentences are dropped.
        sigma2 : float
            Variance of the zero-mean Gaussian prior.
        learning : Learning
            What is learnt of each sentence.
        alpha : float, optional
            Rate of Goodman's exponential prior, weights >= 0, instead of the Gaussian.
        solver : {"lbfgs", "newton"}
            L-BFGS, or Newton's method, which goes on to the optimum.
        **options
            ``tolerance``, ``on_step`` and the most steps of the solver.

        Source
        ------
        Plank & van Noord (2008), section 3.
        """
        strength = check_strength(sigma2, alpha)
        find_solver(solver, strength["prior"], CandidateTraining.solver_names)
        problem = cls.training_problem(sets, cutoff, learning)
        return problem.learn(solver, **strength, **options)

    @classmethod
    def training_problem(
        cls, sets: CandidateSets, cutoff: int = CANDIDATES["cutoff"],
        learning: Learning = BEST_ALIKE,
    ) -> CandidateTraining:  # fmt: skip
        """Return the problem of training on candidate sets, as in ``fit``."""
        return CandidateTraining(cls, sets, learning, cutoff)

    def adaptation_problem(
        self, sets: CandidateSets, cutoff: int | None = 0
    ) -> CandidateAdaptation:
        """Return the problem of adapting this model to candidate sets, with a cut-off."""
        return CandidateAdaptation(self, sets, cutoff)

    def adapt(self, sets: CandidateSets, sigma2: float, cutoff: int | None = 0) -> Self:
        """Return the model adapted under a Gaussian prior around these weights (MAP).

        ``adaptation.methods.map.adapt`` takes further priors and solvers.
        """
        problem = self.adaptation_problem(sets, cutoff)
        fit = problem.maximise(GaussianPrior(problem.mean, check_positive(sigma2)))
        return problem.model(fit.weights, fit, method="map", sigma2=float(sigma2))

    @cached_property
    def weight_of(self) -> dict[str, float]:
        """The weight of each feature by its name; 1 of the reference distribution's, if any."""
        weights = dict(zip(self.features, self.weights.tolist(), strict=True))
        return weights | ({self.learning.reference: 1.0} if self.learning.reference else {})

    def pack(self, sets: CandidateSets) -> PackedCandidates:
        """Make candidate sets ready for the models with these features.

        InputError if they share none of them.
        """
        return PackedCandidates(sets, self.features, self.learning.reference)

    def probabilities(self, sets: CandidateSets | PackedCandidates) -> np.ndarray:
        """Return p(candidate | sentence) of every candidate; shape (C,)."""
        packed = sets if isinstance(sets, PackedCandidates) else self.pack(sets)
        if packed.features != self.features:
            packed = self.pack(packed.corpus)
        return packed.probabilities(self.weights)

    def rank(self, sets: CandidateSets) -> Ranking:
        """Return the candidates of each sentence, the most probable first, and probabilities."""
        return rank_by(sets, self.probabilities(sets))

    def tag(self, sets: CandidateSets | PackedCandidates) -> np.ndarray:
        """Return the number of the most probable candidate of each sentence; int64, shape (S,)."""
        corpus = sets.corpus if isinstance(sets, PackedCandidates) else sets
        return choose(corpus, self.probabilities(sets))

    def content_hash(self) -> str:
        """Return 64 hexadecimal digits that identify the features and their weights."""
        digest = hashlib.sha256("\n".join(self.features).encode())
        digest.update(np.ascontiguousarray(self.weights).data)
        return digest.hexdigest()

    def save(self, path: str | Path) -> None:
        """Write the model to one file, atomically; InputError if that fails."""
        write_parts(path, self.kind, *self.to_parts())

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        header = {
            "info": self.info, "learning": self.learning._asdict(), "sha256": self.content_hash(),
        }  # fmt: skip
        return header, {"weights": self.weights}, {"features": list(self.features)}

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> Self:
        """Return the model that the parts of its file make."""
        names = tuple(lists["features"])
        require(len(set(names)) == len(names), "a feature twice")
        weights = check_weights(arrays["weights"], len(names))
        return cls(names, weights, Learning.read(header["learning"]), check_info(header))
