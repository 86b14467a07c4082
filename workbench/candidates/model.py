"""The model of candidate sets, maximum entropy over the candidates of a sentence; two mixed."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from workbench.candidates.learning import BEST_ALIKE, DEFAULTS, Learning
from workbench.candidates.problems import CandidateAdaptation, CandidateTraining
from workbench.candidates.ranking import PackedCandidates, Ranking, choose, rank_by
from workbench.candidates.sets import TASK, CandidateSets
from workbench.learning.prior import GaussianPrior, check_positive, check_strength
from workbench.learning.solvers import find_solver
from workbench.models.capitalizer import Capitalizer
from workbench.models.files import check_info, check_weights, mark_cells, require, write_parts
from workbench.text.errors import InputError


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
    kind, task = "candidates", TASK
    __repr__ = Capitalizer.__repr__

    @classmethod
    def fit(
        cls, sets: CandidateSets, cutoff: int = DEFAULTS["cutoff"],
        sigma2: float = DEFAULTS["sigma2"], learning: Learning = BEST_ALIKE, *,
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
        cls, sets: CandidateSets, cutoff: int = DEFAULTS["cutoff"],
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

    def changes_from(self, background: "CandidateModel") -> tuple[dict, dict, dict]:
        """Return header, arrays and lists of an adapter: weights and features that are others.

        The first features of this model are the background's.
        """
        n_old, changed = len(background.features), self.weights.copy()
        changed[:n_old] -= background.weights
        cells = np.flatnonzero(changed).astype(np.int32)
        arrays = {"cells": cells, "weights": self.weights[cells]}
        return {}, arrays, {"features": list(self.features[n_old:])}

    def with_changes(self, header: dict, arrays: dict, lists: dict) -> Self:
        """Return the adapted model of which an adapter has these parts, and this is the background.

        InputError if they do not go together.
        """
        names = (*self.features, *lists["features"])
        require(len(set(names)) == len(names), "a feature twice")
        (changed,) = mark_cells(arrays["cells"], (1, len(names)), "changed weights")
        weights = np.concatenate([self.weights, np.zeros(len(lists["features"]))])
        weights[changed] = check_weights(arrays["weights"], len(arrays["cells"]))
        return type(self)(names, weights, self.learning, check_info(header))

    @classmethod
    def describe_options(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options of ``fit`` for JSON, equal where they mean the same."""
        return {**options, "learning": options.get("learning", BEST_ALIKE)._asdict()}

    def mix(self, outside: "CandidateModel", share: float, info: dict) -> Any:
        """Return the linear interpolation of this model, with its share, and another."""
        return CandidateMixture(self, outside, share, info)

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


_PARTS = ("inside", "outside")


@dataclass(eq=False, repr=False)
class CandidateMixture:
    """P(candidate | sentence) = share * P_IN + (1 - share) * P_OUT, the share from 0 to 1.

    Source
    ------
    LININT, Daumé III (2007), section 2.
    """

    inside: CandidateModel
    outside: CandidateModel
    share: float
    info: dict = field(default_factory=dict)
    kind, task = "candidate-mixture", TASK
    __repr__ = Capitalizer.__repr__

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise InputError(f"share {self.share}: a number from 0 to 1 is allowed")

    @property
    def features(self) -> tuple[tuple[str, ...], ...]:
        """The names of the features of both models."""
        return self.inside.features, self.outside.features

    def pack(self, sets: CandidateSets) -> "PackedForBoth":
        """Make candidate sets ready for the mixtures with the same ``features``."""
        return PackedForBoth(sets, self)

    def probabilities(self, sets: Any) -> np.ndarray:
        """Return p(candidate | sentence) of every candidate; shape (C,)."""
        packed = sets if isinstance(sets, PackedForBoth) else self.pack(sets)
        inside, outside = packed.probabilities(self)
        return self.share * inside + (1 - self.share) * outside

    def rank(self, sets: CandidateSets) -> Ranking:
        """Return the candidates of each sentence, the most probable first, and probabilities."""
        return rank_by(sets, self.probabilities(sets))

    def tag(self, sets: Any) -> np.ndarray:
        """Return the number of the most probable candidate of each sentence; int64, shape (S,)."""
        return choose(getattr(sets, "corpus", sets), self.probabilities(sets))

    def save(self, path: str | Path) -> None:
        """Write the model to one file, atomically; InputError if that fails."""
        write_parts(path, self.kind, *self.to_parts())

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        parts = {name: getattr(self, name).to_parts() for name in _PARTS}
        headers = {name: header for name, (header, _, _) in parts.items()}
        arrays, lists = (
            {f"{name}.{key}": value for name, own in parts.items() for key, value in own[k].items()}
            for k in (1, 2)
        )
        return {"info": self.info, "share": self.share, "models": headers}, arrays, lists

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> Self:
        """Return the model that the parts of its file make."""
        inside, outside = (
            CandidateModel.from_parts(
                header["models"][name],
                {"weights": arrays[f"{name}.weights"]}, {"features": lists[f"{name}.features"]},
            )
            for name in _PARTS
        )  # fmt: skip
        share = header["share"]
        require(isinstance(share, float), "a share that is no number")
        return cls(inside, outside, share, check_info(header))


class PackedForBoth:
    """Candidate sets made ready for the two models of a mixture."""

    def __init__(self, corpus: CandidateSets, mixture: CandidateMixture):
        self.corpus, self.features = corpus, mixture.features
        self._packed = mixture.inside.pack(corpus), mixture.outside.pack(corpus)

    def probabilities(self, mixture: CandidateMixture) -> list[np.ndarray]:
        """Return p of the inside model and of the outside one, each of shape (C,)."""
        models = mixture.inside, mixture.outside
        return [m.probabilities(own) for m, own in zip(models, self._packed, strict=True)]
