"""Tries all jobs with all faults; prints what came of it as JSON.

Usage: ``python tests/try_faults.py [--kills N] [--seed N]``. Two of three kills are at a moment
when something is opened, written or renamed, the third by the clock, at any time.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from faults.jobs import JOBS, prepare
from faults.trials import Trials

_HIT = "while a file was unfinished"
_COUNTED = "old", "none", "new", "torn", "lost", "left", _HIT


def kill(trials: Trials, name: str, n: int, generator: random.Random) -> dict[str, int]:
    """Kill a job n times; returns how often it was hit, and what was there afterwards.

    Then the job is run again where it was stopped: "lost" counts those that do not get done,
    "left" those that leave what the killed job had begun.
    """
    counts: Counter = Counter(dict.fromkeys(_COUNTED, 0))
    n_moments, seconds = trials.n_moments(name), trials.seconds(name)
    for i in range(n):
        with_old = generator.random() < 0.5
        if i % 3 == 2:
            outcome = trials.kill_after(name, generator.uniform(0, seconds), with_old)
        else:
            outcome = trials.kill_at(name, generator.randint(1, n_moments), with_old)
        again = trials.repeat(name)
        counts.update([
            outcome.state, "killed" if outcome.status < 0 else "done before",
            *([_HIT] if outcome.is_unfinished else []),
            *(["lost"] if (again.status, again.state) != (0, "new") else []),
            *(["left"] if again.is_unfinished else []),
        ])  # fmt: skip
    return dict(counts)


def stop_writing(trials: Trials, name: str, generator: random.Random) -> dict[str, dict]:
    """Run a job on full and on read-only disks; returns the outcomes by the fault."""
    sizes = [0, 1, *(generator.randint(2, trials.n_bytes(name) - 1) for _ in range(3))]
    full = {f"{most} bytes": trials.fill_disk(name, most) for most in sizes}
    found = full | {"read-only": trials.forbid_writing(name)}
    return {fault: outcome._asdict() for fault, outcome in found.items()}


def main() -> None:
    """Prepare a folder, try everything, print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="in all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator, result = random.Random(options.seed), {}
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        Path(folder).chmod(0o755)  # for nobody, too
        prepare(Path(folder))
        trials = Trials(Path(folder))
        for name in JOBS:
            result[name] = {
                "killed": kill(trials, name, options.kills // len(JOBS), generator),
                "stopped": stop_writing(trials, name, generator),
                "two at once": [outcome._asdict() for outcome in trials.run_two(name, generator)],
            }
    json.dump(result, sys.stdout, indent=1)


main()
