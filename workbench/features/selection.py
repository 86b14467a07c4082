"""Feature sets: selected from events by a cut-off, reduced to a subset, united.

A feature is a pair (predicate, tag) seen together in training; it is kept if
its count is at least the cut-off. Weights are a table of predicates by tags, in
which ``Features.exists`` marks the pairs that are features.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, compress, pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from workbench.features.contexts import Contexts, Fillers
from workbench.features.firing import ChosenFillers, FiringCache
from workbench.features.predicates import Block, Values, names_of, number_by_template
from workbench.features.templates import Template
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

    def name(self, number: int) -> str:
        """Return one predicate, ``template=value``, by its number, without naming all."""
        edges = np.cumsum([0, *map(len, self.blocks)])
        chosen = int(np.searchsorted(edges, number, "right")) - 1
        block, place = self.blocks[chosen], number - edges[chosen]
        start = block.ends[place - 1] if place else 0
        return f"{block.template}={block.text[start : block.ends[place]]}"


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

    Template by template: most predicates of a text are too rare, and need not be in memory at once.
    """
    slots = [
        select_templates(
            events.words, fillers, events.count_tags(slot), fillers.slot.templates, cutoff
        )
        for slot, fillers in enumerate(events.fillers)
    ]
    return join_selections(slots)


class TemplateSelection(NamedTuple):
    """The features of one template, and which of its predicates each row of its slot fires."""

    block: Block
    exists: np.ndarray  # bool, shape (P, K)
    firing: sparse.csr_matrix  # (rows of the slot, P)


def join_selections(slots: Iterable[Sequence[TemplateSelection]]) -> Selection:
    """Return the ``Selection`` of all templates, given slot by slot, in order."""
    slots = list(slots)
    blocks, exists, _ = zip(*chain.from_iterable(slots), strict=True)
    firing = [sparse.hstack([each.firing for each in slot], format="csr") for slot in slots]
    features = Features(blocks, np.concatenate(exists))
    return Selection(features, sparse.block_diag(firing, format="csr"))


def select_templates(
    words: list[str], fillers: Fillers, counts: sparse.csr_matrix,
    templates: Sequence[Template], cutoff: int,
) -> list[TemplateSelection]:  # fmt: skip
    """Return the features of some templates of a slot, one by one.

    Parameters
    ----------
    words : list of str
        As in ``Contexts``.
    counts : sparse matrix, shape (rows of the slot, K)
        How often each tag occurs in each row.
    """
    least, most = max(1, check_cutoff(cutoff)), counts.max(axis=1).toarray().ravel()
    rows = _rows_to_read(words, fillers, templates, most >= least)
    read, used = list(fillers.strings(words, rows)), most[rows] > 0
    return [_select(template, read, used, rows, counts, least) for template in templates]


def _select(template, read, used, rows, counts, least):
    """Return the features of a template, whose predicates are numbered as they first fire.

    ``read`` are the strings of some rows, ``used`` says which of these rows occur.
    """
    found = list(map(template.values_of, read))
    values = list(dict.fromkeys(chain.from_iterable(compress(found, used))))
    numbers = {value: i for i, value in enumerate(values)}
    fired = np.array([numbers.get(value, -1) for value in chain.from_iterable(found)], np.int64)
    places = np.repeat(rows, list(map(len, found)))[fired >= 0], fired[fired >= 0]
    ones = np.ones(len(places[0]))
    firing = sparse.csr_matrix((ones, places), shape=(counts.shape[0], len(values)))
    exists = (firing.T @ counts >= least).toarray()
    kept = exists.any(axis=1)
    block = Block.pack(template.name, list(compress(values, kept)))
    return TemplateSelection(block, exists[kept], firing[:, kept])


def _rows_to_read(words, fillers, templates, is_frequent):
    """Return the rows of a slot whose predicates may be in a feature of some templates.

    Where a predicate's value is the strings themselves, a rare row is a rare predicate.
    They are joined by commas, so only words with a comma could make two rows one predicate.
    """
    if not all(t.is_verbatim and t.n_tags == fillers.slot.n_tags for t in templates):
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
