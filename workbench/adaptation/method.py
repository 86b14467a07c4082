"""What all adaptation methods share: the texts that they learn from, and the form of a method.

A method is a name, a line that says what it is, a class and the axes of its
hyper-parameters. The class is made with ``Sources`` and has ``learn``, which takes
one value for each axis and returns a capitalizer; it never sees development or
test data, so that whoever tunes it cannot let them leak.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.annexes import find
from workbench.models.crf import CRF
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.settings import SIGMA2_SEARCH, SIGMA2_START
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.overlap import Shared, find_shared
from workbench.text.tasks import TaskName

MODELS = (MEMM, CRF)  # of words that can be adapted
N_FOLDS = 5  # of cross-validation


def fold(corpus: Corpus, n_folds: int = N_FOLDS) -> Iterator[tuple[Corpus, Corpus]]:
    """Yield (rest, held-out) pairs of a corpus; each held-out fold is a contiguous part of it.

    Neighbouring sentences repeat one another's names: dealt out one by one they would make the
    held-out text look easier than new text is. For the same reason folds begin where documents
    do, if the corpus has enough of these.

    Raises
    ------
    InputError
        If there are fewer sentences than folds.
    """
    if corpus.n_sentences < n_folds:
        raise InputError(
            f"{corpus.name}: {corpus.n_sentences} sentences; without development "
            f"data cross-validation needs {n_folds} or more"
        )
    sentences = np.arange(corpus.n_sentences)
    for first, last in pairwise(_fold_bounds(corpus, n_folds)):
        is_held = (first <= sentences) & (sentences < last)
        yield corpus.take(sentences[~is_held]), corpus.take(sentences[is_held])


def _fold_bounds(corpus, n_folds):
    """Return the sentences at which folds begin, and the number of all sentences.

    Folds have as many sentences each or, where that leaves none empty, begin with the document
    that begins nearest to there.
    """
    n = corpus.n_sentences
    bounds = -(-np.arange(n_folds + 1) * n // n_folds)
    documents = getattr(corpus, "document_starts", None)
    if documents is None or len(documents) < n_folds:
        return bounds
    starts = np.append(documents, n)
    nearest = starts[np.abs(starts[:, None] - bounds).argmin(axis=0)]
    return nearest if (np.diff(nearest) > 0).all() else bounds


def find_lacking(background: Any, unigram: Unigram | None) -> frozenset[str]:
    """Return what a background lacks of what methods may need: its "text", a "1-gram" of that.

    A text lacks nothing, a model its text, and the 1-gram unless that is beside it.
    """
    if not isinstance(background, LogLinear):
        return frozenset()
    return frozenset({"text"} if unigram else {"text", "1-gram"})


@dataclass(frozen=True, eq=False)
class Split:
    """The texts of an experiment, but for the test data; ``dev`` chooses hyper-parameters.

    The background is a text, or a model without its text; ``unigram`` is the 1-gram that came with
    such a model, if any. ``options`` are the background's ``templates``, ``cutoff`` and ``sigma2``,
    or what else the ``fit`` of its kind takes; ``model`` is the kind of model that is trained and
    adapted, ``MEMM`` or ``CRF`` where they are of words. ``begins`` are the sentences of the
    background at which the second and further of its texts begin, if it is of several;
    ``genres``, if known, those of these texts and, last, of the domain.
    """

    background: Any
    adaptation: Any
    dev: Any
    options: dict
    model: Any = MEMM
    begins: tuple[int, ...] = ()
    genres: tuple[str, ...] = ()
    unigram: Unigram | None = None

    @property
    def lacking(self) -> frozenset[str]:
        """What the background lacks, as in ``find_lacking``; nothing if it is a text."""
        return find_lacking(self.background, self.unigram)

    @property
    def name(self) -> str:
        """Name of the background."""
        background = self.background
        return str(background.info["name"] if self.lacking else background.name)

    def find_shared(self, test: Any = None) -> list[Shared]:
        """Return what dev and test share with what is learnt from, as in ``find_shared``."""
        if self.lacking:
            return find_shared([self.dev, test], self.background.info, [self.adaptation])
        info = {"text": self.background.fingerprint}
        found = find_shared([self.dev, test], {}, [self.background, self.adaptation])
        return found + find_shared([], info, [self.adaptation])


class Sources:
    """What a method may learn from: two corpora, and the background model, which all share.

    Parameters
    ----------
    split : Split
        Its development data are left out.
    train : callable, optional
        From split and ``on_step`` to the background's model, instead of training it here.
    on_step : callable, optional
        Called with each ``Step`` of the background's training.

    Attributes
    ----------
    corpus, adaptation : Corpus
        The background's text, None where it is a model without it, and the domain's.
    options, model, genres, unigram
        As in ``Split``.
    background_seconds : float
        Duration of the background's training; 0 before anyone has asked for it, and of a model.
    """

    def __init__(
        self, split: Split, train: Callable | None = None, on_step: Callable | None = None
    ):
        self.corpus: Any = None if split.lacking else split.background
        self.adaptation, self.unigram = split.adaptation.require_cased(), split.unigram
        self.options, self.model, self.genres = split.options, split.model, split.genres
        self.background_seconds, self._split = 0.0, split
        self._train, self._on_step = train or _train, on_step

    @property
    def texts(self) -> list[np.ndarray]:
        """The sentences of each text that the background is of, by number; one or more."""
        return np.split(np.arange(self.corpus.n_sentences), self._split.begins)

    @cached_property
    def background(self) -> Any:
        """The model of the background, trained when first asked for if it is a text."""
        if self._split.lacking:
            return self._split.background
        began = time.perf_counter()
        model = self._train(self._split, self._on_step)
        self.background_seconds = time.perf_counter() - began
        return model


def _train(split, on_step):
    return split.model.fit(split.background, **split.options, on_step=on_step)


@dataclass(frozen=True)
class Axis:
    """The values of one hyper-parameter that a search tries on development data.

    They are tried in their order: each fit begins where those before lead. Elsewhere the
    hyper-parameter stands at ``start``. ``refinements`` is how often the geometric means of
    the best value and its neighbours are tried, too.
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
    note : str
        What it is, in a few words.
    prepare : callable
        From ``Sources`` to an object with ``learn(**values) -> Capitalizer``; what the
        object has to say of itself it may hold in a dict ``given``.
    axes : dict of str to Axis
        The hyper-parameters that development data choose.
    exhaustive : bool
        Try every combination of the axes' values, not one axis after the other.
    models, tasks : tuple
        The kinds of model that it can do with, and the tasks that it can be used for, of words;
        for an annex's kind of model its ``AXES`` has a dict of the methods' own axes by name.
    of_several : bool
        It tells the texts of the background apart; of one text it is another method's model.
    needs : str
        What it learns from besides the background's model, "text" or "1-gram"; "" is nothing.
    by_gradient : bool
        Its object has hyper-parameters of its own, ``start``, and a ``hypergradient``: development
        data choose them by their log-likelihood, instead of axes.
    """

    name: str
    note: str
    prepare: Callable
    axes: dict = field(default_factory=dict)
    exhaustive: bool = False
    models: tuple = (MEMM,)
    tasks: tuple = tuple(TaskName)
    of_several: bool = False
    by_gradient: bool = False
    needs: str = ""

    def is_for(self, model: Any, task: str) -> bool:
        """Return whether it can be used for a kind of model and a task."""
        if (further := find("AXES", model.kind)) is not None:
            return self.name in further
        return model in self.models and task in self.tasks

    def axes_of(self, model: Any) -> dict[str, Axis]:
        """Return the axes that are searched for a kind of model."""
        return self.axes | (find("AXES", model.kind) or {}).get(self.name, {})
