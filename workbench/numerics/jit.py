"""The one way in which loops are compiled: kept on disk, read again in less than half the time.

Kept is what is compiled in the folder that NUMBA_CACHE_DIR names, beside the sources, or in the
user's cache. Where none of these can be written, it is compiled again in each process.

Numba reads what it kept only after it has imported all that compiling needs: 70 MB, and half of
the time in which ``recase`` starts. ``disk_cache`` reads it without, by numba's inner names, for
the releases that it was tried with; any other release keeps its compiled loops in its own way.
"""

import os
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

_TRIED = ("0.68.",)  # releases whose inner names ``disk_cache`` knows
# Threads may run them side by side; sums may be reordered for speed; a division by zero gives
# infinity, as in numpy, instead of a check at every division.
_OPTIONS: dict = {"nogil": True, "fastmath": True, "error_model": "numpy"}


def jit(function: Callable) -> Any:
    """Return a function compiled; what is kept on disk is used while no compiled source changes.

    With numba's variable NUMBA_DISABLE_JIT=1 it stays as it is, and numba is not imported.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return function
    import numba

    if numba.__version__.startswith(_TRIED):
        from workbench.numerics.disk_cache import Kept

        compiled = numba.njit(**_OPTIONS)(function)
        compiled._cache = Kept(function)
        compiled.compile = compiled._cache.alone(compiled.compile)
        return compiled
    try:
        return numba.njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # numba finds no folder for it
        complain("no folder can be written")
        return numba.njit(**_OPTIONS)(function)


@cache
def complain(why: str) -> None:
    """Warn, once, that nothing can be kept."""
    warnings.warn(
        f"compiled loops cannot be kept ({why}), so each start takes some seconds longer; "
        "NUMBA_CACHE_DIR may name a folder for them",
        stacklevel=2,
    )
