"""Candidate sets: sentences, each with alternatives that a model is to rank, packed in arrays."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from workbench.text.errors import InputError

TASK = "candidates"  # to rank the candidates of each sentence
BRACKETS, DEPENDENCIES = ("matched", "guessed", "gold"), ("right", "words")  # names of counts


@dataclass(frozen=True, eq=False)
class CandidateSets:
    """S sentences with C candidates in all, which have E values of features that are not 0.

    Entries are sorted by candidate, candidates by sentence (compressed sparse rows, twice).

    Attributes
    ----------
    feature_names : sequence of str
        What the numbers in ``features`` stand for; a name's class is what is before its first =.
    features : ndarray of int32, shape (E,)
        Number of the feature of each entry; no candidate has one twice.
    values : ndarray of float32, shape (E,)
    starts : ndarray of int64, shape (C + 1,)
        First entry of each candidate, and E.
    sentence_starts : ndarray of int64, shape (S + 1,)
        First candidate of each sentence, and C; each sentence has at least one.
    quality : ndarray, shape (C,)
        How good each candidate is; what the best of a sentence is, is judged by it.
    counts : mapping of str to ndarray, shape (C,)
        ``BRACKETS`` of each candidate, and ``DEPENDENCIES``; what is not known is left out.
    documents : sequence of str
        Name of the document of each sentence; empty where that is not known.
    sentences : sequence of str
        The words of each sentence; empty where they are not known.
    measure : str
        What the quality of a selection is called; "" where its terms say it.

    Source
    ------
    Plank & van Noord (2008), section 3: the candidates of a sentence s are Omega(s).
    """

    name: str
    feature_names: Sequence[str]
    features: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    sentence_starts: np.ndarray
    quality: np.ndarray
    counts: Mapping[str, np.ndarray] = field(default_factory=dict)
    documents: Sequence[str] = ()
    sentences: Sequence[str] = ()
    measure: str = ""

    task = TASK

    @property
    def n_sentences(self) -> int:
        """How many sentences there are."""
        return len(self.sentence_starts) - 1

    @property
    def n_candidates(self) -> int:
        """How many candidates there are in all."""
        return len(self.starts) - 1

    def __len__(self) -> int:
        """Return the number of candidates."""
        return self.n_candidates

    @cached_property
    def sentence_ids(self) -> np.ndarray:
        """The sentence of each candidate; int64, shape (C,)."""
        return np.repeat(np.arange(self.n_sentences), np.diff(self.sentence_starts))

    @cached_property
    def best_quality(self) -> np.ndarray:
        """The quality of the best candidate of each sentence; shape (S,)."""
        return np.maximum.reduceat(self.quality, self.sentence_starts[:-1])

    @cached_property
    def is_best(self) -> np.ndarray:
        """Which candidates have the best quality of their sentence; bool, shape (C,)."""
        return self.quality == self.best_quality[self.sentence_ids]

    @cached_property
    def fingerprint(self) -> str:
        """Hexadecimal digits that identify entries, candidates and qualities."""
        digest = hashlib.sha256("\n".join(self.feature_names).encode())
        for array in (self.features, self.values, self.starts, self.sentence_starts, self.quality):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:12]

    @cached_property
    def study_fingerprint(self) -> str:
        """Hexadecimal digits that identify all that a study reads: counts and documents, too."""
        digest = hashlib.sha256("\n".join([self.fingerprint, *self.documents]).encode())
        for name, counts in sorted(self.counts.items()):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(counts).data)
        return digest.hexdigest()[:12]

    def require_cased(self) -> Self:
        """Return the sets themselves: it is always known which candidates are best."""
        return self

    def take(self, sentences: np.ndarray) -> Self:
        """Return some of the sentences, by their numbers, in that order."""
        candidates = expand_ranges(self.sentence_starts, sentences)
        sizes = np.diff(self.sentence_starts)[sentences]
        return replace(
            self._take(candidates, sizes), documents=_pick(self.documents, sentences),
            sentences=_pick(self.sentences, sentences),
        )  # fmt: skip

    def of_documents(self, pattern: str) -> Self:
        """Return the sentences of documents whose names match a pattern with * and ?.

        InputError if none does, or documents are not known.
        """
        found = [i for i, name in enumerate(self.documents) if fnmatchcase(name, pattern)]
        if not found:
            shown = ", ".join(list(dict.fromkeys(self.documents))[:3]) or "none is known"
            raise InputError(f"{self.name}: no document matches {pattern}; documents: {shown}")
        return replace(self.take(np.array(found)), name=f"{self.name}@{pattern}")

    def keep(self, kept: np.ndarray) -> Self:
        """Return the sets with some candidates, bool, shape (C,); each sentence keeps one."""
        return self._take(np.flatnonzero(kept), np.bincount(self.sentence_ids[kept]))

    def _take(self, candidates, sizes):
        entries, lengths = expand_ranges(self.starts, candidates), np.diff(self.starts)
        return replace(
            self, features=self.features[entries], values=self.values[entries],
            starts=np.concatenate([[0], np.cumsum(lengths[candidates])]),
            sentence_starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            quality=self.quality[candidates],
            counts={name: counts[candidates] for name, counts in self.counts.items()},
        )  # fmt: skip

    def by_dependencies(self) -> Self:
        """Return the sets with the share of words with the right head and relation as quality.

        That of a selection is then its dependency accuracy. InputError if they are not counted.
        """
        if self.dependency_terms is None:
            raise InputError(
                f"{self.name}: quality dependency: its candidates have no counts of words; five "
                "numbers after # have them, or quality given takes the first column"
            )
        right, words = self.dependency_terms
        counts = {**self.counts, **dict(zip(BRACKETS, (right, words, words), strict=True))}
        share = right / np.maximum(words, 1)
        return replace(self, quality=share, counts=counts, measure="dependency accuracy")

    def value_of(self, feature: str) -> np.ndarray:
        """Return the value of a feature, by name, of each candidate, 0 without it; shape (C,)."""
        found, values = np.zeros(self.n_candidates), self.values
        places = np.flatnonzero(self.features == _place(self.feature_names, feature))
        found[np.searchsorted(self.starts, places, side="right") - 1] = values[places]
        return found

    def count_wrong(self, chosen: np.ndarray) -> float:
        """Return (1 - quality) S for the chosen candidates, (S,): what searches minimise.

        Quality is the ratio of ``quality_terms``.
        """
        return (1 - self.quality_terms.take(chosen).total()) * self.n_sentences

    def number_within(self, chosen: np.ndarray) -> np.ndarray:
        """Return the number within its sentence, from 0, of the chosen candidate of each; (S,)."""
        return chosen - self.sentence_starts[:-1]

    def shares_of(self, chosen: np.ndarray) -> np.ndarray:
        """Return 1 for the chosen candidates, given by their numbers, (S,), else 0; shape (C,)."""
        shares = np.zeros(self.n_candidates)
        shares[chosen] = 1.0
        return shares

    @property
    def quality_name(self) -> str:
        """What the quality of a selection is called: "F1" where brackets are counted."""
        return self.measure or ("F1" if self.counts.keys() >= set(BRACKETS) else "mean quality")

    @cached_property
    def quality_terms(self) -> "Terms":
        """The terms of the quality of a selection over all sentences.

        Labelled bracket F1 from the counts where they are, else the mean of ``quality``.
        """
        if not self.counts.keys() >= set(BRACKETS):
            return Terms(self.quality, np.ones(len(self)))
        matched, guessed, gold = (self.counts[name] for name in BRACKETS)
        return Terms(2 * matched, guessed + gold)

    @cached_property
    def dependency_terms(self) -> "Terms | None":
        """The terms of the share of words with the right head and relation; None if not known."""
        if not self.counts.keys() >= set(DEPENDENCIES):
            return None
        return Terms(*(self.counts[name] for name in DEPENDENCIES))


class Terms(NamedTuple):
    """What each candidate adds to a figure that is a ratio of sums over the sentences."""

    above: np.ndarray  # shape (C,): of the numerator
    below: np.ndarray  # shape (C,): of the denominator

    def take(self, chosen: np.ndarray) -> "Terms":
        """Return the terms of chosen candidates, given by their numbers."""
        return Terms(self.above[chosen], self.below[chosen])

    def total(self) -> float:
        """Return the figure of all, a fraction; nan where the denominator is 0."""
        below = self.below.sum()
        return float(self.above.sum() / below) if below else np.nan

    def ratio(self, shares: np.ndarray) -> float:
        """Return the figure of a selection, a fraction; nan where the denominator is 0.

        ``shares``, shape (C,), sum to 1 in each sentence: 1 for what is selected.
        """
        below = shares @ self.below
        return float(shares @ self.above / below) if below else np.nan


def expand_ranges(starts: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Return all places of some ranges, one range after another.

    Range i goes from ``starts[i]`` to below ``starts[i + 1]``.
    """
    first, lengths = starts[which], np.diff(starts)[which]
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - lengths), lengths)


def _pick(texts, places):
    """Return the texts at some places; () of none."""
    return tuple(texts[i] for i in places) if texts else ()


def _place(names, name):
    """Return the number of a feature, -1 for one that is not there."""
    return names.index(name) if name in names else -1
