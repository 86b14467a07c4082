"""A lexicon as parts of a model file."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from workbench.features.lexicon import Lexicon, reads_lexicon
from workbench.features.templates import Template
from workbench.models.saved.checks import require

_NAME = "lexicon"  # of the header's entry, the array and the list


def lexicon_to_parts(lexicon: Lexicon | None) -> tuple[dict, dict, dict]:
    """Return what header, arrays and lists of a model file hold of a lexicon, if there is one."""
    if lexicon is None:
        return {}, {}, {}
    return {_NAME: lexicon.text}, {_NAME: lexicon.counts}, {_NAME: lexicon.words}


def read_lexicon(
    templates: Sequence[Template], header: Mapping[str, Any], arrays: Mapping[str, np.ndarray],
    lists: Mapping[str, list[str]],
) -> Lexicon | None:  # fmt: skip
    """Return the lexicon of a model file whose model has these templates; None without one."""
    require((_NAME in header) == reads_lexicon(templates), "templates that need another lexicon")
    if _NAME not in header:
        return None
    text, counts, words = header[_NAME], arrays[_NAME], lists[_NAME]
    require(isinstance(text, str) and text.isalnum(), "a lexicon of no text")
    require(len(set(words)) == len(words) > 0, "a lexicon without words, or with one twice")
    shape = len(words), Lexicon.N_COUNTS
    fits = counts.shape == shape and counts.dtype == np.int32
    require(fits and (not counts.size or counts.min() >= 0), "a lexicon whose counts are no counts")
    return Lexicon(words, counts, text)
