"""Arrays on disk, for text that is larger than memory: written in pieces, then mapped.

Their files have no name, so nothing is left of them however the process ends. They are in the
folder for temporary files, which the environment variable TMPDIR names.
"""

import mmap
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar
from weakref import finalize

import numpy as np
from numpy.typing import DTypeLike

from workbench.text.errors import InputError

_T = TypeVar("_T")
_PIECE = 1 << 20  # items of an array that are looked at together
_SHARES = 16  # of the memory allowed, what the items of one step may take
_AROUND = max(mmap.PAGESIZE, 1 << 16)  # bytes that Linux maps together when one of them is read
_FEWEST = 1000  # items of a step: with fewer, steps would cost more than what they do


class Memory(NamedTuple):
    """How much memory a process may take, in bytes; what it holds beyond goes to disk."""

    n_bytes: int

    def slices(self, n: int, n_bytes: int) -> list[slice]:
        """Return slices of range(n) for steps that take some bytes for each item."""
        size = max(_FEWEST, self.n_bytes // _SHARES // n_bytes)
        return [slice(a, min(a + size, n)) for a in range(0, n, size)]


def slices_within(
    memory: Memory | None, n: int, n_bytes: int, most: int | None = None
) -> list[slice]:
    """Return ``Memory.slices``; where memory has no limit slices of at most so many, or one."""
    if memory:
        return memory.slices(n, n_bytes)
    size = most or max(n, 1)
    return [slice(a, min(a + size, n)) for a in range(0, max(n, 1), size)]


class GrowingArray:
    """An array on disk that pieces are added to, and that is mapped into memory once they are in.

    Its items have one shape, () unless another is given.
    """

    def __init__(self, dtype: DTypeLike, shape: tuple[int, ...] = ()):
        self._dtype, self._shape = np.dtype(dtype), shape
        self._file, self._n = tempfile.TemporaryFile(), 0  # noqa: SIM115 (kept open)
        finalize(self, self._file.close)

    def __len__(self) -> int:
        return self._n

    def append(self, values: np.ndarray) -> None:
        """Add values; InputError if the disk is full."""
        try:
            self._file.write(np.ascontiguousarray(values, self._dtype).data)
            self._file.flush()
        except OSError as error:
            folder = tempfile.gettempdir()
            raise InputError(
                f"{folder}: no place for what does not fit into memory ({error.strerror}); the "
                "environment variable TMPDIR names another folder"
            ) from None
        self._n += len(values)

    def mapped(self) -> np.ndarray:
        """Return the array; what is written to it stays in memory."""
        with self._file:  # closed here; what is mapped stays
            if not self._n:
                return np.empty((0, *self._shape), self._dtype)
            pages = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_COPY)
        return np.frombuffer(pages, self._dtype).reshape(-1, *self._shape)


def collect(pieces: Iterable[np.ndarray], dtype: DTypeLike) -> np.ndarray:
    """Return pieces of an array, one after another, as an array on disk."""
    array = GrowingArray(dtype)
    for piece in pieces:
        array.append(piece)
    return array.mapped()


def release(array: np.ndarray) -> None:
    """Give the memory back that pages of a mapped array take; they are read again when needed.

    Does nothing to other arrays.
    """
    owner: Any = array
    while isinstance(owner, np.ndarray | memoryview):  # numpy puts either upon the mapped pages
        owner = owner.base if isinstance(owner, np.ndarray) else owner.obj
    if not isinstance(owner, mmap.mmap) or not array.nbytes or not hasattr(owner, "madvise"):
        return
    origin = np.frombuffer(owner, np.uint8).ctypes.data
    start = (array.ctypes.data - origin) // _AROUND * _AROUND
    owner.madvise(mmap.MADV_DONTNEED, start, array.ctypes.data - origin + array.nbytes - start)


def pieces_of(array: np.ndarray, backwards: bool = False) -> Iterator[np.ndarray]:
    """Yield an array in pieces, the last first if backwards, and release the pages of each."""
    starts = range(0, len(array), _PIECE)
    for first in reversed(starts) if backwards else starts:
        piece = array[first : first + _PIECE]
        yield piece
        release(piece)


def count_ids(ids: np.ndarray, n: int) -> np.ndarray:
    """Return how often each of the numbers below n is among ids; int64, shape (n,)."""
    counts = np.zeros(n, np.int64)
    for piece in pieces_of(ids):
        counts += np.bincount(piece, minlength=n)
    return counts


def reduce_in_pairs(unite: Callable[[_T, _T], _T], items: Iterable[_T]) -> _T:
    """Return all of some items united: each with one made of as many, as in merge sort.

    Few are in memory at a time, and none is united more often than the logarithm of their number.
    """
    waiting: list[tuple[int, _T]] = []  # how many items each is made of
    for item in items:
        waiting.append((1, item))
        while len(waiting) > 1 and waiting[-1][0] == waiting[-2][0]:
            (n, first), (m, second) = waiting[-2:]
            waiting[-2:] = [(n + m, unite(first, second))]
    _, whole = waiting.pop()
    while waiting:
        whole = unite(waiting.pop()[1], whole)
    return whole
