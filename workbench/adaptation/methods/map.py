"""MAP adaptation: a prior around the background's weights; one variance, two, or an exponential.

The objective is the log-likelihood of the adaptation data less the prior's penalty (eq. 3),
over the active weights: those of features that can fire in the adaptation data.
"""

from collections.abc import Collection
from typing import Any

import numpy as np

from workbench.adaptation.method import ALL_MODELS, CANDIDATE_SIGMA2, MAXENT, SIGMA2, Axis, Method
from workbench.learning.prior import ExponentialPrior, GaussianPrior, Prior, check_positive
from workbench.learning.problem import HigherCutoff
from workbench.learning.solvers import finest_solver
from workbench.learning.solvers.fit import Fit
from workbench.learning.warm_starts import WarmStarts
from workbench.settings import ALPHA_SEARCH, TRAINING
from workbench.text.errors import InputError


class MapAdaptation:
    """The adaptation of one background to one corpus, made ready for any sigma^2.

    Parameters
    ----------
    background : MEMM or CRF
        Or whatever has ``adaptation_problem``.
    cutoff : int or None
        As in ``AdaptationProblem``.

    Attributes
    ----------
    problem : AdaptationProblem
    warm_starts : WarmStarts
        Of fits at any strength of the prior.

    Raises
    ------
    InputError
        As in ``TableAdaptation``.

    Source
    ------
    Chelba & Acero (2004), section 4, eq. 3; of CRFs Zhang, Qiu, Huang & Wu (2008).
    """

    method = "map"
    strengths: tuple[str, ...] = ("sigma2",)  # what the prior needs, by name and in this order
    _prior_name = GaussianPrior.name
    _tolerance: float | None = None  # that of the solver

    def __init__(self, background: Any, corpus: Any, cutoff: int | None = 0):
        self._set_up(background.adaptation_problem(corpus, cutoff))
        self.warm_starts = WarmStarts(self.problem.mean)

    def _set_up(self, problem):
        self.problem, self.given = problem, {"cutoff": problem.cutoff}

    def raise_cutoff(self, cutoff: int | None) -> tuple["MapAdaptation", HigherCutoff]:
        """Return the adaptation at a higher cut-off, and the ``HigherCutoff`` that it is made of.

        InputError if the cut-off is lower than this one's.
        """
        change = self.problem.raise_cutoff(cutoff)
        higher = object.__new__(type(self))
        higher._set_up(change.problem)
        higher.warm_starts = self.warm_starts.of_subset(change.kept)
        return higher, change

    def without(self, sentences: Collection[int]) -> "MapAdaptation":
        """Return the adaptation without some sentences of the corpus, with the same features.

        It starts where this one's fits end. InputError as in ``TableAdaptation.without``.
        """
        fewer = object.__new__(type(self))
        fewer._set_up(self.problem.without(sentences))
        fewer.warm_starts = self.warm_starts.follow()
        return fewer

    def prior(self, *strength: float) -> Prior:
        """Return the prior for a variance; InputError unless it is a number > 0."""
        (sigma2,) = map(check_positive, strength, self.strengths)
        return GaussianPrior(self.problem.mean, sigma2)

    def fit(
        self, *strength: float, start: np.ndarray | None = None, solver: str | None = None,
        **options: Any,
    ) -> Fit:  # fmt: skip
        """Return the ``Fit`` of the active weights; options as in ``Problem.maximise``."""
        if self._tolerance is not None:
            options = {"tolerance": self._tolerance} | options
        return self.problem.maximise(self.prior(*strength), start, solver, **options)

    def learn(self, **strength: float) -> Any:
        """Return the adapted model; fits at other strengths predict where this one starts."""
        point = [strength[name] for name in self.strengths]
        fit = self.warm_starts.fit(lambda start: self.fit(*point, start=self._near(start)), *point)
        return self.model(fit, *point)

    def _near(self, start):  # a predicted start, as the prior needs it
        return start

    def model(self, fit: Fit, *strength: float, solver: str | None = None) -> Any:
        """Return the adapted model that the weights of a fit make."""
        solver = solver or finest_solver(self._prior_name, self.problem.solvers)
        record: dict[str, Any] = {"method": self.method, "prior": self._prior_name}
        record |= zip(self.strengths, map(float, strength), strict=True)
        return self.problem.model(fit.weights, fit, **record, solver=solver)


class TwoVariances(MapAdaptation):
    """MAP adaptation under sigma2_m for the background's features and sigma2_a for new ones.

    Source
    ------
    Zhang, Qiu, Huang & Wu (2008), on a CRF; one of the "other tying schemes" that Chelba &
    Acero (2004), section 4, leave to later work.
    """

    method = "map-two-variances"
    strengths = ("sigma2_m", "sigma2_a")

    def prior(self, *strength: float) -> Prior:
        """Return the prior for two variances; InputError unless both are numbers > 0."""
        sigma2_m, sigma2_a = map(check_positive, strength, self.strengths)
        sigma2s = np.where(self.problem.is_inherited, sigma2_m, sigma2_a)
        return GaussianPrior(self.problem.mean, sigma2s)


class ExponentialAdaptation(MapAdaptation):
    """Adaptation under alpha * |weight - background weight|: few weights leave the mean at all.

    Source
    ------
    Goodman (2004) has weights >= 0 around a mean of 0. Around a background weights must be
    able to fall, or a wrong tag could never be unlearned, so the prior has two sides here
    (Kazama & Tsujii, 2003). Nobody, as far as we know, has adapted with it.
    """

    method = "map-exponential"
    strengths = ("alpha",)
    _prior_name = ExponentialPrior.name
    _tolerance = 1e-4  # edges of the cost make the last digits dear

    def prior(self, *strength: float) -> Prior:
        """Return the prior for a rate; InputError unless it is a number > 0."""
        (alpha,) = map(check_positive, strength, self.strengths)
        return ExponentialPrior(self.problem.mean, alpha, two_sided=True)

    def _near(self, start):
        """Put weights that are predicted hardly away from the mean on it: there they stay."""
        if start is None:
            return None
        mean = self.problem.mean
        return np.where(np.abs(start - mean) < 1e-3, mean, start)

    def model(self, fit: Fit, *strength: float, solver: str | None = None) -> Any:
        """Return the adapted model; its info has ``moved``, how many weights left the mean."""
        model = super().model(fit, *strength, solver=solver)
        model.info["moved"] = int((fit.weights != self.problem.mean).sum())
        return model


_KINDS = MapAdaptation, ExponentialAdaptation, TwoVariances
ADAPTATIONS = {kind.strengths: kind for kind in _KINDS}


def adapt(
    background: Any, corpus: Any, sigma2: float | None = None, cutoff: int | None = 0, *,
    alpha: float | None = None, sigma2_m: float | None = None, sigma2_a: float | None = None,
    solver: str | None = None, **options: Any,
) -> Any:  # fmt: skip
    """Return a background, MEMM, CRF or model of candidates, adapted to a corpus.

    Parameters
    ----------
    background, corpus, cutoff
        As in ``MapAdaptation``.
    sigma2 : float
        Variance of the Gaussian prior around the background's weights.
    alpha : float, optional
        Rate of an exponential prior around them, instead of the Gaussian.
    sigma2_m, sigma2_a : float, optional
        Two variances in its place: of features inherited from the background and of new ones.
    solver : {"newton", "lbfgs", "iis"}
        Newton's method, L-BFGS, or the paper's improved iterative scaling, eq. 4; by
        default the first that can do with the model and the prior.
    **options
        As in ``LogLinear.fit``.

    Raises
    ------
    InputError
        As in ``MapAdaptation``; if what is given is not the strength of one prior, or not > 0.

    Source
    ------
    Chelba & Acero (2004), eq. 3; two variances: Zhang, Qiu, Huang & Wu (2008), section 4.
    """
    asked = {"sigma2": sigma2, "alpha": alpha, "sigma2_m": sigma2_m, "sigma2_a": sigma2_a}
    strength = {name: value for name, value in asked.items() if value is not None}
    if tuple(strength) not in ADAPTATIONS:
        given = " and ".join(strength) or "no strength of the prior"
        raise InputError(f"{given}: sigma2, alpha, or sigma2_m and sigma2_a is to be given")
    adaptation = ADAPTATIONS[tuple(strength)](background, corpus, cutoff)
    fit = adaptation.fit(*strength.values(), solver=solver, **options)
    return adaptation.model(fit, *strength.values(), solver=solver)


def _of(kind):
    return lambda sources: kind(sources.background, sources.adaptation)


# Large rates first: few weights are away there, and each smaller rate sends a few more. The
# other way round the first fit alone takes more steps than all of these.
ALPHA = Axis(ALPHA_SEARCH, start=TRAINING["alpha"].default)
MAP = Method(
    "map", "MAP adaptation, one sigma2 for all weights", _of(MapAdaptation),
    {"sigma2": SIGMA2}, models=ALL_MODELS, candidate_axes={"sigma2": CANDIDATE_SIGMA2},
)  # fmt: skip
TWO_VARIANCES = Method(
    "map-two-variances", "MAP adaptation, sigma2_m for inherited and sigma2_a for new features",
    _of(TwoVariances),
    {
        "sigma2_m": Axis((0.1, 0.3, 1.0, 3.0, 10.0), start=1.0, refinements=1),
        "sigma2_a": Axis((0.1, 0.3, 1.0, 3.0, 10.0, 30.0), start=1.0, refinements=1),
    },
    exhaustive=True, models=ALL_MODELS,
    candidate_axes=dict.fromkeys(("sigma2_m", "sigma2_a"), CANDIDATE_SIGMA2),
)  # fmt: skip
EXPONENTIAL = Method(
    "map-exponential",
    "adaptation with an exponential prior on both sides of the background's weights",
    _of(ExponentialAdaptation), {"alpha": ALPHA}, models=MAXENT,
    candidate_axes={"alpha": Axis((20.0, 10.0, 5.0, *ALPHA_SEARCH), start=5.0)},
)  # fmt: skip
