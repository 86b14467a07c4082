"""Atoms: the single things that templates read, one column of integers each.

An atom is a column of the corpus at a distance from the current word, one of the tags
before it, or whether the sentence is unpunctuated; its key is (column, offset), ("tag", 1
or 2), or ``UNPUNCTUATED``.
"""

from collections.abc import Iterable

import numpy as np

from workbench.features.templates.slots import Slot
from workbench.features.unpunctuated import find_unpunctuated
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

Atom = tuple[str, int]
UNPUNCTUATED: Atom = ("unpunctuated", 0)  # whether the sentence is: 0 or 1


def find_atoms(slots: Iterable[Slot]) -> list[Atom]:
    """Return the keys of all atoms that the slots read, the current word first and tags last."""
    slots = tuple(slots)
    keys = {atom_key(offset) for slot in slots for offset in slot.offsets}
    keys |= {UNPUNCTUATED for slot in slots if slot.unpunctuated}
    n_tags = max(slot.n_tags for slot in slots)
    nearest = sorted(keys, key=lambda key: (key[0] != "word", key[0], abs(key[1]), key[1]))
    return nearest + [("tag", back) for back in range(1, n_tags + 1)]


def atom_key(offset: int | Atom) -> Atom:
    """Return the key of one of a template's offsets."""
    return ("word", offset) if isinstance(offset, int) else offset


def find_column(corpus: Corpus, name: str) -> tuple[list[str], np.ndarray]:
    """Return the distinct values of a column, or "word", and the place of each word's among them.

    InputError if the corpus has no such column.
    """
    if name == "word":
        return corpus.words, corpus.word_ids
    if name not in corpus.columns:
        known = ", ".join(["words", *corpus.columns])
        raise InputError(
            f"{corpus.name}: no column {name}, which the templates read; it has {known}"
        )
    return corpus.columns[name]


def atom_radix(corpus: Corpus, key: Atom) -> int:
    """Return how many values an atom can take."""
    if key == UNPUNCTUATED:
        return 2
    kind, _ = key
    return len(corpus.tag_names) + 1 if kind == "tag" else len(find_column(corpus, kind)[0])


def read_atom(corpus: Corpus, key: Atom) -> np.ndarray:
    """Return an atom of every word, int32, shape (N,).

    Places of values, where 0 is BOUNDARY, or tags, where K is.
    """
    if key == UNPUNCTUATED:
        return find_unpunctuated(corpus).astype(np.int32)
    kind, distance = key
    if kind == "tag":
        return _shifted(corpus.tags, -distance, corpus.starts, outside=len(corpus.tag_names))
    return _shifted(find_column(corpus, kind)[1], distance, corpus.starts, outside=0)


def _shifted(values, offset, starts, outside):
    """Return the values at an offset within the sentence, ``outside`` beyond its ends."""
    shifted = np.roll(values, -offset).astype(np.int32, copy=False)
    has_words = starts[1:] > starts[:-1]
    first, last = starts[:-1][has_words], starts[1:][has_words] - 1
    for distance in range(abs(offset)):
        at_edge = first + distance if offset < 0 else last - distance
        shifted[np.minimum(at_edge, last) if offset < 0 else np.maximum(at_edge, first)] = outside
    return shifted
