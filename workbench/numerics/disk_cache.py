"""Compiled functions on disk, by numba's inner names: read without importing its compiler.

Damaged files, and classes that are there no more, are compiled again. Where nothing can be
written, what is beside the sources is still read, as in an image whose disk is read-only. Of
processes that need a function at the same time one compiles it, and the others wait for it.
"""

import os
import pickle
import struct
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from numba.core import environment
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    InTreeCacheLocator,
)
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys

from workbench.numerics.jit import complain

fcntl: Any = import_module("fcntl") if os.name == "posix" else None  # elsewhere there is no lock
_ROOMS = ("numerics", "inference")  # folders that have compiled functions
_PATIENCE = 60  # seconds to wait for a process that compiles the same function
# What reading a pickle raises of bytes that are broken, or of classes that are there no more.
_DAMAGE = (
    pickle.UnpicklingError, struct.error, ArithmeticError, AttributeError, EOFError, ImportError,
    LookupError, MemoryError, OSError, TypeError, ValueError,
)  # fmt: skip


class _ReadOnly(InTreeCacheLocator):
    """The folder beside the sources, whether or not it can be written."""

    @classmethod
    def from_function(cls, py_func, py_file):
        return cls(py_func, py_file)


class _Places(CompileResultCacheImpl):
    """Where a compiled function may be kept, in the order of preference."""

    _locator_classes = [*CompileResultCacheImpl._locator_classes, _ReadOnly]  # noqa: RUF012 (as numba has it)


class _Index(IndexDataCacheFile):
    """Numba's list of what is kept of one function, and the files that it names."""

    def _load_index(self):
        try:
            return super()._load_index()
        except _DAMAGE:
            return {}

    def load(self, key):
        try:
            return super().load(key)
        except _DAMAGE:
            return None

    def _load_data(self, name):
        with open(self._data_path(name), "rb") as file:
            return _Unpickler(file).load()


class _Unpickler(pickle.Unpickler):
    """Reads compiled functions without importing the modules of numba that they came from."""

    def find_class(self, module, name):
        if (module, name) == (environment.__name__, "_rebuild_env"):
            return _rebuild_environment
        return super().find_class(module, name)


def _rebuild_environment(module, constants, name):
    """Return the environment of compiled code: of its module, which it never reads, the name."""
    known = environment.lookup_environment(name)
    if known is not None:
        return known
    values = vars(sys.modules[module]) if module in sys.modules else {"__name__": module}
    made = environment.Environment(values)
    made.consts[:] = constants
    made.env_name = name
    environment.Environment._memo[name] = made
    return made


class Kept(FunctionCache):
    """What is kept on disk of one function."""

    _impl_class = _Places

    def __init__(self, function):
        super().__init__(function)
        index = self._cache_file
        index.__class__, index._source_stamp = _Index, (index._source_stamp, _stamp())
        self._may_save = True

    def alone(self, compile_: Callable) -> Callable:
        """Return ``compile_`` with a lock, so that one process at a time compiles the function.

        The lock goes when its process ends. A process that waited too long, as for one that is
        stopped, compiles by itself and keeps nothing: two at once could choose the same file.
        """

        def _compile(sig):
            # numba's own lock first, since one compiled function compiles those that it calls
            with global_compiler_lock, ExitStack() as stack:
                with suppress(OSError):  # a disk may be read-only, a file system without locks
                    file = stack.enter_context(open(f"{self._cache_file._index_path}.lock", "w"))
                    self._may_save = fcntl is None or _lock(file)
                return compile_(sig)

        return _compile

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the function compiled for some types, or None."""
        rtsys.initialize(target_context)  # of what numba imports first, all that running needs
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the function; on a disk that is full or read-only say so once."""
        try:
            if self._may_save:
                super().save_overload(sig, data)
        except OSError as error:
            complain(error.strerror)


def _lock(file):
    """Lock a file; return whether it was free in time."""
    end = monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > end:
                return False
            sleep(0.05)
        else:
            return True


@cache
def _stamp():
    """Times and sizes of the sources of all rooms: a function may hold another file's code."""
    package = Path(__file__).resolve().parents[1]
    files = sorted(file for room in _ROOMS for file in (package / room).rglob("*.py"))
    return tuple((file.name, file.stat().st_mtime, file.stat().st_size) for file in files)
