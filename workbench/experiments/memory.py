"""How much memory objects take, and how it is given back to the system."""

import ctypes
import gc
import sys
from collections.abc import Iterable
from contextlib import suppress
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

# Of all of the program, or of whoever is told about progress: no part of an object.
_NOT_OWNED = type, ModuleType, MethodType


def sizes_of(objects: Iterable[Any]) -> list[int]:
    """Return the bytes of each of some objects with all that it refers to.

    What several refer to is counted for the first of them.
    """
    seen: set[int] = set()
    return [_size_of(each, seen) for each in objects]


def _size_of(root, seen):
    n_bytes, waiting = 0, [root]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, _NOT_OWNED):
            seen.add(id(each))
            n_bytes += sys.getsizeof(each)
            waiting += _parts_of(each)
    return n_bytes


def _parts_of(each):
    """Return what an object refers to; of a function what it encloses, not the whole module."""
    if isinstance(each, FunctionType):
        return each.__closure__ or ()
    if isinstance(each, np.ndarray) and each.base is not None:
        return (each.base,)  # holds the numbers of a view
    return gc.get_referents(each)


def give_back() -> None:
    """Free what nothing refers to, and return free memory to the system where it takes it."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # glibc has it; other systems need it less
        ctypes.CDLL(None).malloc_trim(0)
