"""Time two sides in turns, and put what they took beside a target."""

import importlib
import importlib.metadata
import math
import os
import statistics
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """A bound on a row's figure: ``Target(">=", 40, "x")``."""

    sense: str
    bound: float
    unit: str

    def verdict(self, figure):
        """Return whether a figure keeps the bound; None if there is no figure."""
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
        What each run gave, in ``unit``; nothing where a side was not run.
    unit : str
    rival : str
        Who "they" are, with the version; "" where the target is a plain bound.
    figure : float
        What is held against the target; nan where there is no rival to compare with.
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
    def is_met(self):
        return self.target.verdict(self.figure)

    def to_json(self):
        """Return plain containers; a figure that is undefined is None."""
        figure = None if math.isnan(self.figure) else self.figure
        return {
            "name": self.name, "unit": self.unit, "ours": self.ours,
            "rival": self.rival, "theirs": self.theirs, "figure": figure,
            "target": f"{self.target.sense} {self.target.bound:g} {self.target.unit}",
            "met": self.is_met, "note": self.note,
        }  # fmt: skip


def timed(run):
    """Return what a call gives and the seconds it takes."""
    began = time.perf_counter()
    outcome = run()
    return outcome, time.perf_counter() - began


def take_turns(rounds, *runs):
    """Time some calls in turns; a tuple of seconds for each of them."""
    laps = [[timed(run)[1] for run in runs] for _ in range(rounds)]
    return tuple(zip(*laps, strict=True))


def ratio(over, under):
    """Return the median of the ratios of the rounds; nan where a side was not run."""
    if not (over and under):
        return math.nan
    return statistics.median(a / b for a, b in zip(over, under, strict=True))


def percentile(values, percent):
    """Return the smallest value that so many per cent do not exceed."""
    return sorted(values)[math.ceil(percent / 100 * len(values)) - 1]


def find_rival(name, package):
    """Import a rival; the module, or None if it is not installed, and what to call it."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        return None, f"{package}: not installed (benchmarks/requirements.txt), left out"
    return module, f"{package} {importlib.metadata.version(package)}"


@contextmanager
def one_core():
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
