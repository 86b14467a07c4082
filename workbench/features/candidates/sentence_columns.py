"""Candidate sets packed for learning: by sentence and feature, relative to a common value.

A column holds the values of one feature in the candidates of one sentence. What all candidates
of a sentence share cancels in p(candidate | sentence), so a column is taken relative to the value
of the first candidate that has the feature wherever that leaves fewer entries: most k-best lists
differ in little. A feature *tells candidates apart* in a sentence where its column has an entry.
A weight is read once a column, not once a candidate: on k-best parses that is a tenth of the
accesses to scattered memory, and of all entries little more than half are left.
"""

from typing import NamedTuple

import numpy as np


class SentenceColumns(NamedTuple):
    """The columns of S sentences, Q in all, with E entries that are not 0."""

    sentence_starts: np.ndarray  # int64, shape (S + 1,): first candidate of each sentence
    column_starts: np.ndarray  # int64, shape (S + 1,): first column of each sentence
    features: np.ndarray  # uint32, shape (Q,): the feature of each column
    entry_starts: np.ndarray  # int64, shape (S + 1,): first entry of each sentence
    columns: np.ndarray  # unsigned, shape (E,): column of each entry, within its sentence
    candidates: np.ndarray  # unsigned, shape (E,): candidate of each entry, within its sentence
    values: np.ndarray  # float32, shape (E,)

    def select(self, place_of: np.ndarray) -> "SentenceColumns":
        """Return the columns of some features, renumbered.

        ``place_of``, int, has each feature's new number, -1 for those left out.
        """
        places = place_of[self.features]
        is_kept = places >= 0
        if is_kept.all():
            return self._replace(features=places.astype(np.uint32))
        before = np.concatenate([[0], np.cumsum(is_kept)])
        starts = before[self.column_starts]
        sentences = np.repeat(np.arange(len(starts) - 1), np.diff(self.entry_starts))
        numbers = self.columns + self.column_starts[sentences]
        kept = is_kept[numbers]
        return self._replace(
            column_starts=starts, features=places[is_kept].astype(np.uint32),
            entry_starts=np.concatenate([[0], np.cumsum(kept)])[self.entry_starts],
            columns=_shorten(before[numbers[kept]] - starts[sentences[kept]]),
            candidates=self.candidates[kept], values=self.values[kept],
        )  # fmt: skip

    def count_sentences(self, n_features: int) -> np.ndarray:
        """Return in how many sentences each feature tells candidates apart; shape (n_features,)."""
        return np.bincount(self.features, minlength=n_features)


def _shorten(numbers):
    """Return numbers in two bytes each if they fit, else in four."""
    return numbers.astype(np.uint16 if numbers.max(initial=0) < 1 << 16 else np.uint32)
