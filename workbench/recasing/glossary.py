"""A glossary: forms whose letters are given, single words and phrases."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from workbench.recasing.spans import Span
from workbench.text.canonical import view
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.readers import read_text
from workbench.text.tokens import find_words

MOST_FORMS = 1_000_000
MOST_WORDS = 50  # of a phrase


class Match(NamedTuple):
    """Where a form stands: words from ``start`` up to ``start`` + the number of its words."""

    start: int
    words: tuple[str, ...]

    @property
    def end(self) -> int:
        """The place after its last word."""
        return self.start + len(self.words)


class Glossary:
    """Forms that words have wherever they stand, in any case; the longest that matches counts.

    A form of one word is that of the parts of a compound, too: ZorBlax of zorblax-based.

    Parameters
    ----------
    forms : iterable of str
        A word or a phrase each, in its letters; empty ones are left out.
    name : str
        What an InputError calls it.

    >>> len(Glossary(["iPhone", "New York", "New York Times"]))
    3
    """

    def __init__(self, forms: Iterable[str], name: str = "glossary") -> None:
        self._by_first = dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]()
        self._of_part = dict[str, str]()
        lines = dict[str, tuple[int, str]]()
        for number, form in enumerate(map(str.strip, forms), 1):
            if not form:
                continue
            where = f"{name}, line {number:,}"
            first, other = lines.setdefault(wipe_case(form), (number, form))
            if other != form:
                raise InputError(f"{where}: {form!r} has other letters in line {first:,}")
            if first == number:
                self._add(form, where)
            if len(lines) > MOST_FORMS:
                raise InputError(f"{where}: a form too many; {MOST_FORMS:,} are allowed")
        for several in self._by_first.values():
            several.sort(key=lambda entry: -len(entry[0]))
        self._n = len(lines)

    def _add(self, form, where):
        """Add a form as it stands in running text and, if that differs, in tokenized text."""
        if form == form.lower() == form.upper():
            raise InputError(f"{where}: {form!r} has no letter that a capital could be of")
        if bad := next((c for c in form if not c.isprintable() and not c.isspace()), None):
            raise InputError(f"{where}: a control character, {bad!r}; a form a line is needed")
        form = view(form).text
        running = tuple(form[start:end] for start, end in find_words(form))
        for words in {running, tuple(form.split())}:
            if len(words) > MOST_WORDS:
                raise InputError(f"{where}: {len(words)} words; {MOST_WORDS} are allowed")
            wiped = tuple(map(wipe_case, words))
            self._by_first.setdefault(wiped[0], []).append((wiped, words))
        if len(running) == 1:
            self._of_part[wiped[0]] = form

    def __len__(self) -> int:
        return self._n

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Return the glossary of a file of UTF-8 text with a form a line."""
        return cls(read_text(path).split("\n"), str(path))

    def find(self, corpus: Corpus) -> Iterator[Match]:
        """Yield the matches in a corpus, in order, none in another."""
        begins = np.fromiter((word in self._by_first for word in corpus.words), bool)
        done = 0
        for start in np.flatnonzero(begins[corpus.word_ids]).tolist():
            if start >= done and (words := self._match(corpus, start)):
                yield Match(start, words)
                done = start + len(words)

    def find_parts(self, corpus: Corpus) -> np.ndarray:
        """Return the places of compounds with a part that is in the glossary; int64."""
        if not self._of_part:
            return np.zeros(0, np.int64)
        parts = (word.split("-") for word in corpus.words)
        has = [len(own) > 1 and not self._of_part.keys().isdisjoint(own) for own in parts]
        return np.flatnonzero(np.array(has)[corpus.word_ids])

    def write_parts(self, form: str) -> str:
        """Return a compound with those of its parts that are in the glossary written as there."""
        if "-" not in form or not self._of_part:
            return form
        return "-".join(self._of_part.get(wipe_case(part), part) for part in form.split("-"))

    def _match(self, corpus, start):
        """Return the words of the longest form that begins at a word, or None."""
        forms = self._by_first[corpus.words[corpus.word_ids[start]]]
        ids = corpus.word_ids[start : start + len(forms[0][0])].tolist()
        following = tuple(corpus.words[i] for i in ids)
        for wiped, words in forms:
            if following[: len(wiped)] == wiped:
                return words
        return None


def find_matches(
    glossary: Glossary, corpus: Corpus, text: str, places: np.ndarray, spans: list[Span],
    crosses_lines: bool,
) -> tuple[list[Match], list[Span]]:  # fmt: skip
    """Return the matches of a glossary in a text, and the spans that are no part of a match.

    ``places`` are the starts and ends of its words. What is a part of a span, as a word in
    quoted code is, is no match, and unless ``crosses_lines`` neither is a phrase broken by a
    line's end.
    """
    ends, matches, matched = [span.end for span in spans], list[Match](), set[int]()
    for match in glossary.find(corpus):
        start, end = int(places[match.start, 0]), int(places[match.end - 1, 1])
        touched = bisect_right(ends, start)
        beyond = touched
        while beyond < len(spans) and spans[beyond].start < end:
            beyond += 1
        own = range(touched, beyond)
        is_whole = all(start <= spans[i].start and spans[i].end <= end for i in own)
        if is_whole and (crosses_lines or "\n" not in text[start:end]):
            matches.append(match)
            matched.update(own)
    return matches, [span for i, span in enumerate(spans) if i not in matched]
