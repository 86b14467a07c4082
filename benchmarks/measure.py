"""Rows of the table: timing two sides in turns, and comparing the figure with a target."""

import importlib
import importlib.metadata
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Target:
    """A bound on a row's figure: ``Target(">=", 40, "x")``."""

    sense: str
    bound: float
    unit: str

    def verdict(self, figure: float) -> bool | None:
        """Return whether a figure meets the bound; None if it is nan."""
        if math.isnan(figure):
            return None
        return figure >= self.bound if self.sense == ">=" else figure <= self.bound


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    name : str
    ours, theirs : tuple of float
        The result of each run, in ``unit``; empty where a side was not run.
    unit : str
    rival : str
        Its name and version; "" where the target is a plain bound.
    figure : float
        What is compared with the target; nan where there is no rival.
    target : Target
    note : str
    """

    name: str
    ours: tuple
    theirs: tuple
    unit: str
    rival: str
    figure: float
    target: Target
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the figure meets the target."""
        return self.target.verdict(self.figure)

    def to_json(self) -> dict:
        """Return a dict of JSON values; an undefined figure is None."""
        figure = None if math.isnan(self.figure) else self.figure
        return {
            "name": self.name, "unit": self.unit, "ours": self.ours,
            "rival": self.rival, "theirs": self.theirs, "figure": figure,
            "target": f"{self.target.sense} {self.target.bound:g} {self.target.unit}",
            "met": self.is_met, "note": self.note,
        }  # fmt: skip


def timed(
    run: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> tuple[Any, float]:
    """Return the result of a call and its seconds."""
    began = clock()
    outcome = run()
    return outcome, clock() - began


def take_turns(
    rounds: int, *runs: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> tuple[tuple[float, ...], ...]:
    """Time some calls in turns; return the seconds of each of them."""
    laps = [[timed(run, clock)[1] for run in runs] for _ in range(rounds)]
    return tuple(zip(*laps, strict=True))


def ratio(over: Sequence[float], under: Sequence[float]) -> float:
    """Return the median of the ratios of the rounds; nan where a side was not run."""
    if not (over and under):
        return math.nan
    return statistics.median(a / b for a, b in zip(over, under, strict=True))


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that so many per cent do not exceed."""
    return sorted(values)[math.ceil(percent / 100 * len(values)) - 1]


def find_rival(name: str, package: str) -> tuple[Any, str]:
    """Return a rival's module, or None if it is not installed, and its name and version."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        return None, f"{package}: not installed (benchmarks/requirements.txt), left out"
    return module, f"{package} {importlib.metadata.version(package)}"


@contextmanager
def one_core() -> Iterator[None]:
    """Keep all threads of this process on one core, where the system can."""
    tasks = Path("/proc/self/task")
    if not (hasattr(os, "sched_setaffinity") and tasks.is_dir()):
        yield
        return
    cores = os.sched_getaffinity(0)
    _keep_on({max(cores)}, tasks)
    try:
        yield
    finally:
        _keep_on(cores, tasks)


def _keep_on(cores, tasks):
    for task in tasks.iterdir():
        with suppress(ProcessLookupError):  # a thread that has just ended
            os.sched_setaffinity(int(task.name), cores)
