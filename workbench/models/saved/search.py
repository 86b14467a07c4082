"""Where an adapter's background is looked for: never at a path that a file dictates.

Places are the adapter's own folder, the cache of trained backgrounds, and files and folders
that the user names. Files are told by the hash that their header gives; whoever loads one
checks that it is so.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from workbench.models.files import read_description
from workbench.text.errors import InputError
from workbench.text.sets.storage import homes

_MOST_FILES = 1000  # of a folder whose headers are read
_MOST_UNNAMED = 20  # files beside the adapter without a hash that are loaded to find it out


class Wanted(NamedTuple):
    """A background by the name that its file had, and the hash of its content."""

    name: str
    hash: str  # 64 hexadecimal digits, of older adapters the first 12


def find_candidates(adapter: Path, wanted: Wanted, places: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that may be the background of an adapter, the likeliest first.

    These are of the right hash or the right name, or named by the user; at the end those beside
    the adapter that give no hash, as older versions wrote them.
    """
    unnamed: list[Path] = []
    for place, is_own in _places(adapter, places):
        for file in _files(place, wanted.name, adapter):
            said = _hash_of(file)
            if (said or "").startswith(wanted.hash) or file.name == wanted.name or file == place:
                yield file
            elif is_own and said == "":
                unnamed.append(file)
    yield from unnamed[:_MOST_UNNAMED]


def describe_places(adapter: Path, places: Iterable[Path]) -> str:
    """Return, for a person, where the background of an adapter is looked for."""
    named = "".join(f" and in {place}" for place in places)
    return f"in {adapter.absolute().parent}, in the cache{named}; --background names other places"


def _places(adapter, places):
    """Yield the places in order, and whether each is the adapter's own folder."""
    yield from ((Path(place), False) for place in places)
    yield adapter.absolute().parent, True
    yield from ((home / "models", False) for home in homes())


def _files(place, name, adapter):
    """Return the files of a place, one of the right name first; the adapter is none of them."""
    try:
        inside = [place] if place.is_file() else sorted(islice(place.iterdir(), _MOST_FILES))
        files = [file for file in inside if file.is_file() and not file.samefile(adapter)]
    except OSError:  # no such folder, or one that may not be read
        return []
    return sorted(files, key=lambda file: file.name != name)


def _hash_of(file):
    """Return the hash that a model file gives, "" if it gives none, None if it is no model."""
    try:
        said = read_description(file).get("sha256", "")
    except InputError:
        return None
    return said if isinstance(said, str) else None
