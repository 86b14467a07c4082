"""Rows of integers as single integers, so that equal rows are found by one sort."""

from collections.abc import Iterable, Sequence

import numpy as np

LIMIT = 1 << 62  # codes stay below it
_SPARSE = 2  # possible codes for each that is there, up to which a table of all of them pays
_AT_ONCE = 1 << 20  # codes
_IN_CACHE = 1 << 15  # codes whose arrays stay in the second cache


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


def split_codes(codes: np.ndarray, steps: Sequence[int | np.ndarray]) -> list[np.ndarray]:
    """Return the columns that ``join_codes`` encoded: int32, or uint8 of at most 256 values."""
    sizes = [step for step in steps if not isinstance(step, np.ndarray)]
    columns = [np.empty(len(codes), _smallest(size)) for size in sizes]
    for first in range(0, len(codes), _IN_CACHE):
        rest, places = codes[first : first + _IN_CACHE], reversed(range(len(columns)))
        for step in reversed(steps):
            if isinstance(step, np.ndarray):
                rest = step[rest]
            else:
                own = columns[next(places)][first : first + _IN_CACHE]
                left = rest // step  # by one divisor many times sooner than divmod
                own[:] = rest - left * step
                rest = left
    return columns


def _smallest(size):
    """Return the smallest of two types that has all numbers below a size."""
    return np.uint8 if size <= 1 << 8 else np.int32


def number_codes(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct codes in order, and the place of each code among them, int32.

    What ``np.unique`` returns with ``return_inverse``, in a quarter of the time: a code and its
    place make one integer, which is sorted alone; few possible codes need no sorting at all.
    The codes, int64, may be written over.
    """
    n, end = len(codes), int(codes.max(initial=-1)) + 1
    if end <= _SPARSE * n:
        return _number_by_table(codes, end)
    bits = n.bit_length()
    if end > 1 << (63 - bits):
        distinct, places = np.unique(codes, return_inverse=True)
        return distinct, places.astype(np.int32)
    codes <<= bits
    for first in range(0, n, _AT_ONCE):  # few, or they take as much memory as the codes
        codes[first : first + _AT_ONCE] |= np.arange(first, min(first + _AT_ONCE, n))
    codes.sort()
    return _number_sorted(codes, bits)


def _number_by_table(codes, end):
    """Return what ``number_codes`` does, of codes below some end."""
    is_there = np.zeros(end, bool)
    is_there[codes] = True
    number = np.cumsum(is_there, dtype=np.int32)
    number -= 1  # in its place: of all codes of a text such arrays are the largest there are
    return np.flatnonzero(is_there), number[codes]


def _number_sorted(codes, bits):
    """Return what ``number_codes`` does, of sorted codes that have their places in the last bits.

    Some at a time, so that besides the codes nothing is made but the result.
    """
    places, found = np.empty(len(codes), np.int32), []
    last, seen = -1, 0
    for first in range(0, len(codes), _AT_ONCE):
        own = codes[first : first + _AT_ONCE]
        values = own >> bits
        is_new = np.diff(values, prepend=last) != 0
        places[own & ((1 << bits) - 1)] = np.cumsum(is_new) + (seen - 1)
        found.append(values[is_new])
        last, seen = values[-1], seen + len(found[-1])
    return np.concatenate(found), places
