"""The kinds of models, by name; loading a file of any of them."""

from pathlib import Path
from typing import Any

from workbench.models.adapter import KIND as ADAPTER
from workbench.models.adapter import load_adapted
from workbench.models.capitalizer import Capitalizer
from workbench.models.crf import CRF
from workbench.models.files import read_parts
from workbench.models.interpolation import Interpolation
from workbench.models.memm import MEMM
from workbench.models.prediction import PredictionMEMM
from workbench.models.unigram import Unigram
from workbench.text.errors import InputError

KINDS: dict[str, type[Any]] = {model.kind: model for model in (Unigram, MEMM, CRF)}  # of one text
_ALL = KINDS | {model.kind: model for model in (Interpolation, PredictionMEMM)}


def load_model(path: str | Path) -> Capitalizer:
    """Return the model that its ``save`` wrote to a file; InputError if the file is not one."""
    header, arrays, lists = read_parts(path)
    kind = header["kind"]
    if kind not in _ALL and kind != ADAPTER:
        raise InputError(f"{path}: a model of kind {kind!r}; known are {', '.join(_ALL)}")
    try:
        if kind == ADAPTER:
            return load_adapted(path, header, arrays, lists, load_model)
        return _ALL[kind].from_parts(header, arrays, lists)
    except InputError as error:
        message = str(error).removeprefix(f"{path}: ")
        raise InputError(f"{path}: {message}") from None
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: a damaged model file ({error!r})") from None
