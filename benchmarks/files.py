"""Rows: from Python files to text, and from text files to a model file, in processes."""

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.measure import Row, Target, ratio, take_turns, timed
from benchmarks.texts import Bench
from workbench.models.kinds import load_model
from workbench.text.sets.docstrings import BACKGROUND, find_files, read_modules

_ROOT = Path(__file__).parents[1]
_SECONDS, _MEMORY = Target("<=", 90, "s"), Target("<=", 2.5, "GB")
_COST = Target("<=", 1.3, "×")
_UNIT = 1e9 if sys.platform == "darwin" else 1e6  # of ru_maxrss, in a GB


@dataclass(frozen=True)
class _Run:
    """One training of the command line."""

    seconds: float
    gigabytes: float
    n_words: int

    @property
    def microseconds(self) -> float:
        return 1e6 * self.seconds / self.n_words


def docstrings_to_text(bench: Bench) -> Iterator[Row]:
    """Yield a row: the sentences of all packages, beside no more than parsing the same files."""
    files = [file for _, _, file in find_files(BACKGROUND)]
    files = files[:40] if bench.sizes.rounds == 1 else files
    sources = [file.read_text("utf-8", "replace") for file in files]
    ours, theirs = take_turns(
        bench.sizes.rounds, lambda: list(read_modules(files)), lambda: list(map(_parse, sources))
    )
    name, rival = f"text of the docstrings in {len(files):,} files", "ast.parse, one process"
    yield Row(name, ours, theirs, "s", rival, ratio(theirs, ours), Target(">=", 1, "×"))


def _parse(source):
    ast.parse(source)


def text_to_model(bench: Bench) -> Iterator[Row]:
    """Yield three rows: seconds, peak memory, and the cost of a word against that of one file."""
    if not hasattr(os, "wait4"):
        raise SystemExit("files: the peak memory of a process is known on Unix alone")
    files, sizes = bench.background_files, bench.sizes
    _train(files[:1])  # compile, and read the files into memory
    few = [_train(files[:1]) for _ in range(sizes.rounds)]
    all_ = [_train(files) for _ in range(sizes.long_rounds)]
    seconds, memory = tuple(run.seconds for run in all_), tuple(run.gigabytes for run in all_)
    costs, fewer = (tuple(run.microseconds for run in runs) for runs in (all_, few))
    name = f"text files to model, {_millions(all_)}"
    yield Row(name, seconds, (), "s", "", median(seconds), _SECONDS)
    yield Row("its peak memory", memory, (), "GB", "", max(memory), _MEMORY)
    figure, rival = median(costs) / median(fewer), f"ours on {_millions(few)}"
    yield Row("its cost of a word", costs, fewer, "µs", rival, figure, _COST)


def _millions(runs):
    return f"{runs[0].n_words / 1e6:.3g}M words"


def _train(files):
    """Train on some files and return seconds and the peak memory of the process."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "background.model")
        command = [sys.executable, "-m", "workbench", "train", *map(str, files), "-o", str(model)]
        (status, usage), seconds = timed(lambda: _wait_for(command))
        assert status == 0, "training failed"
        return _Run(seconds, usage.ru_maxrss / _UNIT, load_model(model).info["words"])


def _wait_for(command):
    with subprocess.Popen(command, cwd=_ROOT, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage
