"""Files and folders while they are written: nobody sees one before it is complete.

They are in a hidden folder, in which they have no name yet. Its process holds a lock on it, so the
next one that writes there knows what a killed process left, and removes it.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from workbench.text.errors import InputError

_MARK = ".workbench-unfinished-"
fcntl: Any = import_module("fcntl") if os.name == "posix" else None  # elsewhere what is left stays


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """Give a hidden folder within another, which is gone after the block."""
    for left in folder.glob(f"{_MARK}*") if fcntl else ():
        with suppress(OSError), _held(left, fcntl.LOCK_NB):
            if any(left.iterdir()):  # else it may be about to be locked
                shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=_MARK, dir=folder) as made, ExitStack() as stack:
        with suppress(OSError, AttributeError):  # no locks here, so nothing is removed either
            stack.enter_context(_held(made))
        yield Path(made)


@contextmanager
def _held(folder, flags=0):
    """Lock a folder in the block; OSError if that cannot be."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | flags)
        yield
    finally:
        os.close(opened)


def find_target(path: str | Path) -> tuple[Path, os.stat_result | None]:
    """Return the file that is written where a path says, a link followed, and what it is now.

    InputError if it is no file, or one that is not to be written.
    """
    target = Path(os.path.realpath(path))
    try:
        found = target.stat()
    except FileNotFoundError:
        return target, None
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"{path}: not a file, so it cannot be written; a file, new or old, can")
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        mode = stat.S_IMODE(found.st_mode)
        raise InputError(f"{path}: cannot be written, since its mode, {mode:03o}, forbids it")
    return target, found
