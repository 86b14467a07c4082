"""Whole sentences packed for a chain: contexts in order, and where sentences begin."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from workbench.features.contexts import Contexts, pack_contexts
from workbench.features.templates import Template
from workbench.text.corpus import Corpus


@dataclass(frozen=True, eq=False)
class Sentences(Contexts):
    """The contexts of whole sentences, for a chain: any label may stand before any other.

    Slots read words alone, but for one that may read the last label alone.

    Attributes
    ----------
    starts : ndarray of int64, shape (sentences + 1,)
    """

    starts: np.ndarray

    @property
    def word_slots(self) -> np.ndarray:
        """Columns of the rows of slots that read words; int64."""
        return np.flatnonzero([not f.slot.n_tags for f in self.fillers])

    @property
    def history_rows(self) -> np.ndarray:
        """Rows of what may stand before a word: K labels and the boundary; none where none is read.

        int32, shape (K + 1,), or (0,).
        """
        found = [np.arange(len(f)) + f.first_row for f in self.fillers if f.slot.n_tags]
        return np.concatenate([np.empty(0, np.int32), *found]).astype(np.int32)

    @property
    def reachable(self) -> np.ndarray:
        """Rows of the words, and all of the last labels."""
        reachable = super().reachable
        reachable[self.history_rows] = True
        return reachable


def pack_sentences(corpus: Corpus, templates: Sequence[Template]) -> Sentences:
    """Pack the sentences of a corpus for a chain; templates as of ``Sentences``."""
    packed = pack_contexts(corpus, templates)
    own = {field.name: getattr(packed, field.name) for field in fields(packed)}
    return Sentences(**own, starts=corpus.starts)
