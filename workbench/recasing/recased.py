"""What recasing gives: the text, and of each word its place, its case and how sure that is."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from workbench.text.characters import LINE

P_DIGITS = 6  # of a probability, where it is shown to a program


class Source(IntEnum):
    """Where the case of a word comes from."""

    MODEL = 0  # the model's tag
    SPAN = 1  # it is in a span, which passes untouched
    KEPT = 2  # as it came: the policy takes its case for evidence
    UNSURE = 3  # as it came: the model was less sure than the threshold
    GLOSSARY = 4  # a form of the glossary


class Recased(NamedTuple):
    """A block of text with its case restored, and what became of each of its words.

    ``p`` is the probability of the tag that each word was given, shape (N,); nan where the model
    gives none. Of a word left as it came, where the tag was too improbable, it is that of the tag
    it would have had.
    """

    original: str
    text: str
    places: np.ndarray  # start and end of each word in the text; int64, shape (N, 2)
    sources: np.ndarray  # a ``Source`` of each word; uint8, shape (N,)
    p: np.ndarray
    n_matches: int = 0  # forms of the glossary, phrases counted once

    @classmethod
    def unchanged(cls, block: str) -> "Recased":
        """Return a block without a word as it came."""
        return cls(block, block, np.empty((0, 2), np.int64), np.empty(0, np.uint8), np.empty(0))


class RecasedWord(NamedTuple):
    """One word of a line."""

    start: int  # characters from the line's start
    end: int
    before: str
    after: str
    p: float | None
    source: Source

    def to_json(self) -> dict[str, Any]:
        """Return the word as an object of JSON; its source is named unless it is the model."""
        values = {
            "start": self.start, "end": self.end, "from": self.before, "to": self.after,
            "p": self.p,
        }  # fmt: skip
        return values | ({self.source.name.lower(): True} if self.source else {})


class RecasedLine(NamedTuple):
    """One line of a text, without its end, and its words."""

    text: str
    words: list[RecasedWord]

    def to_json(self) -> dict[str, Any]:
        """Return the line as an object of JSON."""
        return {"text": self.text, "words": [word.to_json() for word in self.words]}


def split_lines(block: Recased) -> Iterator[RecasedLine]:
    """Yield the lines of a block; a line ends with a line feed, a carriage return or both."""
    words, start = words_of(block), 0
    word = next(words, None)
    for line in LINE.finditer(block.text):
        own = []
        while word and word.start < line.end():
            own.append(word._replace(start=word.start - start, end=word.end - start))
            word = next(words, None)
        yield RecasedLine(line.group().rstrip("\r\n"), own)
        start = line.end()


def words_of(block: Recased, first: int = 0) -> Iterator[RecasedWord]:
    """Yield the words of a block, counted from its start, where characters are from ``first``."""
    columns = (block.places.tolist(), block.p.round(P_DIGITS).tolist(), block.sources.tolist())
    for (start, end), p, source in zip(*columns, strict=True):
        yield RecasedWord(
            first + start, first + end, block.original[start:end], block.text[start:end],
            p if p == p else None, Source(source),
        )  # fmt: skip
