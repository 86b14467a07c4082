"""What contexts and events are: integer arrays, one row a context, with counts by tag.

Each slot has a row for each of its fillers; a context is one row number per slot. The score of
a context is then a sum of rows, and only rows have predicates. The fillers of a slot that reads
tags are all combinations of words and tags, so a decoder computes the row number of a history
that it has not seen.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product, repeat
from operator import add
from typing import Self

import numpy as np
from scipy import sparse

from workbench.features.templates import Slot
from workbench.text.scratch import Memory, reduce_in_pairs, release, slices_within

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
