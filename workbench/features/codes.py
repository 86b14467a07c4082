"""Rows of integers as single integers, so that equal rows are found by one sort."""

from collections.abc import Iterable, Sequence

import numpy as np

LIMIT = 1 << 62  # codes stay below it


def join_codes(
    columns: Iterable[np.ndarray], sizes: Sequence[int]
) -> tuple[np.ndarray, list[int | np.ndarray]]:
    """Encode each row of some columns as one integer, int64, shape (N,); their order is kept.

    Columns, shape (N,), are read one by one, so that they need not all be in memory; the values
    of each are less than its size. The second result is for ``split_codes``: sizes, and the
    distinct codes wherever they were numbered anew.
    """
    codes, size = np.empty(0, np.int64), 1
    steps: list[int | np.ndarray] = []
    for column, radix in zip(columns, sizes, strict=True):
        if not steps:
            codes = np.zeros(len(column), np.int64)
        if size * radix >= LIMIT:  # number the distinct codes so far 0, 1, 2, ...
            distinct, codes = np.unique(codes, return_inverse=True)
            steps.append(distinct)
            size = len(distinct)
        codes *= radix
        codes += column
        size *= radix
        steps.append(radix)
    return codes, steps


def split_codes(codes: np.ndarray, steps: list[int | np.ndarray]) -> list[np.ndarray]:
    """Return the columns, int32, that ``join_codes`` encoded."""
    columns = []
    for step in reversed(steps):
        if isinstance(step, np.ndarray):
            codes = step[codes]
        else:
            codes, column = np.divmod(codes, step)
            columns.append(column.astype(np.int32))  # there may be a dozen, of every event
    return columns[::-1]
