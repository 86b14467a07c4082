"""The loops between words of a chain and the cells that they sum, compiled.

Arrays are those that ``sum_chains`` describes: words sum rows of a table, whose last are
transitions, and single cells; ``blocks`` are those of ``lay_out``.
"""

import numpy as np

from workbench.numerics.jit import jit


@jit
def count_labels(padding):
    """K, the number of lanes that are labels."""
    n_tags = 0
    for score in padding:
        n_tags += score == 0
    return n_tags


@jit
def transition_rows(table, padding):
    """Rows of transitions, those at the end of a table of cells; shape (K + 1, L)."""
    return table[len(table) - count_labels(padding) - 1 :]


@jit
def count_chains(words, tags, padding, starts, counts):
    """Count the labels of words and their transitions in cells; arrays as of ``sum_chains``.

    ``starts``, shape (sentences + 1,), are those of all sentences.
    """
    row_edges, rows, run_edges, runs, sizes, labels = words
    table, counted = counts
    between, n_tags = transition_rows(table, padding), count_labels(padding)
    for s in range(len(starts) - 1):
        last = n_tags
        for i in range(starts[s], starts[s + 1]):
            for j in range(row_edges[i], row_edges[i + 1]):
                table[rows[j], tags[i]] += 1
            for j in range(run_edges[i], run_edges[i + 1]):
                for c in range(runs[j], runs[j] + sizes[j]):
                    counted[c] += labels[c] == tags[i]
            between[last, tags[i]] += 1
            last = tags[i]


@jit
def fill_scores(words, scores, starts, blocks, filled):
    """Fill in sums of cells of the words of sentences side by side, shape (n, L); see ``lay_out``.

    Rows go four at a time, to save stores. L is not known when compiling: a loop that is
    unrolled would not become vector code.
    """
    row_edges, rows, run_edges, runs, sizes, labels = words
    (table, of_cells), width = scores, filled.shape[1]
    for s in range(blocks[1]):
        for i in range(len(blocks) - 1):
            if blocks[i] + s >= blocks[i + 1]:
                break
            place, w = blocks[i] + s, starts[s] + i
            first, end = row_edges[w], row_edges[w + 1]
            for k in range(width):
                filled[place, k] = 0.0
            for j in range(first, end - 3, 4):
                a, b, c, d = rows[j], rows[j + 1], rows[j + 2], rows[j + 3]
                for k in range(width):
                    filled[place, k] += (table[a, k] + table[b, k]) + (table[c, k] + table[d, k])
            for j in range(end - (end - first) % 4, end):
                a = rows[j]
                for k in range(width):
                    filled[place, k] += table[a, k]
            for j in range(run_edges[w], run_edges[w + 1]):
                for c in range(runs[j], runs[j] + sizes[j]):
                    filled[place, labels[c]] += of_cells[c]


@jit
def lower(scores, padding):
    """Take the highest score of each row, shape (n, L), off it; return the largest spread."""
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


@jit
def scatter(values, words, starts, blocks, sums):
    """Add values of the words of sentences, rows as in ``fill_scores``, to what they sum."""
    row_edges, rows, run_edges, runs, sizes, labels = words
    table, of_cells = sums
    for s in range(blocks[1]):
        for i in range(len(blocks) - 1):
            if blocks[i] + s >= blocks[i + 1]:
                break
            place, w = blocks[i] + s, starts[s] + i
            for j in range(row_edges[w], row_edges[w + 1]):
                row = rows[j]
                for k in range(values.shape[1]):  # not known when compiling, as above
                    table[row, k] += values[place, k]
            for j in range(run_edges[w], run_edges[w + 1]):
                for c in range(runs[j], runs[j] + sizes[j]):
                    of_cells[c] += values[place, labels[c]]
