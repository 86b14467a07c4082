"""The words of a text by its layout, which is found for each line by itself.

What a line is, tokenized or not, is said by its own marks: a comma between spaces, or at the
end of a word. So it comes out the same whatever stands before it and after.
"""

import re
from enum import StrEnum
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np

from workbench.recasing.characters import (
    COMMA,
    FEED,
    RETURN,
    SPACE,
    STOP,
    WORD,
    find_flagged,
    flag_characters,
)
from workbench.text.layout import LONG_LINE, find_stretches, locate_words, looks_wrapped
from workbench.text.tokens import find_words, split_chunks, split_line, split_sentences

_HEAD = 20_000  # characters that tell whether lines are wrapped
_END_WITHIN = re.compile(r"[.?!]['\")]* +(?=\S)")


class Layout(StrEnum):
    """How the words and sentences of a text are laid out."""

    AUTO = "auto"  # each line by itself, tokenized or not as its marks say
    TOKENIZED = "tokenized"  # each line by itself; spaces part the words
    RUNNING = "running"  # each line by itself, as it is printed
    WRAPPED = "wrapped"  # broken to fit a width: a sentence goes on until a blank line


class Located(NamedTuple):
    """The words of a text, where they are, and the lengths of its sentences."""

    words: list[str]
    places: np.ndarray  # start and end of each word; int64, shape (N, 2)
    lengths: list[int]


def locate(text: str, layout: Layout) -> Located:
    """Return the words of a text."""
    if layout is Layout.WRAPPED:
        return Located(*locate_words(text, tokenized=False, wrapped=True))
    words, lengths, parted = list[str](), list[int](), list[tuple[int, tuple]]()
    n_chunks = 0
    for line, tokenized in zip(text.split("\n"), _which_are_tokenized(text, layout), strict=True):
        if not (chunks := line.split()):
            continue
        own, sizes = (chunks, []) if tokenized else _split(chunks)
        is_long = len(own) > LONG_LINE
        if tokenized:
            lengths += split_sentences(own) if is_long else split_line(own)
        else:
            quoted = '"' in line or "'" in line
            lengths += split_sentences(own, find_words(line) if quoted else [])
            parted += [(n_chunks + i, found) for i, found in sizes]
        words += own
        n_chunks += len(chunks)
    return Located(words, _place(find_stretches(text), parted), lengths)


def _split(chunks):
    """Return the words of the chunks of a line; which chunks are several words, their lengths."""
    sizes = split_chunks(chunks)
    several = [(i, found) for i, found in enumerate(sizes) if len(found) > 1]
    words, done = list[str](), 0
    for i, found in several:
        words += chunks[done:i]
        edges = [0, *accumulate(found)]
        words += [chunks[i][a:b] for a, b in pairwise(edges)]
        done = i + 1
    return words + chunks[done:], several


def _place(stretches, parted):
    """Return where words are: in the stretches between spaces, some parted into several words."""
    if not parted:
        return stretches
    parted_places, sizes = zip(*parted, strict=True)
    counts = np.ones(len(stretches), np.int64)
    counts[list(parted_places)] = list(map(len, sizes))
    places = np.repeat(stretches, counts, axis=0)
    widths = np.fromiter(chain.from_iterable(sizes), np.int64)
    inside = np.repeat(counts > 1, counts)
    # Widths add up to an end; what is before the chunk is taken off.
    ends = np.cumsum(widths)
    n_words = counts[counts > 1]
    first = np.cumsum(n_words) - n_words
    before = np.repeat(ends[first] - widths[first], n_words)
    starts = places[inside, 0] - before
    places[inside] = np.stack([starts + ends - widths, starts + ends], axis=1)
    return places


def _which_are_tokenized(text: str, layout: Layout) -> list[bool]:
    """Return which lines are tokenized: all, none, or as ``looks_tokenized`` says of each."""
    if layout is not Layout.AUTO:
        return [layout is Layout.TOKENIZED] * (text.count("\n") + 1)
    flags = flag_characters(text)
    feeds = find_flagged(flags, FEED)
    marks = find_flagged(flags, COMMA | STOP)
    padded = np.concatenate(([SPACE] * 2, flags, [SPACE | FEED])).astype(np.uint8)
    two_before, before, own, after = (padded[marks + shift] for shift in range(4))
    is_last = (after & SPACE).astype(bool)
    alone = is_last & (before & SPACE).astype(bool)
    ends_line = ((two_before & WORD) * (after & (FEED | RETURN))).astype(bool)
    attached = is_last & (before & WORD).astype(bool) & ((own & COMMA).astype(bool) | ends_line)
    line, n = np.searchsorted(feeds, marks), len(feeds) + 1
    n_alone, n_attached = (np.bincount(line[each], minlength=n) for each in (alone, attached))
    return (n_alone > 4 * n_attached).tolist()


def seems_wrapped(text: str) -> bool:
    """Return whether sentences of a text go on in the next line, from its first characters.

    Lines without a sentence's end, such as captions, are taken one by one.
    """
    head = text[:_HEAD]
    return looks_wrapped(head) and bool(_END_WITHIN.search(head))
