"""Training on a cluster: each worker sums over its own events, the solver runs here.

A pass sends each worker the weights that its events depend on and brings back their log-likelihood
and gradient, which are summed in the order of the text. What is maximised, and so the model, is
what training in one process maximises, to rounding.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench.adaptation.unknown_words import learn_from_shares
from workbench.cluster.counts import (
    WholeSelection,
    count_slots,
    exchange_events,
    join_shares,
    merge_slots,
    select_share,
)
from workbench.cluster.text import DistributedText
from workbench.cluster.workers import PartCalls, Parts
from workbench.features.contexts import Contexts
from workbench.features.lexicon import reads_lexicon
from workbench.features.selection import check_cutoff
from workbench.features.templates import Template, find_templates
from workbench.learning.combined import Combined, PartAt
from workbench.learning.problem import ActiveLikelihood, Problem
from workbench.models.memm import MEMM
from workbench.models.table_problems import TableTraining, active_likelihood
from workbench.numerics.threads import set_threads
from workbench.text.errors import InputError


class DistributedLogLikelihood(Combined):
    """The sum of the log-likelihoods of the parts of a text, each summed where it is.

    ``parts`` are their ``LikelihoodOfPart``, and ``n`` how many weights there are.
    """

    def __init__(self, parts: Parts, n: int):
        self.parts, self.last_weights = parts, np.zeros(n)
        found = parts.map(_find_places).collect()
        super().__init__([PartAt(*each) for each in found], n, PartCalls(parts))

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        found = super().__call__(weights)
        self.last_weights = weights  # until here nothing was lost
        return found


class DistributedTraining(TableTraining):
    """The training of a table of weights on a text whose parts are on a cluster.

    Parameters
    ----------
    kind : type
        ``MEMM`` or ``CRF``.
    templates : str or sequence of str
        As in ``LogLinear.fit``, and so is ``cutoff``; InputError if some are of casing.
    """

    def __init__(
        self, kind: Any, text: DistributedText, templates: str | Sequence[str], cutoff: int
    ):
        self._kind, self.corpus, self.cutoff = kind, text.require_cased(), check_cutoff(cutoff)
        self._templates, self._lexicon = check_templates(kind, templates), None
        events = _pack(kind, text.parts, self._templates)
        selection = self._select(events)
        parts = events.map(make_likelihood, kind, selection)
        found = text.tasks.submit(attrgetter("features"), selection)
        (self.features,) = text.tasks.collect([found])
        log_likelihood = DistributedLogLikelihood(parts, len(self.features))
        self._selection = selection  # kept: to make a lost part ready again
        Problem.__init__(self, log_likelihood, np.broadcast_to(0.0, len(self.features)), ("lbfgs",))

    def _select(self, events):
        """Return the future of the ``WholeSelection``: each worker looks at some templates."""
        tasks, n = self.corpus.tasks, len(events.results)
        merged = events.map(count_slots).merge(merge_slots)
        counted = merged, self.corpus.whole, self._templates, self.corpus.tag_names
        selected = [
            tasks.submit(select_share, *counted, self.cutoff, share, n, worker=worker)
            for share, worker in enumerate(events.workers)
        ]
        return tasks.submit(join_shares, *counted, *selected)

    @cached_property
    def _mixed_forms(self):
        return self.corpus.mixed_forms

    def learn_unknown_words(self, model: MEMM) -> MEMM:
        """Return the model with weights of rare and unknown words, as ``learn_unknown_words``."""

        def over_shares(score: Callable, given: Any) -> list:
            return self.corpus.over_parts(score, model, given)

        words, counts = self.corpus.count_words()
        return learn_from_shares(model, words, counts, over_shares)


def check_templates(kind: Any, templates: str | Sequence[str]) -> tuple[Template, ...]:
    """Return the templates that a kind of model can have; InputError if some read a lexicon."""
    found = find_templates(templates)
    if reads_lexicon(found):
        raise InputError("templates of casing, as in best: take ca04, extended or no cluster")
    return kind.usable_templates(found)


def _pack(kind, parts, templates):
    """Return the events of all parts; those of an MEMM are exchanged among the workers."""
    if kind is MEMM and len(parts.results) > 1:
        return exchange_events(parts, templates)
    return parts.map(kind.pack_training, templates)


# --- what runs on a worker --------------------------------------------------------------


class LikelihoodOfPart:
    """The log-likelihood of a part over the weights that it depends on."""

    def __init__(self, active: ActiveLikelihood):
        self.inner, self.places = active

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, by its own weights."""
        return self.inner(weights)

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return the diagonal of the Hessian of -L, by its own weights."""
        return self.inner.curvature(weights)

    def __sizeof__(self) -> int:
        """Return its size in bytes: the scheduler leaves what is large where it is."""
        return _n_bytes(self.inner)


def _n_bytes(thing):
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    parts = thing if isinstance(thing, list | tuple) else getattr(thing, "__dict__", {}).values()
    return sum(map(_n_bytes, parts))


def make_likelihood(events: Contexts, kind: Any, selection: WholeSelection) -> LikelihoodOfPart:
    """Return the log-likelihood of the events of a part; ``kind`` is ``MEMM`` or ``CRF``."""
    from distributed import get_worker

    set_threads(get_worker().state.nthreads)
    firing = selection.firing_of(events)
    return LikelihoodOfPart(active_likelihood(kind.likelihood, events, selection.features, firing))


def _find_places(part):
    """Return what stands here for a part, its counts, and which weights it depends on, uint32."""
    return SimpleNamespace(observed=part.inner.observed), part.places.astype(np.uint32)
