"""Atoms: what templates read of a corpus, one column of integers each.

An atom is a column of the corpus at a distance from the current word, or one of
the tags before it; its key is (column, offset) or ("tag", 1 or 2).
"""

import numpy as np

from workbench.text.errors import InputError


def find_atoms(slots):
    """Return the keys of what the slots read, the current word first and tags last."""
    read = {atom_key(offset) for slot in slots for offset in slot.offsets}
    depth = max(slot.n_tags for slot in slots)
    nearest = sorted(read, key=lambda key: (key[0] != "word", key[0], abs(key[1]), key[1]))
    return nearest + [("tag", back) for back in range(1, depth + 1)]


def atom_key(offset):
    """Return the key of one of a template's offsets."""
    return ("word", offset) if isinstance(offset, int) else offset


def find_column(corpus, name):
    """Return the values of a column, the words for one, and which each word has.

    Returns
    -------
    values : list of str
    places : ndarray of int, shape (N,)

    Raises
    ------
    InputError
        If the corpus has no such column.
    """
    if name == "word":
        return corpus.words, corpus.word_ids
    if name not in corpus.columns:
        known = ", ".join(["words", *corpus.columns])
        raise InputError(
            f"{corpus.name}: no column {name}, which the templates read; it has {known}"
        )
    return corpus.columns[name]


def atom_radix(corpus, key):
    """Return how many values an atom can take."""
    kind, _ = key
    return len(corpus.tag_names) + 1 if kind == "tag" else len(find_column(corpus, kind)[0])


def read_atom(corpus, key):
    """Return words at an offset (0 is BOUNDARY) or earlier tags (K is BOUNDARY).

    Returns
    -------
    atom : ndarray of int32, shape (N,)
    """
    kind, distance = key
    if kind == "tag":
        return _shifted(corpus.tags, -distance, corpus.starts, outside=len(corpus.tag_names))
    return _shifted(find_column(corpus, kind)[1], distance, corpus.starts, outside=0)


def _shifted(values, offset, starts, outside):
    """What stands at an offset within the sentence; else, at its ends, what is outside."""
    shifted = np.roll(values, -offset).astype(np.int32)
    has_words = starts[1:] > starts[:-1]
    first, last = starts[:-1][has_words], starts[1:][has_words] - 1
    for away in range(abs(offset)):
        inward = np.minimum(first + away, last) if offset < 0 else np.maximum(last - away, first)
        shifted[inward] = outside
    return shifted
