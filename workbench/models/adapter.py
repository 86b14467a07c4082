"""Adapters: small files of the weights that adaptation changed, read together with a background."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from workbench.features.predicates import pack_names
from workbench.features.selection import Features
from workbench.models.capitalizer import mixed_forms_to_lists, read_mixed_forms
from workbench.models.files import write_parts
from workbench.models.log_linear import LogLinear
from workbench.text.errors import InputError

KIND = "adapter"


def fingerprint(model: LogLinear) -> str:
    """Return twelve hexadecimal digits that identify the features and weights of a model."""
    digest = hashlib.sha256("\n".join(model.features.names()).encode())
    digest.update(model.weights[model.features.exists].data)
    return digest.hexdigest()[:12]


def save_adapter(
    model: LogLinear, background: LogLinear, background_path: str | Path, path: str | Path
) -> None:
    """Write the weights and features in which an adapted model differs from its background.

    The first predicates of the model are the background's. The adapter holds the path of
    the background's file, relative to its own.

    Raises
    ------
    InputError
        If the file cannot be written; nothing is left behind then.
    """
    n_old, background = background.features.n_predicates, background.add_tags(model.tag_names)
    changed = model.weights.copy()
    changed[:n_old] -= background.weights
    is_new = model.features.exists
    is_new[:n_old] &= ~background.features.exists
    cells, new = (np.flatnonzero(each).astype(np.int32) for each in (changed, is_new))
    arrays = {"cells": cells, "weights": model.weights.ravel()[cells], "new_features": new}
    place = os.path.relpath(Path(background_path).resolve(), Path(path).resolve().parent)
    header = {
        "background": {"file": place, "fingerprint": fingerprint(background)},
        "info": model.info,
        "tag_names": model.tag_names,
    }
    lists = {"predicates": model.features.names()[n_old:]}
    write_parts(path, KIND, header, arrays, lists | mixed_forms_to_lists(model.mixed_forms))


def load_adapted(
    path: str | Path, header: dict, arrays: dict, lists: dict, load_model: Callable
) -> LogLinear:
    """Return the adapted model from the parts of an adapter's file and its background's file.

    Raises
    ------
    InputError
        If the background's file is missing, or not of the model that was adapted.
    """
    place = Path(path).resolve().parent / header["background"]["file"]
    if not place.is_file():
        raise InputError(f"{path}: an adapter; its background {place} is not there")
    background = load_model(place)
    name = header["background"]["fingerprint"]
    if not isinstance(background, LogLinear) or fingerprint(background) != name:
        raise InputError(f"{path}: an adapter of another model than {place}; {name} is needed")
    return _apply(background, header, arrays, lists)


def _apply(background, header, arrays, lists):
    background = background.add_tags(tuple(header.get("tag_names", background.tag_names)))
    n_old, n_tags = background.weights.shape
    shape = n_old + len(lists["predicates"]), n_tags
    weights, exists = np.zeros(shape), np.zeros(shape, bool)
    weights[:n_old], exists[:n_old] = background.weights, background.features.exists
    weights.ravel()[arrays["cells"]] = arrays["weights"]
    exists.ravel()[arrays["new_features"]] = True
    blocks = (*background.features.blocks, *pack_names(lists["predicates"]))
    features = Features(blocks, exists)
    mixed_forms, tag_names = read_mixed_forms(lists), background.tag_names
    kind, info = type(background), header["info"]
    return kind(background.templates, features, weights, mixed_forms, info, tag_names)
