"""The kinds of models, by name; loading a file of any of them."""

from workbench.models.files import read_parts
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.errors import InputError

KINDS = {model.kind: model for model in (Unigram, MEMM)}


def load_model(path):
    """Load a capitalizer that its ``save`` wrote; InputError if the file is not one."""
    header, arrays, lists = read_parts(path)
    kind = header["kind"]
    if kind not in KINDS:
        raise InputError(f"{path}: a model of kind {kind!r}; known are {', '.join(KINDS)}")
    try:
        return KINDS[kind].from_parts(header, arrays, lists)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: a damaged model file ({error!r})") from None
