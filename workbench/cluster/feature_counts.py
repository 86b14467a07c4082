"""Counts of a text by part, merged into those of the whole, so that it is cut off as a whole.

Forms are numbered in the order of the text and rows as ``features.contexts`` numbers them, so
the features that are selected are those of the whole text read in one place, in the same order.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts, Fillers
from workbench.features.selection import Features, select_with_firing
from workbench.features.templates import Template
from workbench.features.templates.slots import group_by_slot
from workbench.text.corpus import BOUNDARY, Corpus


class FormCounts(NamedTuple):
    """The forms of a text in the order in which they first occur, and how often each does."""

    forms: list[str]
    counts: np.ndarray  # int64, shape (forms,)


def count_forms(corpus: Corpus) -> FormCounts:
    """Return the ``FormCounts`` of a part."""
    return FormCounts(corpus.forms, np.bincount(corpus.form_ids, minlength=len(corpus.forms)))


def merge_forms(first: FormCounts, second: FormCounts) -> FormCounts:
    """Return the counts of two parts of a text, the first of which stands before the second."""
    numbers = {form: i for i, form in enumerate(first.forms)}
    places = [numbers.setdefault(form, len(numbers)) for form in second.forms]
    counts = np.zeros(len(numbers), np.int64)
    counts[: len(first.forms)] = first.counts
    counts[places] += second.counts
    return FormCounts(list(numbers), counts)


def number_alike(corpus: Corpus, text: FormCounts) -> Corpus:
    """Return a part with words and forms numbered as in the whole text."""
    numbers = {form: i for i, form in enumerate(text.forms)}
    places = np.array([numbers[form] for form in corpus.forms], np.int32)
    return Corpus.from_forms(corpus.name, text.forms, places[corpus.form_ids], corpus.starts)


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


@dataclass(frozen=True, eq=False)
class _Counted:
    """Of all events what selection reads."""

    words: list[str]
    fillers: list[Fillers]
    tables: list[sparse.csr_matrix]

    def count_tags(self, slot: int) -> sparse.csr_matrix:
        """Return the counts of a slot."""
        return self.tables[slot]


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


def select_whole(
    merged: list[SlotCounts], text: FormCounts, templates: tuple[Template, ...],
    tag_names: tuple[str, ...], cutoff: int,
) -> WholeSelection:  # fmt: skip
    """Return the features whose counts in the whole text reach the cut-off."""
    no_words = np.zeros(0, np.int32)
    vocabulary = Corpus.from_forms("", text.forms, no_words, no_words).words
    fillers: list[Fillers] = []
    for slot, (word_ids, _) in zip(group_by_slot(templates), merged, strict=True):
        if word_ids is None:  # of the vocabulary, or of no word at all
            n = len(vocabulary) if slot.offsets else 1
            word_ids = np.arange(n)[:, None][:, : len(slot.offsets)]
        first = fillers[-1].first_row + len(fillers[-1]) if fillers else 0
        fillers.append(Fillers(slot, word_ids, (*tag_names, BOUNDARY), first))
    counted: Any = _Counted(vocabulary, fillers, [counts for _, counts in merged])
    features, firing = select_with_firing(counted, cutoff)
    return WholeSelection(features, firing, fillers)
