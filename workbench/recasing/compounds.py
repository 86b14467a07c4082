"""Compounds that a model has never seen: which of their parts have a capital.

To a model ``day-lewis`` is one unknown word, though it knows Lewis. So the parts are read once
more as words of their own in its place, ``anna day lewis and``, and each is written as it would be
there, if the model is sure enough: surer where it takes the compound for a word in small letters
than where it takes it for a name, and surer of a word it knows, since ``sun-washed`` is no Sun.
The probabilities asked for were found on other texts than those of the tables (docs/reading.md).
"""

import re
from itertools import accumulate
from typing import Any

import numpy as np

from workbench.text.casing import Tag
from workbench.text.casing.written import is_stutter
from workbench.text.corpus import CorpusBuilder

_COMPOUND = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*(?:-[^\W_]+(?:[.'][^\W_]+)*)+")
_PREFIX = re.compile(
    r"(?:anti|co|e|ex|inter|multi|neo|non|pre|pro|re|semi|sub|un)(?=-)"
)  # no words
_COMPASS = re.compile(
    r"(?:(?:north|south|east|west|mid)(?:-?(?:east|west))?(?:ern|wards?)?(?:-|$))+"
)
_CONTEXT = 3  # words on each side that are read with the parts
# By whether the compound is tagged LOC: probability of a capital for an unknown part, a known one.
_LEAST = {True: (0.924, 0.97), False: (0.047, 0.12)}


def find_compounds(model: Any, corpus: Any, tags: np.ndarray) -> dict[int, str]:
    """Return the forms of unknown compounds of a corpus by their place, given its tags, (N,).

    There are none for a model without probabilities.
    """
    if not hasattr(model, "probabilities"):
        return {}
    known = model.known_words
    unknown = [
        i
        for i, word in enumerate(corpus.words)
        if "-" in word and word not in known and _COMPOUND.fullmatch(word) and not is_stutter(word)
    ]
    if not unknown:
        return {}
    is_unknown = np.zeros(len(corpus.words), bool)
    is_unknown[unknown] = True
    places = np.flatnonzero(is_unknown[corpus.word_ids])
    sentences = corpus.sentence_ids[places]
    firsts = np.maximum(corpus.starts[sentences], places - _CONTEXT)
    ends = np.minimum(corpus.starts[sentences + 1], places + 1 + _CONTEXT)
    words, ids = corpus.words, corpus.word_ids
    parts = [words[i].split("-") for i in ids[places].tolist()]
    stretches = [
        [*(words[i] for i in ids[a:place].tolist()), *own, *(words[i] for i in ids[place + 1 : b])]
        for a, place, own, b in zip(
            firsts.tolist(), places.tolist(), parts, ends.tolist(), strict=True
        )
    ]
    builder = CorpusBuilder()
    lengths = list(map(len, stretches))
    builder.add((word for stretch in stretches for word in stretch), lengths)
    p = model.probabilities(builder.build("compounds", gold=False))
    is_capital = (1 - p[:, Tag.LOC] - p[:, Tag.PNC]).tolist()
    p[:, [Tag.LOC, Tag.PNC]] = 0
    cased = p.argmax(axis=1).tolist()
    begins = np.array([0, *accumulate(lengths[:-1])]) + places - firsts
    is_first = places == corpus.starts[sentences]
    found = {}
    for place, own, at, first in zip(
        places.tolist(), parts, begins.tolist(), is_first.tolist(), strict=True
    ):
        tag, span = int(tags[place]), slice(at, at + len(own))
        found[place] = _write(model, own, is_capital[span], cased[span], tag, first)
    return found


def _write(model, parts, is_capital, cased, tag, is_first):
    """Return a compound by the probability of a capital of each part, and its tag then."""
    word = "-".join(parts)
    as_one = model.form(word, tag)
    if tag == Tag.AUC or any(map(str.isdigit, parts)):
        return as_one  # IL-8
    if _COMPASS.fullmatch(word):  # to the south-west; South-west only where a sentence begins
        return as_one if is_first else word
    known, (of_unknown, of_known) = model.known_words, _LEAST[tag == Tag.LOC]
    written = "-".join(
        model.form(part, own) if p > (of_known if part in known else of_unknown) else part
        for part, p, own in zip(parts, is_capital, cased, strict=True)
    )
    prefix = _PREFIX.match(word)
    return as_one[: prefix.end()] + written[prefix.end() :] if prefix else written
