"""Between predicates and rows: sums of rows of one table into another, compiled."""

from workbench.numerics.jit import jit


@jit
def sum_rows(sources, chosen, ends, entries, padding, sums):
    """Fill chosen rows of a table with sums of rows of others, 0 where there are none.

    Parameters
    ----------
    sources : ndarray, shape (T, n, L)
        Tables that are summed.
    chosen : ndarray of int
        Rows to be filled.
    ends, entries : ndarray of uint32
        ``indptr`` and ``indices`` of which of n rows each of m sums.
    padding : tuple of L
    sums : ndarray, shape (m, L)
    """
    width = len(padding)
    for i in range(len(chosen)):
        row = chosen[i]
        for k in range(width):
            sums[row, k] = 0.0
        for t in range(len(sources)):
            for j in range(ends[row], ends[row + 1]):
                for k in range(width):
                    sums[row, k] += sources[t, entries[j], k]
