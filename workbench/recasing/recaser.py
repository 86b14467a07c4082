"""A recaser: one walk from a string, a stream or bytes to words, tags and written letters."""

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from workbench.recasing.allowed import Settled, Source, settle
from workbench.recasing.code_lines import START, Opened, follow
from workbench.recasing.compounds import find_compounds
from workbench.recasing.glossary import Glossary
from workbench.recasing.policies import (
    Policy,
    SentenceStart,
    begin_sentences,
    continue_sentences,
    find_line_starts,
    settle_breaks,
)
from workbench.recasing.spans import find_spans
from workbench.recasing.streams import cut_blocks
from workbench.text.casing import TAGS
from workbench.text.characters import LINE
from workbench.text.corpus import Corpus, CorpusBuilder
from workbench.text.errors import InputError
from workbench.text.layout import Layout, Located, locate
from workbench.text.tasks import TaskName

P_DIGITS = 6  # of a probability, where it is shown to a program
_MOST_FORMS = 1 << 16  # of words, kept from block to block


class Tagger(Protocol):
    """What is asked of a model.

    One with probabilities also has ``pack(corpus)``, which makes a corpus ready to be tagged
    more than once, and ``probabilities(packed, allowed)``, shape (N, K).
    """

    @property
    def task(self) -> TaskName:
        """What its tags are."""

    def tag(self, text: Any, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the tags of the words of a corpus, of those allowed, bool (N, K); int8, (N,)."""

    def form(self, word: str, tag: int) -> str:
        """Return a wiped word in the case of a tag."""


class Recaser:
    """A model that restores the case of texts; nothing but letter case changes.

    URLs, addresses, handles, paths, markup, entities and code pass untouched, see ``spans``.
    A line comes out the same whatever stands around it, unless it is one of a block of code or the
    layout is wrapped.

    Parameters
    ----------
    model : Tagger
        A model of case; InputError if its tags are others.
    layout : {"auto", "tokenized", "running", "wrapped"}
        See ``Layout``.
    hashtags : bool
        Recase hashtags, too, as words.
    policy : {"lower", "caps", "title", "trust"}
        Which case of the text is evidence, and stays; see ``Policy``.
    sentence_start : {"model", "capital", "inside"}
        The case of the first word of a sentence; see ``SentenceStart``.
    threshold : float, optional
        Words whose tag is less probable stay as they came; 0 to 1.
    glossary : Glossary or iterable of str, optional
        Words and phrases whose letters are given.

    >>> from workbench import Recaser, load_model
    >>> recaser = Recaser(load_model("any.model"))  # doctest: +SKIP
    >>> recaser.recase("hello from new york")  # doctest: +SKIP
    'Hello from New York'
    """

    def __init__(
        self, model: Tagger, *, layout: str = Layout.AUTO, hashtags: bool = False,
        policy: str = Policy.LOWER, sentence_start: str = SentenceStart.MODEL,
        threshold: float | None = None, glossary: Glossary | Iterable[str] = (),
    ) -> None:  # fmt: skip
        if model.task is not TaskName.CASE:
            raise InputError(f"a model of {model.task} has no case to restore")
        self._model, self._hashtags = model, hashtags
        self.layout = _choose(Layout, layout, "layout")
        self._policy = _choose(Policy, policy, "policy")
        self._sentence_start = _choose(SentenceStart, sentence_start, "sentence start")
        self._glossary = glossary if isinstance(glossary, Glossary) else Glossary(glossary)
        self.threshold = self._check_threshold(threshold)

    @cached_property
    def _form(self):
        write, model = self._glossary.write_parts, self._model
        return lru_cache(_MOST_FORMS)(lambda word, tag: write(model.form(word, tag)))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_form"}

    def _check_threshold(self, threshold):
        if threshold is None:
            return None
        self.require_probabilities("threshold")
        if not 0 <= threshold <= 1:
            raise InputError(f"threshold {threshold}: a probability, 0 to 1, is allowed")
        return threshold

    def require_probabilities(self, what: str) -> None:
        """Raise InputError if the model, such as a 1gram, says nothing about how sure it is."""
        if not hasattr(self._model, "probabilities"):
            kind = getattr(self._model, "kind", "this kind")
            raise InputError(f"{what}: a model of kind {kind} has no probabilities")

    # --- texts and streams ----------------------------------------------------------------

    def recase(self, text: str) -> str:
        """Return a text with its case restored."""
        return "".join(self.stream([text]))

    def stream(self, chunks: Iterable[str], unbuffered: bool = False) -> Iterator[str]:
        """Yield the text of some chunks with its case restored, in blocks of whole lines.

        The chunks may be lines, or cut anywhere: what comes out, joined, is the same. With
        ``unbuffered`` a line is answered before the next chunk is asked for.
        """
        for block, opened in self.blocks(chunks, unbuffered):
            yield self.recase_block(block, opened=opened).text

    def lines(self, chunks: Iterable[str], unbuffered: bool = False) -> Iterator["RecasedLine"]:
        """Yield the lines of some chunks with their words, and how sure the model is of each.

        A line of more than ``LONGEST_LINE`` characters comes in several.
        """
        for block, opened in self.blocks(chunks, unbuffered):
            yield from split_lines(self.recase_block(block, with_p=True, opened=opened))

    def blocks(
        self, chunks: Iterable[str], unbuffered: bool = False, opened: Opened = START
    ) -> Iterator[tuple[str, Opened]]:
        """Yield blocks of text for ``recase_block``, each with the state before it."""
        wrapped = self.layout is Layout.WRAPPED
        if wrapped and unbuffered:
            raise InputError("unbuffered: not with layout wrapped, whose sentences cross lines")
        return follow(cut_blocks(chunks, wrapped, unbuffered), opened)

    # --- one block ------------------------------------------------------------------------

    def recase_block(self, block: str, with_p: bool = False, opened: Opened = START) -> "Recased":
        """Return one of the ``blocks`` of a text with its case restored.

        ``opened`` is the state that came with it. Its words have their probabilities where these
        are asked for, or a threshold is set.
        """
        spans = find_spans(block, not self._hashtags, opened)
        located = locate(block, self.layout)
        if not located.words:
            nothing = np.empty(0)
            return Recased(block, block, located.places, nothing.astype(np.uint8), nothing)
        builder = CorpusBuilder()
        builder.add(located.words, located.lengths)
        corpus = builder.build("text", gold=self._policy is not Policy.LOWER)
        corpus = settle_breaks(self._model, corpus, located.doubtful)
        settled = settle(
            corpus, block, located.places, spans, self._glossary, self._policy,
            self._sentence_start, crosses_lines=self.layout is Layout.WRAPPED,
        )  # fmt: skip
        tags, p = self._tag(corpus, settled.allowed, located, with_p or self.threshold is not None)
        sources = settled.sources
        p[sources != Source.MODEL] = np.nan
        if self.threshold is not None:
            sources[p < self.threshold] = Source.UNSURE
        text = _lay_out(block, located, self._spell(corpus, tags, settled))
        return Recased(block, text, located.places, sources, p, settled.n_matches)

    def _tag(self, corpus, allowed, located, with_p):
        """Return the tags of words, and the probability of each; nan if not asked for."""
        own: Any = slice(None)
        if self._sentence_start is SentenceStart.INSIDE:
            breaks = 2 if self.layout is Layout.WRAPPED else 1
            begin = find_line_starts(located.view.text, located.in_view, corpus.starts, breaks)
            corpus, own, allowed = continue_sentences(corpus, begin, allowed)
        if not with_p or not hasattr(self._model, "probabilities"):
            tags = self._model.tag(corpus, allowed)[own]
            return tags, np.full(len(tags), np.nan)
        model: Any = self._model
        packed = model.pack(corpus)
        tags = model.tag(packed, allowed)
        p = model.probabilities(packed, allowed)[np.arange(len(tags)), tags]
        return tags[own], p[own]

    def _spell(self, corpus: Corpus, tags: np.ndarray, settled: Settled) -> dict[int, str]:
        """Return the new forms of words whose case may change, by the words' places."""
        new = self._find_changed(corpus, tags)
        for place, form in find_compounds(self._model, corpus, tags).items():
            new[place] = self._glossary.write_parts(form)
        if self._sentence_start is SentenceStart.CAPITAL:
            new |= begin_sentences(corpus, new)
        if settled.sources.any():
            by_model = (settled.sources == Source.MODEL).tolist()
            new = {place: form for place, form in new.items() if by_model[place]}
            for match in settled.matches:
                new |= dict(enumerate(match.words, match.start))
        return new

    def _find_changed(self, corpus: Corpus, tags: np.ndarray) -> dict[int, str]:
        """Return the new forms of the words that tags, shape (N,), change, by their places."""
        cells = corpus.form_ids.astype(np.int64) * len(TAGS) + tags
        occurs = np.zeros(len(corpus.forms) * len(TAGS), bool)
        occurs[cells] = True
        new = np.full(len(occurs), None)
        word_of_form = np.empty(len(corpus.forms), np.int64)
        word_of_form[corpus.form_ids] = corpus.word_ids
        for cell in np.flatnonzero(occurs).tolist():
            form, tag = divmod(cell, len(TAGS))
            recased = self._form(corpus.words[word_of_form[form]], tag)
            if recased != corpus.forms[form]:
                new[cell] = recased
        occurs = new != None  # noqa: E711
        changed = np.flatnonzero(occurs[cells])
        return dict(zip(changed.tolist(), new[cells[changed]].tolist(), strict=True))


def _choose(choices, name, what):
    """Return the choice of a name; InputError if there is none."""
    if name not in list(choices):
        raise InputError(f"{what} {name!r}: allowed are {', '.join(choices)}")
    return choices(name)


def _lay_out(text: str, located: Located, new: dict[int, str]) -> str:
    """Return a text with new forms of some of its words, by the words' places."""
    places = np.array(sorted(new), np.int64)
    forms, recased, done = [new[place] for place in places.tolist()], list[str](), 0
    if located.view.text != text:
        forms = located.lay_back(text, places, forms)
    for form, (start, end) in zip(forms, located.places[places].tolist(), strict=True):
        recased += [text[done:start], form]
        done = end
    return "".join(recased) + text[done:]


# --- what comes out -----------------------------------------------------------------------


class Recased(NamedTuple):
    """A block of text with its case restored, and what became of each of its words.

    ``p`` is the probability of the tag that each word was given, shape (N,); nan where the model
    gives none. Of a word left as it came, where the tag was too improbable, it is that of the tag
    it would have had.
    """

    original: str
    text: str
    places: np.ndarray  # start and end of each word in the text; int64, shape (N, 2)
    sources: np.ndarray  # a ``Source`` of each word; uint8, shape (N,)
    p: np.ndarray
    n_matches: int = 0  # forms of the glossary, phrases counted once


class RecasedWord(NamedTuple):
    """One word of a line."""

    start: int  # characters from the line's start
    end: int
    before: str
    after: str
    p: float | None
    source: Source

    def to_json(self) -> dict[str, Any]:
        """Return the word as an object of JSON; its source is named unless it is the model."""
        values = {
            "start": self.start, "end": self.end, "from": self.before, "to": self.after,
            "p": self.p,
        }  # fmt: skip
        return values | ({self.source.name.lower(): True} if self.source else {})


class RecasedLine(NamedTuple):
    """One line of a text, without its end, and its words."""

    text: str
    words: list[RecasedWord]

    def to_json(self) -> dict[str, Any]:
        """Return the line as an object of JSON."""
        return {"text": self.text, "words": [word.to_json() for word in self.words]}


def split_lines(block: Recased) -> Iterator[RecasedLine]:
    """Yield the lines of a block; a line ends with a line feed, a carriage return or both."""
    words, start = words_of(block), 0
    word = next(words, None)
    for line in LINE.finditer(block.text):
        own = []
        while word and word.start < line.end():
            own.append(word._replace(start=word.start - start, end=word.end - start))
            word = next(words, None)
        yield RecasedLine(line.group().rstrip("\r\n"), own)
        start = line.end()


def words_of(block: Recased, first: int = 0) -> Iterator[RecasedWord]:
    """Yield the words of a block, counted from its start, where characters are from ``first``."""
    columns = (block.places.tolist(), block.p.round(P_DIGITS).tolist(), block.sources.tolist())
    for (start, end), p, source in zip(*columns, strict=True):
        yield RecasedWord(
            first + start, first + end, block.original[start:end], block.text[start:end],
            p if p == p else None, Source(source),
        )  # fmt: skip
