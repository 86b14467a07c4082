"""Bytes to text and back; what is no UTF-8 goes through unchanged, and is counted."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from workbench.text.characters import count_line_ends
from workbench.text.errors import InputError
from workbench.text.sources.bounded import DAMAGE, unpack
from workbench.text.sources.decoding import find_wide_encoding

_ODD = re.compile("[\0\udc80-\udcff]")  # NUL, and how a byte that is no UTF-8 is held in a text


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
            raise InputError(f"{self.name}: cannot be read ({error})") from None

    def count(self, odd: OddBytes, n_lines: int) -> None:
        """Count what is odd in a part of the text, before which some lines end."""
        if odd.n and not self.n_odd:
            self.first_line = n_lines + odd.line + 1
        self.n_odd += odd.n
        if self.n_odd and self._strict:
            raise InputError(
                f"{self.name}: byte 0x{odd.first:02x} in line {self.first_line:,} "
                f"is no UTF-8 text{self._note}; it passes unchanged where this is not strict"
            )

    def describe(self) -> str:
        """Return what was odd, in a line without the name; "" if nothing was."""
        if not self.n_odd:
            return ""
        number = "1 byte is" if self.n_odd == 1 else f"{self.n_odd:,} bytes are"
        first = "in" if self.n_odd == 1 else "the first in"
        return f"{number} no UTF-8 text, {first} line {self.first_line:,}{self._note}"
