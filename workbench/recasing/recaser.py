"""A recaser: a model and how text is to be read and written; for strings, streams and bytes."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from workbench.recasing.blocks import cut_blocks
from workbench.recasing.lines import Layout, locate
from workbench.recasing.spans import Span, blank_markup, find_spans, restore
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus, CorpusBuilder
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName

_MOST_FORMS = 1 << 16  # of words, kept from block to block
_MARK = "\ufeff"  # byte order mark: no part of the first word


class Tagger(Protocol):
    """What is asked of a model."""

    @property
    def task(self) -> TaskName:
        """What its tags are."""

    def tag(self, text: Any) -> np.ndarray:
        """Return the tags of the words of a corpus; int8, shape (N,)."""

    def form(self, word: str, tag: int) -> str:
        """Return a wiped word in the case of a tag."""


class Recaser:
    """A model that restores the case of texts; nothing but letter case changes.

    URLs, addresses, handles, paths, markup, entities and code pass untouched, see ``spans``.
    A line comes out the same whatever stands around it, unless the layout is wrapped.

    Parameters
    ----------
    model : Tagger
        A model of case; InputError if its tags are others.
    layout : {"auto", "tokenized", "running", "wrapped"}
        See ``Layout``.
    hashtags : bool
        Recase hashtags, too, as words.

    >>> from workbench import Recaser, load_model
    >>> recaser = Recaser(load_model("any.model"))  # doctest: +SKIP
    >>> recaser.recase("hello from new york")  # doctest: +SKIP
    'Hello from New York'
    """

    def __init__(self, model: Tagger, *, layout: str = Layout.AUTO, hashtags: bool = False) -> None:
        if model.task is not TaskName.CASE:
            raise InputError(f"a model of {model.task} has no case to restore")
        if layout not in list(Layout):
            raise InputError(f"layout {layout!r}: allowed are {', '.join(Layout)}")
        self._model, self.layout, self._hashtags = model, Layout(layout), hashtags
        self._form = lru_cache(_MOST_FORMS)(model.form)

    def recase(self, text: str) -> str:
        """Return a text with its case restored."""
        return "".join(self.stream([text]))

    def stream(self, chunks: Iterable[str], unbuffered: bool = False) -> Iterator[str]:
        """Yield the text of some chunks with its case restored, in blocks of whole lines.

        The chunks may be lines, or cut anywhere: what comes out, joined, is the same. With
        ``unbuffered`` a line is answered before the next chunk is asked for.
        """
        for block in self.blocks(chunks, unbuffered):
            yield self.recase_block(block)

    def blocks(self, chunks: Iterable[str], unbuffered: bool = False) -> Iterator[str]:
        """Yield the text of some chunks in the blocks that ``recase_block`` takes."""
        wrapped = self.layout is Layout.WRAPPED
        if wrapped and unbuffered:
            raise InputError("unbuffered: not with layout wrapped, whose sentences cross lines")
        return cut_blocks(chunks, wrapped, unbuffered)

    def recase_block(self, block: str) -> str:
        """Return one of the ``blocks`` of a text with its case restored."""
        mark = _MARK if block.startswith(_MARK) else ""
        text = block.removeprefix(mark)
        spans = find_spans(text, hashtags=not self._hashtags)
        return mark + restore(self._recase_words(text, spans), text, spans)

    def _recase_words(self, text: str, spans: list[Span]) -> str:
        words, places, lengths = locate(blank_markup(text, spans), self.layout)
        if not words:
            return text
        builder = CorpusBuilder()
        builder.add(words, lengths)
        corpus = builder.build("text", gold=False)
        changed, forms = self._find_changed(corpus, self._model.tag(corpus))
        recased, done = [], 0
        for form, (start, end) in zip(forms, places[changed].tolist(), strict=True):
            recased += [text[done:start], form]
            done = end
        return "".join(recased) + text[done:]

    def _find_changed(self, corpus: Corpus, tags: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """Return the places of the words that tags, shape (N,), change, and their new forms."""
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
        return changed, new[cells[changed]].tolist()
