"""What may be wrong with a text before a model learns from it: lines that mislead about case."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from workbench.text.casing import Tag
from workbench.text.corpus import Corpus
from workbench.text.layout import LONG_LINE
from workbench.text.tasks import TaskName

_MOST_PLACES = 3  # lines that a finding names
_LEAST_WORDS = 3  # of a line that can be a headline or ALL CAPS: shorter ones are names
_MOSTLY = 0.6  # share of a headline's words that have a capital
_SMALL = frozenset("a an and as at but by for from in is nor of on or the to vs with".split())
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SIGNATURE = re.compile(
    r"--\s*$|sent from my \w|(?:best|kind|warm)(?: regards| wishes),?\s*$|regards,?\s*$"
    r"|-{2,}\s*(?:original message|forwarded)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"</?[a-z][^<>]*>|&(?:\w+|#\d+);|\w+://\S|www\.\w", re.IGNORECASE)
_ENDS = frozenset(".?!:;,…\"'”’)-–—")


class Finding(NamedTuple):
    """One property of a text: how many lines or words have it, the first, and what to do."""

    what: str
    n: int
    lines: tuple[int, ...]  # numbers, from 1, of the first lines; none where lines do not count
    advice: str


class _Rule(NamedTuple):
    what: str
    advice: str
    applies: Callable[[str], bool]


def is_all_caps(line: str) -> bool:
    """Return whether a line of three words or more is ALL CAPS."""
    words = _LETTERS.findall(line)
    return len(words) >= _LEAST_WORDS and line.upper() == line and line.lower() != line


def is_headline(line: str) -> bool:
    """Return whether Most Words of a Line Begin With a Capital, and no full stop ends it."""
    words = [word for word in _LETTERS.findall(line) if word.lower() not in _SMALL]
    if len(words) < _LEAST_WORDS or line.rstrip()[-1:] in _ENDS or is_all_caps(line):
        return False
    return sum(word[0].isupper() for word in words) > _MOSTLY * len(words)


def is_lower(line: str) -> bool:
    """Return whether a line of three words or more has no capital at all."""
    return len(_LETTERS.findall(line)) >= _LEAST_WORDS and line.lower() == line


_RULES = (
    _Rule("ALL-CAPS lines", "Take them out: they teach that any word may be all capitals.",
          is_all_caps),
    _Rule("headlines", "Take them out: they capitalize words that running text does not.",
          is_headline),
    _Rule("lines without a capital", "Take them out, or type them anew: they teach lower case.",
          is_lower),
    _Rule("signatures", "Take them out: they repeat, and weigh more than the text.",
          lambda line: bool(_SIGNATURE.match(line.strip()))),
    _Rule("mark-up and addresses", "Take out tags and links: their case is not that of words.",
          lambda line: bool(_MARKUP.search(line))),
    _Rule("very long lines", f"Break them: a line of more than {LONG_LINE} words is split by "
          "punctuation alone.", lambda line: len(line.split()) > LONG_LINE),
)  # fmt: skip


def lint_text(text: str) -> list[Finding]:
    """Return what may be wrong with the lines of a text; what is not found is left out.

    A line can have several faults. Repeated lines are those that stood before, word for word.
    """
    return lint_lines(text.split("\n"))


def lint_corpus(corpus: Corpus) -> list[Finding]:
    """Return the size of a corpus, its words by tag, and what may be wrong with its sentences.

    Lines are its sentences, numbered from 1, as the words were read.
    """
    lines = [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]
    return [*describe_size(corpus), *lint_lines(lines)]


def lint_lines(lines: Sequence[str]) -> list[Finding]:
    """Return what may be wrong with some lines; see ``lint_text``."""
    found = [
        _find(rule.what, rule.advice, (i for i, line in enumerate(lines, 1) if rule.applies(line)))
        for rule in _RULES
    ]
    advice = "Keep one of each: what is repeated weighs more, and may stand in dev or test too."
    found.append(_find("repeated lines", advice, _repeated(lines)))
    return [finding for finding in found if finding.n]


def _find(what: str, advice: str, numbers: Iterable[int]) -> Finding:
    places = tuple(numbers)
    return Finding(what, len(places), places[:_MOST_PLACES], advice)


def _repeated(lines):
    """Yield the numbers of lines, of three words or more, that repeat an earlier line."""
    seen = set()
    for number, line in enumerate(lines, 1):
        key = " ".join(line.split())
        if len(_LETTERS.findall(key)) < _LEAST_WORDS:
            continue
        if key in seen:
            yield number
        seen.add(key)


def describe_size(corpus: Corpus) -> list[Finding]:
    """Return how many sentences, words and words of each tag a corpus has."""
    few = "This is little: some hundred sentences show more." if corpus.n_sentences < 100 else ""
    by_tag = Counter(corpus.tags.tolist())
    names = [f"words {name}" for name in corpus.tag_names]
    sizes = [
        Finding("sentences", corpus.n_sentences, (), few), Finding("words", len(corpus), (), "")
    ]  # fmt: skip
    return sizes + [Finding(what, by_tag[tag], (), "") for tag, what in enumerate(names)]


_PLAIN = re.compile(r"['’]?[^\W\d_][\u0300-\u036f]*(?:[.'’-]?[^\W\d_][\u0300-\u036f]*)*[.'’]?")
_LEAST_PLAIN = 0.8  # share of what is no punctuation; of newswire 0.97, of tweets 0.91
_LEAST_OF_ALL = 0.6  # share of all; of newswire 0.84, of tweets 0.76, of a module in Python 0.52
_LEAST_OF_TEXT = 300  # words


def doubt_prose(corpus: Corpus) -> list[str]:
    """Return lines that say why a corpus may be no text to learn case from; none if it may.

    Files of passwords, tables, code or data have capitals, too, but few plain words.
    """
    if corpus.task is not TaskName.CASE:
        return []
    said = []
    if len(corpus) < _LEAST_OF_TEXT:
        said.append(f"{len(corpus):,} words are little to learn from; many thousands are usual")
    plain = np.array([bool(_PLAIN.fullmatch(form)) for form in corpus.forms])[corpus.form_ids]
    of_words = plain.sum() / max(1, (corpus.tags != Tag.PNC).sum())
    if of_words < _LEAST_PLAIN or plain.mean() < _LEAST_OF_ALL:
        share = f"{100 * min(of_words, plain.mean()):.0f} %"
        said.append(f"plain words are {share} of it: it may be no prose, but a table, code or data")
    return [f"{corpus.name}: {line}" for line in said]
