"""Rows: training on text beyond memory, and studies shared between two workers."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import NamedTuple

from benchmarks.cluster import workers
from benchmarks.measure import Row, Target, ratio, take_turns
from benchmarks.texts import Bench
from workbench.adaptation.method import Split
from workbench.cluster.studies import ClusterRunner
from workbench.experiments.split_tasks import SplitStudy, compare_by_tasks
from workbench.settings import BACKGROUND
from workbench.text.readers import read_corpus

_MEMORY = 1.0  # GB
_SHARES = (1 / 21, 5 / 21, 1)  # of the files of the background: 1, 5 and 21 million words


class _Cost(NamedTuple):
    """What a command took; its processor's seconds hardly depend on what else runs."""

    seconds: float
    peak: float  # GB that were resident at the same time, pages of mapped files among them


def memory(bench: Bench) -> Iterator[Row]:
    """Yield the rows of ``train --memory 1GB``: peak, time, and what a word costs."""
    files = list(map(str, bench.background_files))
    sizes = dict.fromkeys(max(1, round(share * len(files))) for share in _SHARES)
    parts = [files[:size] for size in sizes]
    n_words = [len(read_corpus(part)) for part in parts]
    stored = [_train(part, "--memory", f"{_MEMORY:g}GB") for part in parts]
    held, name = _train(files), f"training {n_words[-1] / 1e6:.3g}M words, --memory 1GB"
    peaks, limit = (stored[-1].peak, held.peak), Target("<=", _MEMORY, "GB")
    yield Row(f"{name}: peak", peaks[:1], peaks[1:], "GB", "all in memory", peaks[0], limit)
    times = ((own.seconds,) for own in (stored[-1], held))
    yield _beside(name, *times)
    costs = [1e6 * own.seconds / n for own, n in zip(stored, n_words, strict=True)]
    texts = ", ".join(f"{n / 1e6:.3g}M" for n in n_words)
    flat = Target("<=", 1.3, "× the least")
    figure = max(costs) / min(costs)
    yield Row(f"a word's training at {texts}", tuple(costs), (), "µs", "", figure, flat)


def _beside(name, stored, held):
    figure = ratio(stored, held)
    return Row(f"{name}: processor", stored, held, "s", "all in memory", figure,
               Target("<=", 2, "× the time"))  # fmt: skip


def _train(files, *options):
    """Return the cost of a training in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "workbench", "train", *files, *options]
        process = Popen([*command, "-o", str(Path(folder, "a.model"))], stderr=DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    unit = 1024 if sys.platform == "linux" else 1  # of ru_maxrss, in bytes
    return _Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e9)


def studies(bench: Bench) -> Iterator[Row]:
    """Yield the row of a comparison of all methods by two workers beside one."""
    text, parts = bench.training(bench.sizes.training[0]), bench.domain
    split = Split(text, parts["train"], parts["dev"], dict(BACKGROUND))
    methods = ["all"] if len(bench.sizes.training) > 1 else ["background", "map"]
    with workers(1) as one, workers(2) as two:
        for client in (one, two):
            _compare(client, SplitStudy(split, parts["test"]), ["background"])  # compiles, trains
        laps = take_turns(
            bench.sizes.long_rounds,
            *(lambda client=client: _compare(client, SplitStudy(split, parts["test"]), methods)
              for client in (two, one)),
        )  # fmt: skip
    name = f"comparison of {'all' if methods == ['all'] else len(methods)} methods, two workers"
    target = Target(">=", 1.7, "×")
    yield Row(name, *laps, "s", "one worker", ratio(laps[1], laps[0]), target)


def _compare(client, study, names):
    compare_by_tasks(study, names, ClusterRunner(study, client))
