"""What a model file says of itself, read from its header alone."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from workbench.models.adapter import KIND, find_candidates, wanted_of
from workbench.models.files import read_description, read_parts
from workbench.models.mixed_forms import read_mixed_forms
from workbench.text.errors import InputError

_FACTS = (
    "name", "words", "sentences", "candidates", "text", "view", "cutoff", "sigma2", "sigma2_m",
    "sigma2_a", "sigma2_g", "sigma2_b", "sigma2_s", "sigma2_t", "alpha", "drop_boundaries",
    "features", "new_features",
)  # fmt: skip


def describe_model(
    path: Path, backgrounds: Sequence[str | Path] = (), word: str | None = None
) -> dict[str, Any]:
    """Return what a model file is and where it comes from, as its header says.

    Nothing is loaded, so that of a damaged file only the header is known to be sound. An
    adapter has a ``background``: name, hash, and the file there that gives this hash, or None.
    A model that comes with the package has a ``card``: licence, sources, errors, limits.
    With a word, its mixed-case ``forms`` in the file are added, the one that is written first,
    each with its counts. InputError if there is no such file, or it has no header of ours.
    """
    header, adapter = read_description(path), {}
    info = header["info"] if isinstance(header.get("info"), dict) else {}
    if header["kind"] == KIND:
        adapter = {"background": _describe_background(path, header, backgrounds)}
    tags = header.get("tag_names")
    return {
        "file": str(path), "kind": header["kind"], "bytes": path.stat().st_size,
        **{fact: _plain(info.get(fact)) for fact in _FACTS},
        **{key: _plain(value) for key, value in info.items() if "." in key},  # of one class, a text
        "templates": _join(header.get("templates")),
        "tags": len(tags) if isinstance(tags, list) else None,
        "sha256": _plain(header.get("sha256")),
        **adapter,
        **_describe_members(header.get("models")),
        **({"card": card} if isinstance(card := info.get("card"), dict) else {}),
        **({"forms": _describe_forms(path, word)} if word is not None else {}),
    }  # fmt: skip


def _describe_forms(path, word):
    _, _, lists = read_parts(path)
    if "mixed_forms" not in lists:  # of what are no words
        return []
    try:
        found = read_mixed_forms(lists).forms_of(word)
    except (InputError, LookupError) as error:
        raise InputError(f"{path}: {error}") from None
    return [{"form": form, **counts._asdict()} for form, counts in found.items()]


def _describe_members(models):
    """Return the templates of each model of a file of several, by its name there."""
    if not isinstance(models, dict):
        return {}
    headers = {name: own if isinstance(own, dict) else {} for name, own in models.items()}
    return {"members": {name: _join(own.get("templates")) for name, own in headers.items()}}


def _describe_background(path, header, backgrounds):
    try:
        wanted = wanted_of(header)
    except (InputError, LookupError, TypeError, AttributeError):
        return {"name": None, "sha256": None, "file": None}
    found = next(find_candidates(path, wanted, tuple(map(Path, backgrounds))), None)
    return {"name": wanted.name, "sha256": wanted.hash, "file": found and str(found)}


def _plain(value):
    """Return a number or a text as it is, None for anything else."""
    return value if isinstance(value, int | float | str) else None


def _join(names):
    return " ".join(map(str, names)) if isinstance(names, Iterable) else None


def find_models(place: Path) -> list[Path]:
    """Return a file as it is, or the model files of a folder by name; InputError if none."""
    if not place.is_dir():
        return [place]
    found = [file for file in sorted(place.iterdir()) if file.is_file() and _is_model(file)]
    if not found:
        raise InputError(f"{place}: a folder without model files; `train` and `adapt` write them")
    return found


def _is_model(file):
    try:
        return bool(read_description(file))
    except InputError:
        return False
