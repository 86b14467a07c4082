"""The file format of an adapter, the weights that adaptation changed, and where its background is.

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

import numpy as np

from workbench.features.predicates import pack_names
from workbench.features.selection import Features
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.models.files import (
    check_info,
    check_names,
    check_weights,
    mark_cells,
    read_description,
    require,
    write_parts,
)
from workbench.models.log_linear import LogLinear
from workbench.models.mixed_forms import mixed_forms_to_lists, read_mixed_forms
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

    The first predicates of the model, or the first features of candidates, are the background's.
    The adapter holds the name of the background's file, without its folder, and the hash of its
    content.

    Raises
    ------
    InputError
        If the file cannot be written; nothing is left behind then.
    """
    own_hash, name = background.content_hash(), Path(background_path).name
    is_table = isinstance(model, LogLinear)
    header, arrays, lists = (_table_changes if is_table else _candidate_changes)(model, background)
    header |= {
        # "fingerprint" is what older versions read.
        "background": {"file": name, "sha256": own_hash, "fingerprint": own_hash[:12]},
        "sha256": model.content_hash(),
        "info": model.info,
    }
    write_parts(path, KIND, header, arrays, lists)


def _table_changes(model, background):
    n_old, background = background.features.n_predicates, background.add_tags(model.tag_names)
    changed = model.weights.copy()
    changed[:n_old] -= background.weights
    is_new = model.features.exists
    is_new[:n_old] &= ~background.features.exists
    cells, new = (np.flatnonzero(each).astype(np.int32) for each in (changed, is_new))
    arrays = {"cells": cells, "weights": model.weights.ravel()[cells], "new_features": new}
    lists = {"predicates": model.features.names()[n_old:]}
    return {"tag_names": model.tag_names}, arrays, lists | mixed_forms_to_lists(model.mixed_forms)


def _candidate_changes(model, background):
    n_old, changed = len(background.features), model.weights.copy()
    changed[:n_old] -= background.weights
    cells = np.flatnonzero(changed).astype(np.int32)
    arrays = {"cells": cells, "weights": model.weights[cells]}
    return {}, arrays, {"features": list(model.features[n_old:])}


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
) -> LogLinear | CandidateModel:
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
        is_one = isinstance(background, LogLinear | CandidateModel)
        if is_one and background.content_hash().startswith(wanted.hash):
            apply = _change_table if isinstance(background, LogLinear) else _change_candidates
            return apply(background, *parts)
        strangers.append(f"; an adapter of another model than {candidate}")
    named = "".join(f" and in {place}" for place in places)
    raise InputError(
        f"{path}: an adapter; its background {wanted.name!r}, {wanted.hash[:12]}, is not there: "
        f"looked for in {path.absolute().parent}, in the cache{named}; --background names other "
        f"places{''.join(strangers[:1])}"
    )


def _change_table(background, header, arrays, lists):
    names = check_names(header.get("tag_names", background.tag_names), "tag names")
    background = background.add_tags(names)
    n_old, n_tags = background.weights.shape
    shape = n_old + len(lists["predicates"]), n_tags
    exists = mark_cells(arrays["new_features"], shape, "new features")
    exists[:n_old] |= background.features.exists
    changed = mark_cells(arrays["cells"], shape, "changed weights")
    require(not (changed & ~exists).any(), "weights where no feature is")
    weights = np.zeros(shape)
    weights[:n_old] = background.weights
    weights[changed] = check_weights(arrays["weights"], len(arrays["cells"]))
    blocks = (*background.features.blocks, *pack_names(lists["predicates"]))
    features = Features(blocks, exists)
    mixed_forms, tag_names = read_mixed_forms(lists), background.tag_names
    kind, info = type(background), check_info(header)
    parts = background.templates, features, weights, mixed_forms, info, tag_names
    return kind(*parts, background.lexicon)


def _change_candidates(background, header, arrays, lists):
    names = (*background.features, *lists["features"])
    require(len(set(names)) == len(names), "a feature twice")
    (changed,) = mark_cells(arrays["cells"], (1, len(names)), "changed weights")
    weights = np.concatenate([background.weights, np.zeros(len(lists["features"]))])
    weights[changed] = check_weights(arrays["weights"], len(arrays["cells"]))
    return CandidateModel(names, weights, background.learning, check_info(header))


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
