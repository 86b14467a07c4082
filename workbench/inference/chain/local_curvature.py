"""The curvature that single words have by themselves, summed for some weights, compiled.

Were the labels of neighbours known, the Hessian of -L would be a sum over words of

    p(y) (1 - p(y))    between two weights of label y that the word sums
    - p(y) p(y')       between a weight of label y and one of y'

with p(y) = P(y_i = y) of word i. In a chain the labels of neighbours move together, so it is not
the chain's Hessian; but its inverse is a good preconditioner.
"""

import numpy as np

from workbench.numerics.jit import jit
from workbench.scoring.chain_cell_sums import WordWeights

_CERTAIN = 1e-3  # p * (1 - p) of a label below which a word says nothing of its weights


@jit
def add_local_curvature(
    words: np.ndarray, p: np.ndarray, weights: WordWeights, numbers: np.ndarray,
    block: np.ndarray,
) -> None:  # fmt: skip
    """Add the local curvature of some words to a block of the Hessian, its lower triangle.

    Parameters
    ----------
    words : ndarray of int64, shape (n,)
    p : ndarray, shape (n, L)
        Probabilities of their labels.
    numbers : ndarray of int32, shape (F,)
        Row and column of each weight in the block; -1 of those outside.
    block : ndarray, shape (m, m)
    """
    found, variances = np.empty((len(block), 2), np.int64), np.empty(p.shape[1])
    for i in range(len(words)):
        for y in range(p.shape[1]):
            variances[y] = p[i, y] * (1 - p[i, y])
        n = _list_uncertain(words[i], weights, numbers, variances, found)
        for a in range(n):
            row, y = found[a]
            for b in range(n):
                column, z = found[b]
                if column <= row:
                    block[row, column] += variances[y] if y == z else -p[i, y] * p[i, z]


@jit
def _list_uncertain(word, weights, numbers, variances, found):
    """List the weights of uncertain labels that a word sums: number and label; return how many."""
    cells, n = weights.cells, 0
    for j in range(cells.row_edges[word], cells.row_edges[word + 1]):
        row = weights.table_rows[cells.rows[j]]
        n = _list_row(row, weights.firing, numbers, variances, found, n)
    for j in range(cells.run_edges[word], cells.run_edges[word + 1]):
        row = weights.single_rows[cells.runs[j]]
        n = _list_row(row, weights.firing, numbers, variances, found, n)
    return n


@jit
def _list_row(row, firing, numbers, variances, found, n):
    """Add the weights of a row to the n found; return how many there are then."""
    for p in firing.predicates[firing.edges[row] : firing.edges[row + 1]]:
        for f in range(firing.first[p], firing.first[p + 1]):
            if numbers[f] >= 0 and variances[firing.labels[f]] > _CERTAIN and n < len(found):
                found[n, 0], found[n, 1] = numbers[f], firing.labels[f]
                n += 1
    return n
