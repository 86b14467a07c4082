"""Pack the contexts of a corpus into integer arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

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
from workbench.features.contexts import Choose, Contexts, Fillers, Sentences
from workbench.features.templates import Template
from workbench.features.templates.slots import Slot, group_by_slot
from workbench.text.corpus import BOUNDARY, Corpus

Order = Literal["C", "F"]


def pack_sentences(
    corpus: Corpus, templates: Sequence[Template], choose: Choose | None = None
) -> Sentences:
    """Pack the sentences of a corpus for a chain; templates as in ``Sentences``."""
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
