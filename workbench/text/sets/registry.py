"""The registry of data sets: what is known, what is here, and how a name becomes a corpus.

A data set is embedded (built from installed packages), one of NLTK's corpora,
or a folder of the user's under ``data/`` or under ``WORKBENCH_DATA``.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

from workbench.annexes import added
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.incoming import is_address, unpacked_name
from workbench.text.labels import form_of
from workbench.text.readers import ENDS, find_part, read_corpus
from workbench.text.sets import docstrings, nltk_sets, storage
from workbench.text.sets.splits import PARTS, write_parts
from workbench.text.tasks import TaskName

VARIABLE = "WORKBENCH_DATA"
_BYTES_OF_PACKED_WORD = 1.9  # of English
_OWN = frozenset(["embedded", "nltk", "models", "studies"])  # of DATA: filled, not given


@dataclass(frozen=True)
class DataSet:
    """One data set of the registry."""

    name: str
    kind: str  # "embedded", "nltk" or "folder"
    location: Path | None  # folder of its text; None where it is not built or fetched yet
    parts: tuple[str, ...]  # which of train, dev and test it has
    n_bytes: int | None  # size on disk of these parts, as stored; None where there is no folder
    is_here: bool  # whether it can be loaded without a connection
    note: str  # what it is, and its licence or place after a semicolon
    task: str = TaskName.CASE  # what its words are labelled with, or an annex's task
    n_words: int | None = None  # about how many its training text has; of case alone

    @property
    def obstacle(self) -> str:
        """Why it cannot be chosen at all, or not as a domain; "" where nothing is in the way."""
        if not self.is_here:
            if self.kind == "nltk":
                corpus = nltk_sets.NLTK_SETS[self.name].corpus
                return f"not downloaded; python -m nltk.downloader {corpus}"
            return "not here: made from packages that are not installed"
        lacking = [part for part in PARTS if part not in self.parts]
        texts = " and no ".join(f"{part} text" for part in lacking)
        return f"only a background: it has no {texts}" if lacking else ""


# --- what is known ------------------------------------------------------------------------


def _files(folder: Path) -> dict[str, list[Path]]:
    """Return the files of each part of a folder; an empty dictionary if it is no data set."""
    numbered = sorted(file for file in folder.glob("part-*") if file.is_file())
    files = {"train": numbered} if numbered else {}
    for part in PARTS:
        if found := find_part(folder, part, (*ENDS, *added("ENDS"))):
            files[part] = found[:1]
    return files if "train" in files else {}


def _describe(name, kind, folder, is_here, note):
    """Return the ``DataSet`` of a folder, None where it is still to be built."""
    if not folder:
        return DataSet(name, kind, None, PARTS, None, is_here, note)
    files = _files(folder)
    n_bytes = sum(file.stat().st_size for file in chain.from_iterable(files.values()))
    task = _task(folder)
    n_words = None
    if task == TaskName.CASE:
        stats = [(file, file.stat()) for file in files["train"]]
        n_words = sum(_about_words(f, stat.st_size, stat.st_mtime_ns) for f, stat in stats)
    return DataSet(name, kind, folder, tuple(files), n_bytes, is_here, note, task, n_words)


@lru_cache(maxsize=1000)
def _about_words(file, size, time):
    """Return how many words a file has, of a packed one about how many; ``time`` of its change."""
    if unpacked_name(file.name) != file.name:
        return round(size / _BYTES_OF_PACKED_WORD)
    data = file.read_bytes()
    return data.count(b" ") + data.count(b"\n")


def _task(folder):
    file = _files(folder)["train"][0]
    name, form = unpacked_name(file.name), form_of(file)
    of_annexes = (task for end, task in added("ENDS").items() if name.endswith(end))
    return next(of_annexes, form.task if form else TaskName.CASE)


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
    for folder in chain.from_iterable(map(_folders_in, _roots())):
        if folder.name not in _OWN:
            for name, found in _sets_in(folder):
                folders.setdefault(name, found)
    for name, folder in folders.items():
        task = _task(folder)
        what = f"{task} of words" if isinstance(task, TaskName) else task
        what = "text" if task is TaskName.CASE else what
        note = f"{_told(folder) or what}; in {folder.parent.name}/{folder.name}"
        yield _describe(name, "folder", folder, True, note)


def _told(folder):
    """Return what the README.md beside a data set's folder says of it in a table; "" if nothing.

    That is the last cell of the row that begins with its name, without what is in parentheses.
    """
    readme, name = folder.parent / "README.md", folder.name
    lines = readme.read_text("utf-8", "replace").split("\n") if readme.is_file() else []
    rows = ([cell.strip() for cell in line.strip(" |").split("|")] for line in lines)
    said = next((row[-1] for row in rows if row[0] == name and len(row) > 1), "")
    return re.sub(r"\s*\([^)]*\)", "", said).rpartition(";")[2].strip()


def _folders_in(folder):
    return sorted(path for path in folder.iterdir() if path.is_dir())


def _sets_in(folder):
    """Return (name, folder) of a folder that is a data set, or else of each data set in it."""
    if _files(folder):
        return [(folder.name, folder)]
    return [(f"{folder.name}/{path.name}", path) for path in _folders_in(folder) if _files(path)]


def _all_sets() -> Iterator[DataSet]:
    return chain(_embedded_sets(), _folder_sets(), _nltk_sets())  # last: NLTK is slow to import


def known_data_sets() -> list[DataSet]:
    """Return all data sets: embedded, folders, NLTK's; no text is read.

    InputError if WORKBENCH_DATA names a folder that does not exist.
    """
    return list(_all_sets())


def find_without_nltk(name: str) -> DataSet | None:
    """Return the embedded set or folder of a name, if there is one; NLTK is slow to import."""
    sets = chain(_embedded_sets(), _folder_sets())
    return next((data_set for data_set in sets if data_set.name == name), None)


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
    """Return the folder of a data set's text, built on first use; ``on_step`` as in ``load``.

    InputError if it is a corpus of NLTK's that is not on this machine, or is made of the
    docstrings of a package that is not installed.
    """
    if data_set.kind == "folder" and data_set.location:
        return data_set.location
    if data_set.kind == "embedded":
        if not data_set.is_here:
            raise InputError(f"{data_set.name}: not here; {data_set.note}")
        return _build_embedded(data_set.name, on_step)
    key = f"nltk/{nltk_sets.nltk_key(data_set.name)}"
    write = partial(nltk_sets.write_nltk, data_set.name, on_step=on_step)
    return storage.build_once(key, write)


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


def _build_embedded(name, on_step):
    key = f"embedded/{docstrings.embedded_key()}"

    def write(empty):
        for each, parts in docstrings.read_embedded(name, on_step).items():
            if each == name:
                write_parts(empty, parts)
            else:  # read with the background
                storage.build_once(f"{key}/{each}", partial(write_parts, parts=parts))

    is_new = storage.find_built(key) is None
    folder = storage.build_once(f"{key}/{name}", write)
    if is_new:
        _remove_older(folder.parent)
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

    InputError if there is no such file or set, or no text of that part in it.

    Parameters
    ----------
    name_or_path : str or Path
        A path that exists, or an address, is read as it is; anything else is a registered name.
    part : {"train", "dev", "test"}
    on_step : callable, optional
        Called with (steps done, steps in all, what is being done).
    repair : bool
        As in ``read_corpus``.
    """
    path, name = name_or_path, None
    # Path("") is the present folder.
    if not is_address(path) and (not str(path) or not Path(path).exists()):
        name = str(name_or_path)
        path = folder_of(find_data_set(name), on_step)

    def on_file(done, total, n_words):
        if on_step:
            on_step(done, total, f"{n_words:,} words read")

    return read_corpus(path, part, name, on_file, repair)
