"""What the case of a text that comes in is worth as evidence; where sentences start.

A policy says which words keep their case; the model gives all others theirs, and knows the tags
of those that keep it. Evidence is judged sentence by sentence.

Whether a sentence ends after an exclamation or a question in quotes, punctuation alone does not
show: ``"Stop!" cried the guard.`` is one sentence, ``"Stop!" He ran.`` is two. So both readings are
tagged, and the more probable one is taken. After an abbreviation, as in ``in the U.S. he``, this
does not help: the right reading is not more probable than the wrong one, and nine times of ten the
sentence goes on, so that none is taken to end (docs/reading.md).
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from workbench.text.casing import Tag, guess_mixed, raise_case, tag_of, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.written_forms import begin_sentence

_FEW_LOWER = 0.1  # share of a sentence's letters; with fewer it is in capitals
_MOST_CAPITALIZED = 0.9  # share of a headline's words, but for small ones
_LEAST_WORDS = 4  # of a headline: shorter ones are names
_SMALL = frozenset("a an and as at but by for from in is nor of on or the to vs with".split())
_INNER = re.compile(r"(?<=[^\W\d_])\.?([^\W\d_])")  # NumPy, U.S. but not Long-Term, O'Neill
_CONTEXT = ["it", "said", ","]  # after it a word stands within a sentence
_MARGIN = 0.02  # nats by which one sentence must be more probable than two


class Policy(StrEnum):
    """How much of the case of a text is believed."""

    LOWER = "lower"  # nothing
    CAPS = "caps"  # what is in capitals, as McDONALD is, is repaired; other words stay
    TITLE = "title"  # capitals within words: NumPy, NATO; none at the start of a word
    TRUST = "trust"  # capitals, unless the sentence is in capitals or a headline


class SentenceStart(StrEnum):
    """What case the first word of a sentence has."""

    MODEL = "model"  # what the model says
    CAPITAL = "capital"  # a capital, always
    INSIDE = "inside"  # a line begins within a sentence, so its first word is like any other


class Judged(NamedTuple):
    """What the case of words as they came says; bool, shape (N,)."""

    kept: np.ndarray  # their case stays
    weak: np.ndarray  # they have a capital for certain, perhaps more: Nasa said
    shouted: np.ndarray  # they are names in mixed case, but for the capitals at the end: McDONALD


def judge(corpus: Corpus, policy: Policy, counted: np.ndarray) -> Judged:
    """Return which words of a corpus have a case that is evidence.

    Its tags are those of its words as written, unless the policy is lower. ``counted``, bool,
    shape (N,), are the words by which a sentence is judged.
    """
    none = np.zeros(len(corpus), bool)
    if policy is Policy.LOWER:
        return Judged(none, none, none)

    def of_sentence(of_form):
        """Return the sum over a word's sentence of what each form counts; shape (N,)."""
        values = np.fromiter(of_form, np.int64)[corpus.form_ids] * counted
        return np.bincount(corpus.sentence_ids, values, corpus.n_sentences)[corpus.sentence_ids]

    n_lower, n_upper = (
        of_sentence(sum(map(test, form)) for form in corpus.forms)
        for test in (str.islower, str.isupper)
    )
    cased = n_lower >= _FEW_LOWER * (n_lower + n_upper)
    if policy is Policy.CAPS:
        shouted = _find(_is_shouted, corpus)
        return Judged(_find(_has_lower, corpus) & cased & ~shouted, none, shouted)
    inner = _find(_has_inner_capital, corpus) & cased
    if policy is Policy.TITLE:
        return Judged(inner, none, none)
    n, n_capitals = map(of_sentence, zip(*map(_count_headline, corpus.forms), strict=True))
    is_headline = (n >= _LEAST_WORDS) & (n_capitals >= _MOST_CAPITALIZED * n)
    natural, first = cased & ~is_headline, find_first_words(corpus)
    has_capital = natural & (corpus.tags == Tag.CAP)
    has_more = natural & np.isin(corpus.tags, (Tag.MXC, Tag.AUC))
    return Judged(inner | has_more | has_capital & ~first, has_capital & first, none)


def _find(test, corpus):
    """Return which words pass a test of how they are written; bool, shape (N,)."""
    return np.fromiter(map(test, corpus.forms), bool)[corpus.form_ids]


def _has_lower(form):
    return any(map(str.islower, form))


def _is_shouted(form):
    """Return whether a form is a name in mixed case whose end is in capitals: McDONALD."""
    if form.isupper() or form.islower() or not form.isalpha():
        return False
    guess = guess_mixed(wipe_case(form))
    inner = max((i for i, letter in enumerate(guess) if i and letter.isupper()), default=0)
    return inner > 0 and form != guess and form == guess[:inner] + raise_case(guess[inner:])


def _has_inner_capital(form):
    return any(mark.group(1).isupper() for mark in _INNER.finditer(form))


def _count_headline(form):
    """Return whether a form counts where a headline is looked for, and has a capital there."""
    if form.lower() in _SMALL or form.upper() == form.lower():
        return False, False
    first = next(letter for letter in form if letter.upper() != letter.lower())
    return True, first.isupper() or first.istitle()


def find_first_words(corpus: Corpus) -> np.ndarray:
    """Return which words are the first of their sentence that is no mark; bool, shape (N,)."""
    is_word = np.array([tag_of(word) != Tag.PNC for word in corpus.words])[corpus.word_ids]
    places = np.flatnonzero(is_word)
    first = np.zeros(len(corpus), bool)
    first[places[np.unique(corpus.sentence_ids[places], return_index=True)[1]]] = True
    return first


def begin_sentences(corpus: Corpus, new: Mapping[int, str]) -> dict[int, str]:
    """Return the first word of each sentence, by its place, with a capital: Non-European.

    ``new`` are the forms of words whose case changes, by place; others are as they were.
    """
    places = np.flatnonzero(find_first_words(corpus)).tolist()
    return {place: begin_sentence(new.get(place) or corpus.form_at(place)) for place in places}


def find_line_starts(
    text: str, places: np.ndarray, starts: np.ndarray, breaks: int
) -> np.ndarray:  # fmt: skip
    """Return which sentences begin a line, or with two breaks a paragraph; int64.

    ``places`` are the starts and ends of the words of a text, ``starts`` those of its ``Corpus``.
    """
    ends = places[starts[1:-1] - 1, 1].tolist()
    gaps = zip(ends, places[starts[1:-1], 0].tolist(), strict=True)
    begin = [text.count("\n", end, start) >= breaks for end, start in gaps]
    return np.flatnonzero([True, *begin])


def continue_sentences(
    corpus: Corpus, sentences: np.ndarray, allowed: np.ndarray | None
) -> tuple[Corpus, np.ndarray, np.ndarray | None]:
    """Return a corpus some of whose sentences, by their places, go on after ``it said ,``.

    So a model sees that their first word begins nothing. With it come which of its words are
    those of the corpus, bool, and the tags that they are allowed.
    """
    at, lengths = np.repeat(corpus.starts[:-1][sentences], len(_CONTEXT)), np.diff(corpus.starts)
    lengths[sentences] += len(_CONTEXT)
    new = np.tile(np.arange(len(_CONTEXT)), len(sentences))
    more = replace(
        corpus,
        words=[*corpus.words, *_CONTEXT], forms=[*corpus.forms, *_CONTEXT],
        word_ids=np.insert(corpus.word_ids, at, len(corpus.words) + new),
        form_ids=np.insert(corpus.form_ids, at, len(corpus.forms) + new),
        tags=np.insert(corpus.tags, at, Tag.LOC),
        starts=np.concatenate(([0], np.cumsum(lengths))),
    )  # fmt: skip
    own = np.insert(np.ones(len(corpus), bool), at, False)
    return more, own, None if allowed is None else np.insert(allowed, at, True, axis=0)


def settle_breaks(model: Any, corpus: Corpus, doubtful: list[int]) -> Corpus:
    """Return a corpus with doubtful sentences joined to the one before, if that is more probable.

    ``doubtful`` are the places of these sentences. The probability of a reading is that of its
    best tags, word by word. A model without probabilities, such as a 1gram, joins none.
    """
    if not doubtful or not hasattr(model, "probabilities"):
        return corpus
    second = np.array(doubtful)
    n, pairs = len(second), np.stack((second - 1, second), axis=1).ravel()
    both = corpus.take(np.concatenate((pairs, pairs))).compact()  # apart, and then together
    both = replace(both, starts=np.delete(both.starts, np.arange(2 * n + 1, 4 * n, 2)))
    surest = np.log(model.probabilities(both).max(axis=1))
    apart, together = np.split(np.add.reduceat(surest, both.starts[:-1]), [2 * n])
    goes_on = together - apart.reshape(n, 2).sum(axis=1) > _MARGIN
    return replace(corpus, starts=np.delete(corpus.starts, second[goes_on]))
