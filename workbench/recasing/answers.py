"""What is written for each block of a text, as it is or as JSON, by one process or several."""

import json
import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import NamedTuple

import numpy as np

from workbench.recasing.allowed import Source
from workbench.recasing.code_lines import START, Opened, find_code
from workbench.recasing.recaser import P_DIGITS, Recased, Recaser, split_lines
from workbench.recasing.streams import OddBytes, cut_bytes, decode, decode_chunks, encode, find_odd
from workbench.text.characters import count_line_ends, find_line_ends, flag_characters
from workbench.text.errors import InputError
from workbench.text.layout import Layout


class Piece(NamedTuple):
    """Some bytes of a text, whole lines of it."""

    data: bytes
    opened: Opened = START  # the state before it


class Tally(NamedTuple):
    """What was counted in a text."""

    n_words: int = 0
    n_unsure: int = 0  # left as they came: their tag was too improbable
    n_matches: int = 0  # of the glossary
    n_lines: int = 0  # line ends

    def plus(self, other: "Tally") -> "Tally":
        """Return the sum of both."""
        return Tally(*map(sum, zip(self, other, strict=True)))


class Doubt(NamedTuple):
    """A line by its least sure word; one that is less sure sorts first."""

    p: float
    line: int  # from 0
    word: str
    text: str  # the line as it was recased


class Answer(NamedTuple):
    """What is written of a block, and what is counted in it."""

    data: bytes
    tally: Tally
    doubts: list[Doubt]  # in order; lines counted from the block's first
    odd: OddBytes


class Answerer:
    """Answers pieces of a text: recased, or as lines of JSON.

    A line that is too long for a block makes several objects, of which those after the first
    have ``"continued": true``. ``n_doubts`` is how many of the least sure lines are wanted.
    """

    def __init__(self, recaser: Recaser, as_json: bool = False, n_doubts: int = 0) -> None:
        if n_doubts:
            recaser.require_probabilities("review")
        self._recaser, self._as_json, self._n_doubts = recaser, as_json, n_doubts

    def pieces(self, chunks: Iterable[bytes], unbuffered: bool = False) -> Iterator[Piece]:
        """Yield the bytes of some chunks in the pieces that ``answer`` takes, at little cost."""
        if self._recaser.layout is Layout.WRAPPED:  # any white space may stand in a blank line
            for block, opened in self._recaser.blocks(decode_chunks(chunks), unbuffered):
                yield Piece(encode(block), opened)
            return
        opened = START
        for data in cut_bytes(chunks, unbuffered):
            yield Piece(data, opened)
            opened = find_code(decode(data), opened)[1]

    def answer(self, piece: Piece) -> list[Answer]:
        """Return the answers to the blocks of a piece."""
        blocks = self._recaser.blocks([decode(piece.data)], opened=piece.opened)
        return [self._answer_block(block, opened) for block, opened in blocks]

    def _answer_block(self, block: str, opened: Opened) -> Answer:
        wants_p = self._as_json or self._n_doubts > 0
        recased = self._recaser.recase_block(block, wants_p, opened)
        tally = Tally(
            len(recased.p), int((recased.sources == Source.UNSURE).sum()),
            recased.n_matches, count_line_ends(block),
        )  # fmt: skip
        doubts = find_doubts(recased, self._n_doubts) if self._n_doubts else []
        text = recased.text
        if self._as_json:
            objects = [line.to_json() for line in split_lines(recased)]
            if opened.within:
                objects[0]["continued"] = True
            text = "".join(json.dumps(each, allow_nan=False) + "\n" for each in objects)  # ASCII
        return Answer(encode(text), tally, doubts, find_odd(block))


def recase_bytes(recaser: Recaser, data: bytes) -> Iterator[bytes]:
    """Yield the bytes of a text with its case restored; what is no UTF-8 passes unchanged.

    It is not unpacked if it is gzipped: a small one could become an endless text.
    """
    return map(encode, recaser.stream([decode(data)]))


def find_doubts(recased: Recased, n: int) -> list[Doubt]:
    """Return the n lines of a block with the least sure words, the least sure first.

    Words that have no letter to be sure of, and those that the model did not decide, are none.
    """
    words = np.flatnonzero(~np.isnan(recased.p))
    words = words[np.argsort(recased.p[words], kind="stable")]
    text, (starts, ends) = recased.text, recased.places.T
    line_ends = find_line_ends(flag_characters(text))
    lines, found = np.searchsorted(line_ends, starts), dict[int, Doubt]()
    for i in words.tolist():
        if len(found) == n:
            break
        word, line = text[starts[i] : ends[i]], int(lines[i])
        if line not in found and word.upper() != word.lower():
            start = int(line_ends[line - 1]) + 1 if line else 0
            end = int(line_ends[line]) if line < len(line_ends) else len(text)
            found[line] = Doubt(float(recased.p[i]), line, word, text[start:end])
    return list(found.values())


def write_doubt(doubt: Doubt, name: str) -> str:
    """Return a row of the review list: p, place, word and line, with tabs between them."""
    text = " ".join(doubt.text.split())
    return f"{doubt.p:.{P_DIGITS}f}\t{name}:{doubt.line + 1}\t{doubt.word}\t{text}\n"


# --- by several processes -----------------------------------------------------------------

_AHEAD = 2  # pieces a process that wait: more would only take memory
_own: list[Answerer] = []  # in a worker: its answerer


def answer_in_processes(
    make: Callable[[], Answerer], chunks: Iterable[bytes], n_jobs: int
) -> Iterator[Answer]:
    """Yield the answers to the text of some chunks, in order, by several processes.

    This process cuts bytes and hands them on, and nothing else, since all wait for it. Each of the
    others calls ``make``, a function that can be pickled, once. If it keeps what it returned, it
    costs nothing where processes are forked, as on Linux.
    """
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    pieces, waiting = make().pieces(chunks), deque[Future[list[Answer]]]()
    with ProcessPoolExecutor(n_jobs, context, _begin, (make,)) as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(_answer, piece))
                if len(waiting) > _AHEAD * n_jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool:
            raise InputError("a job was ended from outside, perhaps out of memory") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(make):
    """Prepare a worker, which ends when the process that started it does."""
    _own[:] = [make()]
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent():
    if parent := multiprocessing.parent_process():
        wait([parent.sentinel])
        os._exit(1)


def _answer(piece: Piece) -> list[Answer]:
    return _own[0].answer(piece)
