"""The form that all adaptation methods share: what they learn from, what is tuned, what they give.

A method is a name, a line that says what it is, a class and the axes of its
hyper-parameters. The class is made with ``Sources`` and has ``learn``, which takes
one value for each axis and returns a capitalizer; it never sees development or
test data, so that whoever tunes it cannot let them leak.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from workbench.learning.path import predict_weights
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.settings import SIGMA2_SEARCH, SIGMA2_START
from workbench.text.corpus import Corpus
from workbench.text.tasks import TaskName


@dataclass(frozen=True, eq=False)
class Split:
    """The texts of an experiment, but for the test data.

    Attributes
    ----------
    background : Corpus
    adaptation : Corpus
    dev : Corpus
        To choose hyper-parameters on.
    options : dict
        Of the background: ``templates``, ``cutoff``, ``sigma2``.
    model : type
        What is trained and adapted: ``MEMM`` or ``CRF``.
    """

    background: Corpus
    adaptation: Corpus
    dev: Corpus
    options: dict
    model: type[LogLinear] = MEMM


class Sources:
    """What a method may learn from: two corpora, and the background model, which all share.

    Parameters
    ----------
    split : Split
        Its development data are left out.
    on_step : callable, optional
        Called with each ``Step`` of the background's training.

    Attributes
    ----------
    corpus : Corpus
        Of the background.
    adaptation : Corpus
    options : dict
    model : type
    background_seconds : float
        Duration of the background's training; 0 before anyone has asked for it.
    """

    def __init__(self, split, on_step=None):
        self.corpus, self.adaptation = split.background, split.adaptation.require_cased()
        self.options, self.model = split.options, split.model
        self.background_seconds, self._on_step = 0.0, on_step

    @cached_property
    def background(self):
        """The model of the background, trained when first asked for."""
        began = time.perf_counter()
        model = self.model.fit(self.corpus, **self.options, on_step=self._on_step)
        self.background_seconds = time.perf_counter() - began
        return model


@dataclass(frozen=True)
class Axis:
    """The values of one hyper-parameter that a search tries on development data.

    Attributes
    ----------
    values : tuple of float
        In the order in which they are tried: each fit begins where those before lead.
    start : float
        Where it stands while others are searched.
    refinements : int
        How often the geometric means of the best value and its neighbours are tried, too.
    """

    values: tuple
    start: float
    refinements: int = 0


SIGMA2 = Axis(SIGMA2_SEARCH, start=SIGMA2_START, refinements=2)


@dataclass(frozen=True, eq=False)
class Method:
    """A way to a capitalizer for a new domain.

    Attributes
    ----------
    name : str
    note : str
        What it is, in a few words.
    prepare : callable
        From ``Sources`` to an object with ``learn(**values) -> Capitalizer``; what the
        object has to say of itself it may hold in a dict ``given``.
    axes : dict of str to Axis
        The hyper-parameters that development data choose.
    exhaustive : bool
        Try every combination of the axes' values, not one axis after the other.
    models : tuple of type
        The kinds of model that it can do with.
    tasks : tuple of TaskName
        The tasks that it can be used for.
    """

    name: str
    note: str
    prepare: Callable
    axes: dict = field(default_factory=dict)
    exhaustive: bool = False
    models: tuple = (MEMM,)
    tasks: tuple = tuple(TaskName)


class Path:
    """Fits of one problem at many hyper-parameters, each begun where the others predict its end.

    Parameters
    ----------
    solve : callable
        From (start, or None; the hyper-parameters by name) to a ``Fit``.
    """

    def __init__(self, solve):
        self._solve, self._known = solve, {}

    def at(self, **point):
        """Return the ``Fit`` at a point, made now or remembered; all values are above 0."""
        key = tuple(map(float, point.values()))
        if key not in self._known:
            self._known[key] = self._solve(self._start(key), **point)
        return self._known[key]

    def _start(self, key):
        """Predict from the points that differ in one value, else take the nearest point's end."""
        if not self._known:
            return None
        lines = [self._line(key, axis) for axis in range(len(key))]
        axis = max(range(len(key)), key=lambda a: len(lines[a]))
        if lines[axis]:
            return predict_weights(lines[axis], key[axis])
        return self._known[min(self._known, key=lambda other: _distance(key, other))].weights

    def _line(self, key, axis):
        """Weights at the known points that differ along one axis alone, by their place on it."""
        rest = key[:axis] + key[axis + 1 :]
        return {
            other[axis]: fit.weights
            for other, fit in self._known.items()
            if other[:axis] + other[axis + 1 :] == rest
        }


def _distance(a, b):
    return sum(abs(math.log(x / y)) for x, y in zip(a, b, strict=True))
