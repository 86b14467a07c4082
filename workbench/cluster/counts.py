"""Counts and events of all parts of a text together, so that it is cut off as a whole.

Rows are numbered as ``features.packing`` numbers them, so the features that are selected are those
of the whole text read in one place, in the same order. Equal events of all parts are counted once:
each worker gets the events of some current words. It then has fewer distinct events and rows than
its part of the text has, and its sums depend on fewer weights, so a pass computes and sends less.
Words with so many events that a worker might get too many stay where they were read.
"""

from collections.abc import Sequence
from heapq import heapreplace
from itertools import islice
from operator import getitem
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from workbench.cluster.text import CountedForms
from workbench.cluster.workers import Parts
from workbench.features.contexts import Contexts, Fillers
from workbench.features.events import DistinctEvents, fill_events, find_events, merge_events
from workbench.features.selection import (
    Features,
    TemplateSelection,
    join_selections,
    select_templates,
)
from workbench.features.templates import Template, group_by_slot
from workbench.text.corpus import BOUNDARY, Corpus

_STAYS = -1  # the owner of a word whose events stay where they were read
_LARGEST = 0.1  # of a worker's share: a word with more events stays


class SlotCounts(NamedTuple):
    """How often each tag occurs in each row of a slot."""

    word_ids: np.ndarray | None  # of its fillers, in order; None if they are the vocabulary
    counts: sparse.csr_matrix  # shape (rows, K)


def count_slots(events: Contexts) -> list[SlotCounts]:
    """Return the counts of each slot of some events."""
    ids = [f.word_ids if len(f.slot.offsets) > 1 else None for f in events.fillers]
    return [SlotCounts(word_ids, events.count_tags(s)) for s, word_ids in enumerate(ids)]


def merge_slots(first: list[SlotCounts], second: list[SlotCounts]) -> list[SlotCounts]:
    """Return the counts of two parts together, slot by slot."""
    return [_merge(*pair) for pair in zip(first, second, strict=True)]


def _merge(first, second):
    if first.word_ids is None:
        return SlotCounts(None, first.counts + second.counts)
    together, places = _unite([first.word_ids, second.word_ids])
    n_histories = first.counts.shape[0] // len(first.word_ids)
    counts = sparse.vstack([first.counts, second.counts]).tocoo()
    rows = expand_rows(places, n_histories)[counts.row]
    shape = len(together) * n_histories, counts.shape[1]
    return SlotCounts(together, sparse.csr_matrix((counts.data, (rows, counts.col)), shape=shape))


def _unite(several):
    """Return the distinct fillers of several lists, in order, and the place of each in these."""
    together, places = np.unique(np.concatenate(several), axis=0, return_inverse=True)
    return together, places.ravel()


def expand_rows(places: np.ndarray, n_histories: int) -> np.ndarray:
    """Return the rows of fillers at some places, one for each history."""
    return (places[:, None] * n_histories + np.arange(n_histories)).ravel()


class WholeSelection(NamedTuple):
    """The features of a whole text, and which predicates its rows fire."""

    features: Features
    firing: sparse.csr_matrix  # (rows, P)
    fillers: list[Fillers]

    def firing_of(self, events: Contexts) -> sparse.csr_matrix:
        """Return which predicates the rows of a part fire; shape (its rows, P)."""
        pairs = zip(self.fillers, events.fillers, strict=True)
        return self.firing[np.concatenate([_rows_of(*pair) for pair in pairs])]


def _rows_of(whole, own):
    """Return the rows of a part's fillers among those of the whole."""
    if len(own.slot.offsets) < 2:
        return np.arange(whole.first_row, whole.first_row + len(whole))
    _, places = _unite([whole.word_ids, own.word_ids])
    return whole.first_row + expand_rows(places[len(whole.word_ids) :], own.n_histories)


def select_share(
    merged: list[SlotCounts], text: CountedForms, templates: tuple[Template, ...],
    tag_names: tuple[str, ...], cutoff: int, share: int, n_shares: int,
) -> list[TemplateSelection]:  # fmt: skip
    """Return the features of the templates dealt to one worker, slot by slot.

    They are those whose counts in the whole text reach the cut-off.
    """
    selected, first = list[TemplateSelection](), 0
    fillers = _find_fillers(merged, text, templates, tag_names)
    for own, (_, counts) in zip(fillers, merged, strict=True):
        mine = own.slot.templates[(share - first) % n_shares :: n_shares]
        selected += select_templates(text.words, own, counts, mine, cutoff)
        first += len(own.slot.templates)
    return selected


def join_shares(
    merged: list[SlotCounts], text: CountedForms, templates: tuple[Template, ...],
    tag_names: tuple[str, ...], *shares: list[TemplateSelection],
) -> WholeSelection:  # fmt: skip
    """Return the selections of all workers, in their order, as one."""
    fillers = _find_fillers(merged, text, templates, tag_names)
    selected: Any = [None] * sum(map(len, shares))
    for share, own in enumerate(shares):
        selected[share :: len(shares)] = own
    in_order = iter(selected)
    slots = [list(islice(in_order, len(own.slot.templates))) for own in fillers]
    return WholeSelection(*join_selections(slots), fillers)


def _find_fillers(merged, text, templates, tag_names):
    """Return the fillers of the slots of the whole text."""
    fillers: list[Fillers] = []
    for slot, (word_ids, _) in zip(group_by_slot(templates), merged, strict=True):
        if word_ids is None:  # of the vocabulary, or of no word at all
            n = len(text.words) if slot.offsets else 1
            word_ids = np.arange(n)[:, None][:, : len(slot.offsets)]
        first = fillers[-1].first_row + len(fillers[-1]) if fillers else 0
        fillers.append(Fillers(slot, word_ids, (*tag_names, BOUNDARY), first))
    return fillers


def exchange_events(parts: Parts, templates: tuple[Template, ...]) -> Parts:
    """Return the ``Contexts`` of all parts together, each worker's of the words that it owns.

    ``parts`` are corpora that number their words alike.
    """
    events = parts.map(find_events, templates)
    counts = events.map(_count_words, own=parts.results).merge(np.add)
    owners = parts.tasks.submit(deal_words, counts, *events.map(_n_events).results)
    n = len(parts.results)
    dealt = events.map(_deal, owners, n, own=range(n))
    sent = [dealt.map(getitem, receiver).results for receiver in range(n)]
    packed = [
        parts.tasks.submit(_receive, corpus, templates, *received, worker=worker)
        for corpus, worker, received in zip(parts.results, parts.workers, sent, strict=True)
    ]
    return parts._replace(results=packed)


def deal_words(counts: np.ndarray, *sizes: int) -> np.ndarray:
    """Return the number of the part that gets the events of each word, or ``_STAYS``.

    Parts get about as many events as they had: the words with most events are dealt first, each to
    the part that has the least for its size (Graham 1969, *Bounds on multiprocessing timing
    anomalies*).

    Parameters
    ----------
    counts : ndarray of int, shape (words,)
        How many distinct events each word has in all parts.
    sizes : int
        How many distinct events each part has.
    """
    owners = np.full(len(counts), _STAYS, np.int32)
    loads = [(0.0, part) for part in range(len(sizes))]  # each as a share of the part's size
    for word in np.argsort(-counts, kind="stable").tolist():
        if counts[word] <= _LARGEST * min(sizes):
            load, part = loads[0]
            heapreplace(loads, (load + counts[word] / sizes[part], part))
            owners[word] = part
    return owners


# --- what runs on a worker ----------------------------------------------------------------


def _count_words(events, corpus):
    """Return how many distinct events there are of each value of the first column."""
    return np.bincount(events.columns[0], minlength=len(corpus.words))


def _n_events(events):
    return len(events.counts)


def _deal(events, number, owners, n_parts):
    """Return the events of a part, by its number, that each part gets."""
    owner = owners[events.columns[0]]
    owner[owner == _STAYS] = number
    narrow = DistinctEvents(list(map(_narrow, events.columns)), _narrow(events.counts))
    return [narrow.take(owner == receiver) for receiver in range(n_parts)]


def _narrow(column):
    """Return an array in as few bytes a number as its largest needs: it is sent."""
    return column.astype(np.min_scalar_type(column.max(initial=0)))


def _receive(corpus: Corpus, templates: Sequence[Template], *received: DistinctEvents) -> Contexts:
    """Return what a part gets of all parts, packed."""
    return fill_events(corpus, templates, merge_events(corpus, templates, *received))
