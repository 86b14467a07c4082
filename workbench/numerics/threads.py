"""How many cores this process may use, and a loop shared among them; kernels release the lock.

The number is that of its affinity and of the quotas of its control groups: a container or a batch
job often has fewer than the machine, of which ``os.cpu_count`` knows nothing.
"""

import math
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

_MOUNT = Path("sys/fs/cgroup")


def count_allowed_cores(root: Path = Path("/")) -> int:
    """Return the number of cores that this process may keep busy, at least 1.

    ``root`` is the folder that holds ``proc`` and ``sys``.
    """
    has_affinity = hasattr(os, "sched_getaffinity")  # not on macOS and Windows
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, math.ceil(min([cores, *_quotas(root)])))


def _quotas(root: Path) -> Iterator[float]:
    """Yield the cores that each control group above this process allows, of version 1 or 2."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, group = line.split(":", 2)
        names = controllers.split(",")
        if controllers and "cpu" not in names:
            continue
        mounts = [_MOUNT / "cpu", _MOUNT / controllers] if controllers else [_MOUNT]
        # In a container the mount may be the group itself, whose name is that on the host.
        for folder in {PurePosixPath("/"), *PurePosixPath(group).parents, PurePosixPath(group)}:
            for mount in mounts:
                yield from _quota_of(root / mount / str(folder).lstrip("/"))


def _quota_of(folder: Path) -> Iterator[float]:
    """Yield the quota of one control group in cores, nothing where it has none."""
    limits = _read(folder / "cpu.max").split()  # version 2: quota and period, or max
    if not limits:
        limits = [_read(folder / f"cpu.cfs_{name}_us").strip() for name in ("quota", "period")]
    if all(limit.isdecimal() for limit in limits) and int(limits[1]):  # -1 and max: none
        yield int(limits[0]) / int(limits[1])


def _read(path: Path) -> str:
    """Return the text of a small file, "" where there is none to be read."""
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


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


def _submit(pool, function, *values):
    """Return the future of a call in the pool, or of one made here once the pool is closed."""
    try:
        return pool.submit(function, *values)
    except RuntimeError:
        made = Future[Any]()
        made.set_result(function(*values))
        return made


def run_in_threads(function: Callable, *arguments: Iterable) -> list[Any]:
    """Return a function's results for the first of each argument, for the second, and so on.

    The function must not call this one: a full pool would wait for itself.
    """
    mine, *others = zip(*arguments, strict=False)
    pool = _pool(max(1, thread_count() - 1))
    waiting = [_submit(pool, function, *values) for values in others]
    # The first is the calling thread's: to sleep and be woken costs more than many a loop.
    return [function(*mine), *(each.result() for each in waiting)]
