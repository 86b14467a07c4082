"""Capitals of compounds that a model has not seen, such as Day-Lewis.

To a model ``day-lewis`` is one unknown word, though it knows Lewis. So the parts are tagged as
separate words in the same place, ``anna day lewis and``. A part gets a capital if its probability
of one is high enough: higher where the model tags the whole compound as lower case, and higher for
a word that it knows, since ``sun-washed`` is not about the Sun. Words fused from two, such as
``gonna``, are lower case within a sentence.

The limits were chosen on other texts than those that the figures are measured on, see
docs/reading.md.
"""

import re
from itertools import accumulate
from typing import Any

import numpy as np

from workbench.text.casing import Tag
from workbench.text.corpus import Corpus, CorpusBuilder
from workbench.text.written_forms import is_stutter

_COMPOUND = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*(?:-[^\W_]+(?:[.'][^\W_]+)*)+")
_PREFIX = re.compile(r"(?:anti|co|e|ex|inter|multi|neo|non|pre|pro|re|semi|sub|un)(?=-)")
# Names of directions are lower case within a sentence, though their parts are often names.
_DIRECTION = re.compile(
    r"(?:(?:north|south|east|west|mid)(?:-?(?:east|west))?(?:ern|wards?)?(?:-|$))+"
)
_FUSED = frozenset("gonna gotta wanna gimme lemme dunno kinda sorta outta gotcha hafta".split())
_ACRONYM = re.compile(r"[A-Z]{2}")
_CONTEXT = 3  # words on each side that are tagged along with the parts
# Least probability of a capital for an unknown part and a known one, by whether the compound's
# own tag is LOC.
_LEAST = {True: (0.924, 0.97), False: (0.047, 0.12)}


def find_compounds(model: Any, corpus: Corpus, tags: np.ndarray) -> dict[int, str]:
    """Return the forms of compounds that a model has not seen, by their places in a corpus.

    ``tags``, int8, shape (N,), are those that the model gave to the corpus. A model without
    probabilities, such as a 1gram, has none.
    """
    if not hasattr(model, "probabilities"):
        return {}
    known = model.known_words
    is_unknown = [
        ("-" in word or word in _FUSED)
        and (word in _FUSED or (_COMPOUND.fullmatch(word) is not None and not is_stutter(word)))
        and word not in known
        for word in corpus.words
    ]
    places = np.flatnonzero(np.array(is_unknown, bool)[corpus.word_ids])
    if not len(places):
        return {}
    parts = [corpus.words[word].split("-") for word in corpus.word_ids[places].tolist()]
    is_capital, cased, begins = _tag_parts(model, corpus, places, parts)
    found = {}
    for place, begin, own in zip(places.tolist(), begins, parts, strict=True):
        at, tag = slice(begin, begin + len(own)), int(tags[place])
        is_first = bool(corpus.is_initial[place])
        found[place] = _write(model, own, is_capital[at], cased[at], tag, is_first)
    return found


def _tag_parts(model, corpus, places, parts):
    """Return the probability of a capital, and the tag with one, of parts read as words.

    With them comes where the parts of each compound begin.
    """
    sentences = corpus.sentence_ids[places]
    firsts = np.maximum(corpus.starts[sentences], places - _CONTEXT)
    ends = np.minimum(corpus.starts[sentences + 1], places + 1 + _CONTEXT)

    def words(start, end):
        return [corpus.words[word] for word in corpus.word_ids[start:end].tolist()]

    edges = zip(firsts.tolist(), places.tolist(), ends.tolist(), strict=True)
    stretches = [
        [*words(first, place), *own, *words(place + 1, end)]
        for (first, place, end), own in zip(edges, parts, strict=True)
    ]
    builder, lengths = CorpusBuilder(), list(map(len, stretches))
    builder.add((word for stretch in stretches for word in stretch), lengths)
    p = model.probabilities(builder.build("compounds", gold=False))
    is_capital = (1 - p[:, Tag.LOC] - p[:, Tag.PNC]).tolist()
    p[:, [Tag.LOC, Tag.PNC]] = 0
    begins = np.array([0, *accumulate(lengths[:-1])]) + places - firsts
    return is_capital, p.argmax(axis=1).tolist(), begins.tolist()


def _write(model, parts, is_capital, cased, tag, is_first):
    """Return a compound whose parts have the given probabilities of a capital, and tags then."""
    word = "-".join(parts)
    whole = model.form(word, tag)
    if word in _FUSED or _DIRECTION.fullmatch(word):
        return whole if is_first else word
    if _ACRONYM.search(whole) or any(map(str.isdigit, parts)):
        return whole  # US-based, IL-8
    known, (of_unknown, of_known) = model.known_words, _LEAST[tag == Tag.LOC]
    written = "-".join(
        model.form(part, own) if p > (of_known if part in known else of_unknown) else part
        for part, p, own in zip(parts, is_capital, cased, strict=True)
    )
    prefix = _PREFIX.match(word)
    return whole[: prefix.end()] + written[prefix.end() :] if prefix else written
