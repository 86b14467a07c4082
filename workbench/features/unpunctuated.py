"""Text without punctuation and sentence ends, as speech recognisers give it.

A model learns from it beside the text itself (``learn_twice``), and is measured on it
(``split_unpunctuated``). What is taken for such text is a sentence of more than fifty words,
none of them punctuation: a shorter one, as a headline or a caption, may well end where it ends.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.text.casing import Tag, tag_of
from workbench.text.corpus import BEGINS, BOUNDARY, Column, Corpus, join
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName

_LONGEST = 50  # words of a single sentence without punctuation
_RUN = 20  # sentences, some 400 words, that become one


def is_punctuation(word: str) -> bool:
    """Return whether a word is punctuation: it has no letter and no digit, or is its name."""
    return tag_of(word) == Tag.PNC


def is_unpunctuated(words: Sequence[str]) -> bool:
    """Return whether a sentence is text without punctuation and sentence ends."""
    return len(words) > _LONGEST and not any(map(is_punctuation, words))


def find_unpunctuated(corpus: Corpus) -> np.ndarray:
    """Return which words are in sentences that ``is_unpunctuated``; bool, shape (N,)."""
    ids = corpus.sentence_ids
    n_marks = np.bincount(ids[_find_punctuation(corpus)], minlength=corpus.n_sentences)
    return ((n_marks == 0) & (np.diff(corpus.starts) > _LONGEST))[ids]


def _find_punctuation(corpus):
    of_word = np.fromiter(map(is_punctuation, corpus.words), bool, len(corpus.words))
    return of_word[corpus.word_ids]


def check_share(share: Any) -> float:
    """Return a share of a text as float; InputError unless it is a number from 0 to 1."""
    try:
        number = math.nan if isinstance(share, bool) else float(share)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise InputError(f"drop boundaries {share}: a share from 0 to 1 is allowed")
    return number


def learn_twice(corpus: Corpus, share: float) -> Corpus:
    """Return a corpus and, after it, a share of it once more without punctuation and boundaries.

    Runs of twenty sentences become one sentence each. Which runs are drawn depends on their
    number alone, so the same text always gives the same corpus. InputError unless tags are case.
    """
    if not share:
        return corpus
    runs = np.arange(corpus.n_sentences) // _RUN
    is_drawn = np.random.default_rng(0).random(runs[-1] + 1) < share
    again = corpus.take(np.flatnonzero(is_drawn[runs]))
    ends = np.append(np.flatnonzero(np.diff(runs[is_drawn[runs]])) + 1, again.n_sentences)
    return join(corpus, _unpunctuate(again, again.starts[np.append(0, ends)]))


def split_unpunctuated(corpus: Corpus, n_words: int) -> Corpus:
    """Return a corpus without punctuation, cut every ``n_words`` words; 0 keeps its sentences.

    Its column ``BEGINS`` marks the first words of the sentences that it had. InputError unless
    tags are case, or if all is punctuation.
    """
    if n_words < 0:
        raise InputError(f"unpunctuated {n_words}: a number of words, 0 or more, is allowed")
    whole = _unpunctuate(corpus, corpus.starts)
    if not len(whole):
        raise InputError(f"{corpus.name}: nothing but punctuation")
    begins = Column([BOUNDARY, "no", "yes"], np.where(whole.is_initial, 2, 1).astype(np.int32))
    cuts = np.append(np.arange(0, len(whole), n_words), len(whole)) if n_words else whole.starts
    return replace(whole, starts=cuts, columns={**whole.columns, BEGINS: begins})


def _unpunctuate(corpus, starts):
    """Return a corpus without punctuation whose sentences start at these places of it."""
    if corpus.task is not TaskName.CASE:
        raise InputError(f"{corpus.name}: {corpus.task} without punctuation are not learnt")
    return replace(corpus, starts=starts).keep_words(~_find_punctuation(corpus))
