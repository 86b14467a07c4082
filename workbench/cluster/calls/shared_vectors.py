"""Vectors in memory that two processes of one machine share, so that calls need not send them.

The memory is a file that is on no disk and in no folder, which another process opens through the
process that made it: nothing is left of it however the two end. That takes Linux, one machine and
one user; elsewhere nothing is shared, and who asks for it is told so.
"""

import mmap
import os
import secrets
from contextlib import suppress
from typing import NamedTuple

import numpy as np


class Address(NamedTuple):
    """Where another process of the same machine finds the memory."""

    process: int
    file: int  # number of the open file in that process
    name: str  # random: on another machine the same numbers are another file's


class SharedVectors(NamedTuple):
    """The vector given to a call and the vector that it fills in; float64, shape (n,) each."""

    given: np.ndarray
    found: np.ndarray


class SharedMemory:
    """Memory for ``SharedVectors`` of length n, made here, that other processes may open."""

    def __init__(self, n: int):
        name = secrets.token_hex(16)
        self._file = os.memfd_create(name)
        self.address = Address(os.getpid(), self._file, name)
        try:
            os.truncate(self._file, max(1, 2 * n) * np.dtype(float).itemsize)
            self.vectors = _map(self._file, n)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Let no other process open the memory any more; those that did keep it."""
        os.close(self._file)


def share_vectors(n: int) -> SharedMemory | None:
    """Return memory for two vectors of length n; None if this system has none to share."""
    if hasattr(os, "memfd_create"):
        with suppress(OSError):  # as where a machine's settings forbid it
            return SharedMemory(n)
    return None


def open_shared(address: Address, n: int) -> SharedVectors | None:
    """Return the vectors of length n at an address; None if they are not on this machine."""
    link = f"/proc/{address.process}/fd/{address.file}"
    with suppress(OSError):
        if os.readlink(link) == f"/memfd:{address.name} (deleted)":
            with open(link, "r+b") as file:
                return _map(file.fileno(), n)
    return None


def _map(file, n):
    both = np.frombuffer(mmap.mmap(file, 0), float)
    return SharedVectors(both[:n], both[n : 2 * n])
