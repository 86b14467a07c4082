"""Sharing a loop among the machine's cores; the kernels release the global lock."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

N_THREADS = min(4, os.cpu_count() or 1)
_POOL = ThreadPoolExecutor(max(1, N_THREADS - 1))


def even_slices(n: int, pieces: int) -> list[slice]:
    """Return slices of range(n) whose lengths differ by one at most."""
    edges = [n * i // pieces for i in range(pieces + 1)]
    return [slice(a, b) for a, b in pairwise(edges)]


def run_in_threads(function: Callable, *arguments: Iterable) -> list[Any]:
    """Return a function's results for the first of each argument, for the second, and so on.

    The function must not call this one: a full pool would wait for itself.
    """
    mine, *others = zip(*arguments, strict=False)
    waiting = [_POOL.submit(function, *values) for values in others]
    # The first is the calling thread's: to sleep and be woken costs more than many a loop.
    return [function(*mine), *(each.result() for each in waiting)]
