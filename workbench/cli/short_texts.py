"""Whether a command recases so little text that its loops are done before numba is imported.

Of what ``recase`` takes for a line, half went to importing numba and reading compiled loops, and
twenty seconds where none were compiled yet. This module imports nothing that takes time.
"""

import os
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_MOST_BYTES = 4096  # some 700 words
_PACKED = (".gz", ".zst")


def recases_little(words: Sequence[str]) -> bool:
    """Return whether a command line is ``recase`` with a few hundred words of text at most.

    Every file it names is counted as text but the model, which comes first; False where a size
    is not known.
    """
    command, *rest = words or [""]
    given = rest[1:]
    return command == "recase" and sum(map(_size_of_file, given)) + _size_of_input() <= _MOST_BYTES


def _size_of_file(word):
    """Return the bytes of a file; 0 if there is no such file."""
    path = Path(word)
    if "://" in word or word.endswith(_PACKED) or (path.exists() and not path.is_file()):
        return float("inf")
    return path.stat().st_size if path.exists() else 0


def _size_of_input():
    """Return the bytes that standard input has; nobody types many."""
    if sys.stdin is None or sys.stdin.isatty():
        return 0
    found = os.fstat(sys.stdin.fileno())
    if stat.S_ISREG(found.st_mode):
        return found.st_size
    return 0 if stat.S_ISCHR(found.st_mode) else _size_of_pipe(sys.stdin.fileno())


def _size_of_pipe(pipe):
    """Return the bytes in a pipe, if its writer has ended."""
    try:
        import fcntl
        import select
        import termios
    except ImportError:  # not on Windows
        return float("inf")
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    if not any(event & select.POLLHUP for _, event in waiting.poll(0)):
        return float("inf")
    with suppress(OSError):  # it is a device
        return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
    return float("inf")
