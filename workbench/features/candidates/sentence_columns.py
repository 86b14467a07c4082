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
from scipy import sparse

from workbench.features.candidates.candidate_sets import CandidateSets


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


def pack_columns(sets: CandidateSets) -> SentenceColumns:
    """Return the columns of candidate sets, features numbered as theirs, sentence by sentence."""
    order, columns = _order_by_column(sets)
    owners = np.repeat(np.arange(len(sets), dtype=np.int32), np.diff(sets.starts))[order]
    values, numbers = sets.values[order], _number_runs(columns)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    sentences, features = columns[0][starts], columns[1][starts]
    sizes = np.diff(sets.sentence_starts)[sentences]
    common = _common_values(values, numbers, starts, sizes)
    local = owners - sets.sentence_starts[sentences].astype(np.int32)[numbers]
    cells = _subtract(_Cells(numbers, local, values), common, sizes)
    is_kept = np.bincount(cells.columns, minlength=len(starts)) > 0
    number = np.cumsum(is_kept) - 1
    column_starts = _starts_of(np.bincount(sentences[is_kept], minlength=sets.n_sentences))
    owners = sentences[cells.columns]
    return SentenceColumns(
        sets.sentence_starts, column_starts, features[is_kept].astype(np.uint32),
        _starts_of(np.bincount(owners, minlength=sets.n_sentences)),
        _shorten(number[cells.columns] - column_starts[owners]), _shorten(cells.candidates),
        cells.values,
    )  # fmt: skip


def _shorten(numbers):
    """Return numbers in two bytes each if they fit, else in four."""
    return numbers.astype(np.uint16 if numbers.max(initial=0) < 1 << 16 else np.uint32)


class _Cells(NamedTuple):
    """Entries by the column and the candidate that they are in."""

    columns: np.ndarray
    candidates: np.ndarray
    values: np.ndarray


def _order_by_column(sets):
    """Return the order of entries by sentence, feature, candidate; and of each the first two.

    By two counting sorts, those of sparse matrices: sorting by comparison takes five times as long.
    """
    n, n_features = len(sets.features), len(sets.feature_names)
    numbers = np.arange(n, dtype=np.int32)
    rows = sparse.csr_matrix(
        (numbers, sets.features, sets.starts), shape=(sets.n_candidates, n_features)
    )
    by_feature = rows.tocsc()
    sentences = sets.sentence_ids[by_feature.indices]
    place = sparse.csr_matrix((by_feature.data, (sentences, numbers)), (sets.n_sentences, n))
    order = place.data
    sizes = np.diff(place.indptr)
    by_sentence = np.repeat(np.arange(sets.n_sentences, dtype=np.int32), sizes)
    return order, (by_sentence, sets.features[order])


def _number_runs(columns):
    """Return the number of the run of equal pairs that each pair is in."""
    is_new = np.zeros(len(columns[0]), bool)
    for each in columns:
        is_new[1:] |= each[1:] != each[:-1]
    return np.cumsum(is_new, dtype=np.int32)


def _common_values(values, numbers, starts, sizes):
    """Return what to subtract from each column: its first value, or 0 where more have none."""
    first, n_entries = values[starts], np.diff(starts, append=len(values))
    equal = np.bincount(numbers, values == first[numbers], minlength=len(starts))
    return np.where(equal > sizes - n_entries, first, np.float32(0))


def _subtract(cells, common, sizes):
    """Return the cells less the common value of their column, those that are 0 left out.

    Candidates without an entry get one where a column's common value is not 0.
    """
    subtracted = common[cells.columns]
    differences = cells.values - subtracted
    kept, shifted = np.flatnonzero(differences), np.flatnonzero(subtracted)
    starts = _starts_of(np.where(common, sizes, 0))
    is_there = np.zeros(starts[-1], bool)
    is_there[starts[cells.columns[shifted]] + cells.candidates[shifted]] = True
    absent = np.flatnonzero(~is_there)
    columns = np.repeat(np.arange(len(sizes), dtype=np.int32), np.diff(starts))[absent]
    merged = np.concatenate([cells.columns[kept], columns])
    order = np.argsort(merged, kind="stable")
    return _Cells(
        merged[order],
        np.concatenate([cells.candidates[kept], absent - starts[columns]])[order],
        np.concatenate([differences[kept], -common[columns]])[order],
    )


def _starts_of(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
