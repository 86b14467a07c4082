"""One adaptation under a moving sigma^2: what a slider, a sweep and a search share."""

import threading
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from workbench.adaptation.methods.map import MapAdaptation
from workbench.learning.path import distance, predict_beside, predict_weights
from workbench.learning.solvers.fit import Fit
from workbench.learning.solvers.newton import TOLERANCE

_SHORT = {"tolerance": 3e-3}  # of a first answer


@dataclass(frozen=True, eq=False)
class AdaptedFit:
    """The adapted model at one sigma^2.

    Attributes
    ----------
    sigma2 : float
    problem : MapAdaptation
    fit : Fit
    texts : dict of str to PackedText or PackedSentences
    settled : bool
        Whether the fit is at its end; else it is a first answer.
    """

    sigma2: float
    problem: MapAdaptation
    fit: Fit
    texts: dict
    settled: bool = True

    @cached_property
    def tags(self):
        """Its tags of each text, int8, shape (N,), found when asked for; a dict."""
        return _OnDemand(lambda name: self.model.tag(self.texts[name]))

    @cached_property
    def wrong(self):
        """Its number of wrong tags in each text, counted when asked for; a dict."""
        gold = {name: text.corpus.tags for name, text in self.texts.items()}
        return _OnDemand(lambda name: int((self.tags[name] != gold[name]).sum()))

    @property
    def model(self):
        """The adapted model, made at each call: many points of a path share one background."""
        return self.problem.model(self.fit, self.sigma2)


class _OnDemand(dict):
    """A dictionary that works a value out when it is first asked for."""

    def __init__(self, work_out):
        super().__init__()
        self._work_out = work_out

    def __missing__(self, name):
        self[name] = value = self._work_out(name)
        return value


def tunings(background, adaptation, texts, widest=0):
    """Return the tunings of one adaptation by cut-off, made when they are asked for; a dict.

    They share events and texts, and learn from one another. ``widest`` is the lowest cut-off
    that will be asked for; the other parameters are those of ``Tuning``.
    """

    def tune(cutoff):
        if cutoff == widest:
            return Tuning(background, adaptation, texts, widest)
        return found[widest].narrow(cutoff)

    found = _OnDemand(tune)
    return found


class Tuning:
    """Adaptation of a background to a corpus, tried at any sigma^2 on the same texts.

    The problem is built and the texts are packed once; a fit starts where those
    known predict that it ends, and is kept, so coming back costs nothing.

    Parameters
    ----------
    background : MEMM or CRF
    adaptation : Corpus
    texts : dict of str to Corpus
        What to tag, with gold tags: ``{"dev": ..., "test": ...}``.
    cutoff : int or None
        As in ``MapAdaptation``.
    tolerance : float, optional
        As in ``solve``; the default ends within 1e-5 of the optimum.
    """

    def __init__(self, background, adaptation, texts, cutoff=0, tolerance=TOLERANCE):
        self.tolerance = tolerance
        problem = MapAdaptation(background, adaptation, cutoff)
        pack, kept = problem.background.pack, np.ones(problem.n_free, bool)
        packed = {name: pack(text, problem.features) for name, text in texts.items()}
        self._set_up(problem, packed, [self], kept)

    def _set_up(self, problem, packed, family, kept):
        """``family``: the tunings that share texts; ``kept``, bool: which weights of its first."""
        self.problem, self.packed, self._family, self._kept = problem, packed, family, kept
        self._known, self._first = {}, {}
        self._lock = threading.Lock()

    def narrow(self, cutoff):
        """Return the tuning with a higher cut-off, which shares events and texts with this one.

        Each begins where what the other knows says that it ends.
        """
        problem, predicates, weights = self.problem.narrow(cutoff)
        tuning, features, kept = copy(self), problem.features, self._kept.copy()
        packed = {name: text.narrow(features, predicates) for name, text in self.packed.items()}
        kept[np.flatnonzero(kept)] = weights
        tuning._set_up(problem, packed, self._family, kept)
        self._family.append(tuning)
        return tuning

    def first(self, sigma2, on_step=None):
        """Return what can be shown at once: the ``AdaptedFit`` if it is known, else a short fit.

        At most one tag in two thousand is another than at the end, to which ``at`` goes on.
        """
        with self._lock:
            if sigma2 in self._known:
                return self._known[sigma2]
            if sigma2 not in self._first:
                self._first[sigma2] = self._fit(sigma2, False, on_step, **_SHORT)
            return self._first[sigma2]

    def at(self, sigma2, on_step=None):
        """Return the ``AdaptedFit`` at a sigma^2, fitted now or remembered.

        Threads take turns; an exception from ``on_step`` ends a fit and is passed on.
        """
        with self._lock:
            if sigma2 not in self._known:
                self._known[sigma2] = self._fit(sigma2, True, on_step, tolerance=self.tolerance)
                self._first.pop(sigma2, None)
            return self._known[sigma2]

    @property
    def known(self):
        """What has been fitted so far, by increasing sigma^2; a list of ``AdaptedFit``."""
        return [self._known[sigma2] for sigma2 in sorted(self._known)]

    @property
    def shown(self):
        """What is known and first answers not settled yet, by increasing sigma^2."""
        answers = self._first | self._known
        return [answers[sigma2] for sigma2 in sorted(answers)]

    def _fit(self, sigma2, settled, on_step, **options):
        prior = self.problem.prior(sigma2)  # refuses a bad sigma^2
        start = self._start(float(sigma2))
        fit = self.problem.fit(sigma2, start, on_step=on_step, **options)
        return AdaptedFit(prior.sigma2, self.problem, fit, self.packed, settled)

    def _start(self, sigma2):
        """Weights to begin with: a first answer's, or what the path predicts; None at first."""
        if sigma2 in self._first:
            return self._first[sigma2].fit.weights
        own, beside = self._weights, self._beside(sigma2)
        if beside:
            return predict_beside(own, beside._weights, partial(self._carry, beside), sigma2)
        return predict_weights(own, sigma2) if own else None

    @property
    def _weights(self):
        return {sigma2: tuned.fit.weights for sigma2, tuned in list(self._known.items())}

    def _beside(self, sigma2):
        """Which other cut-off knows most of a sigma^2: a point near it, of about these features."""

        def unlike(tuning):
            more = abs(tuning.problem.n_free - self.problem.n_free)
            return distance(tuning._weights, sigma2), more

        others = [tuning for tuning in self._family if tuning is not self and tuning._known]
        return min(others, key=unlike, default=None)

    def _carry(self, other, weights):
        """Turn weights at another cut-off into weights at this one; the background's where none."""
        widest = self._family[0].problem.background_weights.copy()
        widest[other._kept] = weights
        return widest[self._kept]
