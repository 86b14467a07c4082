"""Bytes of a file of any kind, plain or gzipped, never more than a stated number of them."""

import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from workbench.text.errors import InputError

# Of a text, unpacked; reading one into a corpus takes some six times as much memory.
MOST_BYTES = 1 << 30
MOST_RATIO = 100  # of unpacked to packed bytes, beyond _FREE; text has 3 to 5
_FREE = 16 << 20  # bytes that may be unpacked of anything
_PIECE = 1 << 16  # bytes read at a time
_MOST_UNPACKED = 1 << 20  # bytes unpacked at a time
_GZIP = b"\x1f\x8b"
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)  # fmt: skip


def is_pipe(path: str | os.PathLike) -> bool:
    """Return whether a path is a pipe: opening it waits for a writer, reading it for the end."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):  # not there, or no path at all
        return False


def read_bytes(path: str | os.PathLike) -> bytes:
    """Return the bytes of a file or a pipe, unpacked if they are gzipped.

    InputError if it is a device, a folder or a socket, cannot be read, or has too many bytes.
    """
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MOST_BYTES:
            raise InputError(f"{size:,} bytes; a text has at most {MOST_BYTES:,}")
        return read_stream(file)


def iterate_bytes(path: str | os.PathLike) -> Iterator[bytes]:
    """Yield the bytes of a file or a pipe, unpacked if they are gzipped, a piece at a time.

    InputError as of ``read_bytes``, but there may be any number of bytes.
    """
    with _opened(path) as file:
        yield from unpack(iter(lambda: file.read(_PIECE), b""))


@contextmanager
def _opened(path):
    """Open a file; what goes wrong with it in the block is an InputError that names it."""
    try:
        with open(path, "rb", buffering=0, opener=_open_plain) as file:
            yield file
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason})") from None


def _open_plain(path, flags):
    """Open a file once it is known to be one that ends: opening a device may change its state."""
    mode = os.stat(path).st_mode
    for is_it, name in _KINDS:
        if is_it(mode):
            raise InputError(f"{name}; a file of text is needed")
    return os.open(path, flags)


def read_stream(file: IO[bytes]) -> bytes:
    """Return all bytes of an open stream, unpacked if they are gzipped.

    Raises
    ------
    InputError
        If there are too many.
    EOFError, zlib.error
        If they are gzipped and damaged.
    """
    pieces, n = [], 0
    for piece in unpack(iter(lambda: file.read(_PIECE), b"")):
        n += len(piece)
        if n > MOST_BYTES:
            raise InputError(f"more than {MOST_BYTES:,} bytes, unpacked; a text has at most these")
        pieces.append(piece)
    return b"".join(pieces)


def unpack(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes of some pieces, unpacked if the first two say that they are gzipped.

    No piece yielded is much longer than what was read. Raises as ``read_stream``; InputError,
    too, if the bytes unpack to more than any text does.
    """
    first = b""
    while len(first) < len(_GZIP) and (piece := next(pieces, b"")):
        first += piece
    rest = _chain(first, pieces)
    yield from _gunzip(rest) if first.startswith(_GZIP) else rest


def _chain(first, pieces):
    if first:
        yield first
    yield from pieces


def _gunzip(pieces):
    """Unpack the members of a gzip file, one after another; zeros may follow the last."""
    packed = unpacked = 0
    member = _member()
    for piece in pieces:
        packed += len(piece)
        found = b""
        while piece or len(found) == _MOST_UNPACKED:  # then there may be more of what was read
            if member.eof:
                if not (piece := piece.lstrip(b"\0")):
                    break
                member = _member()
            found = member.decompress(piece, _MOST_UNPACKED)
            unpacked += len(found)
            if unpacked > _FREE + MOST_RATIO * packed:
                raise InputError(f"more than {unpacked:,} bytes in {packed:,} of gzip: no text")
            yield found
            piece = member.unused_data if member.eof else member.unconsumed_tail
    if not member.eof:
        raise EOFError("the packed data end too early")


def _member():
    return zlib.decompressobj(wbits=31)
