"""Between weights and tables of predicates, compiled.

A weight belongs to a predicate and a tag; the table has a column for each tag after the
first, whose scores are relative to the first's: see ``kernels``. Between the two stands
``by_tag``, scratch of shape (P, 1 + L), with a column for the first tag as well: there each
weight has a cell of its own, ``place``, uint32, shape (F,), counted row by row.
"""

import numpy as np
from numba import njit

_compile = njit(cache=True, nogil=True, fastmath=True)


def place_cells(predicates, tags, padding):
    """Return the places in ``by_tag`` of weights of some predicates and tags, shape (F,) both."""
    return (predicates * (1 + len(padding)) + tags).astype(np.uint32)


@_compile
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


@_compile
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


@_compile
def add_pull(weights, mean, sigma2, slope):
    """Add (weights - mean) / sigma2 to a slope; return half its product with weights - mean."""
    total = 0.0
    for i in range(len(weights)):
        away = weights[i] - mean[i]
        pull = away / sigma2[i]
        slope[i] += pull
        total += away * pull
    return 0.5 * total


@_compile
def damp(vector, precision, product):
    """Add precision * vector to a product; return the inner product of vector and product."""
    inner = 0.0
    for i in range(len(vector)):
        product[i] += precision[i] * vector[i]
        inner += vector[i] * product[i]
    return inner
