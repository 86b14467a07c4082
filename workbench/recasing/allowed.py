"""Which tags decoding may give each word: of policies, spans and the terms of a glossary.

A word in a span passes untouched, one whose case a policy takes for evidence keeps it, and a term
of a glossary has the letters given there. Of the last two the model knows the tags when it gives
the words around them theirs.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from workbench.recasing.glossary import Glossary, Match, find_matches
from workbench.recasing.policies import Judged, Policy, SentenceStart, find_first_words, judge
from workbench.recasing.spans import Span, find_covered
from workbench.text.casing import TAGS, Tag, tag_of
from workbench.text.corpus import Corpus
from workbench.text.written_forms import write_word


class Source(IntEnum):
    """Where the case of a word comes from."""

    MODEL = 0  # the model's tag
    SPAN = 1  # it is in a span, which passes untouched
    KEPT = 2  # as it came: the policy takes its case for evidence
    UNSURE = 3  # as it came: the model was less sure than the threshold
    GLOSSARY = 4  # a form of the glossary


class Settled(NamedTuple):
    """What is known of the words of a corpus before a model is asked."""

    sources: np.ndarray  # a ``Source`` of each; uint8, shape (N,)
    matches: list[Match]  # of the glossary
    n_matches: int  # these, and compounds of which the glossary has a part
    allowed: np.ndarray | None  # which tags each may have; bool, shape (N, K); None: all


def settle(
    corpus: Corpus, text: str, places: np.ndarray, spans: list[Span], glossary: Glossary,
    policy: Policy, sentence_start: SentenceStart, crosses_lines: bool,
) -> Settled:  # fmt: skip
    """Return which words of a text have their case from elsewhere than the model.

    ``corpus`` has its words, with the tags of their case unless the policy is lower, ``places``
    their starts and ends; a term of the glossary is not broken by a line's end unless it
    ``crosses_lines``.
    """
    judged = judge(corpus, policy, ~find_covered(places, spans))
    matches, spans = find_matches(glossary, corpus, text, places, spans, crosses_lines)
    sources = np.where(judged.kept, np.uint8(Source.KEPT), np.uint8(Source.MODEL))
    sources[find_covered(places, spans)] = Source.SPAN
    in_parts = glossary.find_parts(corpus)
    for place in in_parts[sources[in_parts] == Source.KEPT].tolist():
        matches.append(Match(place, (glossary.write_parts(corpus.form_at(place)),)))
    for match in matches:
        sources[match.start : match.end] = Source.GLOSSARY
    n_matches = len(matches) + int((sources[in_parts] == Source.MODEL).sum())
    is_free = policy is Policy.LOWER and sentence_start is not SentenceStart.CAPITAL
    allowed = None if is_free and not matches else _allow(corpus, judged, sentence_start, matches)
    return Settled(sources, matches, n_matches, allowed)


def _allow(
    corpus: Corpus, judged: Judged, sentence_start: SentenceStart, matches: list[Match]
) -> np.ndarray:
    """Return which tags each word may have: bool, shape (N, K).

    Kept words have that of their case alone, shouted names mixed case, terms of the glossary
    those of their letters. Words with weak evidence, and by rule the first of a sentence, have a
    capital.
    """
    allowed = np.ones((len(corpus), len(TAGS)), bool)
    allowed[judged.weak, Tag.LOC] = False
    if sentence_start is SentenceStart.CAPITAL:
        can = np.array([write_word(word, Tag.CAP) != word for word in corpus.words])
        allowed[find_first_words(corpus) & can[corpus.word_ids], Tag.LOC] = False
    allowed[judged.kept | judged.shouted] = False
    allowed[judged.shouted, Tag.MXC] = True
    allowed[judged.kept, corpus.tags[judged.kept]] = True
    for match in matches:
        allowed[match.start : match.end] = False
        for place, word in enumerate(match.words, match.start):
            allowed[place, tag_of(word)] = True
    return allowed
