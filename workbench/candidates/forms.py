"""The two forms of files of candidate sets, read a block of lines at a time.

SVMlight's with ``qid``, one candidate a line: ``<quality> qid:<sentence> <feature>:<value> ... #
<counts>``. Features are whole numbers from 1, ascending; the candidates of a sentence stand
together. What follows # may be three counts, matched, guessed and gold brackets, or five, with
right dependencies and words; if the first line has as many numbers there, every line must.
Anything else after # is a comment.

The event files of TADM, the estimator of Plank & van Noord (2008): a line with the number of a
sentence's candidates, then a line for each of them, ``<quality> <n> <feature> <value> ...`` with n
pairs; features are whole numbers from 0.

A block is read as one array: a loop over entries would take twenty times as long. What is no
number is never taken for one.
"""

import warnings
from collections.abc import Callable

import numpy as np

from workbench.candidates.packing import Block
from workbench.candidates.sets import BRACKETS, DEPENDENCIES
from workbench.text.errors import InputError

_MOST = 1e38  # in single precision numbers end there


class BadLine(ValueError):
    """A line, or a block of lines, that is not of the form that is needed; says which that is."""


def parse_numbers(text: bytes, n: int, needed: str) -> np.ndarray:
    """Return the n finite numbers of a text, which marks of one byte set apart; float64.

    There are n places between the marks, which are blanks and line breaks, and none of them is
    empty, so that a text of as many numbers has one in each.

    Raises
    ------
    BadLine
        With what is ``needed``, if it has other than n numbers, or one is not finite.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy warns where the text does not go on as numbers
        try:
            numbers = np.fromstring(text, sep=" ")
        except (DeprecationWarning, ValueError):
            raise BadLine(needed) from None
    if len(numbers) != n or not (np.abs(numbers) < _MOST).all():
        raise BadLine(needed)
    return numbers


def whole(numbers: np.ndarray, least: int, what: str) -> np.ndarray:
    """Return numbers as int32; BadLine, with what they are, if one is not whole or < least."""
    integers = np.clip(numbers, -1, 2**31 - 1).astype(np.int32)
    if len(numbers) and not ((integers == numbers) & (integers >= least)).all():
        raise BadLine(f"{what} must be whole numbers from {least}")
    return integers


def name_bad_line(name: str, numbered: list, parse: Callable, error: BadLine) -> InputError:
    """Return the error that names the first bad line of a block.

    ``numbered`` are pairs of a line's number and its content, ``parse`` takes a list of contents.
    """
    for number, line in numbered:
        try:
            parse([line])
        except BadLine as own:
            return InputError(f"{name}: line {number:,}: {own}")
    return InputError(f"{name}: lines {numbered[0][0]:,} to {numbered[-1][0]:,}: {error}")


_SVMLIGHT = "'<quality> qid:<sentence> <feature>:<value> ...' with finite numbers is needed"
_NEWLINE, _TAB, _SPACE, _COLON = 10, 9, 32, 58
_FOLLOWS = {_NEWLINE: _TAB, _TAB: _SPACE, _SPACE: _COLON, _COLON: _SPACE}  # or an end of the line
_N_COUNTS = (len(BRACKETS), len(BRACKETS + DEPENDENCIES))


class SvmlightReader:
    """Reads the blocks of one file, one after another; keeps what binds them together."""

    first_number = 1  # of features

    def __init__(self, name: str):
        self._name, self._n_lines = name, 0
        self._n_counts: int | None = None  # per line; None before the first candidate
        self.sentences: dict[int, None] = {}  # their qids, in order
        self._last: int | None = None  # qid

    def read(self, lines: list[bytes]) -> Block:
        """Return the candidates of the next lines of the file; InputError names a bad one."""
        parts = [line.partition(b"#") for line in lines]
        numbered = [
            (number, (head.rstrip(), comment))
            for number, (head, _, comment) in enumerate(parts, self._n_lines + 1)
            if not head.isspace() and head
        ]
        self._n_lines += len(lines)
        if self._n_counts is None and numbered:
            self._n_counts = _count_counts(numbered[0][1][1])
        try:
            block = self._parse([line for _, line in numbered])
        except BadLine as error:
            raise name_bad_line(self._name, numbered, self._parse, error) from None
        return self._divide(block, [number for number, _ in numbered])

    def finish(self) -> None:
        """Do nothing: a file may end after any line."""

    def _parse(self, lines):
        heads, comments = zip(*lines, strict=True) if lines else ((), ())
        quality, qids, lengths, entries = _parse_heads(heads)
        numbers = whole(entries[::2], 1, "features")
        last = np.zeros(len(numbers), bool)
        last[np.cumsum(lengths)[lengths > 0] - 1] = True
        if (np.diff(numbers)[~last[:-1]] <= 0).any():
            raise BadLine("features must ascend, each once")
        counts = _parse_counts(comments, self._n_counts)
        return Block(numbers, entries[1::2].astype(np.float32), lengths, quality, qids, counts)

    def _divide(self, block, numbers):
        """Return a block whose ``begins`` say where a sentence begins, instead of qids."""
        qids = block.begins
        before = np.concatenate([[-1 if self._last is None else self._last], qids[:-1]])
        begins = qids != before if len(qids) else np.zeros(0, bool)
        for place in np.flatnonzero(begins).tolist():
            if (qid := int(qids[place])) in self.sentences:
                raise InputError(
                    f"{self._name}: line {numbers[place]:,}: qid {qid} again; the candidates of a "
                    "sentence must stand together"
                )
            self.sentences[qid] = None
        self._last = int(qids[-1]) if len(qids) else self._last
        return block._replace(begins=begins)


def _parse_heads(heads):
    """Return qualities, qids, numbers of entries, and features and values by turns."""
    text = b"\n".join(heads)
    if b"\t" in text or not _is_regular(text := text.replace(b" qid:", b"\t")):
        text = b"\n".join(b" ".join(head.split()) for head in heads).replace(b" qid:", b"\t")
        if not _is_regular(text):
            raise BadLine(_SVMLIGHT)
    lengths = np.array([line.count(b":") for line in text.split(b"\n")] if heads else [], np.int64)
    n = 2 * (len(heads) + lengths.sum())
    numbers = parse_numbers(text.replace(b":", b" "), n, _SVMLIGHT)
    firsts = 2 * (np.cumsum(lengths) - lengths + np.arange(len(lengths)))
    qids = whole(numbers[firsts + 1], 0, "qids")
    is_entry = np.ones(n, bool)
    is_entry[firsts] = is_entry[firsts + 1] = False
    return numbers[firsts], qids, lengths, numbers[is_entry]


def _is_regular(text):
    """Return whether marks follow one another as they should, and none stands at another."""
    codes = np.frombuffer(b"\n" + text + b"\n", np.uint8)
    places = np.flatnonzero(_IS_MARK[codes])
    marks = codes[places]
    follows = _FOLLOWING[marks[:-1], marks[1:]]
    return len(text) == 0 or (follows.all() and (np.diff(places) > 1).all())


_IS_MARK = np.zeros(256, bool)
_IS_MARK[list(_FOLLOWS)] = True
_FOLLOWING = np.zeros((_COLON + 1, _COLON + 1), bool)
for _mark, _next in _FOLLOWS.items():
    _FOLLOWING[_mark, _next] = True
_FOLLOWING[[_TAB, _COLON], _NEWLINE] = True


def _count_counts(comment):
    """Return how many counts each line has, by the first line's: 3, 5 or none."""
    words = comment.split()
    return len(words) if len(words) in _N_COUNTS and all(map(bytes.isdigit, words)) else 0


def _parse_counts(comments, n_counts):
    """Return the counts of each line by name."""
    if not n_counts:
        return {}
    needed = f"{n_counts} counts, whole numbers, are needed after #, as in the first line"
    lines = [comment.split() for comment in comments]
    if any(len(line) != n_counts for line in lines):
        raise BadLine(needed)
    text = b" ".join(word for line in lines for word in line)
    numbers = whole(parse_numbers(text, n_counts * len(lines), needed), 0, "counts")
    return dict(zip((*BRACKETS, *DEPENDENCIES), numbers.reshape(-1, n_counts).T, strict=False))


_TADM = "'<quality> <n> <feature> <value> ...' with n pairs of finite numbers is needed"


class TadmReader:
    """Reads the blocks of one file, one after another; keeps what binds them together."""

    first_number = 0  # of features

    def __init__(self, name: str):
        self._name, self._n_lines = name, 0
        self.sentences: dict[int, None] = {}  # their numbers, from 1
        self._missing, self._begins = 0, False  # candidates still to come; whether of a new one

    def read(self, lines: list[bytes]) -> Block:
        """Return the candidates of the next lines of the file; InputError names a bad one."""
        numbered = [
            (number, line)
            for number, line in enumerate(map(bytes.split, lines), self._n_lines + 1)
            if line
        ]
        self._n_lines += len(lines)
        begins = np.array(self._find_begins(numbered), bool)
        candidates = [(number, line) for number, line in numbered if len(line) > 1]
        try:
            block = _parse([line for _, line in candidates])
        except BadLine as error:
            raise name_bad_line(self._name, candidates, _parse, error) from None
        return block._replace(begins=begins)

    def finish(self) -> None:
        """Raise InputError if the file ends before the last sentence does."""
        if self._missing:
            raise InputError(
                f"{self._name}: line {self._n_lines:,}: the file ends; {self._missing} more "
                "candidates of the last sentence are needed"
            )

    def _find_begins(self, numbered):
        """Return of each candidate whether a sentence begins with it."""
        found = []
        for number, line in numbered:
            if (len(line) == 1) == bool(self._missing):
                needed = "a candidate" if self._missing else "the number of a sentence's candidates"
                raise InputError(f"{self._name}: line {number:,}: {needed} is needed")
            if len(line) == 1:
                self._missing, self._begins = self._read_size(number, line[0]), True
                self.sentences[len(self.sentences) + 1] = None
            else:
                found.append(self._begins)
                self._missing, self._begins = self._missing - 1, False
        return found

    def _read_size(self, number, word):
        if not word.isdigit() or not int(word):
            raise InputError(f"{self._name}: line {number:,}: 1 or more candidates are needed")
        return int(word)


def _parse(lines):
    """Return the ``Block`` of the words of some lines."""
    sizes = np.array([len(line) for line in lines], np.int64)
    numbers = parse_numbers(b" ".join(word for line in lines for word in line), sizes.sum(), _TADM)
    firsts = np.cumsum(sizes) - sizes
    lengths = whole(numbers[firsts + 1], 0, "numbers of pairs") if len(lines) else sizes
    if (2 * lengths + 2 != sizes).any():
        raise BadLine(_TADM)
    is_entry = np.ones(len(numbers), bool)
    is_entry[firsts] = is_entry[firsts + 1] = False
    features = whole(numbers[is_entry][::2], 0, "features")
    owner = np.repeat(np.arange(len(lines)), lengths)
    if len(np.unique(owner << 32 | features.astype(np.int64))) < len(features):
        raise BadLine("each feature may stand once")
    values = numbers[is_entry][1::2].astype(np.float32)
    return Block(features, values, lengths, numbers[firsts], np.zeros(0, bool), {})
