"""Rows of integers as single integers, so that equal rows are found by one sort."""

import numpy as np

_ROOM = 1 << 62


def join_codes(columns, sizes):
    """Give each row of some columns one integer; rows keep their order.

    Parameters
    ----------
    columns : iterable of ndarray of int, shape (N,)
        Taken one by one, so that they need not all be there at a time.
    sizes : sequence of int
        Each column's values are less than its size.

    Returns
    -------
    codes : ndarray of int64, shape (N,)
    steps : list
        What ``split_codes`` needs to go back.
    """
    codes, size, steps = None, 1, []
    for column, radix in zip(columns, sizes, strict=True):
        if codes is None:
            codes = np.zeros(len(column), np.int64)
        if size * radix >= _ROOM:  # number what has been seen so far afresh
            distinct, codes = np.unique(codes, return_inverse=True)
            steps.append(distinct)
            size = len(distinct)
        codes *= radix
        codes += column
        size *= radix
        steps.append(radix)
    return codes, steps


def split_codes(codes, steps):
    """Return the columns, int64, that ``join_codes`` made the codes of."""
    columns = []
    for step in reversed(steps):
        if isinstance(step, np.ndarray):
            codes = step[codes]
        else:
            codes, column = np.divmod(codes, step)
            columns.append(column)
    return columns[::-1]
