"""Counts of rows by part, merged into those of the whole text, so that it is cut off as a whole.

Rows are numbered as ``features.packing`` numbers them, so the features that are selected
are those of the whole text read in one place, in the same order.
"""

from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from workbench.cluster.form_counts import CountedForms
from workbench.features.contexts import Contexts, Fillers
from workbench.features.selection import (
    Features,
    TemplateSelection,
    join_selections,
    select_templates,
)
from workbench.features.templates import Template, group_by_slot
from workbench.text.corpus import BOUNDARY


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
