"""Sharing a loop among the cores that this process may use; kernels release the global lock."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

from workbench.numerics.cores import count_allowed_cores

_chosen: list[int] = []  # the last is the number in use


def thread_count() -> int:
    """Return how many threads share a loop: the number set, else of cores allowed."""
    return _chosen[-1] if _chosen else _default()


def set_threads(n: int) -> None:
    """Set how many threads share a loop from now on; 1 or more."""
    _chosen[:] = [n]


@cache
def _default():
    return count_allowed_cores()


@cache
def _pool(size):
    return ThreadPoolExecutor(size)


if hasattr(os, "register_at_fork"):  # a forked process has none of its parent's threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def even_slices(n: int, pieces: int) -> list[slice]:
    """Return slices of range(n) whose lengths differ by one at most."""
    edges = [n * i // pieces for i in range(pieces + 1)]
    return [slice(a, b) for a, b in pairwise(edges)]


def run_in_threads(function: Callable, *arguments: Iterable) -> list[Any]:
    """Return a function's results for the first of each argument, for the second, and so on.

    The function must not call this one: a full pool would wait for itself.
    """
    mine, *others = zip(*arguments, strict=False)
    pool = _pool(max(1, thread_count() - 1))
    waiting = [pool.submit(function, *values) for values in others]
    # The first is the calling thread's: to sleep and be woken costs more than many a loop.
    return [function(*mine), *(each.result() for each in waiting)]
