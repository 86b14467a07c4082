"""Model files: one zip of a JSON header, arrays and lists of strings; no pickle.

A file is written under a temporary name and renamed when complete, so a full disk or a
stopped process leaves the old file as it was. Zip checks every member.
"""

import io
import json
import lzma
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from workbench.text.errors import InputError

FORMAT = "capitalization workbench model"
VERSION = 1
_HEADER = "header.json"
# RuntimeError: what zipfile takes for an encrypted member or an unknown compression.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, KeyError, EOFError, ValueError, RuntimeError,
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
        If the file cannot be written; nothing is left behind then.
    """
    header = {"format": FORMAT, "version": VERSION, "kind": kind, **header}
    members = {_HEADER: json.dumps(header, ensure_ascii=False, indent=1).encode()}
    members |= {f"{name}.npy": _array_bytes(array) for name, array in arrays.items()}
    members |= {f"{name}.txt": "\n".join(strings).encode() for name, strings in lists.items()}
    write_atomically(path, lambda file: _write_zip(file, members))


def write_atomically(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Call ``write`` with a binary file that is renamed to ``path`` only when complete."""
    path, temporary = Path(path), None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            temporary = Path(file.name)
            write(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"{path}: cannot be written ({why}); nothing changed") from None
    finally:
        if temporary:
            temporary.unlink(missing_ok=True)


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _array_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _write_zip(file, members):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for name, data in members.items():
            # A fixed date: the same model is the same file.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def read_parts(
    path: str | Path,
) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, list[str]]]:
    """Return the header, with "kind", the arrays and the lists of a model file.

    Raises
    ------
    InputError
        If there is no such file, or it is damaged, of another kind or from a newer version.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such model file")
    try:
        with zipfile.ZipFile(path) as archive:
            header = _check_header(json.loads(archive.read(_HEADER)), path)
            arrays = _read_members(archive, ".npy", _read_array)
            return header, arrays, _read_members(archive, ".txt", _read_list)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except _DAMAGE:
        raise InputError(
            f"{path}: not a model of this workbench, or a damaged one; "
            "`train` and `adapt` write model files"
        ) from None


def _check_header(header, path):
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("not our format")
    if not (isinstance(header["version"], int) and isinstance(header["kind"], str)):
        raise ValueError("a header without version or kind")
    if header["version"] > VERSION:
        raise InputError(
            f"{path}: model file version {header['version']}; this workbench reads up to {VERSION}"
        )
    return header


def _read_members(archive, ending, read):
    names = [name for name in archive.namelist() if name.endswith(ending)]
    return {name.removesuffix(ending): read(archive.read(name)) for name in names}


def _read_array(data):
    return np.load(io.BytesIO(data), allow_pickle=False)


def _read_list(data):
    return data.decode().split("\n") if data else []
