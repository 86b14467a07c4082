"""What may be wrong with a text before a model learns from it.

That is lines that mislead about case (``_RULES``), or the whole: a file that is no plain text, or
a text that is not in its natural case (``_LOOKS``).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np

from workbench.text.casing import Tag
from workbench.text.corpus import Corpus
from workbench.text.errors import refusal, require_kind
from workbench.text.labels import FORMS, STRUCTURE
from workbench.text.layout import LONG_LINE, looks_wrapped
from workbench.text.scratch import count_ids
from workbench.text.tasks import TaskName

FEW_WORDS = 2_000  # below which adaptation hardly ever shows a gain
_FEW = "This is far too little: so few words teach little; some thousands are needed."
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

    @property
    def places(self) -> str:
        """The numbers of the first lines, in words; "" where there are none."""
        if not self.lines:
            return ""
        more = ", …" if self.n > len(self.lines) else ""
        return f" (line {', '.join(f'{line:,}' for line in self.lines)}{more})"


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
    """Return what may be wrong with a text or its lines; what is not found is left out.

    A line can have several faults. Repeated lines are those that stood before, word for word.
    Where lines are wrapped to fit a width, their case is judged paragraph by paragraph.
    """
    lines = require_kind(text, str).split("\n")
    return find_format(text) + _lint(lines, _paragraphs(lines, looks_wrapped(text)))


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
    """Return what to say of a corpus if it is far too small to adapt to, or not in its case."""
    return [finding for finding in describe_size(corpus) if finding.advice]


def describe_size(corpus: Corpus) -> list[Finding]:
    """Return how many sentences, words and words of each tag a corpus has; see ``find_look``."""
    few = _FEW if len(corpus) < FEW_WORDS else ""
    by_tag = Counter(corpus.tags.tolist())
    names = [f"words {name}" for name in corpus.tag_names]
    sizes = [
        Finding("sentences", corpus.n_sentences, (), ""), Finding("words", len(corpus), (), few)
    ]  # fmt: skip
    by_name = [Finding(what, by_tag[tag], (), "") for tag, what in enumerate(names)]
    return sizes + by_name + find_look(corpus)


# --- what the whole of a text is ----------------------------------------------------------

_LEAST_OF_TEXT = 300  # words
_PIECE = 1 << 20  # words counted at a time
_PLAIN = re.compile(r"['’]?[^\W\d_][\u0300-\u036f]*(?:[.'’-]?[^\W\d_][\u0300-\u036f]*)*[.'’]?")
_LABEL = re.compile(r"[BIELSUM]-\S+$|(?!\d)[!-`{-~]{1,15}$")  # without lower-case letters
_TEX = re.compile(
    r"\\(?:begin|end|documentclass|usepackage|(?:sub)*section|chapter|cite\w*|emph|text\w\w|ref"
    r"|label|footnote|caption)\*?[{\[]|\\item\b"
)
_LINES = 200  # of a file, by which it is judged
_MOST_LINES = 0.9  # a share of them
_CAPITALS, _CASED = [Tag.CAP, Tag.MXC, Tag.AUC], [Tag.LOC, Tag.CAP, Tag.MXC, Tag.AUC]


class _Seen(NamedTuple):
    """What tells what a text is: the first lines of a file, or the words of a corpus, counted."""

    lines: Sequence[str] = ()  # without white space around them, and without empty ones
    cases: Sequence[Sequence[int]] = ((0,) * len(Tag),) * 2  # as in ``count_cases``
    odd: int = 0  # words and marks that are not of letters: of newswire 16 %, of tweets 24 %


class _Look(NamedTuple):
    what: str
    advice: str
    tally: Callable[[_Seen], tuple[int, int]]  # how many lines or words have it, of how many
    low: float  # a share beyond which, and
    high: float  # up to which, a text looks so,
    least: int  # if it has so many lines or words


def _lines_with(applies):
    """Return what counts the lines of which something holds."""
    return lambda seen: (sum(1 for line in seen.lines if applies(line)), len(seen.lines))


def _words_with(tags, sentences=(0, 1)):
    """Return what counts the words with some tags; those that begin a sentence are in row 0."""
    return lambda seen: tuple(
        sum(seen.cases[i][tag] for i in sentences for tag in of) for of in (tags, _CASED)
    )


def _count_columns(seen):
    """Count the lines of as many cells as most have, if a column has labels but not the first."""
    rows = [line.split() for line in seen.lines if not STRUCTURE.match(line)]
    width = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    alike = [row for row in rows if len(row) == width]
    if len(alike) <= _MOST_LINES * len(rows):
        return 0, len(rows)
    first, *others = map(_are_labels, zip(*alike, strict=True))
    return len(alike) if any(others) and not first else 0, len(rows)


def _are_labels(cells):
    """Return whether the cells of a column are labels, more than one, most of them of letters."""
    n, n_capital = sum(map(bool, map(_LABEL.match, cells))), sum(c[0].isupper() for c in cells)
    return n > _MOST_LINES * len(cells) and 2 * n_capital > len(cells) and len(set(cells)) > 1


def _count_cells(seen):
    """Count the lines that a mark without a space after it cuts into as many cells as most."""
    best, middle = 0, "".join(seen.lines[len(seen.lines) // 2 :][:1])
    for mark in ",;\t|":
        if middle.count(mark) > middle.count(mark + " "):  # of few lines of prose
            cuts = [line.count(mark) - line.count(mark + " ") for line in seen.lines]
            usual = max(1, Counter(cuts).most_common(1)[0][0])
            best = max(best, sum(cut >= usual for cut in cuts))
    return best, len(seen.lines)


_COLUMNS = "No text; columns are read from files that end in " + " or ".join(
    f"{end} ({form.line_format})" for end, form in FORMS.items()
) + "."  # fmt: skip
_NATURAL = "Text in its natural case is needed: "
_LOOKS = (
    _Look("lines of a word and its labels", _COLUMNS, _count_columns, _MOST_LINES, 1, 5),
    _Look("beginnings of RTF", "Save it as plain text: its commands are learnt as words.",
          _lines_with(re.compile(r"\{\\rtf").match), 0, 1, 1),
    _Look("lines with commands of TeX", "Take the commands out: they are learnt as words.",
          _lines_with(_TEX.search), 0.05, 1, 5),
    _Look("lines with tags of HTML", "Save it as plain text: tags are learnt as words.",
          _lines_with(_MARKUP.search), 0.2, 1, 5),
    _Look("lines with times of subtitles", "Take numbers and times out, and join what they part: "
          "each line is learnt as a sentence.",
          _lines_with(re.compile(r" --> \d").search), 0.1, 1, 5),
    _Look("lines of a table", "Take out the column of text: all cells are learnt as one sentence.",
          _count_cells, _MOST_LINES, 1, 10),
    _Look("lines of one word", "Write a sentence on a line: each word is learnt as a sentence.",
          _lines_with(lambda line: " " not in line), _MOST_LINES, 1, 5),
    _Look("words that are not of letters", "It may be no prose, but a table, code or data.",
          lambda seen: (seen.odd, sum(map(sum, seen.cases))), 0.35, 1, 50),
    _Look("words with a capital", f"{_NATURAL}almost none has one.",
          _words_with(_CAPITALS), -1, 0.01, 100),
    _Look("words in Title Case within sentences", f"{_NATURAL}in headings any word has a capital.",
          _words_with([Tag.CAP], [1]), 0.5, 1, 100),
    _Look("words with a capital within sentences", f"{_NATURAL}names have none, only beginnings.",
          _words_with(_CAPITALS, [1]), -1, 0.001, 1_000),
)  # fmt: skip


def _find(seen):
    """Return the first look that a text has, as a list of one; an empty one if it has none."""
    for look in _LOOKS:
        n, of = look.tally(seen)
        if of >= look.least and look.low < n / of <= look.high:
            return [Finding(f"{look.what}, of {of:,}", n, (), look.advice)]
    return []


def find_format(text: str) -> list[Finding]:
    """Return what a file is, from its lines, if that is no plain text; an empty list if it is."""
    lines = filter(None, map(str.strip, text.split("\n")))
    return _find(_Seen(list(islice(lines, _LINES))))


def require_text(text: str, name: str) -> list[Finding]:
    """Return the findings of ``find_format``; InputError for columns of words with labels."""
    found = find_format(text)
    if found and found[0].advice == _COLUMNS:
        n, what, advice = found[0].n, found[0].what, _COLUMNS.rstrip(".")
        raise refusal("look", name, n=n, what=what, advice=advice)
    return found


def find_look(corpus: Corpus) -> list[Finding]:
    """Return what a corpus is if it is no prose in its natural case, else an empty list."""
    if corpus.task is not TaskName.CASE:
        return []
    counts = count_ids(corpus.form_ids, len(corpus.forms))
    return find_look_of(corpus.forms, counts, count_cases(corpus))


def find_look_of(forms: Sequence[str], counts: np.ndarray, cases: np.ndarray) -> list[Finding]:
    """Return ``find_look`` from how often each form occurs, int, shape (forms,), and its cases."""
    is_odd = [not (form.isalpha() or _PLAIN.fullmatch(form)) for form in forms]
    return _find(_Seen((), cases.tolist(), int(counts[is_odd].sum())))


def count_cases(corpus: Corpus) -> np.ndarray:
    """Return how many words begin a sentence, and how many do not, by tag, int, shape (2, K).

    Marks before it begin no sentence. I is left out: it has a capital where nothing else has.
    """
    counts = np.zeros((2, len(Tag)), int)
    for piece in corpus.stretches(_PIECE):
        at, last = piece.starts[:-1], piece.starts[1:] - 1
        while (goes_on := (piece.tags[at] == Tag.PNC) & (at < last)).any():
            at = at + goes_on
        is_i = piece.form_ids == (piece.forms.index("I") if "I" in piece.forms else -1)
        for row, tags, n_i in ((0, piece.tags[at], is_i[at].sum()), (1, piece.tags, is_i.sum())):
            counts[row] += np.bincount(tags, minlength=len(Tag))
            counts[row, Tag.CAP] -= n_i
    counts[1] -= counts[0]
    return counts


def doubt_size(text: Any) -> list[str]:
    """Return a line, in a list, that says that a text has too few words to learn from, if so."""
    few = f"{text.name}: {len(text):,} words are little to learn from; many thousands are usual"
    return [few] if len(text) < _LEAST_OF_TEXT else []
