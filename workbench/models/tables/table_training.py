"""The training of a table of weights, predicates by tags, as a problem of flat weights."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from workbench.features.lexicon import describe_by_folds, find_lexicon
from workbench.features.selection import select_with_firing
from workbench.features.templates import Template
from workbench.learning.prior import zero_mean_prior
from workbench.learning.problem import ActiveLikelihood, Problem
from workbench.learning.solvers.fit import TOLERANCE, Fit
from workbench.models.mixed_forms import count_mixed_forms
from workbench.models.tables.active_features import active_likelihood, outcome_of
from workbench.text.corpus import Corpus
from workbench.text.view import VIEW


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
