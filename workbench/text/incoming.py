"""Bytes of a file, pipe, address or packed file, decoded as UTF-8, never more than a stated number.

A file is packed by gzip or Zstandard, which its first bytes say, not its name. Addresses, such as
https://example.org/news.txt, stand where a path could; http and https are read by the standard
library, s3, gs and others by fsspec.
"""

import codecs
import io
import os
import re
import stat
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from pathlib import PurePosixPath
from typing import IO, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from workbench.text.errors import InputError, refusal

STANDARD_STREAM = "-"  # instead of a path: standard input of a text, output of a result
# Of a text, unpacked; reading one into a corpus takes some six times as much memory.
MOST_BYTES = 1 << 30
MOST_RATIO = 100  # of unpacked to packed bytes, beyond _FREE; text has 3 to 5
_FREE = 16 << 20  # bytes that may be unpacked of anything
_PIECE = 1 << 16  # bytes read at a time
_MOST_UNPACKED = 1 << 20  # bytes unpacked at a time
PACKED = ("", ".gz", ".zst")  # after the end of a file's name
DAMAGE = (EOFError, ValueError, zlib.error)  # what unpacking raises of bytes that are broken
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://")
_PATIENCE = 30  # seconds without a byte of a server
_NO_TEXT = re.compile(r"text/html|application/(xhtml|pdf)|image/|audio/|video/")
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)  # fmt: skip
_MARKS_OF_UTF16 = {b"\xff\xfe", b"\xfe\xff"}
_MARKS_OF_UTF32 = {b"\xff\xfe\0\0", b"\0\0\xfe\xff"}


def is_address(source: object) -> bool:
    """Return whether a source is an address, or standard input, not a path."""
    return source == STANDARD_STREAM or _SCHEME.match(str(source)) is not None


def path_in(address: str) -> PurePosixPath:
    """Return the path that an address has on its server."""
    return PurePosixPath(unquote(urlsplit(address).path))


def is_pipe(path: str | os.PathLike) -> bool:
    """Return whether a path is a pipe: opening it waits for a writer, reading it for the end."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):  # not there, or no path at all
        return False


def unpacked_name(name: str) -> str:
    """Return the name of a file without the end that says how it is packed."""
    stem, end = os.path.splitext(name)
    return stem if end.lower() in PACKED[1:] else name


# --- files and pipes ----------------------------------------------------------------------


def read_bytes(path: str | os.PathLike) -> bytes:
    """Return the bytes of a file, a pipe or an address, unpacked if they are packed.

    InputError if it is a device, a folder or a socket, cannot be read, or has too many bytes.
    """
    return b"".join(iterate_bytes(path, any_size=False))


def iterate_bytes(path: str | os.PathLike, any_size: bool = True) -> Generator[bytes]:
    """Yield the bytes of a file, a pipe or an address, unpacked, a piece at a time.

    InputError as in ``read_bytes``, but there may be any number of bytes unless told otherwise.
    Whoever may stop before the end closes this generator, and so the file.
    """
    with _opened(path) as file:
        pieces = unpack(iter(lambda: file.read(_PIECE), b""))
        if not any_size:
            if is_address(path):
                size = getattr(file, "length", None) or 0
            else:
                size = os.fstat(file.fileno()).st_size
            if size > MOST_BYTES:
                raise refusal("large", n=size, most=MOST_BYTES)
            pieces = _bounded(pieces)
        yield from pieces


def iterate_packed(path: str | os.PathLike) -> Iterator[bytes]:
    """Yield the bytes of a file, as they are stored, as ``iterate_bytes`` does."""
    with _opened(path) as file:
        yield from iter(lambda: file.read(_PIECE), b"")


@contextmanager
def _opened(path):
    """Open a file; what goes wrong with it in the block is an InputError that names it."""
    try:
        with _open(path) as file:
            yield file
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (OSError, *DAMAGE) as error:
        why = getattr(error, "strerror", None) or error
        raise refusal("unreadable", path, why=why) from None


def _open(path):
    if path == STANDARD_STREAM:
        if os.name == "posix":  # what does not block would seem to end where it is empty
            os.set_blocking(0, True)
        return open(0, "rb", buffering=0, closefd=False)
    if is_address(path):
        return _open_address(path)
    return open(path, "rb", buffering=0, opener=_open_plain)


def _open_plain(path, flags):
    """Open a file once it is known to be one that ends: opening a device may change its state."""
    mode = os.stat(path).st_mode
    for is_it, kind in _KINDS:
        if is_it(mode):
            raise refusal("kind of file", kind=kind)
    return os.open(path, flags)


# --- addresses ----------------------------------------------------------------------------


def _open_address(address):
    """Open a file at an address; what goes wrong, in the block too, does not name the address."""
    scheme = address.partition("://")[0]
    if scheme in ("file", "local"):
        raise refusal("local address")
    return (_open_web if scheme in ("http", "https") else _open_by_fsspec)(address)


@contextmanager
def _open_web(address):
    # Here, as no other text needs the 3 MB that these load.
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import urlopen

    if urlsplit(address).username is not None:  # a server would be told it as part of its name
        raise refusal("password")
    try:
        with urlopen(address, timeout=_PATIENCE) as answer:
            kind = answer.headers.get_content_type()
            if _NO_TEXT.match(kind):
                raise refusal("web page", kind=kind)
            yield answer
            if answer.length:  # what was promised but did not come
                raise refusal("cut connection", n=answer.length)
    except HTTPError as error:
        error.close()
        raise refusal("server", code=error.code, reason=error.reason) from None
    except URLError as error:
        why = getattr(error.reason, "strerror", None) or error.reason
        raise refusal("unreachable", why=why) from None
    except HTTPException as error:
        raise refusal("no web server", why=error or type(error).__name__) from None


def _open_by_fsspec(address):
    try:
        return import_module("fsspec").open(address, "rb").open()
    except ImportError as error:  # of fsspec, or of what it needs for this kind of address
        raise refusal("no library", why=error) from None
    except FileNotFoundError:
        raise refusal("nothing there") from None
    except Exception as error:  # libraries of clouds have errors of their own
        why = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise refusal("unopened", why=why) from None


# --- packed bytes -------------------------------------------------------------------------


def read_stream(file: IO[bytes]) -> bytes:
    """Return all bytes of an open stream, unpacked if they are packed.

    Raises
    ------
    InputError
        If there are too many.
    EOFError, ValueError, zlib.error
        If they are packed and damaged.
    """
    return b"".join(_bounded(unpack(iter(lambda: file.read(_PIECE), b""))))


def _bounded(pieces):
    n = 0
    for piece in pieces:
        n += len(piece)
        if n > MOST_BYTES:
            raise refusal("large unpacked", most=MOST_BYTES)
        yield piece


def unpack(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes of some pieces, unpacked if the first few say that they are packed.

    No piece yielded is much longer than what was read. Raises as ``read_stream``; InputError,
    too, if the bytes unpack to more than any text does.
    """
    first = b""
    while len(first) < _LONGEST_MARK and (piece := next(pieces, b"")):
        first += piece
    rest = chain([first] if first else [], pieces)
    packing = next((own for own in _PACKINGS if first.startswith(own.mark)), None)
    yield from _unpack_members(rest, packing) if packing else rest


def _unpack_members(pieces, packing):
    """Unpack the members of a file, one after another; zeros may follow the last."""
    packed = unpacked = 0
    member = packing.begin()
    for piece in pieces:
        packed += len(piece)
        found = b""
        while piece or len(found) == _MOST_UNPACKED:  # then there may be more of what was read
            if member.eof:
                if not (piece := piece.lstrip(b"\0")):
                    break
                member = packing.begin()
            found = packing.decompress(member, piece)
            unpacked += len(found)
            if unpacked > _FREE + MOST_RATIO * packed:
                raise refusal("bomb", n=unpacked, packed=packed, packing=packing.name)
            yield found
            # Zstandard keeps to itself what it has not yet unpacked.
            piece = member.unused_data if member.eof else getattr(member, "unconsumed_tail", b"")
    if not member.eof:
        raise EOFError("the packed data end too early")


class _Packing(NamedTuple):
    """How a file is packed: its first bytes, what unpacks a member, a piece of a member."""

    name: str
    mark: bytes
    begin: Callable[[], Any]
    decompress: Callable[[Any, bytes], bytes]


def _zstandard():
    try:
        return import_module("compression.zstd")
    except ImportError:  # before Python 3.14
        return import_module("backports.zstd")


def _unpack_zstandard(member, piece):
    try:
        return member.decompress(piece, _MOST_UNPACKED)
    except _zstandard().ZstdError as error:
        raise ValueError(error) from None


_PACKINGS = (
    _Packing("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31),
             lambda member, piece: member.decompress(piece, _MOST_UNPACKED)),
    _Packing("Zstandard", b"\x28\xb5\x2f\xfd", lambda: _zstandard().ZstdDecompressor(),
             _unpack_zstandard),
)  # fmt: skip
_LONGEST_MARK = max(len(packing.mark) for packing in _PACKINGS)


# --- bytes to text ------------------------------------------------------------------------


def decode(data: bytes, name: str) -> str:
    """Decode UTF-8 bytes, a byte order mark allowed; InputError names what else they are."""
    return "".join(decode_pieces([data], name))


def decode_pieces(pieces: Iterable[bytes], name: str) -> Iterator[str]:
    """Yield the text of pieces of bytes, as in ``decode``; its lines end with line feeds."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    lines = io.IncrementalNewlineDecoder(None, translate=True)
    n_lines, is_first, is_empty = 1, True, True
    for piece, is_last in chain(((piece, False) for piece in pieces), [(b"", True)]):
        if is_first and (encoding := find_wide_encoding(piece)):
            raise refusal("wide", name, encoding=encoding)
        if b"\0" in piece:
            raise refusal("binary", name)
        try:
            text = lines.decode(decoder.decode(piece, is_last), is_last)
        except UnicodeDecodeError as error:
            line = n_lines + error.object.count(b"\n", 0, error.start)
            raise refusal("no UTF-8", name, byte=error.object[error.start], line=line) from None
        n_lines += piece.count(b"\n")
        is_first, is_empty = False, is_empty and (not text or text.isspace())
        yield text
    if is_empty:
        raise refusal("empty", name)


def find_wide_encoding(data: bytes) -> str | None:
    """Return UTF-16 or UTF-32 where bytes begin with its mark or every second one is zero."""
    if data[:4] in _MARKS_OF_UTF32:
        return "UTF-32"
    head = data[:1000]
    rarer, other = sorted([head[::2].count(0), head[1::2].count(0)])
    if data[:2] in _MARKS_OF_UTF16 or (not rarer and other > 0.4 * len(head)):
        return "UTF-16"
    return None
