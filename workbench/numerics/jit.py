"""The one way in which loops are compiled; nothing else imports numba."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import IndexDataCacheFile

_ROOMS = ("numerics", "scoring", "inference")  # folders that have compiled functions
# Kept on disk; threads may run them side by side; sums may be reordered for speed; a division
# by zero gives infinity, as in numpy, instead of a check at every division.
_compile: Callable = njit(cache=True, nogil=True, fastmath=True, error_model="numpy")


class _Index(IndexDataCacheFile):
    """Numba's list of what is kept on disk; empty if it names classes that are there no more."""

    def _load_index(self):
        try:
            return super()._load_index()
        except (ImportError, AttributeError):
            return {}


@cache
def _stamp():
    """Times and sizes of the sources of all rooms: a function may hold another file's code."""
    package = Path(__file__).resolve().parents[1]
    files = sorted(file for room in _ROOMS for file in (package / room).rglob("*.py"))
    return tuple((file.name, file.stat().st_mtime, file.stat().st_size) for file in files)


def jit(function: Callable) -> Any:
    """Return a function compiled; what is kept on disk is used while no compiled source changes."""
    compiled = _compile(function)
    index = compiled._cache._cache_file
    index.__class__, index._source_stamp = _Index, (index._source_stamp, _stamp())
    return compiled
