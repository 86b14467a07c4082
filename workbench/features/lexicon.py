"""How a text writes each of its words, as columns that templates read: the casing of words.

A model learns it from the text that it is trained on, and keeps it when it is adapted. A column
has one value a word, so that a template can read that of a neighbour, or of two words together:
two words that the background knows as capitals are likely a name, whichever they are.

In training a word's own occurrence must not be counted, or all words would seem better known than
those of new text. The text is cut into ten folds, and what is said of the words of one comes from
the nine others: a name that one story alone has is unseen there, as the names of new text are.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat

import numpy as np

from workbench.features.templates import CASING, CASING_RATE, Template
from workbench.text.casing import TAGS, Tag, is_cased, tag_of
from workbench.text.corpus import BOUNDARY, Column, Corpus
from workbench.text.tasks import TaskName

UNSEEN = "unseen"  # the value of a cased word that the text does not have
_N_FOLDS = 10
_COLUMNS = (CASING, CASING_RATE)
_INITIAL = len(TAGS)  # the column of occurrences at the start of a sentence
_RARE = 2  # occurrences or fewer say little
_KINDS = (BOUNDARY, "mark", "number", UNSEEN, "initial")  # values of words without a rate
_LEVELS = ("often", "mostly", "always", "rare")  # how often a word has its most frequent tag:
_LEVELS_FROM = (0.8, 0.98)  # the shares from which the second and the third are said
_SHARES = (0.65, 0.85, 0.97, 0.995)  # in more detail
_TIMES = (_RARE + 1, 10, 100)
_N_RATES = (len(_SHARES) + 1) * (len(_TIMES) + 1)
_NOT_ASKED = np.uint8(255)  # in place of the code of a word that no text has had yet
_LEVEL_NAMES = (*_KINDS, *(f"{tag} {level}" for tag in TAGS for level in _LEVELS))
_RATE_NAMES = (
    *_KINDS,
    *(
        f"{tag} {100 * share:g}%+ {times}+"
        for tag in TAGS for share in (0, *_SHARES) for times in (1, *_TIMES)
    ),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Lexicon:
    """How often a text writes each word in which case.

    Attributes
    ----------
    words : list of str
        In uniform case.
    counts : ndarray of int32, shape (words, K + 1)
        Occurrences with each tag of case inside sentences; in the last column those, of any
        tag, that begin a sentence, where a capital says nothing.
    text : str
        The fingerprint of the corpus.
    """

    words: list[str]
    counts: np.ndarray
    text: str
    N_COUNTS = len(TAGS) + 1  # of a word

    @classmethod
    def learn(cls, corpus: Corpus) -> "Lexicon":
        """Return the lexicon of a corpus whose tags are case."""
        counts = _count(corpus, np.ones(len(corpus), bool))
        seen = np.flatnonzero(counts.any(axis=1))
        return cls([corpus.words[i] for i in seen.tolist()], counts[seen], corpus.fingerprint)

    @cached_property
    def _places(self):
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def _codes(self):
        return np.full((2, len(self.words)), _NOT_ASKED)  # of each word in both columns

    def describe(self, corpus: Corpus) -> Corpus:
        """Return a corpus with the columns that say how the lexicon's text writes its words."""
        found = map(self._places.get, corpus.words, repeat(-1))
        places = np.fromiter(found, np.int64, len(corpus.words))
        new = places[(places >= 0) & (self._codes[1, places] == _NOT_ASKED)]
        self._codes[:, new] = _classify(self.counts[new], _kinds([self.words[i] for i in new]))
        unknown, codes = np.flatnonzero(places < 0), self._codes[:, places]
        codes[:, unknown] = _kinds([corpus.words[i] for i in unknown.tolist()])
        return _add_columns(corpus, *(own[corpus.word_ids] for own in codes))


def reads_lexicon(templates: Iterable[Template]) -> bool:
    """Return whether some of the templates read a column that a lexicon makes."""
    offsets = (offset for template in templates for offset in template.offsets)
    return any(not isinstance(offset, int) and offset[0] in _COLUMNS for offset in offsets)


def find_lexicon(corpus: Corpus, templates: Iterable[Template]) -> Lexicon | None:
    """Return the lexicon of a corpus that is cased if some of the templates read one."""
    is_case = corpus.task is TaskName.CASE
    return Lexicon.learn(corpus) if is_case and reads_lexicon(templates) else None


def describe_by_folds(corpus: Corpus) -> Corpus:
    """Return a training corpus with lexicon columns, those of each fold from the other folds."""
    all_counts, kinds = _count(corpus, np.ones(len(corpus), bool)), _kinds(corpus.words)
    codes = np.empty((2, len(corpus)), np.uint8)
    fold_of = np.arange(len(corpus)) * _N_FOLDS // len(corpus)
    for fold in range(_N_FOLDS):
        own = fold_of == fold
        levels, rates = _classify(all_counts - _count(corpus, own), kinds)
        ids = corpus.word_ids[own]
        codes[0, own], codes[1, own] = levels[ids], rates[ids]
    return _add_columns(corpus, *codes)


def _count(corpus, chosen):
    """Return the counts of a lexicon for each word of the vocabulary, over the chosen tokens."""
    classes = np.where(corpus.is_initial, _INITIAL, corpus.tags)[chosen]
    cells = corpus.word_ids[chosen].astype(np.int64) * (_INITIAL + 1) + classes
    counts = np.bincount(cells, minlength=len(corpus.words) * (_INITIAL + 1))
    return counts.reshape(-1, _INITIAL + 1).astype(np.int32)


def _kinds(words):
    """Return which of ``_KINDS`` each word is if no text is asked; uint8."""
    return np.array([_KINDS.index(_kind(word)) for word in words], np.uint8)


def _kind(word):
    if word == BOUNDARY:
        return BOUNDARY
    if is_cased(word):
        return UNSEEN
    return "mark" if tag_of(word) == Tag.PNC else "number"


def _classify(counts, kinds):
    """Return places in ``_LEVEL_NAMES`` and ``_RATE_NAMES`` of words with such counts; (2, W)."""
    inside = counts[:, :_INITIAL]
    times, tags = inside.sum(axis=1), inside.argmax(axis=1)
    shares = inside.max(axis=1) / np.maximum(times, 1)
    levels = np.where(times <= _RARE, len(_LEVELS) - 1, np.digitize(shares, _LEVELS_FROM))
    rates = np.digitize(shares, _SHARES) * (len(_TIMES) + 1) + np.digitize(times, _TIMES)
    is_cased = kinds == _KINDS.index(UNSEEN)
    only_initial = is_cased & (times == 0) & (counts[:, _INITIAL] > 0)
    kinds = np.where(only_initial, _KINDS.index("initial"), kinds)
    has_rate = is_cased & (times > 0)
    found = np.stack([tags * len(_LEVELS) + levels, tags * _N_RATES + rates])
    return np.where(has_rate, len(_KINDS) + found, kinds).astype(np.uint8)


def _add_columns(corpus, levels, rates):
    names, ids = (_LEVEL_NAMES, _RATE_NAMES), (levels, rates)
    columns = [Column(list(n), i) for n, i in zip(names, ids, strict=True)]
    return replace(corpus, columns=corpus.columns | dict(zip(_COLUMNS, columns, strict=True)))
