"""One adaptation under a moving sigma^2, for a slider, a search, and grids as in figure 1."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from workbench.adaptation.methods.map import MapAdaptation
from workbench.features.selection import min_count
from workbench.learning.influence import Influence
from workbench.learning.prior import check_positive
from workbench.learning.problem import AdaptationProblem
from workbench.learning.solvers.fit import Fit
from workbench.learning.solvers.newton import TOLERANCE
from workbench.models.log_linear import LogLinear
from workbench.text.corpus import Corpus

_FIRST_TOLERANCE = 3e-3  # of a first answer


@dataclass(frozen=True, eq=False)
class AdaptedFit:
    """The adapted model at one sigma^2; unless ``settled``, the fit is a first approximation.

    ``texts`` are ``PackedText`` or ``PackedSentences`` by name.
    """

    sigma2: float
    adaptation: MapAdaptation
    fit: Fit
    texts: Mapping[str, Any]
    settled: bool = True

    @cached_property
    def tags(self) -> Mapping[str, np.ndarray]:
        """Its tags of each text, int8, shape (N,), found when asked for; a dict."""
        return OnDemand(lambda name: self.model.tag(self.texts[name]))

    @cached_property
    def wrong(self) -> Mapping[str, int]:
        """Its number of wrong tags in each text, counted when asked for; a dict."""
        return OnDemand(lambda name: self.texts[name].corpus.count_wrong(self.tags[name]))

    @cached_property
    def confidence(self) -> Mapping[str, np.ndarray]:
        """Probabilities of each word's tag given its sentence, (N,), by text; made when asked for.

        Summed over the tags of all other words of the sentence.
        """
        return OnDemand(self._find_confidence)

    @property
    def model(self) -> Any:
        """The adapted model, made at each call: many points of a path share one background."""
        return self.adaptation.model(self.fit, self.sigma2)

    def _find_confidence(self, name):
        model, text = self.model, self.texts[name]
        tags = model.find_places(text.corpus, self.tags[name])
        return model.probabilities(text)[np.arange(len(tags)), tags]


class OnDemand(dict):
    """A dictionary that works a value out when it is first asked for."""

    def __init__(self, work_out):
        super().__init__()
        self._work_out = work_out

    def __missing__(self, name):
        self[name] = value = self._work_out(name)
        return value


def tunings(background: Any, adaptation: Any, texts: Mapping, lowest: int | None = 0) -> Mapping:
    """Return the tunings of one adaptation by cut-off, made when they are asked for; a dict.

    They share events and texts, and learn from one another. ``lowest`` is the lowest cut-off
    that will be asked for; the other parameters are those of ``Tuning``.
    """

    def tune(cutoff):
        if cutoff == lowest:
            return Tuning(background, adaptation, texts, lowest)
        return found[lowest].raise_cutoff(cutoff)

    found = OnDemand(tune)
    return found


class Tuning:
    """Adaptation of a background to a corpus, tried at any sigma^2 on the same texts.

    The problem is built and the texts are packed once; a fit starts where those
    known predict that it ends, and is kept, so coming back costs nothing.

    Parameters
    ----------
    texts : dict of str to Corpus
        What to tag, with gold tags: ``{"dev": ..., "test": ...}``.
    cutoff : int or None
        As in ``MapAdaptation``.
    tolerance : float, optional
        As in ``maximise_by_newton``; the default ends within 1e-5 of the optimum.

    Attributes
    ----------
    packed : dict of str to PackedText or PackedSentences
        The texts, made ready to be tagged.
    """

    def __init__(
        self, background: Any, adaptation: Any, texts: Mapping, cutoff: int | None = 0,
        tolerance: float = TOLERANCE,
    ):  # fmt: skip
        adapting = MapAdaptation(background, adaptation, cutoff)
        packed = {name: adapting.problem.pack(text) for name, text in texts.items()}
        self._set_up(adapting, packed, tolerance)

    def _set_up(self, adaptation, packed, tolerance):
        self.adaptation, self.packed, self.tolerance = adaptation, packed, tolerance
        self._known, self._first, self._influence = {}, {}, None
        self._lock = threading.Lock()

    @property
    def problem(self) -> AdaptationProblem:
        """The ``AdaptationProblem``."""
        return self.adaptation.problem

    def raise_cutoff(self, cutoff: int | None) -> "Tuning":
        """Return the tuning at a higher cut-off, which shares events and texts with this one.

        Each predicts from the other's fits, too, where its own end.
        """
        adaptation, change = self.adaptation.raise_cutoff(cutoff)
        packed = {name: change.repack(text) for name, text in self.packed.items()}
        higher = object.__new__(Tuning)
        higher._set_up(adaptation, packed, self.tolerance)
        return higher

    def without(self, sentences: Collection[int]) -> "Tuning":
        """Return the tuning without some sentences of the adaptation data, by their numbers.

        Features and texts are shared, the whole adaptation data among them, and fits start
        where this one's end; nothing is learnt the other way round.
        """
        with self._lock:  # its fits must not change meanwhile
            adaptation = self.adaptation.without(sentences)
        fewer = object.__new__(Tuning)
        fewer._set_up(adaptation, self.packed, self.tolerance)
        return fewer

    def influence(self, tuned: AdaptedFit) -> Influence:
        """Return the ``Influence`` of each sentence at a fit of this tuning; the last is kept."""
        with self._lock:  # log-likelihoods have their sums in memory of their own
            if self._influence is None or self._influence[0] is not tuned.fit:
                influence = self.problem.influence(tuned.fit.weights, tuned.sigma2)
                self._influence = tuned.fit, influence
            return self._influence[1]

    def first(self, sigma2: float, on_step: Callable | None = None) -> AdaptedFit:
        """Return what can be shown at once: the settled fit if it is known, else a short one.

        At most one tag in two thousand is another than at the end, to which ``at`` goes on.
        """
        with self._lock:
            if sigma2 in self._known:
                return self._known[sigma2]
            if sigma2 not in self._first:
                self._first[sigma2] = self._fit(sigma2, on_step, _FIRST_TOLERANCE, False)
            return self._first[sigma2]

    def at(self, sigma2: float, on_step: Callable | None = None) -> AdaptedFit:
        """Return the settled ``AdaptedFit`` at a sigma^2, fitted now or remembered.

        Threads take turns; an exception from ``on_step`` ends a fit and is passed on.
        """
        with self._lock:
            if sigma2 not in self._known:
                settled = self._fit(sigma2, on_step, self.tolerance, True)
                self._known[sigma2] = settled
                self.adaptation.warm_starts.fits[settled.sigma2,] = settled.fit
                self._first.pop(sigma2, None)
            return self._known[sigma2]

    @property
    def known(self) -> list[AdaptedFit]:
        """What has been fitted so far, by increasing sigma^2."""
        return [self._known[sigma2] for sigma2 in sorted(self._known)]

    @property
    def shown(self) -> list[AdaptedFit]:
        """What is known and first answers not settled yet, by increasing sigma^2."""
        answers = self._first | self._known
        return [answers[sigma2] for sigma2 in sorted(answers)]

    def _fit(self, sigma2, on_step, tolerance, settled):
        value, first = check_positive(sigma2), self._first.get(sigma2)
        start = first.fit.weights if first else self.adaptation.warm_starts.predict(value)
        fit = self.adaptation.fit(value, start=start, on_step=on_step, tolerance=tolerance)
        return AdaptedFit(value, self.adaptation, fit, self.packed, settled)


def sweep(
    background: LogLinear, adaptation: Corpus, texts: Mapping[str, Corpus],
    sigma2s: Sequence[float], cutoffs: Sequence[int | None] = (0,),
    on_point: Callable[[int, int], object] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return the errors and log-likelihood at every sigma^2 and cut-off.

    Errors are those of the adaptation data and of ``texts``, such as ``{"dev": ...}``;
    ``on_point`` is called with (points done, points in all).

    Returns
    -------
    points : DataFrame
        One row a point, as ``describe_point`` gives it; a cut-off None is missing.

    Source
    ------
    Chelba & Acero (2004), figure 1, tables 4 and 5.
    """
    texts, points = {"train": adaptation, **texts}, []
    tuned = tunings(background, adaptation, texts, min(cutoffs, key=min_count, default=0))
    for cutoff in cutoffs:
        for sigma2 in sorted(sigma2s):
            points.append(describe_point(tuned[cutoff], tuned[cutoff].at(sigma2)))
            if on_point:
                on_point(len(points), len(sigma2s) * len(cutoffs))
    return with_cutoffs(points)


def with_cutoffs(points: Sequence[dict]) -> pd.DataFrame:
    """Return the table of the points of a sweep."""
    # A nullable integer: else a missing cut-off would make all of them floats.
    return pd.DataFrame(points).astype({"cutoff": "Int64"})


def describe_point(tuning: Tuning, tuned: AdaptedFit) -> dict:
    """Return one point of a sweep.

    It has cutoff, sigma2, new_features, free_weights, log_likelihood (nats, total, of the
    adaptation data), an error rate (fraction) for each text, of candidate sets the quality that is
    lost, converged, seconds.
    """
    errors = {
        f"{name}_error_rate": tuned.wrong[name] / len(tuned.tags[name]) for name in tuning.packed
    }
    problem, fit = tuning.problem, tuned.fit
    return {
        "cutoff": problem.cutoff, "sigma2": tuned.sigma2, "new_features": problem.n_new,
        "free_weights": problem.n_active, "log_likelihood": fit.log_likelihood, **errors,
        "converged": fit.converged, "seconds": fit.seconds,
    }  # fmt: skip
