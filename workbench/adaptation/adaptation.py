"""An ``Adaptation``: one background, one corpus, any sigma^2 or other prior; its fits and tags.

The objective is the log-likelihood of the adaptation data less the prior's penalty (eq. 3 of
Chelba & Acero, 2004), over the active weights: those of features that can fire in the data. Each
fit starts where those at other strengths of the prior, and of other cut-offs, predict its end.
"""

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from workbench.learning.influence import Influence
from workbench.learning.prior import ExponentialPrior, GaussianPrior, Prior, check_positive
from workbench.learning.solvers import finest_solver
from workbench.learning.solvers.fit import FIRST, Fit
from workbench.learning.warm_start import WarmStarts
from workbench.text.errors import InputError

_METHODS = {  # by what a prior around the background's weights is given by
    ("sigma2",): "map",
    ("sigma2_m", "sigma2_a"): "map-two-variances",
    ("alpha",): "map-exponential",
}
_AT_MEAN = 1e-3  # a start so near the mean of an exponential prior is put on it: there it stays
Strength = float | Mapping[str, float]  # of a prior: sigma2, or as ``check_strength`` takes it


def check_strength(strength: Strength) -> dict[str, float]:
    """Return the strength of a prior around the background's weights by name.

    That is ``sigma2``, of a Gaussian; ``sigma2_m`` and ``sigma2_a``, of features inherited from
    the background and of new ones; or ``alpha``, the rate of an exponential prior. InputError
    unless all of one prior are given, each a number > 0.

    Source
    ------
    Two variances: Zhang, Qiu, Huang & Wu (2008), section 4. Goodman's (2004) exponential prior
    has weights >= 0 around a mean of 0. Around a background weights must be able to fall, or a
    wrong tag could never be unlearned, so it has two sides here (Kazama & Tsujii, 2003). Nobody,
    as far as we know, has adapted with it.
    """
    named = strength if isinstance(strength, Mapping) else {"sigma2": strength}
    for names in _METHODS:
        if named.keys() == set(names):
            return {name: check_positive(named[name], name) for name in names}
    given = " and ".join(named) or "no strength of the prior"
    raise InputError(f"{given}: sigma2, alpha, or sigma2_m and sigma2_a is to be given")


class OnDemand(dict):
    """A dictionary that works a value out when it is first asked for."""

    def __init__(self, work_out: Callable):
        super().__init__()
        self._work_out = work_out

    def __missing__(self, name: Any) -> Any:
        self[name] = value = self._work_out(name)
        return value


@dataclass(frozen=True, eq=False)
class AdaptedFit:
    """The adapted model at one strength; unless ``settled``, the fit is a first approximation."""

    adaptation: "Adaptation"
    strength: Mapping[str, float]
    fit: Fit
    settled: bool = True

    @property
    def sigma2(self) -> float:
        """The variance, where the prior has one for all weights."""
        return self.strength["sigma2"]

    @property
    def model(self) -> Any:
        """The adapted model, made at each call: many points of a path share one background."""
        return self.adaptation.model(self.fit, self.strength)

    @cached_property
    def tags(self) -> Mapping[str, np.ndarray]:
        """Its tags of each text, int8, shape (N,), found when asked for; a dict."""
        return OnDemand(lambda name: self.model.tag(self.adaptation.packed[name]))

    @cached_property
    def wrong(self) -> Mapping[str, int]:
        """Its number of wrong tags in each text, counted when asked for; a dict."""
        texts = self.adaptation.packed
        return OnDemand(lambda name: texts[name].corpus.count_wrong(self.tags[name]))

    @cached_property
    def confidence(self) -> Mapping[str, np.ndarray]:
        """Probabilities of each word's tag given its sentence, (N,), by text; made when asked for.

        Summed over the tags of all other words of the sentence.
        """
        return OnDemand(self._find_confidence)

    def _find_confidence(self, name):
        model, text = self.model, self.adaptation.packed[name]
        tags = model.find_places(text.corpus, self.tags[name])
        return model.probabilities(text)[np.arange(len(tags)), tags]

    def describe(self) -> dict:
        """Return a point of a ``sweep``.

        It has cutoff, sigma2, new_features, free_weights, log_likelihood (nats, total, of the
        adaptation data), an error rate (fraction) for each text, or the quality that is lost,
        converged, seconds.
        """
        problem, fit = self.adaptation.problem, self.fit
        rates = {
            f"{name}_error_rate": self.wrong[name] / len(self.tags[name])
            for name in self.adaptation.packed
        }
        return {
            "cutoff": problem.cutoff, "sigma2": self.sigma2, "new_features": problem.n_new,
            "free_weights": problem.n_active, "log_likelihood": fit.log_likelihood, **rates,
            "converged": fit.converged, "seconds": fit.seconds,
        }  # fmt: skip


class Adaptation:
    """The adaptation of a background to a corpus, tried at any strength on the same texts.

    The problem is built and the texts are packed once; what was fitted is kept, so coming back
    costs nothing.

    Parameters
    ----------
    background : MEMM or CRF
        Or whatever has ``adaptation_problem``.
    cutoff : int or None
        As in ``AdaptationProblem``.
    texts : dict of str to Corpus, optional
        What to tag, with gold tags: ``{"dev": ..., "test": ...}``.

    Attributes
    ----------
    problem : AdaptationProblem
    packed : dict of str to PackedText or PackedSentences
        The texts, made ready to be tagged.
    tolerance : float or None
        Of settled fits; by default that of the solver, within 1e-5 of the optimum.

    Raises
    ------
    InputError
        As in ``TableAdaptation``.

    Source
    ------
    Chelba & Acero (2004), section 4, eq. 3; of CRFs Zhang, Qiu, Huang & Wu (2008).
    """

    tolerance: float | None = None

    def __init__(
        self, background: Any, corpus: Any, cutoff: int | None = 0, texts: Mapping | None = None
    ):
        problem = background.adaptation_problem(corpus, cutoff)
        packed = {name: problem.pack(text) for name, text in (texts or {}).items()}
        self._set_up(problem, packed, WarmStarts(problem.mean))

    def _set_up(self, problem, packed, warm_starts):
        self.problem, self.packed, self.warm_starts = problem, packed, warm_starts
        self.given = {"cutoff": problem.cutoff}
        self._settled, self._first, self._influence = {}, {}, None
        self._lock = threading.Lock()

    def _like(self, *parts):
        """Return an adaptation of other parts, with the same tolerance."""
        other = object.__new__(type(self))
        other.tolerance = self.tolerance
        other._set_up(*parts)
        return other

    def raise_cutoff(self, cutoff: int | None) -> "Adaptation":
        """Return the adaptation at a higher cut-off, which shares events and texts with this one.

        Each predicts from the other's fits, too, where its own end. InputError if the cut-off is
        lower than this one's.
        """
        change = self.problem.raise_cutoff(cutoff)
        packed = {name: change.repack(text) for name, text in self.packed.items()}
        return self._like(change.problem, packed, self.warm_starts.of_subset(change.kept))

    def without(self, sentences: Collection[int]) -> "Adaptation":
        """Return the adaptation without some sentences of the corpus, by their numbers.

        Features and texts are shared, the whole corpus among them, and fits start where this
        one's end; nothing is learnt the other way round. InputError as in
        ``TableAdaptation.without``.
        """
        with self._lock:  # its fits must not change meanwhile
            problem = self.problem.without(sentences)
        return self._like(problem, self.packed, self.warm_starts.follow())

    def first(self, strength: Strength, on_step: Callable | None = None) -> AdaptedFit:
        """Return what can be shown at once: the settled fit if it is known, else a short one.

        At most one tag in two thousand is another than at the end, to which ``at`` goes on.
        """
        point = check_strength(strength)
        key = tuple(point.items())
        with self._lock:
            if key in self._settled:
                return self._settled[key]
            if key not in self._first:
                fit = self._climb(point, on_step, FIRST)
                self._first[key] = AdaptedFit(self, point, fit, settled=False)
            return self._first[key]

    def at(self, strength: Strength, on_step: Callable | None = None) -> AdaptedFit:
        """Return the settled ``AdaptedFit`` at a strength, fitted now or remembered.

        Threads take turns; an exception from ``on_step`` ends a fit and is passed on.
        """
        point = check_strength(strength)
        key = tuple(point.items())
        with self._lock:
            if key not in self._settled:
                fit = self._climb(point, on_step, self.tolerance)
                self._settled[key] = AdaptedFit(self, point, fit)
                self.warm_starts.fits[key] = fit
                self._first.pop(key, None)
            return self._settled[key]

    def _climb(self, point, on_step, tolerance):
        """Fit from where the first answer ended, or the fits at other strengths lead."""
        first, mean = self._first.get(tuple(point.items())), self.problem.mean
        start = first.fit.weights if first else self.warm_starts.predict(**point)
        if start is not None and "alpha" in point:
            start = np.where(np.abs(start - mean) < _AT_MEAN, mean, start)
        return self.fit(point, start, tolerance=tolerance, on_step=on_step)

    @property
    def known(self) -> list[AdaptedFit]:
        """What has been fitted so far with one variance, by increasing sigma^2."""
        return _by_sigma2(self._settled)

    @property
    def shown(self) -> list[AdaptedFit]:
        """What is known and first answers not settled yet, by increasing sigma^2."""
        return _by_sigma2(self._first | self._settled)

    def log_likelihood(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of the corpus in nats and its gradient, shape (F,).

        Unlike that of ``problem`` it may be asked for while another thread fits.
        """
        with self._lock:  # its sums are in memory that fits use, too
            return self.problem.log_likelihood(weights)

    def influence(self, tuned: AdaptedFit) -> Influence:
        """Return the ``Influence`` of each sentence at a fit of this one; the last is kept."""
        with self._lock:  # log-likelihoods have their sums in memory of their own
            if self._influence is None or self._influence[0] is not tuned.fit:
                found = self.problem.influence(tuned.fit.weights, tuned.sigma2)
                self._influence = tuned.fit, found
            return self._influence[1]

    def learn(self, **strength: float) -> Any:
        """Return the adapted model at a strength, as methods do."""
        return self.at(strength).model

    def prior(self, strength: Strength) -> Prior:
        """Return the prior around the background's weights; InputError as in ``check_strength``."""
        values, mean = check_strength(strength), self.problem.mean
        if "alpha" in values:
            return ExponentialPrior(mean, values["alpha"], two_sided=True)
        if "sigma2" in values:
            return GaussianPrior(mean, values["sigma2"])
        return GaussianPrior(mean, np.where(self.problem.is_inherited, *values.values()))

    def fit(
        self, strength: Strength, start: np.ndarray | None = None, solver: str | None = None,
        **options: Any,
    ) -> Fit:  # fmt: skip
        """Return a ``Fit`` of its own, which is not kept; options as in ``Problem.maximise``."""
        return self.problem.maximise(self.prior(strength), start, solver, **options)

    def model(self, fit: Fit, strength: Strength, solver: str | None = None) -> Any:
        """Return the adapted model that the weights of a fit make.

        Under an exponential prior its info has ``moved``, how many weights left the mean.
        """
        point = check_strength(strength)
        prior = ExponentialPrior.name if "alpha" in point else GaussianPrior.name
        model = self.problem.model(
            fit.weights, fit, method=_METHODS[tuple(point)], prior=prior, **point,
            solver=solver or finest_solver(prior, self.problem.solvers),
        )  # fmt: skip
        if "alpha" in point:
            model.info["moved"] = int((fit.weights != self.problem.mean).sum())
        return model


def _by_sigma2(answers):
    found = [answer for answer in list(answers.values()) if "sigma2" in answer.strength]
    return sorted(found, key=lambda answer: answer.sigma2)


def adapt(
    background: Any, corpus: Any, sigma2: float | None = None, cutoff: int | None = 0, *,
    alpha: float | None = None, sigma2_m: float | None = None, sigma2_a: float | None = None,
    solver: str | None = None, **options: Any,
) -> Any:  # fmt: skip
    """Return a background, such as a MEMM or CRF, adapted to a corpus.

    Parameters
    ----------
    background, corpus, cutoff
        As in ``Adaptation``, from which the errors are, too.
    sigma2, alpha, sigma2_m, sigma2_a
        The ``Strength`` of one prior.
    solver : {"newton", "lbfgs", "iis"}
        Newton's method, L-BFGS, or the paper's improved iterative scaling, eq. 4; by
        default the first that can do with the model and the prior.
    **options
        As in ``LogLinear.fit``.

    Source
    ------
    Chelba & Acero (2004), eq. 3.
    """
    asked = {"sigma2": sigma2, "alpha": alpha, "sigma2_m": sigma2_m, "sigma2_a": sigma2_a}
    strength = check_strength({name: v for name, v in asked.items() if v is not None})
    adaptation = Adaptation(background, corpus, cutoff)
    fit = adaptation.fit(strength, solver=solver, **options)
    return adaptation.model(fit, strength, solver)


def adapt_by_cutoff(background: Any, corpus: Any, texts: Mapping) -> Mapping[Any, Adaptation]:
    """Return the adaptations of a background by cut-off, made when they are asked for; a dict.

    They share events and texts, and learn from one another.
    """

    def make(cutoff):
        if cutoff == 0:
            return Adaptation(background, corpus, 0, texts)
        return found[0].raise_cutoff(cutoff)

    found = OnDemand(make)
    return found
