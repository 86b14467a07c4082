"""Sharing a loop among the machine's cores; the kernels release the global lock."""

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

N_THREADS = min(4, os.cpu_count() or 1)
_POOL = ThreadPoolExecutor(max(1, N_THREADS - 1))


def even_slices(n, pieces):
    """Cut range(n) into slices that differ by one at most."""
    edges = [n * i // pieces for i in range(pieces + 1)]
    return [slice(a, b) for a, b in pairwise(edges)]


def run_in_threads(function, *arguments):
    """Call a function with the first of each argument, the second of each, …; a list of results.

    The calling thread takes the first itself: to sleep and be woken costs more than many a
    loop. The function must not call this one: a full pool would wait for itself.
    """
    mine, *others = zip(*arguments, strict=False)
    waiting = [_POOL.submit(function, *values) for values in others]
    return [function(*mine), *(each.result() for each in waiting)]
