"""Contexts and events packed into integer arrays.

Each slot has a row for each of its fillers; a context is one row number per slot. The score of
a context is then a sum of rows, and only rows have predicates. The fillers of a slot that reads
tags are all combinations of words and tags, so a decoder computes the row number of a history
that it has not seen.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product, repeat
from operator import add
from typing import Literal, Self

import numpy as np
from scipy import sparse

from workbench.features.atoms import (
    UNPUNCTUATED,
    Atom,
    atom_key,
    atom_radix,
    find_atoms,
    find_column,
    read_atom,
)
from workbench.features.codes import join_codes, number_codes, split_codes
from workbench.features.templates import Template
from workbench.features.templates.slots import Slot, group_by_slot
from workbench.text.corpus import BOUNDARY, Corpus
from workbench.text.sources.scratch import Memory, reduce_in_pairs, release, slices_within

_EVENT_BYTES = 60  # of memory that counting takes for each event
_MOST_EVENTS = 1 << 22  # counted at once


@dataclass(frozen=True, eq=False)
class Fillers:
    """The fillers of one slot in one corpus.

    Attributes
    ----------
    word_ids : ndarray, shape (fillers of the words, len(slot.offsets))
        Vocabulary places of the words, and of entries of other columns; one empty row
        if the slot reads tags alone.
    tag_names : tuple of str
        K tags and BOUNDARY, the digits of the tag part of a row number in base K + 1.
    """

    slot: Slot
    word_ids: np.ndarray
    tag_names: tuple[str, ...]
    first_row: int

    def __len__(self) -> int:
        return len(self.word_ids) * self.n_histories

    @property
    def n_histories(self) -> int:
        """Number of tag combinations, (K + 1) to the power of the tags read."""
        return len(self.tag_names) ** self.slot.n_tags

    def strings(
        self, words: Sequence[str], rows: np.ndarray | None = None
    ) -> Iterator[tuple[str, ...]]:
        """Return the strings that the templates read, for each row of the slot, or some."""
        rows = np.arange(len(self)) if rows is None else rows
        by_word, by_history = np.divmod(rows, self.n_histories)
        read = [map(words.__getitem__, ids) for ids in self.word_ids[by_word].T.tolist()]
        for tags in zip(*product(self.tag_names, repeat=self.slot.n_tags), strict=True):
            read.append(map(tags.__getitem__, by_history.tolist()))
        return zip(*read, strict=True) if read else repeat((), len(rows))


Order = Literal["C", "F"]
# Which words or combinations of words, bool, a feature set has predicates of.
Choose = Callable[[Fillers, Sequence[str]], np.ndarray]


@dataclass(frozen=True, eq=False)
class Contexts:
    """Packed contexts, optionally with the tag and count that make them events.

    Attributes
    ----------
    words : list of str
        The vocabulary that the fillers refer to; after words the values of other columns.
    fillers : tuple of Fillers
        One per slot, S of them.
    rows : ndarray of int32, shape (N, S)
        Row of each context in each slot, counted through all slots. Slots that
        read tags are filled with the given tags.
    tags : ndarray of int8, shape (N,)
    counts : ndarray of float64, shape (N,)
        The paper's #: how often the event (tag, context) was seen.
    memory : Memory, optional
        Where the events are on disk because they are larger than this.
    are_spent : bool
        Whether the rows may be written over, because nobody reads them any more.
    """

    words: list[str]
    fillers: tuple[Fillers, ...]
    rows: np.ndarray
    tags: np.ndarray
    counts: np.ndarray
    n_tags: int
    memory: Memory | None = None
    are_spent: bool = False

    @cached_property
    def n_rows(self) -> int:
        """Number of rows of all slots together."""
        return sum(map(len, self.fillers))

    @property
    def reachable(self) -> np.ndarray:
        """Which rows occur: the likelihood depends on their predicates; bool, shape (n_rows,)."""
        reachable = np.zeros(self.n_rows, bool)
        reachable[self.rows.ravel(order="K")] = True
        return reachable

    @property
    def reads_columns(self) -> bool:
        """Whether a slot reads a column, such as casing, and not words and tags alone."""
        return any(not isinstance(o, int) for f in self.fillers for o in f.slot.offsets)

    def keep(self, kept: np.ndarray) -> Self:
        """Return some of the contexts, with all fillers and rows; ``kept`` is bool, shape (N,)."""
        parts = self.rows[kept], self.tags[kept], self.counts[kept]
        return replace(self, **dict(zip(("rows", "tags", "counts"), parts, strict=True)))

    def count_tags(self, slot: int) -> sparse.csr_matrix:
        """Count each tag in each row of a slot; sparse float64, shape (rows of the slot, K)."""
        return reduce_in_pairs(add, (self._count(slot, part) for part in self.parts()))

    def _count(self, slot, part):
        fillers, rows = self.fillers[slot], self.rows[part]
        places = rows[:, slot] - fillers.first_row, self.tags[part]
        shape = len(fillers), self.n_tags
        counted = sparse.csr_matrix((self.counts[part], places), shape=shape)
        for array in (rows, self.tags[part], self.counts[part]):
            release(array)
        return counted

    def parts(self) -> list[slice]:
        """Return the events in parts that memory has place for, none too large."""
        return slices_within(self.memory, len(self.rows), _EVENT_BYTES, _MOST_EVENTS)


@dataclass(frozen=True, eq=False)
class Sentences(Contexts):
    """The contexts of whole sentences, for a chain: any label may stand before any other.

    Slots read words alone, but for one that may read the last label alone. Sentence i has the
    contexts ``starts[i]`` to ``starts[i + 1]``; int64, shape (sentences + 1,).
    """

    starts: np.ndarray = field(kw_only=True)

    def keep(self, kept: np.ndarray) -> Self:
        """Return whole sentences, those of the words kept; the others have no words any more."""
        starts = np.concatenate([[0], np.cumsum(kept)])[self.starts]
        return replace(super().keep(kept), starts=starts)

    @property
    def word_slots(self) -> np.ndarray:
        """Columns of ``rows`` whose slots read words alone and no label; int64."""
        return np.flatnonzero([not f.slot.n_tags for f in self.fillers])

    @property
    def history_rows(self) -> np.ndarray:
        """Rows of what may precede a word: K labels and the boundary; none if no label is read.

        int32, shape (K + 1,), or (0,).
        """
        found = [np.arange(len(f)) + f.first_row for f in self.fillers if f.slot.n_tags]
        return np.concatenate([np.empty(0, np.int32), *found]).astype(np.int32)

    @property
    def reachable(self) -> np.ndarray:
        """Whether a row can fire: those of the words, and those of every label before a word."""
        reachable = super().reachable
        reachable[self.history_rows] = True
        return reachable


def pack_sentences(
    corpus: Corpus, templates: Sequence[Template], choose: Choose | None = None
) -> Sentences:
    """Pack the sentences of a corpus for a chain; templates as of ``Sentences``."""
    return Sentences(**vars(pack_contexts(corpus, templates, choose)), starts=corpus.starts)


def pack_contexts(
    corpus: Corpus, templates: Sequence[Template], choose: Choose | None = None
) -> Contexts:
    """Return the context of every word of a corpus, in order, each with count 1.

    Fillers that ``choose`` does not choose are one filler: for a feature set that none of them
    has a predicate of.
    """
    slots = group_by_slot(templates)
    atoms = {key: read_atom(corpus, key) for key in find_atoms(slots)}
    return fill_contexts(corpus, slots, atoms, corpus.tags, np.ones(len(corpus)), choose)


def add_column(
    contexts: Contexts, name: str, values: Sequence[str], places: np.ndarray
) -> Contexts:
    """Return contexts with one more predicate each, ``name=value``, in a slot of its own.

    The contexts are those of ``pack_contexts``; ``places``, int, shape (N,), says which of
    the values each of them has.
    """
    slot = Slot((0,), 0, (Template(name, (0,), 0, str),))
    words = [*contexts.words, *values]
    ids = np.arange(len(contexts.words), len(words))[:, None]
    fillers = Fillers(slot, ids, contexts.fillers[0].tag_names, contexts.n_rows)
    rows = np.column_stack([contexts.rows, places + contexts.n_rows]).astype(np.int32)
    return replace(contexts, words=words, fillers=(*contexts.fillers, fillers), rows=rows)


def fill_contexts(
    corpus: Corpus, slots: Sequence[Slot], atoms: Mapping[Atom, np.ndarray],
    tags: np.ndarray, counts: np.ndarray, choose: Choose | None = None, order: Order = "F",
) -> Contexts:  # fmt: skip
    """Return contexts, with the row of each in every slot, of their atoms, tags and counts.

    Of the corpus only its vocabulary is read; ``choose`` is that of ``pack_contexts``. In memory
    the rows of a slot lie side by side, which is sooner done; with order C those of a context.
    """
    names, (words, bases) = (*corpus.tag_names, BOUNDARY), vocabulary_of(corpus, atoms)
    rows = np.empty((len(tags), len(slots)), np.int32, order)
    fillers, first = [], 0
    for s, slot in enumerate(slots):
        word_ids, places = _fillers_of_words(corpus, slot, atoms, bases)
        own = Fillers(slot, word_ids, names, first)
        if choose is not None:
            own, places = _merge_others(own, places, choose(own, words))
        for back in range(1, slot.n_tags + 1):
            places = places * len(names) + atoms["tag", back]
        np.add(places, first, out=rows[:, s])
        del places  # of every context: those of the next slot need the room
        fillers.append(own)
        first += len(own)
    return Contexts(words, tuple(fillers), rows, tags, counts, len(corpus.tag_names))


def vocabulary_of(corpus: Corpus, keys: Iterable[Atom]) -> tuple[list[str], dict[str, int]]:
    """Return the strings of the words and of all other columns read; where those of each begin."""
    words, bases = corpus.words, {"word": 0}
    others = (key for key in keys if key[0] not in ("word", "tag") and key != UNPUNCTUATED)
    for name in dict.fromkeys(kind for kind, _ in others):
        bases[name] = len(words)
        words = [*words, *find_column(corpus, name)[0]]
    return words, bases


def _fillers_of_words(corpus, slot, atoms, bases):
    """Return the word part of a slot's fillers, and the place of each context's among them."""
    keys, columns = [atom_key(offset) for offset in slot.offsets], columns_of(slot, atoms)
    if not columns:
        return np.empty((1, 0), np.int64), np.zeros(len(next(iter(atoms.values()))), np.int32)
    sizes, first = sizes_of(corpus, slot), [bases[kind] for kind, _ in keys]
    if len(columns) == 1:
        return np.arange(sizes[0])[:, None] + first[0], columns[0].astype(np.int32, copy=False)
    codes, steps = join_codes(columns, sizes)
    codes, places = number_codes(codes)
    return np.stack(split_codes(codes, steps), axis=1) + first, places


def _merge_others(fillers, places, chosen):
    """Return the chosen fillers after one that stands for all others, and places among them."""
    others = np.flatnonzero(~chosen)
    if not len(others):
        return fillers, places
    number = np.cumsum(chosen, dtype=np.int32)
    number[others] = 0
    kept = np.concatenate([others[:1], np.flatnonzero(chosen)])
    return replace(fillers, word_ids=fillers.word_ids[kept]), number[places]


def sizes_of(corpus: Corpus, slot: Slot) -> list[int]:
    """Return how many values each of the words of ``columns_of`` can have."""
    return [2 if slot.edges_only else atom_radix(corpus, atom_key(o)) for o in slot.offsets]


def columns_of(slot: Slot, atoms: Mapping[Atom, np.ndarray]) -> list[np.ndarray]:
    """Return the words, as places in the vocabulary, that a slot reads in each context."""
    columns = [atoms[atom_key(offset)] for offset in slot.offsets]
    if slot.edges_only:  # only whether a word is BOUNDARY matters: 0 or 1
        columns = [np.minimum(column, 1) for column in columns]
    if slot.unpunctuated:  # elsewhere BOUNDARY, where its templates do not fire
        columns = [column * atoms[UNPUNCTUATED] for column in columns]
    return columns
