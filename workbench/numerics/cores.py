"""How many cores this process may use: by its affinity and by the quotas of its control groups.

A container or a batch job often has fewer than the machine: ``os.cpu_count`` knows of neither.
"""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

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
