"""Bytes to blocks of whole lines and back; what is no UTF-8 passes unchanged and is counted.

A line ends with a line feed, a carriage return or both. Where one is cut depends on the text alone,
never on the chunks in which it arrives. Bytes are cut first, by a search for line ends alone, and
what is cut off can be decoded by itself; so no text need be in memory whole.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from workbench.text.characters import count_line_ends
from workbench.text.errors import InputError, refusal, require_kind
from workbench.text.incoming import DAMAGE, find_wide_encoding, unpack

BLOCK = 1 << 19  # characters, about: what is recased at a time
LONGEST_LINE = 1 << 16  # characters; a longer line, or wrapped paragraph, is cut and goes on
_MOST_BYTES = 4  # of a character in UTF-8
_ODD = re.compile("[\0\udc80-\udcff]")  # NUL, and how a byte that is no UTF-8 is held in a text
_LINE_END = re.compile(r"[\r\n]")
_BLANK_LINE = re.compile(r"(?:\r\n?+|\n)[^\S\r\n]*(?:\r\n?|\n)")
_SENTENCE_END = re.compile(r"[.?!…]['\"”’)\]]{0,3}\s(?=\S)")
_SPACE = re.compile(r"\s(?=\S)")


def decode(data: bytes) -> str:
    """Return the text of some bytes; one that is no UTF-8 becomes a lone surrogate."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes of a text, as they were before ``decode``."""
    return text.encode("utf-8", "surrogateescape")


def decode_chunks(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the text of some chunks of bytes, which may be cut within a character."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    yield from map(decoder.decode, chunks)
    yield decoder.decode(b"", final=True)


class OddBytes(NamedTuple):
    """Bytes of a text that are no UTF-8, or are NUL."""

    n: int = 0
    first: int = 0  # the first of them, 0 to 255
    line: int = 0  # where it is, from 0


def find_odd(text: str) -> OddBytes:
    """Return the bytes of a text of ``decode`` that were no UTF-8, or were NUL."""
    if text.isascii() and "\0" not in text:  # told at once, without a search
        return OddBytes()
    if not (found := _ODD.findall(text)):
        return OddBytes()
    return OddBytes(len(found), ord(found[0]) & 0xFF, count_line_ends(text, text.index(found[0])))


class ByteReader:
    """Reads a stream of bytes, packed or not, and counts those that are no UTF-8 text.

    ``n_odd`` counts these bytes and NULs so far, ``first_line`` is the line of the first, from 1.
    With ``strict`` the first of them is an InputError.
    """

    def __init__(self, name: str, strict: bool = False) -> None:
        self.name, self.n_odd, self.first_line = name, 0, 0
        self._strict, self._note = strict, ""

    def unpack(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks, unpacked if they begin as packed ones do; InputError if damaged."""
        chunks = iter(chunks)
        head = next(chunks, b"")
        if encoding := find_wide_encoding(head):
            self._note = f" ({encoding}? save it as UTF-8)"
        try:
            yield from unpack(chain([head], chunks))
        except (InputError, *DAMAGE) as error:
            raise refusal("unreadable", self.name, why=error) from None

    def count(self, odd: OddBytes, n_lines: int) -> None:
        """Count what is odd in a part of the text, before which some lines end."""
        if odd.n and not self.n_odd:
            self.first_line = n_lines + odd.line + 1
        self.n_odd += odd.n
        if self.n_odd and self._strict:
            line, note = self.first_line, self._note
            raise refusal("odd byte", self.name, byte=odd.first, line=line, note=note)

    def describe(self) -> str:
        """Return what was odd, in a line without the name; "" if nothing was."""
        if not self.n_odd:
            return ""
        number = "1 byte is" if self.n_odd == 1 else f"{self.n_odd:,} bytes are"
        first = "in" if self.n_odd == 1 else "the first in"
        return f"{number} no UTF-8 text, {first} line {self.first_line:,}{self._note}"


def cut_bytes(chunks: Iterable[bytes], unbuffered: bool = False) -> Iterator[bytes]:
    """Yield the bytes of a text in pieces of some blocks, each cut after a line.

    ``cut_blocks`` of the pieces, one by one, cuts lines where it cuts those of the whole text:
    a line that is too long for a piece is cut here where it would be cut there. ``unbuffered``: all
    lines that have come are a piece. If the last of them ends with a carriage return, a line feed
    that comes later is read as an empty line.
    """
    rest, least = b"", 0 if unbuffered else BLOCK
    for part in _parts(chunks):
        rest += part
        while len(rest) > least and (size := _size_of_piece(rest, least)):
            yield rest[:size]
            rest = rest[size:]
    if rest:
        yield rest


def _size_of_piece(data, least):
    """Return how many bytes make a piece, 0 if the end of a line has not come yet."""
    known = least or len(data)
    end = max(data.rfind(mark, 0, known) for mark in (b"\n", b"\r")) + 1
    enough = _MOST_BYTES * LONGEST_LINE
    if not end and len(data) > enough:
        text = decode(data[:enough])[:LONGEST_LINE]
        return len(encode(text[: _length_of_part(text)]))
    ends = [place + 1 for mark in (b"\n", b"\r") if (place := data.find(mark)) >= 0]
    return _with_feed(data, end or min(ends, default=0), least)


def _with_feed(text, end, waits):
    """Return a line's end with the line feed after a carriage return; 0 if one may yet come."""
    last = text[max(0, end - 1) : end + 1]
    if last in ("\r\n", b"\r\n"):
        return end + 1
    return 0 if waits and last in ("\r", b"\r") else end


def cut_blocks(
    chunks: Iterable[str], wrapped: bool = False, unbuffered: bool = False
) -> Iterator[str]:
    """Yield the text of some chunks in blocks of whole lines, or paragraphs where wrapped.

    ``unbuffered``: a block ends with each line, as soon as it is there. A line of more than
    ``LONGEST_LINE`` characters is cut after a sentence, else between words; so a block is
    never larger than ``BLOCK`` and such a line.
    """
    rest, least = "", 0 if unbuffered else BLOCK
    enough = 0 if unbuffered else BLOCK + LONGEST_LINE
    for part in _parts(require_kind(chunk, str) for chunk in chunks):
        rest += part
        if len(rest) >= enough:
            *blocks, rest = _cut(rest, least, wrapped)
            yield from blocks
    yield from filter(None, _cut(rest, least, wrapped))


def _parts(chunks):
    """Yield chunks, large ones in parts."""
    for chunk in chunks:
        start = 0
        while start < len(chunk):
            end = _with_feed(chunk, start + BLOCK, waits=False)
            yield chunk[start:end]
            start = end


def _cut(text, least, wrapped):
    """Return the blocks of a text, the last of them, perhaps empty, without a known end."""
    find_end = _paragraph_end if wrapped else _line_end
    blocks, start, end = list[str](), 0, 0
    while True:
        limit = end + LONGEST_LINE
        found = _with_feed(text, find_end(text, end, limit, start + least), least)
        if not found and len(text) <= limit:
            return [*blocks, text[start:]]
        end = found or end + _length_of_part(text[end:limit])
        if not found or end - start >= least:
            blocks.append(text[start:end])
            start = end


def _line_end(text, start, limit, enough):
    """Return where a line ends, or 0; the last before ``enough`` if any."""
    stop = max(start, min(limit, enough - 1))
    last = max(text.rfind(mark, start, stop) for mark in "\n\r") + 1
    if not last and (mark := _LINE_END.search(text, start, limit)):
        return mark.end()
    return last


def _paragraph_end(text, start, limit, enough):
    mark = _BLANK_LINE.search(text, start, limit)
    return mark.end() if mark else 0


def _length_of_part(text):
    """Return how much of a line that is too long makes a part: up to a sentence's end, a space."""
    for end in (_SENTENCE_END, _SPACE):
        if found := [mark.end() for mark in end.finditer(text, len(text) // 2)]:
            return found[-1]
    return len(text)
