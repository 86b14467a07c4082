"""One job with one fault: how it ended, and what can be read afterwards."""

import hashlib
import io
import os
import random
import resource
import shutil
import signal
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from faults.jobs import JOBS, OUTPUT
from faults.slow_files import Moments, slow_down

_OLD = b"the output of an earlier day\n"
_NOBODY = 65534
_PAUSE = 0.002  # seconds
Before = Callable[[], object]


class Outcome(NamedTuple):
    """What came of a job in a process of its own."""

    status: int  # negative: the signal that ended it
    said: str  # on standard error
    state: str  # of what can be read: "none", "old", "new" or "torn"
    is_unfinished: bool  # whether a file was left that was being written


class Trials:
    """Runs jobs in a folder, one process for each run; new content is that of a quiet run."""

    def __init__(self, folder: Path):
        self.folder, self._own = folder, folder / "own"
        os.environ["WORKBENCH_CACHE"] = str(self._own)
        # Its usual lock is one for all processes that are forked; who is killed keeps it for good.
        tqdm.set_lock(threading.RLock())
        self._new = {name: self._learn(name) for name in JOBS}

    def _learn(self, name):
        self._begin(name, with_old=False)
        with redirect_stderr(io.TextIOWrapper(io.BytesIO())) as said, redirect_stdout(said):
            assert JOBS[name](self.folder) == 0, said.buffer.getvalue()
        return self._content()

    def n_moments(self, name: str) -> int:
        """Return the number of moments of a job."""
        reader, writer = os.pipe()
        moments = Moments()

        def end():
            os.write(writer, str(moments.n).encode())

        self._begin(name, False)
        os.waitpid(self._start(name, lambda: slow_down(moments), end), 0)
        os.close(writer)
        with os.fdopen(reader) as counted:
            return int(counted.read())

    def seconds(self, name: str) -> float:
        """Return how long a job takes whose moments take as long as in ``kill_after``."""
        self._begin(name, False)
        began = time.monotonic()
        os.waitpid(self._start(name, lambda: slow_down(Moments(pause=_PAUSE))), 0)
        return time.monotonic() - began

    def n_bytes(self, name: str) -> int:
        """Return the size of the largest file that a job leaves."""
        self._begin(name, False)
        self.repeat(name)
        return max(path.stat().st_size for path in self._files())

    # --- faults ---------------------------------------------------------------------------

    def kill_at(self, name: str, moment: int, with_old: bool) -> Outcome:
        """Kill a job at one of its moments."""
        return self._run(name, lambda: slow_down(Moments(moment)), with_old)

    def kill_after(self, name: str, seconds: float, with_old: bool) -> Outcome:
        """Kill a job by the clock; its moments are slow."""
        self._begin(name, with_old)
        child = self._start(name, lambda: slow_down(Moments(pause=_PAUSE)))
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        return self._end(name, child, "")

    def fill_disk(self, name: str, most: int) -> Outcome:
        """Run a job that can write no file of more than some bytes."""
        return self._run(
            name, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)), True
        )

    def forbid_writing(self, name: str) -> Outcome:
        """Run a job as a user who may not write to the folder."""

        def become_nobody():
            if os.geteuid() == 0:
                os.setuid(_NOBODY)

        return self._run(name, become_nobody, True, mode=0o555)

    def run_two(self, name: str, generator: random.Random) -> list[Outcome]:
        """Run a job in two processes at once, both slowed."""
        self._begin(name, True)
        pauses = [generator.uniform(0, 0.004) for _ in range(2)]
        children = [
            self._start(name, lambda pause=pause: slow_down(Moments(pause=pause)))
            for pause in pauses
        ]
        ended = [os.waitpid(child, 0)[1] for child in children]
        return [self._outcome(name, os.waitstatus_to_exitcode(status), "") for status in ended]

    def repeat(self, name: str) -> Outcome:
        """Run a job where another left off, without a fault."""
        return self._end(name, self._start(name), "")

    # --- processes ------------------------------------------------------------------------

    def _begin(self, name, with_old):
        if self._own.exists():
            self._own.chmod(0o755)
            shutil.rmtree(self._own)
        self._own.mkdir()
        if with_old:
            (self._own / OUTPUT).write_bytes(_OLD)

    def _run(self, name, before, with_old, mode=0o755):
        self._begin(name, with_old)
        self._own.chmod(mode)
        reader, writer = os.pipe()
        child = self._start(name, before, errors=writer)
        os.close(writer)
        with os.fdopen(reader, errors="replace") as said:
            return self._end(name, child, said.read())

    def _start(self, name, before: Before = int, after: Before = int, errors=None):
        """Start a job in a process of its own; returns the process' number."""
        if child := os.fork():
            return child
        status = 70  # no job ends with it
        try:
            silence = os.open(os.devnull, os.O_WRONLY)
            for stream, to in ((1, silence), (2, silence if errors is None else errors)):
                os.dup2(to, stream)
            before()
            status = JOBS[name](self.folder)
            after()
        finally:
            os._exit(status)

    def _end(self, name, child, said):
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return self._outcome(name, status, said)

    def _outcome(self, name, status, said):
        hidden = [path for path in self._files() if self._is_hidden(path)]
        return Outcome(status, said, self._state(name), bool(hidden))

    # --- what is there --------------------------------------------------------------------

    def _files(self):
        return [path for path in self._own.rglob("*") if path.is_file()]

    def _is_hidden(self, path):
        return any(part.startswith(".") for part in path.relative_to(self._own).parts)

    def _content(self):
        """Return the digest of each file that has its name."""
        return {
            str(path.relative_to(self._own)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self._files()
            if not self._is_hidden(path)
        }

    def _state(self, name):
        content, old = self._content(), {OUTPUT: hashlib.sha256(_OLD).hexdigest()}
        if content in (self._new[name], old | self._new[name]):
            return "new"
        if content in ({}, old):
            return "old" if content else "none"
        return "torn"
