"""Bytes to text and back; what is no UTF-8 goes through unchanged, and is counted."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from workbench.recasing.recaser import Recaser
from workbench.text.errors import InputError
from workbench.text.sources.bounded import DAMAGE, unpack
from workbench.text.sources.decoding import find_wide_encoding

CHUNK = 1 << 18  # bytes read at a time
_ODD = re.compile("[\0\udc80-\udcff]")  # NUL, and how a byte that is no UTF-8 is held in a text


class ByteReader:
    """Decodes a stream of bytes, packed or not, that may hold what is no UTF-8.

    Such a byte becomes a lone surrogate, which ``encode`` turns into the byte again. ``n_odd``
    counts these bytes and NULs so far, ``first_line`` is the line of the first, from 1. With
    ``strict`` the first of them is an InputError.
    """

    def __init__(self, name: str, strict: bool = False) -> None:
        self.name, self.n_odd, self.first_line = name, 0, 0
        self._strict, self._n_lines, self._note = strict, 1, ""

    def decode(self, chunks: Iterable[bytes]) -> Iterator[str]:
        """Yield the text of some chunks of bytes."""
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        for chunk in self._unpack(chunks):
            if text := decoder.decode(chunk):
                yield self._count(text)
        if text := decoder.decode(b"", final=True):
            yield self._count(text)

    def describe(self) -> str:
        """Return what was odd, in a line without the name; "" if nothing was."""
        if not self.n_odd:
            return ""
        number = "1 byte is" if self.n_odd == 1 else f"{self.n_odd:,} bytes are"
        first = "in" if self.n_odd == 1 else "the first in"
        return f"{number} no UTF-8 text, {first} line {self.first_line:,}{self._note}"

    def _count(self, text):
        is_plain = text.isascii() and "\0" not in text  # told at once, without a search
        if found := [] if is_plain else _ODD.findall(text):
            if not self.n_odd:
                self.first_line = self._n_lines + text.count("\n", 0, text.index(found[0]))
            self.n_odd += len(found)
            if self._strict:
                raise InputError(
                    f"{self.name}: byte 0x{ord(found[0]) & 0xFF:02x} in line {self.first_line:,} "
                    f"is no UTF-8 text{self._note}; it passes unchanged where this is not strict"
                )
        self._n_lines += text.count("\n")
        return text

    def _unpack(self, chunks):
        """Yield the chunks, unpacked if they begin as packed ones do."""
        chunks = iter(chunks)
        head = next(chunks, b"")
        if encoding := find_wide_encoding(head):
            self._note = f" ({encoding}? save it as UTF-8)"
        try:
            yield from unpack(chain([head], chunks))
        except (InputError, *DAMAGE) as error:
            raise InputError(f"{self.name}: cannot be read ({error})") from None


def encode(text: str) -> bytes:
    """Return the bytes of a text of a ``ByteReader``."""
    return text.encode("utf-8", "surrogateescape")


def recase_bytes(recaser: Recaser, data: bytes) -> Iterator[bytes]:
    """Yield the bytes of a text with its case restored; what is no UTF-8 passes unchanged.

    It is not unpacked if it is gzipped: a small one could become an endless text.
    """
    return map(encode, recaser.stream([data.decode("utf-8", "surrogateescape")]))
