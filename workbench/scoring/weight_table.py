"""Between weights, shape (F,), and the relative scores of predicates, shape (P, K - 1); compiled.

``cells``, uint32, shape (F,), are the places of the features in a table of P x K, counted row
by row; ``table`` is scratch of that shape. See ``workbench.scoring`` for the picture.
"""

import numpy as np

from workbench.numerics.jit import jit


@jit
def spread(
    weights: np.ndarray, columns: tuple, cells: np.ndarray, table: np.ndarray, relative: np.ndarray
) -> None:
    """Fill the relative scores of predicates, shape (P, K - 1), that weights make."""
    flat = table.reshape(-1)
    flat[:] = 0.0
    for i in range(len(weights)):
        flat[cells[i]] = weights[i]
    subtract_reference(table, columns, relative)


@jit
def subtract_reference(table: np.ndarray, columns: tuple, relative: np.ndarray) -> None:
    """Fill the columns of a table after the first, less the first; shape (P, K - 1)."""
    for p in range(len(table)):
        for k in range(len(columns)):
            relative[p, k] = table[p, k + 1] - table[p, 0]


@jit
def gather(
    sums: np.ndarray, totals: np.ndarray, columns: tuple,
    cells: np.ndarray, table: np.ndarray, values: np.ndarray,
) -> None:  # fmt: skip
    """Take sums by predicate back to the weights: the transpose of ``spread``.

    Parameters
    ----------
    sums : ndarray, shape (P, K - 1)
    totals : ndarray, shape (P,)
        Of all tags; what the others leave of it is the reference tag's.
    values : ndarray, shape (F,)
        Filled.
    """
    flat, width = table.reshape(-1), len(columns)
    for p in range(len(table)):
        table[p, 0] = totals[p]
        for k in range(width):
            table[p, k + 1] = sums[p, k]
            table[p, 0] -= sums[p, k]
    for i in range(len(values)):
        values[i] = flat[cells[i]]
