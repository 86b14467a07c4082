"""Bytes of a text decoded, a piece at a time; an error is one line that names the text."""

import codecs
import io
from collections.abc import Iterable, Iterator

from workbench.text.errors import InputError

_MARKS_OF_UTF16 = {b"\xff\xfe", b"\xfe\xff"}
_MARKS_OF_UTF32 = {b"\xff\xfe\0\0", b"\0\0\xfe\xff"}


def decode(data: bytes, name: str) -> str:
    """Decode UTF-8 bytes, a byte order mark allowed; InputError names what else they are."""
    return "".join(decode_pieces([data], name))


def decode_pieces(pieces: Iterable[bytes], name: str) -> Iterator[str]:
    """Yield the text of pieces of bytes, as in ``decode``; its lines end with line feeds."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    lines = io.IncrementalNewlineDecoder(None, translate=True)
    n_lines, is_first, is_empty = 1, True, True
    for piece, is_last in _mark_last(pieces):
        _require_text(piece, name, is_first)
        try:
            text = lines.decode(decoder.decode(piece, is_last), is_last)
        except UnicodeDecodeError as error:
            wrong = error.object[error.start]
            line = n_lines + error.object.count(b"\n", 0, error.start)
            raise InputError(
                f"{name}: not UTF-8 (byte 0x{wrong:02x} in line {line}, perhaps Latin-1); save it "
                "as UTF-8"
            ) from None
        n_lines += piece.count(b"\n")
        is_first, is_empty = False, is_empty and (not text or text.isspace())
        yield text
    if is_empty:
        raise InputError(f"{name}: an empty file; at least one sentence is needed")


def _mark_last(pieces):
    """Yield each piece, then nothing; and whether it is the last."""
    for piece in pieces:
        yield piece, False
    yield b"", True


def _require_text(piece, name, is_first):
    if is_first and (encoding := find_wide_encoding(piece)):
        raise InputError(f"{name}: {encoding} text; save it as UTF-8")
    if b"\0" in piece:
        raise InputError(f"{name}: a binary file; UTF-8 plain text is needed")


def find_wide_encoding(data: bytes) -> str | None:
    """Return UTF-16 or UTF-32 where bytes begin with its mark or every second one is zero."""
    if data[:4] in _MARKS_OF_UTF32:
        return "UTF-32"
    head = data[:1000]
    rarer, other = sorted([head[::2].count(0), head[1::2].count(0)])
    if data[:2] in _MARKS_OF_UTF16 or (not rarer and other > 0.4 * len(head)):
        return "UTF-16"
    return None
