"""The registry of data sets: what is known, what is here, and how a name becomes a corpus.

A data set is embedded (built from installed packages), one of NLTK's corpora,
or a folder of the user's under ``data/`` or under ``WORKBENCH_DATA``.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.labels import form_of
from workbench.text.readers import find_part, read_corpus
from workbench.text.sets import docstrings, nltk_sets, storage
from workbench.text.sets.splits import PARTS
from workbench.text.tasks import TaskName

VARIABLE = "WORKBENCH_DATA"
_OWN = frozenset(["embedded", "nltk", "models"])  # folders of DATA that the registry fills


@dataclass(frozen=True)
class DataSet:
    """One data set of the registry.

    Attributes
    ----------
    name : str
    kind : {"embedded", "nltk", "folder"}
    location : Path or None
        Folder of its text; None where it is not built or fetched yet.
    parts : tuple of str
        Which of train, dev and test it has.
    n_bytes : int or None
        Size on disk of these parts, as stored; None where there is no folder yet.
    is_here : bool
        Whether it can be loaded without a connection.
    note : str
        What it is, and its licence where that is known.
    task : TaskName
        What its words are labelled with.
    """

    name: str
    kind: str
    location: Path | None
    parts: tuple
    n_bytes: int | None
    is_here: bool
    note: str
    task: TaskName = TaskName.CASE


# --- what is known ------------------------------------------------------------------------


def _files(folder: Path) -> dict[str, list[Path]]:
    """Return the files of each part of a folder; an empty dictionary if it is no data set."""
    numbered = sorted(file for file in folder.glob("part-*") if file.is_file())
    files = {"train": numbered} if numbered else {}
    for part in PARTS:
        if found := find_part(folder, part):
            files[part] = found[:1]
    return files if "train" in files else {}


def _sizes(folder: Path) -> dict[str, int]:
    """Return the size in bytes of each part of a folder."""
    return {part: sum(f.stat().st_size for f in files) for part, files in _files(folder).items()}


def _task(folder: Path | None) -> TaskName:
    """Return what the words of a data set are labelled with."""
    forms = [form_of(file) for file in find_part(folder, "train")] if folder else []
    return forms[0].task if forms and forms[0] else TaskName.CASE


def _describe(name, kind, folder, is_here, note):
    """Return the ``DataSet`` of a folder, None where it is still to be built."""
    sizes = _sizes(folder) if folder else {}
    parts, n_bytes = (tuple(sizes), sum(sizes.values())) if folder else (PARTS, None)
    return DataSet(name, kind, folder, parts, n_bytes, is_here, note, _task(folder))


def _embedded_sets():
    key = docstrings.embedded_key()
    for name, chosen in docstrings.EMBEDDED_SETS.items():
        missing = ", ".join(docstrings.missing_packages(name))
        folder = None if missing else storage.find_built(f"embedded/{key}/{name}")
        state = f"; needs {missing} installed" if missing else "; built on first use"
        note = chosen.note + ("" if folder else state)
        yield _describe(name, "embedded", folder, not missing, note)


def _nltk_sets():
    for name, chosen in nltk_sets.NLTK_SETS.items():
        here = nltk_sets.is_here(name)
        folder = storage.find_built(f"nltk/{nltk_sets.nltk_key(name)}") if here else None
        yield _describe(name, "nltk", folder, here, chosen.note)


def _roots() -> list[Path]:
    """Folders whose folders are data sets; InputError if WORKBENCH_DATA names none."""
    roots = [storage.DATA] if storage.DATA.is_dir() else []
    if given := os.environ.get(VARIABLE):
        if not Path(given).is_dir():
            raise InputError(f"{VARIABLE}={given}: no such folder; it should hold data sets")
        roots.append(Path(given))
    return roots


def _folder_sets():
    folders: dict[str, Path] = {}
    for root in _roots():
        for folder in sorted(root.iterdir()):
            if folder.is_dir() and folder.name not in _OWN:
                for name, found in _sets_in(folder):
                    folders.setdefault(name, found)
    for name, folder in folders.items():
        task = _task(folder)
        what = "text" if task is TaskName.CASE else f"{task} of words"
        note = f"{what} in {folder.parent.name}/{folder.name}"
        yield _describe(name, "folder", folder, True, note)


def _sets_in(folder: Path) -> list[tuple[str, Path]]:
    """Return (name, folder) of a folder that is a data set, or else of each data set in it."""
    if _sizes(folder):
        return [(folder.name, folder)]
    inside = sorted(path for path in folder.iterdir() if path.is_dir())
    return [(f"{folder.name}/{path.name}", path) for path in inside if _sizes(path)]


def _all_sets() -> Iterator[DataSet]:
    return chain(_embedded_sets(), _folder_sets(), _nltk_sets())  # last: NLTK is slow to import


def known_data_sets() -> list[DataSet]:
    """Return all data sets: embedded, folders, NLTK's; no text is read.

    Raises
    ------
    InputError
        If WORKBENCH_DATA names a folder that does not exist.
    """
    return list(_all_sets())


def find_data_set(name: str) -> DataSet:
    """Return the data set of a name; InputError gives the allowed names if there is none."""
    for data_set in _all_sets():
        if data_set.name == name:
            return data_set
    here = [data_set.name for data_set in known_data_sets() if data_set.is_here]
    raise InputError(
        f"{name}: no file, folder or data set of that name; data sets here: {', '.join(here)}"
    )


# --- from a name to a corpus --------------------------------------------------------------


def folder_of(data_set: DataSet, on_step: Callable | None = None) -> Path:
    """Return the folder of a data set's text, built on first use; ``on_step`` as of ``load``.

    Raises
    ------
    InputError
        If it is a corpus of NLTK's that is not on this machine, or is made of the docstrings
        of a package that is not installed.
    """
    if data_set.kind == "folder" and data_set.location:
        return data_set.location
    if data_set.kind == "embedded":
        if not data_set.is_here:
            raise InputError(f"{data_set.name}: not here; {data_set.note}")
        return _build_embedded(on_step) / data_set.name
    name = data_set.name
    key = f"nltk/{nltk_sets.nltk_key(name)}"
    return storage.build_once(key, lambda folder: nltk_sets.write_nltk(name, folder, on_step))


def fingerprint(name: str, on_step: Callable | None = None) -> str:
    """Return twelve hexadecimal digits that name the present content of a data set's files.

    Files are read again only when their size or time has changed. Parameters and
    errors are those of ``find_data_set`` and ``folder_of``.
    """
    folder = folder_of(find_data_set(name), on_step)
    stats = [(f, f.stat()) for files in _files(folder).values() for f in files]
    digests = [_digest(file, stat.st_size, stat.st_mtime_ns) for file, stat in stats]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:12]


@lru_cache(maxsize=1000)
def _digest(file, size, time):
    with file.open("rb") as data:
        return file.name + hashlib.file_digest(data, "sha256").hexdigest()


def _build_embedded(on_step):
    key = f"embedded/{docstrings.embedded_key()}"
    is_new = storage.find_built(key) is None
    folder = storage.build_once(key, lambda empty: docstrings.write_embedded(empty, on_step))
    if is_new:
        _remove_older(folder)
    return folder


def _remove_older(newest):
    """Remove embedded text of other versions, only from the project's own ``data/embedded``."""
    if newest.parent == storage.DATA / "embedded":
        for folder in set(newest.parent.iterdir()) - {newest}:
            with suppress(OSError):  # another process may be removing it, too
                if docstrings.is_embedded(folder):
                    shutil.rmtree(folder)


def load(
    name_or_path: str | Path,
    part: str = "train",
    on_step: Callable[[int, int, str], None] | None = None,
    repair: bool = False,
) -> Corpus:
    """Return a part of a data set, or of a file or folder of text, as a corpus.

    Parameters
    ----------
    name_or_path : str or Path
        A path that exists is read as it is; anything else is a registered name.
    part : {"train", "dev", "test"}
    on_step : callable, optional
        Called with (steps done, steps in all, what is being done).
    repair : bool
        As of ``read_corpus``.

    Raises
    ------
    InputError
        If there is no such file or set, or no text of that part in it.
    """
    path, name = Path(name_or_path), None
    if not str(name_or_path) or not path.exists():  # Path("") is the present folder
        name = str(name_or_path)
        path = folder_of(find_data_set(name), on_step)

    def on_file(done, total, n_words):
        if on_step:
            on_step(done, total, f"{n_words:,} words read")

    return read_corpus(path, part, name, on_file, repair)
