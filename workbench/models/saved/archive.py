"""The zip of a model file, read within limits that are checked before anything is unpacked.

A model file may come from anybody. Its directory says how large each member is; what is read of
a member is never more than that, so a few megabytes cannot fill the memory.
"""

import ast
import json
import os
import struct
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from workbench.text.errors import InputError

HEADER = "header.json"
# A model of 21M words with cut-off 5 has 5 MB unpacked and 150,000 strings.
MOST_BYTES = 512 << 20  # of a file, packed or unpacked
MOST_RATIO = 200  # of unpacked to packed bytes, beyond _FREE; ours have 2 to 4
MOST_STRINGS = 10_000_000  # in all lists of a file
MOST_DEPTH = 100  # of lists and objects in the header; a model adapted n times has n + 2
_FREE = 64 << 20  # bytes that any file may unpack to
_MOST_MEMBERS = 64
_MOST_OF_DIRECTORY = 64 << 10  # bytes
_MOST_OF_HEADER = 4 << 20
_DTYPES = {"|b1", "|i1", "|u1", "<i4", "<i8", "<f4", "<f8"}
# The end of a zip: signature, numbers of disks and members, size and place of the directory.
_END = struct.Struct("<4s4H2LH")
_LOCATOR = 20  # bytes; of a zip larger than 4 GB it stands before the end
_MAGIC = b"\x93NUMPY\x01\x00"


@contextmanager
def open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a model file for reading, its sizes checked; InputError says which is too large."""
    with path.open("rb") as file:
        n_bytes = os.fstat(file.fileno()).st_size
        _check_end(file, n_bytes)
        with zipfile.ZipFile(file) as archive:
            check_sizes(archive.infolist(), n_bytes)
            yield archive


def _check_end(file: IO[bytes], n_bytes: int) -> None:
    """Refuse a directory of many members: ``zipfile`` would read all of it at once."""
    if n_bytes > MOST_BYTES:
        raise InputError(f"{n_bytes:,} bytes; a model file has at most {MOST_BYTES:,}")
    file.seek(max(0, n_bytes - _END.size - _LOCATOR))
    end = file.read()
    if len(end) < _END.size:
        raise zipfile.BadZipFile("too short")
    signature, *_, members, size, _, comment = _END.unpack(end[-_END.size :])
    if signature != b"PK\5\6" or comment or end[: -_END.size].startswith(b"PK\6\7"):
        raise zipfile.BadZipFile("not an end of ours")
    if members > _MOST_MEMBERS or size > _MOST_OF_DIRECTORY:
        raise InputError(f"{members:,} members; a model file has at most {_MOST_MEMBERS}")


def check_sizes(members: Sequence[zipfile.ZipInfo], n_bytes: int) -> None:
    """Refuse members that unpack to more than a file of ``n_bytes`` may."""
    names = {member.filename for member in members}
    packing = {member.compress_type for member in members}
    if len(names) < len(members) or not packing <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise zipfile.BadZipFile("members that we never write")
    unpacked = sum(member.file_size for member in members)
    most = min(MOST_BYTES, _FREE + MOST_RATIO * n_bytes)
    if unpacked > most:
        raise InputError(f"{n_bytes:,} bytes that unpack to {unpacked:,}; {most:,} are allowed")


def read_header(archive: zipfile.ZipFile) -> Any:
    """Return the JSON value of the header, its size and depth checked."""
    if archive.getinfo(HEADER).file_size > _MOST_OF_HEADER:
        raise InputError(f"a header of more than {_MOST_OF_HEADER:,} bytes")
    header = json.loads(_read(archive, HEADER))
    level, depth = [header], 0
    while level := [child for value in level for child in _children(value)]:
        depth += 1
        if depth > MOST_DEPTH:
            raise InputError(f"a header of more than {MOST_DEPTH} levels")
    return header


def _children(value):
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def read_arrays(archive: zipfile.ZipFile) -> dict[str, np.ndarray]:
    """Return the arrays of a model file by name; they cannot be written to."""
    names = _names(archive, ".npy")
    return {name: parse_array(_read(archive, f"{name}.npy")) for name in names}


def read_lists(archive: zipfile.ZipFile) -> dict[str, list[str]]:
    """Return the lists of strings of a model file by name."""
    lists, n = {}, 0
    for name in _names(archive, ".txt"):
        data = _read(archive, f"{name}.txt")
        n += data.count(b"\n") + 1
        if n > MOST_STRINGS:
            raise InputError(f"more than {MOST_STRINGS:,} strings in its lists")
        lists[name] = data.decode().split("\n") if data else []
    return lists


def _names(archive, ending):
    return [n.removesuffix(ending) for n in archive.namelist() if n.endswith(ending)]


def _read(archive, name):
    """Return the bytes of a member, never more than the directory says."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as member:
        data = member.read(size)  # read() would unpack all that is there, whatever its size
    if len(data) < size:
        raise zipfile.BadZipFile("a member shorter than the directory says")
    return data


def parse_array(data: bytes) -> np.ndarray:
    """Return the array of the bytes of an .npy file, without a copy.

    ValueError unless they are what NumPy writes of one or two dimensions of numbers, and as
    many numbers as the shape says.
    """
    start = len(_MAGIC) + 2
    end = start + int.from_bytes(data[start - 2 : start], "little")
    dtype, shape = _parse_array_header(data[start:end])
    if not data.startswith(_MAGIC) or dtype not in _DTYPES or len(shape) not in (1, 2):
        raise ValueError("no array of numbers")
    if any(type(n) is not int or n < 0 for n in shape):
        raise ValueError("an array without a shape")
    n = shape[0] * (shape[1] if len(shape) == 2 else 1)
    if n * np.dtype(dtype).itemsize != len(data) - end:
        raise ValueError("an array of another length than its shape says")
    return np.frombuffer(data, dtype, n, end if n else 0).reshape(shape)


def _parse_array_header(header):
    """Return dtype and shape from the text of a dictionary, as in NumPy's format 1.0."""
    if len(header) > 1000:  # a few numbers; Python parses deep brackets badly
        raise ValueError("a header too long")
    try:
        said = ast.literal_eval(header.decode("ascii").strip())
        dtype, shape, order = said["descr"], said["shape"], said["fortran_order"]
    except Exception as error:  # whatever the parser of Python thinks of these bytes
        raise ValueError("an array without a header") from error
    if not (isinstance(dtype, str) and isinstance(shape, tuple) and order is False):
        raise ValueError("an array without a shape")
    return dtype, shape
