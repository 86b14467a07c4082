"""Feature sets: selected from events by a cut-off, reduced to a subset, united.

A feature is a pair (predicate, tag) seen together in training; it is kept if
its count is at least the cut-off. Weights are a table of predicates by tags, in
which ``Features.exists`` marks the pairs that are features.
"""

from functools import cached_property
from itertools import chain, compress, pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts
from workbench.features.predicates import Block, Values, names_of, number_by_template
from workbench.features.rows.firing_cache import ChosenFillers, FiringCache
from workbench.text.errors import InputError


class Features:
    """The feature set of a model: P predicates in blocks, and which pairs with K tags exist.

    ``exists`` is bool, shape (P, K); ``shape`` is (P, K). ``values`` is the attribute of this
    name, if it is known already.
    """

    def __init__(self, blocks: tuple[Block, ...], exists: np.ndarray, values: Values | None = None):
        self.blocks, self._values = blocks, values
        self.shape = self.n_predicates, _ = exists.shape
        self._bits, self._n = np.packbits(exists, axis=1), int(exists.sum())

    def __reduce__(self) -> tuple:
        return Features, (self.blocks, self.exists)  # without what was looked up

    @property
    def exists(self) -> np.ndarray:
        """Which pairs are features; bool, shape (P, K), a new array at each call."""
        return np.unpackbits(self._bits, axis=1, count=self.shape[1]).view(bool)

    def subset(self, exists: np.ndarray) -> tuple["Features", np.ndarray]:
        """Return some of the features, and which predicates have any, bool, shape (P,).

        ``exists``, bool, shape (P, K), marks those to keep, which must all be features of
        this set. The order of the predicates stays.
        """
        kept, edges = np.any(exists, axis=1), np.cumsum([0, *map(len, self.blocks)])
        parts = zip(self.blocks, pairwise(edges), strict=True)
        blocks = tuple(block.take(kept[a:b]) for block, (a, b) in parts)
        return Features(blocks, exists[kept]), kept

    def table(self, weights: np.ndarray) -> np.ndarray:
        """Return the weights of features, shape (F,), as a table, shape (P, K), else 0."""
        table = np.zeros(self.shape)
        table[self.exists] = weights
        return table

    def __len__(self) -> int:
        """Return F, the number of features."""
        return self._n

    @cached_property
    def values(self) -> Values:
        """``values[template name][value]``, the number of a predicate; not to be written to."""
        return number_by_template(self.blocks) if self._values is None else self._values

    @cached_property
    def _cache(self):
        return FiringCache(self.values, self.n_predicates)

    def firing(self, contexts: Contexts) -> sparse.csr_matrix:
        """Return which predicates each row of contexts fires; sparse float64, shape (n_rows, P)."""
        return self._cache.matrix(contexts)

    def choose_fillers(self) -> ChosenFillers:
        """Return what chooses the fillers of a text that have predicates of this set."""
        return ChosenFillers(self._cache)

    def names(self) -> list[str]:
        """Return the predicates in order, ``template=value``."""
        return names_of(self.blocks)


def check_cutoff(cutoff: Any) -> int:
    """Return a cut-off as int, or raise InputError if it is not a whole number >= 0."""
    try:
        number = int(cutoff)
        is_whole = number == float(cutoff) and not isinstance(cutoff, bool)
    except (TypeError, ValueError, OverflowError):
        is_whole = False
    if not is_whole or number < 0:
        raise InputError(f"cutoff {cutoff}: a whole number, 0 or more, is allowed")
    return number


def min_count(cutoff: int | None) -> float:
    """Return the smallest count of a new feature: a cut-off, or infinity for None."""
    return np.inf if cutoff is None else check_cutoff(cutoff)


class Selection(NamedTuple):
    """The features of some events, and which predicates each row fires, found on the way."""

    features: Features
    firing: sparse.csr_matrix  # (n_rows, P)


def select_features(events: Contexts, cutoff: int) -> Features:
    """Return the features that events contain at least ``cutoff`` times; 0 keeps all.

    Source
    ------
    Chelba & Acero (2004), section 3.1.1: features with a count *less than* the
    cut-off are dropped.
    """
    return select_with_firing(events, cutoff).features


def select_with_firing(events: Contexts, cutoff: int) -> Selection:
    """Return the ``Selection`` of events: ``select_features`` and ``firing`` in one pass.

    Slot by slot: most predicates of a text are too rare, and need not be in memory at once.
    """
    least = max(1, check_cutoff(cutoff))
    slots = [_select(events, slot, least) for slot in range(len(events.fillers))]
    blocks, exists, firing = zip(*slots, strict=True)
    features = Features(tuple(chain.from_iterable(blocks)), np.concatenate(exists))
    return Selection(features, sparse.block_diag(firing, format="csr"))


def _select(events, slot, least):
    """Return the features of one slot: blocks, which pairs exist, and the firing of its rows."""
    fillers, counts = events.fillers[slot], events.count_tags(slot)
    most = counts.max(axis=1).toarray().ravel()
    values, firing = _number_predicates(events.words, fillers, most, least)
    exists = (firing.T @ counts >= least).toarray()
    kept = exists.any(axis=1)
    edges = np.cumsum([0, *map(len, values.values())])
    blocks = [
        Block.pack(template, [v for v, k in zip(own, kept[first:], strict=False) if k])
        for (template, own), first in zip(values.items(), edges, strict=False)
    ]
    return blocks, exists[kept], firing[:, kept]


def _number_predicates(words, fillers, most, least):
    """Number the predicates of a slot that may be in a feature, in the order in which they fire.

    ``most``, shape (rows of the slot,), is the count of the most frequent tag with each row.
    Returns the values by template, numbered across templates, and which each row fires.
    """
    read_rows = _rows_to_read(words, fillers, most >= least)
    read, used = list(fillers.strings(words, read_rows)), most[read_rows] > 0
    values, rows, predicates, n = {}, [], [], 0
    for template in fillers.slot.templates:
        found = list(map(template.values_of, read))
        numbers = dict.fromkeys(chain.from_iterable(compress(found, used)))
        values[template.name] = list(numbers)
        numbers = {value: n + i for i, value in enumerate(numbers)}
        own = [numbers.get(value, -1) for value in chain.from_iterable(found)]
        fired, read_at = np.array(own, np.int64), np.repeat(read_rows, list(map(len, found)))
        rows.append(read_at[fired >= 0])
        predicates.append(fired[fired >= 0])
        n += len(numbers)
    places = np.concatenate(rows), np.concatenate(predicates)
    ones = np.ones(len(places[0]))
    return values, sparse.csr_matrix((ones, places), shape=(len(fillers), n))


def _rows_to_read(words, fillers, is_frequent):
    """Return the rows of a slot whose predicates may be in a feature.

    Where a predicate's value is the strings themselves, a rare row is a rare predicate.
    They are joined by commas, so only words with a comma could make two rows one predicate.
    """
    slot = fillers.slot
    if not all(t.is_verbatim and t.n_tags == slot.n_tags for t in slot.templates):
        return np.arange(len(fillers))
    has_comma = np.array(["," in word for word in words])[fillers.word_ids].any(axis=1)
    return np.flatnonzero(is_frequent | np.repeat(has_comma, fillers.n_histories))


def unite(background: Features, new: Features) -> Features:
    """Return the union of two feature sets; the background's predicates keep their numbers."""
    values = {template: dict(numbers) for template, numbers in background.values.items()}
    n, blocks = background.n_predicates, list(background.blocks)
    places: list[int] = []
    for block in new.blocks:
        known = values.setdefault(block.template, {})
        added = [value for value in block.values() if value not in known]
        known.update(zip(added, range(n, n + len(added)), strict=True))
        places.extend(known[value] for value in block.values())
        blocks.append(Block.pack(block.template, added))
        n += len(added)
    exists = np.pad(background.exists, ((0, n - background.n_predicates), (0, 0)))
    exists[np.array(places, np.int64)] |= new.exists
    return Features(tuple(blocks), exists, values)
