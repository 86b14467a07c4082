"""Events, or sentences, of a text that is larger than memory: packed on disk, a stretch at a time.

Sentences stay in the order of the text. Events are those of ``pack_events``, in their order. Each
stretch of the text gives a sorted *run* of distinct events; *parts* of all runs that lie between
the same two codes are then merged, one after the other, as in an external merge sort. An event is
a row of integers here, its *atoms* and its tag, and these are joined into as few codes of 62 bits
as will do.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.features.contexts import Contexts, Fillers, Sentences
from workbench.features.events import DistinctEvents
from workbench.features.packing import (
    LIMIT,
    Atom,
    atom_key,
    atom_radix,
    columns_of,
    find_atoms,
    join_codes,
    read_atom,
    sizes_of,
    split_codes,
    vocabulary_of,
)
from workbench.features.templates import Slot, Template, group_by_slot
from workbench.text.corpus import BOUNDARY, Corpus
from workbench.text.errors import InputError
from workbench.text.scratch import GrowingArray, Memory, reduce_in_pairs, release

_WORD_BYTES = 150  # of memory that packing takes for each word of a stretch, or event of a part
_SAMPLES = 200  # codes looked at for each part, so that all are of about one size


class _Codes(NamedTuple):
    """Distinct rows of integers as codes, sorted, and how often each was seen."""

    limbs: tuple[np.ndarray, ...]  # int64, shape (n,) each, the most significant first
    counts: np.ndarray  # int64, shape (n,)

    def take(self, part: slice) -> "_Codes":
        return _Codes(tuple(limb[part] for limb in self.limbs), self.counts[part])

    def release(self) -> None:
        for array in (*self.limbs, self.counts):
            release(array)


def pack_stored_events(corpus: Corpus, templates: Sequence[Template], memory: Memory) -> Contexts:
    """Return the events of a corpus, as ``pack_events``; those that repeat are made one on disk."""
    packing = _Packing(corpus, group_by_slot(templates), memory)
    return packing.fill(map(packing.split, _merge(packing.sort_stretches(), memory)))


def pack_stored_sentences(
    corpus: Corpus, templates: Sequence[Template], memory: Memory
) -> Sentences:  # fmt: skip
    """Return the sentences of a corpus, as ``pack_sentences``, on disk."""
    packing = _Packing(corpus, group_by_slot(templates), memory)
    packing.find_distinct()
    return Sentences(**vars(packing.fill(packing.read_stretches())), starts=corpus.starts)


class _Packing:
    """What packing needs to know of a corpus as a whole."""

    def __init__(self, corpus: Corpus, slots: tuple[Slot, ...], memory: Memory):
        self._corpus, self._slots, self._memory = corpus, slots, memory
        self._keys = find_atoms(slots)
        self._groups = _group([*(atom_radix(corpus, k) for k in self._keys), len(corpus.tag_names)])
        self._distinct: dict[int, np.ndarray] = {}  # codes of the words of slots that join some

    def sort_stretches(self) -> list[_Codes]:
        """Return the runs, on disk; what slots join is known then, too."""
        distinct = _Distinct(self._slots)
        runs = [self._sort(stretch, distinct) for stretch in self.read_stretches()]
        self._distinct = distinct.united()
        return runs

    def find_distinct(self) -> None:
        """Find the word combinations that slots of several words read; ``fill`` needs them."""
        distinct = _Distinct(self._slots)
        for stretch in self.read_stretches():
            distinct.add(self._corpus, self._atoms_of(stretch))
        self._distinct = distinct.united()

    def read_stretches(self) -> Iterator[DistinctEvents]:
        """Yield the words of each stretch of the text, in order; each counts once."""
        n_words = self._memory.slices(len(self._corpus), _WORD_BYTES)[0].stop
        for stretch in self._corpus.stretches(n_words):
            columns = [*(read_atom(stretch, key) for key in self._keys), stretch.tags]
            yield DistinctEvents(columns, np.ones(len(stretch), np.int64))
            for array in (stretch.word_ids, stretch.tags):
                release(array)

    def _sort(self, stretch, distinct):
        distinct.add(self._corpus, self._atoms_of(stretch))
        limbs = [join_codes(stretch.columns[own], sizes)[0] for own, sizes in self._groups]
        return _store(_make_distinct(limbs, stretch.counts))

    def _atoms_of(self, events):
        return dict(zip(self._keys, events.columns, strict=False))  # the last are the tags

    def split(self, codes: _Codes) -> DistinctEvents:
        """Return the events that codes stand for."""
        columns = [
            column
            for (_, sizes), limb in zip(self._groups, codes.limbs, strict=True)
            for column in split_codes(limb, sizes)
        ]
        return DistinctEvents(columns, codes.counts)

    def fill(self, parts: Iterable[DistinctEvents]) -> Contexts:
        """Return the contexts of events, a part at a time."""
        rows = GrowingArray(np.int32, (len(self._slots),))
        tags, counts = GrowingArray(np.int8), GrowingArray(np.float64)
        fillers, words = self._fillers()
        for part in parts:
            atoms = self._atoms_of(part)
            rows.append(np.stack([self._row(atoms, f, s) for s, f in enumerate(fillers)], axis=1))
            tags.append(part.columns[-1])
            counts.append(part.counts)
        return Contexts(
            words, fillers, rows.mapped(), tags.mapped(), counts.mapped(),
            len(self._corpus.tag_names), self._memory,
        )  # fmt: skip

    def _fillers(self):
        names = (*self._corpus.tag_names, BOUNDARY)
        words, bases = vocabulary_of(self._corpus, self._keys)
        fillers: list[Fillers] = []
        for s, slot in enumerate(self._slots):
            sizes = sizes_of(self._corpus, slot)
            if len(sizes) > 1:
                word_ids = np.stack(split_codes(self._distinct[s], sizes), axis=1)
            else:  # a word, or none
                word_ids = np.arange(sizes[0])[:, None] if sizes else np.empty((1, 0), np.int64)
            begins = np.array([bases[atom_key(offset)[0]] for offset in slot.offsets], np.int64)
            fillers.append(Fillers(slot, word_ids + begins, names, sum(map(len, fillers))))
        return tuple(fillers), words

    def _row(self, atoms, fillers, s):
        """Return the row of each event in a slot."""
        slot, columns = fillers.slot, columns_of(fillers.slot, atoms)
        places: np.ndarray = columns[0].astype(np.int32) if columns else np.zeros(1, np.int32)
        if len(columns) > 1:
            codes, _ = join_codes(columns, sizes_of(self._corpus, slot))
            places = np.searchsorted(self._distinct[s], codes)
        for back in range(1, slot.n_tags + 1):
            places = places * len(fillers.tag_names) + atoms["tag", back]
        return places + fillers.first_row


class _Distinct:
    """The distinct codes of the words of each slot that joins several, over all stretches."""

    def __init__(self, slots):
        self._slots = {s: slot for s, slot in enumerate(slots) if len(slot.offsets) > 1}
        self._found: dict[int, list[np.ndarray]] = {s: [] for s in self._slots}

    def add(self, corpus: Corpus, atoms: dict[Atom, np.ndarray]) -> None:
        """Add the codes of a stretch."""
        for s, slot in self._slots.items():
            sizes = sizes_of(corpus, slot)
            if np.prod(sizes, dtype=float) >= LIMIT:
                names = ", ".join(template.name for template in slot.templates)
                raise InputError(f"templates {names}: read too many words for text beyond memory")
            self._found[s].append(np.unique(join_codes(columns_of(slot, atoms), sizes)[0]))

    def united(self) -> dict[int, np.ndarray]:
        """Return the codes of each slot, sorted."""
        return {s: reduce_in_pairs(np.union1d, found) for s, found in self._found.items()}


def _group(sizes):
    """Group neighbouring columns so that each group has one code; returns slices with sizes."""
    groups, first, product = [], 0, 1
    for i, size in enumerate(sizes):
        if product * size >= LIMIT:
            groups.append((slice(first, i), sizes[first:i]))
            first, product = i, 1
        product *= size
    return [*groups, (slice(first, len(sizes)), sizes[first:])]


def _make_distinct(limbs, counts):
    """Return ``_Codes`` of codes in any order, some of which may repeat."""
    order = np.argsort(limbs[0], kind="stable") if len(limbs) == 1 else np.lexsort(limbs[::-1])
    limbs, is_new = [limb[order] for limb in limbs], np.zeros(len(order), bool)
    is_new[:1] = True
    for limb in limbs:
        is_new[1:] |= limb[1:] != limb[:-1]
    first = np.flatnonzero(is_new)
    return _Codes(tuple(limb[first] for limb in limbs), np.add.reduceat(counts[order], first))


def _store(codes):
    """Return codes on disk."""
    stored = []
    for array in (*codes.limbs, codes.counts):
        stored.append(own := GrowingArray(np.int64))
        own.append(array)
    *limbs, counts = (own.mapped() for own in stored)
    return _Codes(tuple(limbs), counts)


def _merge(runs, memory):
    """Yield the codes of all runs, merged and in order, a part at a time."""
    n = sum(len(run.counts) for run in runs)
    n_parts = len(memory.slices(n, _WORD_BYTES))
    step = max(1, n // (_SAMPLES * n_parts))
    samples = np.sort(np.concatenate([run.limbs[0][::step] for run in runs]))
    edges = np.unique(samples[np.arange(1, n_parts) * len(samples) // n_parts])
    places = [[0, *np.searchsorted(run.limbs[0], edges), len(run.counts)] for run in runs]
    for bounds in zip(*map(pairwise, places), strict=True):
        part = [run.take(slice(*own)) for run, own in zip(runs, bounds, strict=True)]
        limbs = [np.concatenate(limb) for limb in zip(*(own.limbs for own in part), strict=True)]
        counts = np.concatenate([own.counts for own in part])
        for own in part:
            own.release()
        if len(counts):
            yield _make_distinct(limbs, counts)
