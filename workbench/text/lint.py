"""What may be wrong with a text before a model learns from it: lines that mislead about case."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.text.casing import Tag, tag_of
from workbench.text.corpus import Corpus, require_corpus
from workbench.text.errors import require_kind
from workbench.text.layout import LONG_LINE, looks_wrapped
from workbench.text.sources.scratch import count_ids
from workbench.text.tasks import TaskName

FEW_WORDS = 2_000  # below which adaptation hardly ever shows a gain
_FEW = "This is far too little: so few words seldom show a gain; some thousands do."
_MOST_PLACES = 3  # lines that a finding names
_LEAST_WORDS = 3  # of a line that can be a headline or ALL CAPS: shorter ones are names
_MOSTLY = 0.6  # share of a headline's words that have a capital
_SMALL = frozenset("a an and as at but by for from in is nor of on or the to vs with".split())
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SIGN_OFF = re.compile(
    r"sent from my \w|(?:best|kind|warm)(?: regards| wishes),?\s*$|regards,?\s*$"
    r"|-{2,}\s*(?:original message|forwarded)",
    re.IGNORECASE,
)
_DASHES = re.compile(r"--\s*$")  # before a signature, of four lines at most by custom
_SIGNATURE_LINES = 4
_QUOTED = re.compile(r"\s*>|On .{5,120}\bwrote:\s*$|(?:From|To|Cc|Sent|Date|Subject|Reply-To): ")
_MARKUP = re.compile(r"</?[a-z][^<>]*>|&(?:\w+|#\d+);", re.IGNORECASE)
_ADDRESS = re.compile(r"\w+://\S|www\.\w|[\w.+-]+@[\w-]+\.\w", re.IGNORECASE)
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
    find: Callable[[Sequence[str]], Iterable[int]]  # from lines to the places of those meant
    drops: bool = True  # whether ``drop_faults`` leaves such lines out
    of_mail: bool = False  # about single lines, also where a paragraph is wrapped over several


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


def _each(applies):
    """Return what finds the lines of which something holds."""
    return lambda lines: (place for place, line in enumerate(lines) if applies(line))


def _find_repeated(lines):
    """Yield the places of lines, of three words or more, that repeat an earlier line."""
    seen = set()
    for place, line in enumerate(lines):
        key = " ".join(line.split())
        if len(_LETTERS.findall(key)) < _LEAST_WORDS:
            continue
        if key in seen:
            yield place
        seen.add(key)


def _find_signatures(lines):
    """Yield the places of phrases that end a mail, and of the lines that two dashes announce."""
    left = 0
    for place, line in enumerate(map(str.strip, lines)):
        left = _SIGNATURE_LINES + 1 if _DASHES.match(line) else max(left - 1, 0) if line else 0
        if left or _SIGN_OFF.match(line):
            yield place


_RULES = (
    _Rule("ALL-CAPS lines", "Take them out: they teach that any word may be all capitals.",
          _each(is_all_caps)),
    _Rule("headlines", "Take them out: they capitalize words that running text does not.",
          _each(is_headline)),
    _Rule("lines without a capital", "Take them out, or type them anew: they teach lower case.",
          _each(is_lower)),
    _Rule("signatures", "Take them out: they repeat, and weigh more than the text.",
          _find_signatures, of_mail=True),
    _Rule("lines of quoted mail", "Take them out: another wrote them, or they stand here twice.",
          _each(_QUOTED.match), of_mail=True),
    _Rule("lines with mark-up", "Take out tags and entities: their case is not that of words.",
          _each(_MARKUP.search), of_mail=True),
    _Rule("lines with addresses", "Take out links and mail addresses if there are many: their "
          "case is not that of words.", _each(_ADDRESS.search), drops=False, of_mail=True),
    _Rule("very long lines", f"Break them: a line of more than {LONG_LINE} words is split by "
          "punctuation alone.", _each(lambda line: len(line.split()) > LONG_LINE), drops=False),
    _Rule("repeated lines", "Keep one of each: what is repeated weighs more, and may stand in dev "
          "or test too.", _find_repeated),
)  # fmt: skip


def lint_text(text: str) -> list[Finding]:
    """Return what may be wrong with the lines of a text; what is not found is left out.

    A line can have several faults. Repeated lines are those that stood before, word for word.
    Where lines are wrapped to fit a width, their case is judged paragraph by paragraph.
    """
    lines = require_kind(text, str).split("\n")
    return _lint(lines, _paragraphs(lines, looks_wrapped(text)))


def lint_corpus(corpus: Corpus) -> list[Finding]:
    """Return the size of a corpus, its words by tag, and what may be wrong with its sentences.

    Lines are its sentences, numbered from 1, as the words were read.
    """
    lines = [" ".join(corpus.sentence(i)) for i in range(require_corpus(corpus).n_sentences)]
    return [*describe_size(corpus), *lint_lines(lines)]


def lint_lines(lines: Sequence[str]) -> list[Finding]:
    """Return what may be wrong with some lines; see ``lint_text``."""
    return _lint(lines, _paragraphs(lines, False))


def drop_faults(text: str) -> tuple[str, list[Finding]]:
    """Return a text without its faulty lines, and how many lines went for which fault.

    A line is counted for the first of its faults. Very long lines stay, and lines with
    addresses, which are mostly good text; of repeated lines the first stays.
    """
    lines = require_kind(text, str).split("\n")
    paragraphs, gone, dropped = _paragraphs(lines, looks_wrapped(text)), set[int](), []
    for rule in _RULES:
        if rule.drops:
            found = [place for span in _spans(rule, lines, paragraphs) for place in span]
            new = [place for place in found if place not in gone]
            gone.update(new)
            dropped.append(_finding(rule, new))
    kept = "\n".join(line for place, line in enumerate(lines) if place not in gone)
    return kept, [finding for finding in dropped if finding.n]


def _lint(lines, paragraphs):
    spans = {rule: _spans(rule, lines, paragraphs) for rule in _RULES}
    found = [_finding(rule, [span[0] for span in spans[rule]]) for rule in _RULES]
    return [finding for finding in found if finding.n]


def _finding(rule, places):
    return Finding(
        rule.what, len(places), tuple(place + 1 for place in places[:_MOST_PLACES]), rule.advice
    )


def _spans(rule, lines, paragraphs):
    """Return the spans of lines that a rule finds, each a range of places."""
    if rule.of_mail:
        return [range(place, place + 1) for place in rule.find(lines)]
    texts = [" ".join(lines[i].strip() for i in span) for span in paragraphs]
    return [paragraphs[place] for place in rule.find(texts)]


def _paragraphs(lines, wrapped):
    """Return the spans of paragraphs: single lines, or wrapped ones between empty lines."""
    if not wrapped:
        return [range(place, place + 1) for place in range(len(lines))]
    bounds = [-1, *(place for place, line in enumerate(lines) if not line.strip()), len(lines)]
    return [range(a + 1, b) for a, b in pairwise(bounds) if b > a + 1]


def find_little(corpus: Corpus) -> list[Finding]:
    """Return what to say of the size of a corpus, if it is far too small to adapt to."""
    return [finding for finding in describe_size(corpus) if finding.advice]


def describe_size(corpus: Corpus) -> list[Finding]:
    """Return how many sentences, words and words of each tag a corpus has."""
    few = _FEW if len(corpus) < FEW_WORDS else ""
    by_tag = Counter(corpus.tags.tolist())
    names = [f"words {name}" for name in corpus.tag_names]
    sizes = [
        Finding("sentences", corpus.n_sentences, (), ""), Finding("words", len(corpus), (), few)
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
    counts = count_ids(corpus.form_ids, len(corpus.forms))
    return doubt_words(corpus.name, corpus.forms, counts)


def doubt_words(name: str, forms: Sequence[str], counts: np.ndarray) -> list[str]:
    """Return the lines of ``doubt_prose`` from how often each form occurs, int, shape (forms,)."""
    said, n = [], max(1, counts.sum())
    if n < _LEAST_OF_TEXT:
        said.append(f"{n:,} words are little to learn from; many thousands are usual")
    plain = counts[[bool(_PLAIN.fullmatch(form)) for form in forms]].sum()
    of_words = plain / max(1, counts[[tag_of(form) != Tag.PNC for form in forms]].sum())
    if of_words < _LEAST_PLAIN or plain / n < _LEAST_OF_ALL:
        share = f"{100 * min(of_words, plain / n):.0f} %"
        said.append(f"plain words are {share} of it: it may be no prose, but a table, code or data")
    return [f"{name}: {line}" for line in said]
