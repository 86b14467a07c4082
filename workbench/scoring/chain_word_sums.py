"""Sums of cells into the scores of the words of a chain, and back, compiled.

    s_i(y) = sum of cell(r, y) over the rows r that word i reads;
             of a sentence's first word also the transition from the boundary to y.

Words come in batches of stretches side by side, the longest first, so that those that reach
position i are the first of them, and their words at i are a *block* of rows:

    stretches   a0 a1 a2 a3      rows   a0 b0 c0 | a1 b1 c1 | a2 b2 | a3
                b0 b1 b2         blocks  0          3          6      8    9
                c0 c1
"""

from typing import NamedTuple

import numpy as np

from workbench.numerics.jit import jit
from workbench.scoring.chain_cell_sums import CellValues, WordCells


class ChainScores(NamedTuple):
    """All that the scores of N words are made of."""

    words: WordCells
    table: np.ndarray  # as in ``CellValues``
    singles: np.ndarray
    padding: tuple[float, ...]  # of length L: 0 for a label, a large negative number beyond K


class Batch(NamedTuple):
    """Stretches of words side by side; word i of stretch s is row ``blocks[i] + s``."""

    starts: np.ndarray  # int64, shape (stretches,): first words
    lengths: np.ndarray  # int64, shape (stretches,), longest first
    begins: np.ndarray  # bool, shape (stretches,): whether a sentence begins there
    blocks: np.ndarray  # int64, shape (lengths[0] + 1,): where blocks begin, and the end


@jit
def count_labels(padding: tuple[float, ...]) -> int:
    """K, the number of columns that are labels."""
    n_tags = 0
    for score in padding:
        n_tags += score == 0
    return n_tags


@jit
def transition_rows(table: np.ndarray, padding: tuple[float, ...]) -> np.ndarray:
    """Rows of transitions, those at the end of a table of cells; shape (K + 1, L)."""
    return table[len(table) - count_labels(padding) - 1 :]


@jit
def fill_scores(scores: ChainScores, batch: Batch, filled: np.ndarray) -> None:
    """Fill in the scores of the words of a batch, shape (n, L)."""
    words, table = scores.words, scores.table
    # Were L known when compiling, loops would be unrolled and not become vector code.
    boundary, width = len(table) - 1, table.shape[1]
    for s in range(len(batch.starts)):
        for i in range(batch.lengths[s]):
            place, w = batch.blocks[i] + s, batch.starts[s] + i
            begins = i == 0 and batch.begins[s]
            for k in range(width):
                filled[place, k] = table[boundary, k] if begins else 0.0
            for j in range(words.row_edges[w], words.row_edges[w + 1]):
                row = words.rows[j]
                for k in range(width):
                    filled[place, k] += table[row, k]
            for j in range(words.run_edges[w], words.run_edges[w + 1]):
                for c in range(words.runs[j], words.runs[j] + words.sizes[j]):
                    filled[place, words.labels[c]] += scores.singles[c]


@jit
def add_to_cells(values: np.ndarray, words: WordCells, batch: Batch, sums: CellValues) -> None:
    """Add values of the words of a batch, shape (n, L), to the cells that they sum."""
    table, boundary, width = sums.table, len(sums.table) - 1, values.shape[1]
    for s in range(len(batch.starts)):
        for k in range(width if batch.begins[s] else 0):
            table[boundary, k] += values[s, k]
        for i in range(batch.lengths[s]):
            place, w = batch.blocks[i] + s, batch.starts[s] + i
            for j in range(words.row_edges[w], words.row_edges[w + 1]):
                row = words.rows[j]
                for k in range(width):
                    table[row, k] += values[place, k]
            for j in range(words.run_edges[w], words.run_edges[w + 1]):
                for c in range(words.runs[j], words.runs[j] + words.sizes[j]):
                    sums.singles[c] += values[place, words.labels[c]]


@jit
def subtract_highest(scores: np.ndarray, padding: tuple[float, ...]) -> float:
    """Take its highest score off each row, shape (n, L); return the largest spread of one."""
    width, n_tags, widest = len(padding), count_labels(padding), 0.0
    tops = np.empty(len(scores))
    for i in range(len(scores)):
        highest = lowest = scores[i, 0]
        for k in range(n_tags):
            highest, lowest = max(highest, scores[i, k]), min(lowest, scores[i, k])
        tops[i], widest = highest, max(widest, highest - lowest)
    for i in range(len(scores)):
        for k in range(width):
            scores[i, k] += padding[k] - tops[i]
    return widest
