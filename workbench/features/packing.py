"""A corpus packed into contexts: what templates read becomes columns of integers, equal rows one.

An *atom* is a single thing that templates read, one column of integers: a column of the corpus
at a distance from the current word, one of the tags before it, or whether the sentence is
unpunctuated; its key is (column, offset), ("tag", 1 or 2), or ``UNPUNCTUATED``. The atoms of a
slot are joined into one integer, its *code*, so that equal rows are found by one sort.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from workbench.features.contexts import Choose, Contexts, Fillers, Sentences
from workbench.features.templates import Slot, Template, group_by_slot
from workbench.features.unpunctuated import find_unpunctuated
from workbench.text.corpus import BOUNDARY, Corpus
from workbench.text.errors import InputError

LIMIT = 1 << 62  # codes stay below it
_SPARSE = 2  # possible codes for each that is there, up to which a table of all of them pays
_AT_ONCE = 1 << 20  # codes
_IN_CACHE = 1 << 15  # codes whose arrays stay in the second cache
Order = Literal["C", "F"]
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


def join_codes(
    columns: Iterable[np.ndarray], sizes: Sequence[int]
) -> tuple[np.ndarray, list[int | np.ndarray]]:
    """Encode each row of some columns as one integer, int64, shape (N,); their order is kept.

    Columns, shape (N,), are read one by one, so that they need not all be in memory; the values
    of each are less than its size. The second result is for ``split_codes``: sizes, and the
    distinct codes wherever they were numbered anew.
    """
    codes, size = np.empty(0, np.int64), 1
    steps: list[int | np.ndarray] = []
    for column, radix in zip(columns, sizes, strict=True):
        if not steps:
            codes = np.zeros(len(column), np.int64)
        if size * radix >= LIMIT:  # number the distinct codes so far 0, 1, 2, ...
            distinct, codes = np.unique(codes, return_inverse=True)
            steps.append(distinct)
            size = len(distinct)
        codes *= radix
        codes += column
        size *= radix
        steps.append(radix)
    return codes, steps


def split_codes(codes: np.ndarray, steps: Sequence[int | np.ndarray]) -> list[np.ndarray]:
    """Return the columns that ``join_codes`` encoded: int32, or uint8 of at most 256 values."""
    sizes = [step for step in steps if not isinstance(step, np.ndarray)]
    columns = [np.empty(len(codes), np.uint8 if size <= 1 << 8 else np.int32) for size in sizes]
    for first in range(0, len(codes), _IN_CACHE):
        rest, places = codes[first : first + _IN_CACHE], reversed(range(len(columns)))
        for step in reversed(steps):
            if isinstance(step, np.ndarray):
                rest = step[rest]
            else:
                own = columns[next(places)][first : first + _IN_CACHE]
                left = rest // step  # by one divisor many times sooner than divmod
                own[:] = rest - left * step
                rest = left
    return columns


def number_codes(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct codes in order, and the place of each code among them, int32.

    What ``np.unique`` returns with ``return_inverse``, in a quarter of the time: a code and its
    place make one integer, which is sorted alone; few possible codes need no sorting at all.
    The codes, int64, may be written over.
    """
    n, end = len(codes), int(codes.max(initial=-1)) + 1
    if end <= _SPARSE * n:
        is_there = np.zeros(end, bool)
        is_there[codes] = True
        number = np.cumsum(is_there, dtype=np.int32)
        number -= 1  # in its place: of all codes of a text such arrays are the largest there are
        return np.flatnonzero(is_there), number[codes]
    bits = n.bit_length()
    if end > 1 << (63 - bits):
        distinct, places = np.unique(codes, return_inverse=True)
        return distinct, places.astype(np.int32)
    codes <<= bits
    for first in range(0, n, _AT_ONCE):  # few, or they take as much memory as the codes
        codes[first : first + _AT_ONCE] |= np.arange(first, min(first + _AT_ONCE, n))
    codes.sort()
    return _number_sorted(codes, bits)


def _number_sorted(codes, bits):
    """Return what ``number_codes`` does, of sorted codes that have their places in the last bits.

    Some at a time, so that besides the codes nothing is made but the result.
    """
    places, found = np.empty(len(codes), np.int32), []
    last, seen = -1, 0
    for first in range(0, len(codes), _AT_ONCE):
        own = codes[first : first + _AT_ONCE]
        values = own >> bits
        is_new = np.diff(values, prepend=last) != 0
        places[own & ((1 << bits) - 1)] = np.cumsum(is_new) + (seen - 1)
        found.append(values[is_new])
        last, seen = values[-1], seen + len(found[-1])
    return np.concatenate(found), places


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
