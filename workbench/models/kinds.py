"""The kinds of models, by name; loading a file of any of them, or of an annex's ``KINDS``."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from workbench.annexes import added, find
from workbench.models.adapter import KIND as ADAPTER
from workbench.models.adapter import load_adapted
from workbench.models.crf import CRF
from workbench.models.ensemble import BidirectionalMEMM, Ensemble
from workbench.models.files import read_parts, require
from workbench.models.interpolation import Interpolation
from workbench.models.memm import MEMM
from workbench.models.prediction import PredictionMEMM
from workbench.models.shipped import model_file
from workbench.models.unigram import Unigram
from workbench.text.errors import InputError

KINDS: dict[str, type[Any]] = {  # of one text
    model.kind: model for model in (Unigram, MEMM, CRF, BidirectionalMEMM, Ensemble)
}
_MOST_ADAPTERS = 20  # opened for one model
_ALL = KINDS | {model.kind: model for model in (Interpolation, PredictionMEMM)}


def load_model(path: str | Path, backgrounds: Sequence[str | Path] = ()) -> Any:
    """Return the model that its ``save`` wrote to a file; InputError if the file is not one.

    ``path`` is also the name of a model that comes with the package: "en", "en-ca04", "en-1gram".
    ``backgrounds`` are files and folders in which the background of an adapter is looked for,
    besides the adapter's own folder and the cache.
    """
    return _load(model_file(path), tuple(map(model_file, backgrounds)), (), [])


def _load(path, places, adapters, opened):
    """Return the model of a file.

    ``adapters`` are those whose background it may be; ``opened`` counts the adapters opened for
    any of them: of many that name one another each could be tried after each.
    """
    parts = read_parts(path)
    kind = parts[0]["kind"]
    of_kind = _ALL.get(kind) or find("KINDS", kind)
    if of_kind is None and kind != ADAPTER:
        known = ", ".join([*_ALL, *added("KINDS")])
        raise InputError(f"{path}: a model of kind {kind[:40]!r}; known are {known}")
    try:
        if kind != ADAPTER:
            return of_kind.from_parts(*parts)
        adapters = (*adapters, path.resolve())
        opened.append(path)
        is_loop = len(set(adapters)) < len(adapters) or len(opened) > _MOST_ADAPTERS
        require(not is_loop, "a loop of adapters")
        load = partial(_load, places=places, adapters=adapters, opened=opened)
        return load_adapted(path, parts, places, load)
    except InputError as error:
        message = str(error).removeprefix(f"{path}: ")
        raise InputError(f"{path}: {message}") from None
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(f"{path}: a damaged model file ({repr(error)[:200]})") from None
