"""The forms of a text, counted by part and merged into those of the whole.

Forms and words are numbered in the order of the text, as if it had been read in one place. Each
form is looked at once, by the worker that reads it: its word and its tag go with it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.text.corpus import Corpus


class CountedForms(NamedTuple):
    """The forms of a text in the order in which they first occur, and how often each does.

    Arrays have the shape (forms,); ``words`` are the vocabulary, as in ``Corpus``.
    """

    forms: list[str]
    counts: np.ndarray  # int64
    words: list[str]
    word_ids: np.ndarray  # int32: the place of each form's word
    tags: np.ndarray  # int8


def count_forms(corpus: Corpus) -> CountedForms:
    """Return the ``CountedForms`` of a part."""
    n = len(corpus.forms)
    word_ids, tags = np.zeros(n, np.int32), np.zeros(n, np.int8)
    word_ids[corpus.form_ids], tags[corpus.form_ids] = corpus.word_ids, corpus.tags
    counts = np.bincount(corpus.form_ids, minlength=n)
    return CountedForms(corpus.forms, counts, corpus.words, word_ids, tags)


def merge_forms(first: CountedForms, second: CountedForms) -> CountedForms:
    """Return the counts of two parts of a text, the first of which stands before the second."""
    forms, places = _number(first.forms, second.forms)
    words, word_places = _number(first.words, second.words)
    counts, word_ids = np.zeros(len(forms), np.int64), np.zeros(len(forms), np.int32)
    tags = np.zeros(len(forms), np.int8)
    n = len(first.forms)
    counts[:n], word_ids[:n], tags[:n] = first.counts, first.word_ids, first.tags
    counts[places] += second.counts
    word_ids[places], tags[places] = word_places[second.word_ids], second.tags
    return CountedForms(forms, counts, words, word_ids, tags)


def _number(first: Sequence[str], second: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Return the strings of two lists, each once, and where those of the second then stand."""
    numbers = {string: i for i, string in enumerate(first)}
    places = [numbers.setdefault(string, len(numbers)) for string in second]
    return list(numbers), np.array(places, np.int32)


def number_alike(corpus: Corpus, text: CountedForms) -> Corpus:
    """Return a part with words and forms numbered as in the whole text."""
    numbers = {form: i for i, form in enumerate(text.forms)}
    form_ids = np.array([numbers[form] for form in corpus.forms], np.int32)[corpus.form_ids]
    return replace(
        corpus, words=text.words, word_ids=text.word_ids[form_ids],
        forms=text.forms, form_ids=form_ids,
    )  # fmt: skip
