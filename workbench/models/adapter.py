"""The file format of an adapter, the weights that adaptation changed, and where its background is.

Its arrays are those of ``changes_from`` of the kind of model; the container is that of ``files``.

An adapter names its background by a hash of its content, and by the name of its file. It says
nothing of a place: a background is looked for in the adapter's own folder, among the models of the
package, in the cache of trained backgrounds, and in files and folders that the user names, never
at a path that a file dictates. Files are told by the hash that their header gives; whoever loads
one checks that it is so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from workbench.models.files import read_description, require, write_parts
from workbench.models.shipped import SHIPPED
from workbench.text.errors import InputError
from workbench.text.sets.storage import homes

KIND = "adapter"
_MOST_FILES = 1000  # of a folder whose headers are read
_MOST_UNNAMED = 20  # files beside the adapter without a hash that are loaded to find it out


def save_adapter(
    model: Any, background: Any, background_path: str | Path, path: str | Path
) -> None:
    """Write the weights and features in which an adapted model differs from its background.

    The model's ``changes_from`` and the background's ``with_changes`` say what that is. The
    adapter holds the name of the background's file, without its folder, and the hash of its
    content.

    Raises
    ------
    InputError
        If the file cannot be written; nothing is left behind then.
    """
    own_hash, name = background.content_hash(), Path(background_path).name
    header, arrays, lists = model.changes_from(background)
    header |= {
        # "fingerprint" is what older versions read.
        "background": {"file": name, "sha256": own_hash, "fingerprint": own_hash[:12]},
        "sha256": model.content_hash(),
        "info": model.info,
    }
    write_parts(path, KIND, header, arrays, lists)


# --- reading ------------------------------------------------------------------------------


class Wanted(NamedTuple):
    """A background by the name that its file had, and the hash of its content."""

    name: str
    hash: str  # 64 hexadecimal digits, of older adapters the first 12


def wanted_of(header: Mapping[str, Any]) -> Wanted:
    """Return name and hash of the background that an adapter's header asks for.

    Older adapters have a path, whose last part alone counts, and the first digits of the hash.
    """
    named = header["background"]
    place, digest = named["file"], named.get("sha256") or named["fingerprint"]
    require(isinstance(place, str) and isinstance(digest, str), "a background without a name")
    name = place.replace("\\", "/").rpartition("/")[2]
    is_name = name.encode(errors="ignore").decode().isprintable()  # but for bytes that are no text
    require(is_name and len(digest) in (12, 64), "a background without a hash")
    return Wanted(name, digest)


def load_adapted(
    path: Path, parts: tuple[dict, dict, dict], places: Sequence[Path], load: Callable
) -> Any:
    """Return the adapted model from the parts of an adapter's file and its background's file.

    ``load`` reads a model file that may be the background's; ``places`` are files and folders
    that the user names, to be searched besides the adapter's own folder and the cache.

    Raises
    ------
    InputError
        If no file there is of the model that was adapted.
    """
    wanted, strangers = wanted_of(parts[0]), []
    for candidate in find_candidates(path, wanted, places):
        try:
            background = load(candidate)
        except InputError as error:
            strangers.append(f"; {error}")
            continue
        can_be = hasattr(background, "with_changes")
        if can_be and background.content_hash().startswith(wanted.hash):
            return background.with_changes(*parts)
        strangers.append(f"; an adapter of another model than {candidate}")
    named = "".join(f" and in {place}" for place in places)
    raise InputError(
        f"{path}: an adapter; its background {wanted.name!r}, {wanted.hash[:12]}, is not there: "
        f"looked for in {path.absolute().parent}, in the cache{named}; --background names other "
        f"places{''.join(strangers[:1])}"
    )


# --- where a background is ----------------------------------------------------------------


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


def _places(adapter, places):
    """Yield the places in order, and whether each is the adapter's own folder."""
    yield from ((Path(place), False) for place in places)
    yield adapter.absolute().parent, True
    yield SHIPPED, False
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
