"""Training and adapting a model's table of weights, as problems of flat weights.

Both have a log-likelihood over the features that can fire in their data alone, the active ones.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from workbench.features.contexts import Contexts
from workbench.features.lexicon import describe_by_folds, find_lexicon
from workbench.features.selection import (
    Features,
    check_cutoff,
    min_count,
    select_features,
    select_with_firing,
    unite,
)
from workbench.features.templates import Template
from workbench.features.unpunctuated import learn_twice
from workbench.learning.prior import zero_mean_prior
from workbench.learning.problem import ActiveLikelihood, AdaptationProblem, HigherCutoff, Problem
from workbench.learning.solvers.fit import TOLERANCE, Fit
from workbench.models.mixed_forms import count_mixed_forms, join_mixed_forms
from workbench.text.canonical import VIEW
from workbench.text.corpus import Corpus, require_corpus
from workbench.text.errors import InputError
from workbench.text.tasks import check_same_task

CLASSES = ("word", "neighbours", "tags", "prefixes", "suffixes")  # of templates


def active_likelihood(
    likelihood: Callable, events: Contexts, features: Features, firing: Any = None
) -> ActiveLikelihood:
    """Return the log-likelihood of events over the features whose predicates can fire in them.

    ``likelihood`` is that of the kind of model: ``MEMM.likelihood`` or ``CRF.likelihood``;
    ``firing``, sparse, shape (n_rows, P), is given where it is there already.
    """
    firing = features.firing(events) if firing is None else firing
    return activate(likelihood, events, features, firing, find_fired(events, firing))


def activate(
    likelihood: Callable, events: Contexts, features: Features, firing: Any, fired: np.ndarray
) -> ActiveLikelihood:
    """Return the ``ActiveLikelihood`` of events over the features of predicates, by number."""
    exists = features.exists
    is_active = np.zeros(features.shape, bool)
    is_active[fired] = exists[fired]
    log_likelihood = likelihood(events, firing[:, fired], exists[fired])
    return ActiveLikelihood(log_likelihood, np.flatnonzero(is_active[exists]))


def find_fired(events: Contexts, firing: Any) -> np.ndarray:
    """Return the numbers of the predicates that can fire in the events."""
    return np.flatnonzero(firing.T @ events.reachable)


def outcome_of(fit: Fit | None) -> dict:
    """Return what a model records of its fit."""
    return {"log_likelihood": fit.log_likelihood, "converged": fit.converged} if fit else {}


class TableAdaptation(AdaptationProblem):
    """The adaptation of a background to a corpus, with the union of their features.

    Parameters
    ----------
    corpus : Corpus
        Adaptation data in its natural case, or labelled. Labels that the background does
        not know begin with weights of 0.
    cutoff : int or None
        As in ``AdaptationProblem``.

    Attributes
    ----------
    features : Features
        The union of F_background and F_adapt.
    table : ndarray, shape (P, K)
        The background's weights; 0 for new features.

    Raises
    ------
    InputError
        If the corpus has no capitals, or has labels where the background has case, or
        shares no word with the background.
    """

    def __init__(self, background: Any, corpus: Corpus, cutoff: int | None = 0):
        _require_overlap(background, require_corpus(corpus).require_cased())
        background = background.add_tags(corpus.tag_names)
        corpus = corpus.relabel(background.tag_names)
        self.background, self.corpus, self._whole = background, corpus, corpus
        self.cutoff = None if cutoff is None else check_cutoff(cutoff)
        self._mixed_forms = join_mixed_forms(background.mixed_forms, count_mixed_forms(corpus))
        described = background.describe(corpus, to_learn=True)
        learnt = learn_twice(described, background.drop_boundaries)
        self._events = background.pack_training(learnt, background.templates)
        features = Features(background.features.blocks, background.features.exists)
        if cutoff is not None:
            features = unite(features, select_features(self._events, cutoff))
        self._set_up(features, features.firing(self._events))

    def _set_up(self, features, firing):
        """Set what depends on the features; ``firing``: which predicates the events' rows fire."""
        old, exists = self.background, features.exists
        self.features, self._firing = features, firing
        self.table, is_inherited = np.zeros(features.shape), np.zeros(features.shape, bool)
        self.table[: len(old.weights)] = old.weights
        is_inherited[: len(old.weights)] = old.features.exists
        self._fired = find_fired(self._events, firing)
        active = activate(old.likelihood, self._events, features, firing, self._fired)
        super().__init__(self.table[exists], active, is_inherited[exists], old.solvers)
        self._cells = np.flatnonzero(exists)[self.places]

    def input_of(self, solver: str) -> tuple:
        """Return what a solver works on: the log-likelihood, or the events with their features."""
        if solver != "iis":
            return super().input_of(solver)
        return self._events, *self._active_parts()

    def _active_parts(self):
        """Return which predicates that can fire each row fires, and which are features."""
        return self._firing[:, self._fired], self.features.exists[self._fired]

    def likelihood_of(
        self, corpus: Corpus, sentences: np.ndarray | None = None
    ) -> ActiveLikelihood:
        """Return the log-likelihood of any corpus, or some of it, over this problem's weights."""
        described = self.background.describe(corpus, to_learn=True)
        if sentences is not None:
            described = described.take(sentences)
        known, _ = self._number(described)
        events = self.background.pack_training(known, self.background.templates)
        return active_likelihood(self.background.likelihood, events, self.features)

    def likelihood_after(self, corpus: Corpus, decided: np.ndarray) -> ActiveLikelihood:
        """Return the log-likelihood of a corpus's tags, each after tags that a model decided on.

        ``decided``, int8, shape (N,), are the tags of all words as the model gave them. So a MEMM
        is judged in the contexts that it will meet; a CRF's likelihood has no such contexts.
        Sentences with labels that the model lacks are left out: no weights make them likely.
        """
        old = self.background
        known, kept = self._number(old.describe(corpus, to_learn=True))
        events = old.pack_after(known, old.templates, old.find_places(corpus, decided)[kept])
        return active_likelihood(old.likelihood, events, self.features)

    def _number(self, corpus):
        """Return the sentences with known labels, numbered as the model's, and their words."""
        names = self.background.tag_names
        corpus = corpus.relabel(names)
        if corpus.tag_names == names:
            return corpus, slice(None)
        strange = corpus.sentence_ids[corpus.tags >= len(names)]
        kept = ~np.isin(corpus.sentence_ids, strange)
        if not kept.any():
            known = ", ".join(names)
            raise InputError(f"{corpus.name}: no sentence with known labels alone; known: {known}")
        return replace(corpus.keep_words(kept), tag_names=names), kept

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of these active weights, shape (number of active features,)."""
        table = self.table.copy()
        table.ravel()[self._cells] = weights
        return self._assemble(table, fit, record)

    def model_of_all(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of all weights, shape (number of features,)."""
        return self._assemble(self.features.table(weights), fit, record)

    def _assemble(self, table, fit, record):
        old, corpus = self.background, self.corpus
        info = {
            "name": f"{old.info['name']} + {corpus.name}", "words": len(corpus),
            "text": corpus.fingerprint, "view": VIEW, "background": old.info, "cutoff": self.cutoff,
            "features": len(self.features), "new_features": self.n_new, **record,
            **outcome_of(fit),
        }  # fmt: skip
        if old.drop_boundaries:
            info["drop_boundaries"] = old.drop_boundaries
        parts = old.templates, self.features, table, self._mixed_forms, info, old.tag_names
        return type(old)(*parts, old.lexicon)

    def raise_cutoff(self, cutoff: int | None) -> HigherCutoff:
        """Return this adaptation at a higher cut-off, as if it were made anew, but far sooner.

        Raises
        ------
        InputError
            If the cut-off is lower than this one's: the features that it needs are not here.
        """
        least = min_count(cutoff)
        if least < min_count(self.cutoff):
            allowed = "none" if self.cutoff is None else f"{self.cutoff} or more, or none,"
            raise InputError(f"cutoff {cutoff}: {allowed} is allowed")
        higher, exists = copy(self), self.features.exists
        for name in ("is_inherited", "slopes"):  # what was worked out for this one
            vars(higher).pop(name, None)
        higher.cutoff = None if cutoff is None else int(least)
        kept = self.is_inherited | (self.log_likelihood.observed >= least)
        exists.ravel()[self._cells[~kept]] = False
        features, predicates = self.features.subset(exists)
        higher._set_up(features, self._firing[:, predicates])
        return HigherCutoff(higher, kept, lambda packed: packed.keep_features(features, predicates))

    @cached_property
    def _in_order(self):
        """The contexts of every word, in order; their rows are those of the events."""
        if self.background.drop_boundaries:
            raise InputError(
                f"{self._whole.name}: learnt twice, once without boundaries, so single sentences "
                "cannot be weighed or left out; a background without drop_boundaries allows that"
            )
        described = self.background.describe(self._whole, to_learn=True)
        return self.background.packed.pack(described, self.background.templates)

    @cached_property
    def slopes(self) -> Any:
        """The slopes of all sentences of the data, as in ``EventSlopes``."""
        starts, parts = self._whole.starts, self._active_parts()
        return self.background.slopes(self._in_order, *parts, starts)

    def without(self, sentences: Collection[int]) -> "TableAdaptation":
        """Return this adaptation without some sentences, by their numbers in the whole corpus.

        Features and active weights stay as they are, so that fits can begin at one another's
        ends: this is leave-one-out with the features fixed. What only these sentences fire
        goes back to the prior's mean, and spellings that only they have are forgotten.

        Raises
        ------
        InputError
            If there is no such sentence, or none would be left.
        """
        whole, fewer = self._whole, copy(self)
        fewer.dropped, left = self.drop_from(whole, sentences)
        fewer.corpus = whole.take(left)
        fewer._mixed_forms = join_mixed_forms(
            self.background.mixed_forms, count_mixed_forms(fewer.corpus)
        )
        fewer._events, fewer.log_likelihood = self._learn_from(left)
        return fewer

    def likelihood_of_sentences(self, sentences: Collection[int]) -> Any:
        """Return the log-likelihood of some sentences alone, as in ``AdaptationProblem``."""
        return self._learn_from(list(sentences))[1]

    def _learn_from(self, sentences):
        """Return the contexts of some sentences, and their log-likelihood over active weights."""
        events = self._in_order.keep(np.isin(self._whole.sentence_ids, sentences))
        return events, self.background.likelihood(events, *self._active_parts())

    @property
    def cells(self) -> np.ndarray:
        """Places of the active features in the table, row by row; int64, shape (F,)."""
        return self._cells

    def direction(self, cells: Iterable[tuple[str, str, float]]) -> np.ndarray:
        """Return the gradient by the active weights, shape (F,), of a sum of named weights.

        ``cells`` are (predicate, tag, factor); what is no active feature counts as nothing.
        """
        gradient, names = np.zeros(self.n_active), self.background.tag_names
        for predicate, tag, factor in cells:
            template, value = predicate.split("=", 1)
            number = self.features.values.get(template, {}).get(value)
            if number is not None:
                cell = number * len(names) + names.index(tag)
                place = np.searchsorted(self._cells, cell)
                if place < self.n_active and self._cells[place] == cell:
                    gradient[place] += factor
        return gradient

    def name_parts(self, predicates: np.ndarray) -> list[str]:
        """Return the predicates of ``Parts``, ``template=value``."""
        return [self.features.name(number) for number in self._fired[predicates].tolist()]

    def classes(self) -> dict[str, np.ndarray]:
        """Return the features of each class of templates, ``CLASSES``, that the background has."""
        of_template, found = self.templates(), defaultdict(list)
        for template in self.background.templates:
            found[class_of(template)].append(of_template[template.name])
        return {name: np.sort(np.concatenate(found[name])) for name in CLASSES if name in found}

    def templates(self) -> dict[str, np.ndarray]:
        """Return the features of each template of the background, by its name."""
        of_predicate = np.full(self.features.n_predicates, -1)
        names = [template.name for template in self.background.templates]
        for number, name in enumerate(names):
            of_predicate[list(self.features.values.get(name, {}).values())] = number
        of_feature = np.repeat(of_predicate, self.features.exists.sum(axis=1))
        return {name: np.flatnonzero(of_feature == i) for i, name in enumerate(names)}

    def pack(self, corpus: Corpus) -> Any:
        """Return a corpus made ready to be tagged by the models of this problem."""
        return self.background.pack(corpus, self.features)


def class_of(template: Template) -> str:
    """Return the class of templates, one of ``CLASSES``, that a template belongs to."""
    if template.n_tags:
        return "tags"
    for affix in ("prefix", "suffix"):
        if affix in template.name:
            return f"{affix}es"
    return "word" if template.offsets == (0,) else "neighbours"


def _require_overlap(background, corpus):
    name = f"the background {background.info['name']}"
    check_same_task(corpus.name, corpus.task, name, background.task)
    known = background.features.values.get("currentword")
    words = {corpus.words[i] for i in np.unique(corpus.word_ids)}
    if known and not any(word in known and any(map(str.isalpha, word)) for word in words):
        raise InputError(
            f"{corpus.name}: shares no word with the background {background.info['name']}; "
            "adaptation needs text of the same language"
        )


class TableTraining(Problem):
    """The training of a table of weights on one text, ``corpus``; its prior's mean is 0.

    Parameters
    ----------
    kind : type
        Of the model: ``MEMM`` or ``CRF``.
    templates : tuple of Template
    keep_events : bool
        For improved iterative scaling, which works on the events; else they are forgotten once
        the log-likelihood is made.
    pack : callable, optional
        From corpus and templates to events, instead of the kind's own.
    """

    corpus: Any

    def __init__(
        self, kind: Any, corpus: Corpus, templates: Sequence[Template], cutoff: int = 0,
        keep_events: bool = False, pack: Callable | None = None,
    ):  # fmt: skip
        self._kind, self.corpus, self._templates, self.cutoff = kind, corpus, templates, cutoff
        self._lexicon, self._pack = find_lexicon(corpus, templates), pack or kind.pack_training
        events = self._pack(self._describe(), templates)
        self.features, firing = select_with_firing(events, cutoff)
        parts = replace(events, are_spent=not keep_events), firing, self.features.exists
        self._events_of = parts if keep_events else ()
        log_likelihood = None if keep_events else kind.likelihood(*parts)
        super().__init__(log_likelihood, np.broadcast_to(0.0, len(self.features)), kind.solvers)

    def _describe(self):
        """Return the corpus with the columns of its lexicon, a third of what it takes, if any."""
        return self.corpus if self._lexicon is None else describe_by_folds(self.corpus)

    @cached_property
    def _described(self):
        return self._describe()

    def input_of(self, solver: str) -> tuple:
        """Return what a solver works on: the log-likelihood, or the events with their features."""
        return self._events_of if solver == "iis" else super().input_of(solver)

    def likelihood_of(self, sentences: np.ndarray) -> ActiveLikelihood:
        """Return the log-likelihood of some sentences of the text over this problem's weights."""
        events = self._pack(self._described.take(sentences), self._templates)
        return active_likelihood(self._kind.likelihood, events, self.features)

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of some weights, shape (F,)."""
        info = {
            "name": self.corpus.name, "words": len(self.corpus), "text": self.corpus.fingerprint,
            "view": VIEW, "cutoff": self.cutoff, **record, "features": len(self.features),
            **outcome_of(fit),
        }  # fmt: skip
        table, names = self.features.table(weights), self.corpus.tag_names
        parts = self._templates, self.features, table, self._mixed_forms, info, names
        return self._kind(*parts, self._lexicon)

    @cached_property
    def _mixed_forms(self):
        return count_mixed_forms(self.corpus)

    def train(
        self, strength: dict, solver: str, record: dict | None = None,
        start: np.ndarray | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        """Return the model trained with a zero-mean prior, of ``check_strength``; as ``fit``.

        It begins at the prior's mean unless a start, shape (F,), is given.
        """
        if solver == "lbfgs":  # a background need not be at the very optimum
            options = {"tolerance": TOLERANCE} | options
        prior = zero_mean_prior(len(self.mean), **strength)
        fit = self.maximise(prior, start, solver, **options)
        return self.model(fit.weights, fit, **strength, solver=solver, **(record or {}))
