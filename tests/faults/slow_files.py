"""Files written in small pieces: between two of them a process can be stopped at will.

A moment is one piece, or one call that opens, renames or removes a file.
"""

import builtins
import io
import os
import signal
import sys
import time

_PIECE = 200  # bytes
_EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.chmod", "os.rmdir"}


class Moments:
    """Counts the moments of a process; the process kills itself at one of them.

    Parameters
    ----------
    last : int, optional
        The number of the moment at which the process is killed; none without it.
    pause : float
        Seconds that each moment takes, for whoever kills by the clock.
    """

    def __init__(self, last: int | None = None, pause: float = 0.0):
        self.n, self._last, self._pause = 0, last, pause

    def pass_one(self) -> None:
        """Let a moment pass, or end the process as ``kill -9`` does."""
        self.n += 1
        if self.n == self._last:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(self._pause)


def slow_down(moments: Moments) -> None:
    """Write all files of this process in pieces from now on, for good."""

    class SlowFile(io.FileIO):
        def write(self, data):
            data, done = memoryview(data).cast("B"), 0
            while done < len(data):
                moments.pass_one()
                done += super().write(data[done : done + _PIECE])
            return done

    def open_slowly(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None,
                    closefd=True, opener=None):  # fmt: skip
        if not set(mode) & set("wax+") or buffering == 0:
            return plain(file, mode, buffering, encoding, errors, newline, closefd, opener)
        raw = SlowFile(file, mode.replace("b", "").replace("t", ""), closefd, opener)
        buffered = (io.BufferedRandom if "+" in mode else io.BufferedWriter)(raw, 4 * _PIECE)
        if "b" in mode:
            return buffered
        return io.TextIOWrapper(buffered, encoding or "utf-8", errors, newline)

    plain = io.open
    io.open = builtins.open = open_slowly
    sys.addaudithook(lambda event, _: moments.pass_one() if event in _EVENTS else None)
