"""Numbers of a block of text, all at once; what is no number is never taken for one."""

import warnings
from collections.abc import Callable

import numpy as np

from workbench.text.errors import InputError

_MOST = 1e38  # in single precision numbers end there


class BadLine(ValueError):
    """A line, or a block of lines, that is not of the form that is needed; says which that is."""


def parse_numbers(text: bytes, n: int, needed: str) -> np.ndarray:
    """Return the n finite numbers of a text, which marks of one byte set apart; float64.

    There are n places between the marks, which are blanks and line breaks, and none of them is
    empty, so that a text of as many numbers has one in each.

    Raises
    ------
    BadLine
        With what is ``needed``, if it has other than n numbers, or one is not finite.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy warns where the text does not go on as numbers
        try:
            numbers = np.fromstring(text, sep=" ")
        except (DeprecationWarning, ValueError):
            raise BadLine(needed) from None
    if len(numbers) != n or not (np.abs(numbers) < _MOST).all():
        raise BadLine(needed)
    return numbers


def whole(numbers: np.ndarray, least: int, what: str) -> np.ndarray:
    """Return numbers as int32; BadLine, with what they are, if one is not whole or < least."""
    integers = np.clip(numbers, -1, 2**31 - 1).astype(np.int32)
    if len(numbers) and not ((integers == numbers) & (integers >= least)).all():
        raise BadLine(f"{what} must be whole numbers from {least}")
    return integers


def name_bad_line(name: str, numbered: list, parse: Callable, error: BadLine) -> InputError:
    """Return the error that names the first bad line of a block.

    ``numbered`` are pairs of a line's number and its content, ``parse`` takes a list of contents.
    """
    for number, line in numbered:
        try:
            parse([line])
        except BadLine as own:
            return InputError(f"{name}: line {number:,}: {own}")
    return InputError(f"{name}: lines {numbered[0][0]:,} to {numbered[-1][0]:,}: {error}")
