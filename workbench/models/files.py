"""Model files: one zip of a JSON header, arrays and lists of strings; no pickle.

A file gets its name only when it is complete, so a full disk or a stopped process leaves the
old file as it was. Zip checks every member; ``saved.archive`` reads
within limits, ``saved.checks`` says what the parts must be.
"""

import io
import json
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from workbench.models.saved.archive import (
    HEADER,
    check_sizes,
    open_archive,
    read_arrays,
    read_header,
    read_lists,
)
from workbench.text.errors import InputError
from workbench.text.sources.unfinished import find_target, unfinished

FORMAT = "capitalization workbench model"
VERSION = 1
# RuntimeError: what zipfile takes for an encrypted member; RecursionError, one, is of JSON.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, KeyError, EOFError, ValueError, RuntimeError,
)  # fmt: skip


def write_parts(
    path: str | Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray],
    lists: Mapping[str, list[str]],
) -> None:  # fmt: skip
    """Write a model file atomically.

    The header holds JSON values, the lists strings without line breaks.

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
        check_sizes(archive.infolist(), file.tell())


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
        header = _check_header(read_header(archive))
        return header, read_arrays(archive), read_lists(archive)


def read_description(path: str | Path) -> dict[str, Any]:
    """Return the header of a model file alone; InputError as in ``read_parts``."""
    with _opened(path) as archive:
        return _check_header(read_header(archive))


@contextmanager
def _opened(path: str | Path) -> Iterator[zipfile.ZipFile]:
    """Open a model file; what goes wrong with it in the block is an InputError that names it."""
    path = Path(path)
    if not path.is_file():
        what = "not a file" if path.exists() else "no such model file"
        raise InputError(f"{path}: {what}")
    try:
        with open_archive(path) as archive:
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


def _check_header(header):
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("not our format")
    version = header.get("version")
    if type(version) is not int or version < 1 or not isinstance(header.get("kind"), str):
        raise ValueError("a header without version or kind")
    if version > VERSION:
        raise InputError(
            f"model file version {version}; this workbench reads versions 1 to {VERSION}"
        )
    return header
