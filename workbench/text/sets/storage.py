"""Folders of files that are built once and kept: text of data sets, trained backgrounds."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from workbench.text.errors import InputError
from workbench.text.unfinished import unfinished

DATA = Path(__file__).resolve().parents[3] / "data"  # of the project; absent if installed alone
VARIABLE = "WORKBENCH_CACHE"


def homes() -> list[Path]:
    """Return the folders for kept files, best first: WORKBENCH_CACHE, the project's, the user's."""
    if asked := os.environ.get(VARIABLE):
        return [Path(asked)]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [*([DATA] if DATA.is_dir() else []), cache / "capitalization-workbench"]


def find_built(key: str) -> Path | None:
    """Return the folder of a key if it has been built, else None."""
    return next((home / key for home in homes() if (home / key).is_dir()), None)


def build_once(key: str, write: Callable[[Path], None]) -> Path:
    """Return the folder of a key, built first if it is not there.

    The key is a path below one of ``homes``, the first that can be written; InputError if none
    can. ``write`` fills an empty folder. Other processes see it only when it is complete, and
    the first of two processes that build it wins.
    """
    if folder := find_built(key):
        return folder
    problems = []
    for home in homes():
        try:
            return _build(home / key, write)
        except OSError as error:
            problems.append(f"{home}: {error.strerror or error}")
    raise InputError(f"{key}: cannot be kept ({'; '.join(problems)}); a writable folder is needed")


def _build(target, write):
    target.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(target.parent) as folder:
        new = folder / "new"
        new.mkdir()
        write(new)
        try:
            os.replace(new, target)
        except OSError:  # a folder with text cannot be replaced: another process was first
            if not target.is_dir():
                raise
    return target


_keeps = ContextVar("keeps models", default=True)


@contextmanager
def keep_nothing() -> Iterator[None]:
    """Keep no files in the block, which may handle a text that nobody else should have."""
    token = _keeps.set(False)
    try:
        yield
    finally:
        _keeps.reset(token)


def model_folder() -> Path | None:
    """Return the folder of trained backgrounds; None if no folder can or should be written."""
    return kept_folder("models")


def kept_folder(name: str) -> Path | None:
    """Return a folder for kept files, made if needed; None if none can or should be written."""
    for home in homes() if _keeps.get() else ():
        folder = home / name
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None
