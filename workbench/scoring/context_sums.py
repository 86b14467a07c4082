"""Sums of rows into the scores of the words of a text, compiled: arrays in, arrays out."""

from workbench.numerics.jit import jit


@jit
def sum_rows_of_words(table, rows, slots, zeros, words):
    """Fill in the scores of words, shape (N, R, K), by slots that read no tag: all R alike.

    Parameters
    ----------
    table : ndarray, shape (n_rows, K)
    rows : ndarray of int, shape (N, S)
    slots : ndarray of int
        Columns of rows.
    zeros : tuple of K
        Its length is known when compiling, so that loops over tags are unrolled.
    words : ndarray, shape (N, R, K)
    """
    n_tags = len(zeros)
    for i in range(len(rows)):
        for y in range(n_tags):
            words[i, 0, y] = 0.0
        for s in slots:
            row = rows[i, s]
            for y in range(n_tags):
                words[i, 0, y] += table[row, y]
        for r in range(1, words.shape[1]):
            for y in range(n_tags):
                words[i, r, y] = words[i, 0, y]


@jit
def add_rows_by_tag(table, places, words):
    """Add rows of a slot that reads words and t-1 to the scores of words.

    Parameters
    ----------
    table : ndarray, shape (fillers, K + 1, K)
    places : ndarray of int, shape (N,)
        Filler of each word.
    words : ndarray, shape (N, K + 1, K)
    """
    for i in range(len(places)):
        for r in range(words.shape[1]):
            for y in range(words.shape[2]):
                words[i, r, y] += table[places[i], r, y]
