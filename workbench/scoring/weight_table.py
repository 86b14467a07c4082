"""Between weights and tables of predicates, compiled.

A weight belongs to a predicate and a tag; the table has a column for each tag after the
first, whose scores are relative to the first's: see ``kernels``. Between the two stands
``by_tag``, scratch of shape (P, 1 + L), with a column for the first tag as well: there each
weight has a cell of its own, ``place``, uint32, shape (F,), counted row by row.
"""

import numpy as np

from workbench.numerics.jit import jit


def place_cells(predicates, tags, padding):
    """Return the places in ``by_tag`` of weights of some predicates and tags, shape (F,) both."""
    return (predicates * (1 + len(padding)) + tags).astype(np.uint32)


@jit
def spread(weights, padding, place, by_tag, table):
    """Fill a table with the scores that weights make.

    Parameters
    ----------
    weights : ndarray, shape (F,)
    padding : tuple of L
    place, by_tag : as above
    table : ndarray, shape (P, L)
    """
    cells, width = by_tag.reshape(-1), len(padding)
    cells[:] = 0.0
    for i in range(len(weights)):
        cells[place[i]] = weights[i]
    for p in range(len(table)):
        for k in range(width):
            table[p, k] = by_tag[p, k + 1] - by_tag[p, 0]


@jit
def gather(sums, totals, padding, place, by_tag, values):
    """Take sums back to the weights whose scores they are of.

    Parameters
    ----------
    sums : ndarray, shape (parts, P, L)
        To be added up.
    totals : ndarray, shape (P,)
        Of all tags; what the others leave of it is the first tag's.
    padding, place, by_tag : as of ``spread``
    values : ndarray, shape (F,)
        Filled.
    """
    cells, width = by_tag.reshape(-1), len(padding)
    for p in range(len(by_tag)):
        by_tag[p, 0] = totals[p]
        for k in range(width):
            total = sums[0, p, k]
            for part in range(1, len(sums)):
                total += sums[part, p, k]
            by_tag[p, k + 1] = total
            by_tag[p, 0] -= total
    for i in range(len(values)):
        values[i] = cells[place[i]]
