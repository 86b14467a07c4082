"""Packing candidate sets as columns, by sentence and feature, in one pass; compiled.

``column_patterns`` finds the columns of each sentence; only what is kept once is written out.
"""

from itertools import pairwise

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates.column_patterns import (
    BITS,
    ONE,
    Found,
    Rows,
    count_bits,
    find_columns,
    find_patterns,
    make_scratch,
    subtract_common,
    subtract_from_others,
)
from workbench.numerics.jit import jit
from workbench.numerics.threads import run_in_threads, thread_count

_SMALL = 100_000  # entries below which a second thread costs more than it saves


def pack_columns(sets: CandidateSets) -> SentenceColumns:
    """Return the columns of candidate sets, features numbered as theirs, sentence by sentence."""
    rows = Rows(sets.features, sets.values, sets.starts, sets.sentence_starts)
    n_parts = 1 if len(sets.values) < _SMALL else min(thread_count(), sets.n_sentences)
    before = sets.starts[sets.sentence_starts]  # entries before each sentence
    wanted = before[-1] * np.arange(1, n_parts) // n_parts
    edges = [0, *np.searchsorted(before, wanted).tolist(), sets.n_sentences]
    parts = [rows._replace(sentence_starts=rows.sentence_starts[a : b + 1])
             for a, b in pairwise(edges)]  # fmt: skip
    n_features = len(sets.feature_names)
    packed = run_in_threads(lambda part: _pack_part(part, n_features), parts)
    return _join(packed, sets.sentence_starts)


def _pack_part(rows, n_features):
    """Return the columns of some sentences."""
    before = rows.starts[rows.sentence_starts]  # entries before each sentence
    most = int(np.diff(before).max(initial=0))
    n, number = int(before[-1] - before[0]), np.uint16 if most < 1 << 16 else np.uint32
    starts = np.zeros((3, len(before)), np.int64)
    columns = SentenceColumns(
        rows.sentence_starts, starts[0], np.empty(n, np.uint32), np.empty(n, number),
        starts[1], starts[2], np.empty(n, number), np.empty(n, number), np.empty(n, np.float32),
    )  # fmt: skip
    n_candidates = int(np.diff(rows.sentence_starts).max(initial=0))
    fill_columns(rows, columns, make_scratch(most, n_candidates, n_features))
    n_columns, _, n_entries = starts[:, -1]
    return columns._replace(
        features=columns.features[:n_columns], patterns=columns.patterns[:n_columns],
        owners=columns.owners[:n_entries], candidates=columns.candidates[:n_entries],
        values=columns.values[:n_entries],
    )  # fmt: skip


def _join(parts, sentence_starts):
    """Return parts, one after another, as one."""
    if len(parts) == 1:
        return parts[0]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts])
              for name in ("features", "patterns", "owners", "candidates", "values")}  # fmt: skip
    starts = {name: _chain([getattr(part, name) for part in parts])
              for name in ("column_starts", "pattern_starts", "entry_starts")}  # fmt: skip
    return SentenceColumns(sentence_starts, **arrays, **starts)


def _chain(starts):
    """Return the starts of parts, one after another, as one."""
    ends = np.cumsum([0, *(own[-1] for own in starts)])
    return np.concatenate([[0], *(own[1:] + end for own, end in zip(starts, ends, strict=False))])


@jit
def fill_columns(rows: Rows, columns: SentenceColumns, found: Found) -> None:
    """Fill columns, which have room enough, from rows; ``found`` is scratch."""
    for s in range(len(rows.sentence_starts) - 1):
        first, end = rows.sentence_starts[s], rows.sentence_starts[s + 1]
        n = find_columns(rows, first, end, found)
        subtract_common(n, end - first, found)
        subtract_from_others(n, end - first, found)
        n_patterns = find_patterns(n, end - first, found)
        _write_columns(columns, s, n, found)
        _write_entries(columns, s, n_patterns, found)


@jit
def _write_columns(columns, s, n, found):
    """Write those of n columns of a sentence that tell candidates apart."""
    place = columns.column_starts[s]
    for q in range(n):
        if found.patterns[q] >= 0:
            columns.features[place] = found.features[q]
            columns.patterns[place] = found.patterns[q]
            place += 1
    columns.column_starts[s + 1] = place


@jit
def _write_entries(columns, s, n_patterns, found):
    """Write the entries of the patterns of a sentence."""
    place = columns.entry_starts[s]
    for pattern in range(n_patterns):
        q = found.examples[pattern]
        for word in range(found.masks.shape[1]):
            mask = found.masks[q, word]
            while mask:
                rest = mask & (mask - ONE)
                columns.owners[place] = pattern
                columns.candidates[place] = BITS * word + count_bits((mask ^ rest) - ONE)
                columns.values[place] = found.value[q]
                place += 1
                mask = rest
        other = found.last[q]
        while other >= 0:
            columns.owners[place] = pattern
            columns.candidates[place] = found.candidates[other]
            columns.values[place] = found.values[other]
            place += 1
            other = found.before[other]
    columns.entry_starts[s + 1] = place
    columns.pattern_starts[s + 1] = columns.pattern_starts[s] + n_patterns
