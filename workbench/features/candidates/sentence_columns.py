"""Candidate sets packed for learning: columns by sentence and feature, equal ones stored once.

A column holds the values of one feature in the candidates of one sentence. What all candidates
of a sentence share cancels in p(candidate | sentence), so a column is taken relative to the value
of the first candidate that has the feature wherever that leaves fewer entries: most k-best lists
differ in little. A feature *tells candidates apart* in a sentence where its column has an entry.
Many columns of a sentence are equal, as those of a rule and of the words that only this rule has
here; such a *pattern* is kept once. Of the entries of k-best parses a sixth are left.
"""

from typing import NamedTuple

import numpy as np


class SentenceColumns(NamedTuple):
    """The columns of S sentences, Q in all; their patterns have E entries that are not 0."""

    sentence_starts: np.ndarray  # int64, shape (S + 1,): first candidate of each sentence
    column_starts: np.ndarray  # int64, shape (S + 1,): first column of each sentence
    features: np.ndarray  # uint32, shape (Q,): the feature of each column
    patterns: np.ndarray  # unsigned, shape (Q,): the pattern of each column, within its sentence
    pattern_starts: np.ndarray  # int64, shape (S + 1,): first pattern of each sentence
    entry_starts: np.ndarray  # int64, shape (S + 1,): first entry of each sentence
    owners: np.ndarray  # unsigned, shape (E,): pattern of each entry, within its sentence
    candidates: np.ndarray  # unsigned, shape (E,): candidate of each entry, within its sentence
    values: np.ndarray  # float32, shape (E,)

    def select(self, place_of: np.ndarray) -> "SentenceColumns":
        """Return the columns of some features, renumbered.

        ``place_of``, int, has each feature's new number, -1 for those left out.
        """
        places = place_of[self.features]
        kept = places >= 0
        if kept.all():
            return self._replace(features=places.view(np.uint32))
        of_columns = self._first_patterns(self.column_starts)[kept] + self.patterns[kept]
        of_entries = self._first_patterns(self.entry_starts) + self.owners
        is_used = np.zeros(self.pattern_starts[-1], bool)
        is_used[of_columns] = True
        before, left = _count_before(is_used), is_used[of_entries]
        starts = before[self.pattern_starts]
        shifted = self._replace(pattern_starts=starts)
        columns = _count_before(kept)[self.column_starts]
        entries = _count_before(left)[self.entry_starts]
        return SentenceColumns(
            self.sentence_starts, columns, places[kept].astype(np.uint32),
            (before[of_columns] - shifted._first_patterns(columns)).astype(self.patterns.dtype),
            starts, entries,
            (before[of_entries[left]] - shifted._first_patterns(entries)).astype(self.owners.dtype),
            self.candidates[left], self.values[left],
        )  # fmt: skip

    def _first_patterns(self, starts):
        """Return the first pattern of the sentence of each of the things that starts divide."""
        return np.repeat(self.pattern_starts[:-1], np.diff(starts))

    def count_sentences(self, n_features: int) -> np.ndarray:
        """Return in how many sentences each feature tells candidates apart; shape (n_features,)."""
        return np.bincount(self.features, minlength=n_features)


def _count_before(marks):
    """Return how many marks are set before each place, and in all; shape (marks + 1,)."""
    return np.concatenate([[0], np.cumsum(marks)])
