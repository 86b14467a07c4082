"""Between weights and tables of predicates, compiled.

A weight belongs to a predicate and a tag; the table has a column for each tag after the
first, whose scores are relative to the first's: see ``kernels``.
"""

from numba import njit

_compile = njit(cache=True, nogil=True, fastmath=True)


@_compile
def spread(weights, place, table):
    """Fill a table with the scores that weights make.

    Parameters
    ----------
    weights : ndarray, shape (F,)
    place : (ndarray of int, ndarray of int)
        Predicate and tag of each weight, shape (F,) both.
    table : ndarray, shape (P, L)
    """
    predicates, tags = place
    table[:] = 0.0
    for i in range(len(weights)):
        row = table[predicates[i]]
        if tags[i]:
            row[tags[i] - 1] += weights[i]
        else:
            row -= weights[i]


@_compile
def gather(sums, totals, place, values):
    """Take sums back to the weights whose scores they are of.

    Parameters
    ----------
    sums : ndarray, shape (parts, P, L)
        To be added up.
    totals : ndarray, shape (P,)
        Of all tags; what the others leave of it is the first tag's.
    place : as of ``spread``
    values : ndarray, shape (F,)
        Filled.
    """
    predicates, tags = place
    for i in range(len(values)):
        row = predicates[i]
        value = 0.0 if tags[i] else totals[row]
        for part in range(len(sums)):
            if tags[i]:
                value += sums[part, row, tags[i] - 1]
            else:
                value -= sums[part, row].sum()
        values[i] = value


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
