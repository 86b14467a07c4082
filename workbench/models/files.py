"""A model file, a zip of a JSON header, arrays and lists, no pickle: its limits and checks.

A file gets its name only when it is complete, so a full disk or a stopped process leaves the
old file as it was. Reading one must be safe whoever made it: its directory says how large each
member is, and what is read of a member is never more than that, so a few megabytes cannot fill
the memory. Zip checks every member for damage; that the parts fit one another the functions of
the last section check, each of which returns what a model is made of, or raises an InputError of
one line: a hostile file has valid checksums.
"""

import ast
import io
import json
import math
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from workbench.features.lexicon import Lexicon, reads_lexicon
from workbench.features.templates import Template
from workbench.text.casing import wipe_case
from workbench.text.corpus import MOST_LABELS
from workbench.text.errors import InputError
from workbench.text.unfinished import find_target, unfinished

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
MOST_CELLS = 100_000_000  # predicates by tags; nine bytes each when loaded
MOST_WEIGHT = 1e9  # sums of some weights and their differences stay finite
FORMAT = "capitalization workbench model"
VERSION = 1
PACKED_VERSION = 2  # of a file whose table ``pack_table`` made smaller
_VERSIONS = "model file version {}; this workbench reads version 1, and 2 of packed weights"
_UNIT = 1 / 16  # of the weights of such a table
# RuntimeError: what zipfile takes for an encrypted member; RecursionError, one, is of JSON.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, KeyError, EOFError, ValueError, RuntimeError,
)  # fmt: skip
_NAME = "lexicon"  # of the header's entry, the array and the list


# --- writing ------------------------------------------------------------------------------


def write_parts(
    path: str | Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray],
    lists: Mapping[str, list[str]],
) -> None:  # fmt: skip
    """Write a model file atomically.

    The header holds JSON values, "version" unless it is 1; the lists strings without line breaks.

    Raises
    ------
    InputError
        If the file cannot be written, or is larger than what is read; nothing is left behind.
    """
    header = {"format": FORMAT, "version": VERSION, "kind": kind, **header}
    members = {HEADER: json.dumps(header, indent=1).encode()}  # in ASCII: a file has any name
    members |= {f"{name}.npy": _array_bytes(array) for name, array in arrays.items()}
    members |= {f"{name}.txt": "\n".join(strings).encode() for name, strings in lists.items()}
    write_atomically(path, lambda file: _write_zip(file, members))


def write_atomically(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Call ``write`` with a binary file that gets the name ``path`` only when complete.

    What had the name before gives it its mode and, if that may be, its owner. A link stays: the
    file that it points to is written.
    """
    try:
        target, before = find_target(path)
        with unfinished(target.parent) as folder:
            new = folder / "new"
            with new.open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if before:
                with suppress(OSError):
                    os.chown(new, before.st_uid, before.st_gid)
                new.chmod(stat.S_IMODE(before.st_mode))
            new.replace(target)
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"{path}: cannot be written ({why}); nothing changed") from None


def _array_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _write_zip(file, members):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for name, data in members.items():
            # A fixed date: the same model is the same file.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        _check_sizes(archive.infolist(), file.tell())


# --- reading ------------------------------------------------------------------------------


def read_parts(
    path: str | Path,
) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, list[str]]]:
    """Return the header, with "kind", the arrays and the lists of a model file.

    Raises
    ------
    InputError
        If there is no such file, or it is damaged, too large, of another kind or from a newer
        version.
    """
    with _opened(path) as archive:
        header, arrays = _read_header(archive), _read_arrays(archive)
        if (header["version"] == PACKED_VERSION) != _is_packed(arrays):
            raise InputError(_VERSIONS.format(header["version"]))
        return header, arrays, _read_lists(archive)


def read_description(path: str | Path) -> dict[str, Any]:
    """Return the header of a model file alone; InputError as in ``read_parts``."""
    with _opened(path) as archive:
        return _read_header(archive)


@contextmanager
def _opened(path: str | Path) -> Iterator[zipfile.ZipFile]:
    """Open a model file; what goes wrong with it in the block is an InputError that names it."""
    path = Path(path)
    if not path.is_file():
        what = "not a file" if path.exists() else "no such model file"
        raise InputError(f"{path}: {what}")
    try:
        with path.open("rb") as file:
            n_bytes = os.fstat(file.fileno()).st_size
            _check_end(file, n_bytes)
            with zipfile.ZipFile(file) as archive:
                _check_sizes(archive.infolist(), n_bytes)
                yield archive
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except _DAMAGE:
        raise InputError(
            f"{path}: not a model of this workbench, or a damaged one; "
            "`train` and `adapt` write model files"
        ) from None


def _read_header(archive):
    """Return the header, its size, depth, format and version checked."""
    if archive.getinfo(HEADER).file_size > _MOST_OF_HEADER:
        raise InputError(f"a header of more than {_MOST_OF_HEADER:,} bytes")
    header = json.loads(_read(archive, HEADER))
    level, depth = [header], 0
    while level := [child for value in level for child in _children(value)]:
        depth += 1
        if depth > MOST_DEPTH:
            raise InputError(f"a header of more than {MOST_DEPTH} levels")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("not our format")
    version = header.get("version")
    if type(version) is not int or version < 1 or not isinstance(header.get("kind"), str):
        raise ValueError("a header without version or kind")
    if version > PACKED_VERSION:
        raise InputError(_VERSIONS.format(version))
    return header


def _check_end(file: IO[bytes], n_bytes: int) -> None:
    """Refuse a large file, and a directory of many members: ``zipfile`` would read it at once."""
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


def _check_sizes(members: Sequence[zipfile.ZipInfo], n_bytes: int) -> None:
    """Refuse members that unpack to more than a file of ``n_bytes`` may."""
    names = {member.filename for member in members}
    packing = {member.compress_type for member in members}
    if len(names) < len(members) or not packing <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise zipfile.BadZipFile("members that we never write")
    unpacked = sum(member.file_size for member in members)
    most = min(MOST_BYTES, _FREE + MOST_RATIO * n_bytes)
    if unpacked > most:
        raise InputError(f"{n_bytes:,} bytes that unpack to {unpacked:,}; {most:,} are allowed")


def _children(value):
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _read_arrays(archive):
    """Return the arrays of a model file by name; they cannot be written to."""
    names = _names(archive, ".npy")
    return {name: _parse_array(_read(archive, f"{name}.npy")) for name in names}


def _read_lists(archive):
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


def _parse_array(data: bytes) -> np.ndarray:
    """Return the array of the bytes of an .npy file, without a copy.

    ValueError unless they are what NumPy writes of one or two dimensions of numbers, and as
    many numbers as the shape says.
    """
    start = len(_MAGIC) + 2
    end = start + int.from_bytes(data[start - 2 : start], "little")
    if not data.startswith(_MAGIC) or end - start > 1000:  # Python parses deep brackets badly
        raise ValueError("an array of another format, or with a header too long")
    try:
        said = ast.literal_eval(data[start:end].decode("ascii").strip())
        dtype, shape, order = said["descr"], said["shape"], said["fortran_order"]
    except Exception as error:  # whatever the parser of Python thinks of these bytes
        raise ValueError("an array without a header") from error
    if not isinstance(dtype, str) or dtype not in _DTYPES or order is not False:
        raise ValueError("no array of numbers")
    is_shape = isinstance(shape, tuple) and len(shape) in (1, 2)
    if not is_shape or any(type(n) is not int or n < 0 for n in shape):
        raise ValueError("an array without a shape")
    n = math.prod(shape)
    if n * np.dtype(dtype).itemsize != len(data) - end:
        raise ValueError("an array of another length than its shape says")
    return np.frombuffer(data, dtype, n, end if n else 0).reshape(shape)


# --- what the parts must be ---------------------------------------------------------------


def require(is_so: Any, what: str) -> None:
    """Raise InputError, with what is wrong with a model file, unless something is so."""
    if not is_so:
        raise InputError(f"a damaged or edited model file: {what}")


def check_info(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a header says of where its model comes from."""
    info: Any = header.get("info")
    require(isinstance(info, dict), "info that is no object")
    require(isinstance(info.get("name", ""), str), "a name that is no text")
    share = info.get("drop_boundaries", 0.0)
    require(isinstance(share, float) and 0 <= share <= 1, "a share that is not from 0 to 1")
    return info


def check_names(names: Any, what: str, most: int = MOST_LABELS) -> tuple[str, ...]:
    """Return some names, of tags or templates, each once and a string."""
    is_list = isinstance(names, list | tuple) and 0 < len(names) <= most
    require(is_list and all(isinstance(n, str) and n.isprintable() for n in names), what)
    require(len(set(names)) == len(names), f"{what}, one of them twice")
    return tuple(names)


def mark_cells(cells: np.ndarray, shape: tuple[int, int], what: str) -> np.ndarray:
    """Return where cells, given by their places in row-major order, are; bool, of the shape.

    Places are whole numbers in ascending order, each once.
    """
    n = shape[0] * shape[1]
    require(n <= MOST_CELLS, f"{n:,} predicates by tags; {MOST_CELLS:,} are allowed")
    require(cells.ndim == 1 and cells.dtype.kind == "i", f"{what} that are no places")
    inside = not len(cells) or (cells[0] >= 0 and cells[-1] < n)
    require(inside and (np.diff(cells) > 0).all(), f"{what} out of range or of order")
    marked = np.zeros(shape, bool)
    marked.ravel()[cells] = True
    return marked


def pack_table(weights: np.ndarray, exists: np.ndarray) -> tuple[dict, dict]:
    """Return what header and arrays of a model file hold of a table of weights, shape (P, K).

    ``exists``, bool, of the same shape, marks its features. Where all weights are sixteenths of
    less than 8, a weight is a byte and a feature a bit: a fifth of what it takes otherwise.
    """
    own = weights[exists]
    if (np.abs(own) < 128 * _UNIT).all():
        units = (own / _UNIT).astype(np.int8)
        if (units * _UNIT == own).all():
            arrays = {"features": np.packbits(exists, axis=1), "weights": units}
            return {"version": PACKED_VERSION}, arrays
    return {}, {"features": np.flatnonzero(exists).astype(np.int32), "weights": own}


def _is_packed(arrays):
    return "weights" in arrays and arrays["weights"].dtype == np.int8


def read_table(arrays: Mapping[str, np.ndarray], shape: tuple[int, int]) -> tuple:
    """Return the weights of features, shape (F,), and which they are, bool, of a shape (P, K)."""
    features, weights = arrays["features"], arrays["weights"]
    if not _is_packed(arrays):
        exists = mark_cells(features, shape, "features")
        return check_weights(weights, int(exists.sum())), exists
    n_bytes = (shape[1] + 7) // 8
    fits = features.dtype == np.uint8 and features.shape == (shape[0], n_bytes)
    require(fits and shape[0] * shape[1] <= MOST_CELLS, "features that do not fit the predicates")
    exists = np.unpackbits(features, axis=1, count=shape[1]).view(bool)
    n = int(exists.sum())
    require(weights.shape == (n,), f"weights that are not {n:,}")
    return weights * _UNIT, exists


def check_weights(weights: np.ndarray, n: int) -> np.ndarray:
    """Return n weights, all of them finite."""
    require(weights.shape == (n,) and weights.dtype.kind == "f", f"weights that are not {n:,}")
    # False, too, for what is no number
    finite = not n or (weights.min() >= -MOST_WEIGHT and weights.max() <= MOST_WEIGHT)
    require(finite, f"weights that are no numbers from -{MOST_WEIGHT:g} to {MOST_WEIGHT:g}")
    return weights


def check_codes(codes: np.ndarray, n: int, most: int, what: str) -> np.ndarray:
    """Return n whole numbers, all of them from 0 to below ``most``."""
    fit = codes.shape == (n,) and codes.dtype.kind in "iu"
    require(fit and (not n or (codes.min() >= 0 and codes.max() < most)), what)
    return codes


def check_form(word: str, form: str) -> str:
    """Return a form of a word, which may differ from it in nothing but the case of letters."""
    require(wipe_case(form) == word, f"{form[:40]!r} is no form of {word[:40]!r}")
    return form


def lexicon_to_parts(lexicon: Lexicon | None) -> tuple[dict, dict, dict]:
    """Return what header, arrays and lists of a model file hold of a lexicon, if there is one."""
    if lexicon is None:
        return {}, {}, {}
    return {_NAME: lexicon.text}, {_NAME: lexicon.counts}, {_NAME: lexicon.words}


def read_lexicon(
    templates: Sequence[Template], header: Mapping[str, Any], arrays: Mapping[str, np.ndarray],
    lists: Mapping[str, list[str]],
) -> Lexicon | None:  # fmt: skip
    """Return the lexicon of a model file whose model has these templates; None without one."""
    require((_NAME in header) == reads_lexicon(templates), "templates that need another lexicon")
    if _NAME not in header:
        return None
    text, counts, words = header[_NAME], arrays[_NAME], lists[_NAME]
    require(isinstance(text, str) and text.isalnum(), "a lexicon of no text")
    require(len(set(words)) == len(words) > 0, "a lexicon without words, or with one twice")
    shape = len(words), Lexicon.N_COUNTS
    fits = counts.shape == shape and counts.dtype == np.int32
    require(fits and (not counts.size or counts.min() >= 0), "a lexicon whose counts are no counts")
    return Lexicon(words, counts, text)
