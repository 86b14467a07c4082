"""Tasks of a study: independent fits whose results come as they finish, and are kept on disk.

A result is kept in the cache by the hash of all that it depends on, this package's code among that,
so a study that was stopped goes on where it was. A result is a dict for JSON, in which arrays of
bool may stand, too. Other runners may have the tasks run elsewhere (``cluster/studies.py``).
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workbench.annexes import added, load
from workbench.models.files import write_atomically
from workbench.text.errors import InputError
from workbench.text.sets.storage import kept_folder

_PACKAGE = Path(__file__).resolve().parents[1]
_BITS = "bits"  # the key of an array in JSON


class Task(NamedTuple):
    """A fit: ``function(shared, *arguments)`` returns its result, on a worker or here."""

    name: str
    key: Any  # for JSON: what the result depends on, with the function's name
    function: Callable  # of a module, so that it can be sent
    arguments: tuple = ()


class Finished(NamedTuple):
    """A task that is done."""

    task: Task
    result: dict


class TaskRunner:
    """Runs tasks that share something, their texts, one after another in this process.

    Parameters
    ----------
    shared : object
        The first argument of all tasks.
    keeps : bool
        Whether results are kept on disk, and looked for there.
    on_task : callable, optional
        Called with the name of each task that begins here, or has finished elsewhere.
    """

    is_shared = False  # whether several processes run the tasks

    def __init__(self, shared: Any, keeps: bool = False, on_task: Callable | None = None):
        self._shared, self._on_task = shared, on_task or (lambda _: None)
        self._folder = kept_folder("studies") if keeps else None

    def run(self, tasks: Sequence[Task]) -> Iterator[Finished]:
        """Yield the results of tasks: first those that are kept, then others as they finish.

        InputError as in a task.
        """
        missing = []
        for task in tasks:
            if (result := self._read(task)) is None:
                missing.append(task)
            else:
                yield Finished(task, result)
        for done in self._run(missing):
            self._write(*done)
            yield done

    def is_kept(self, task: Task) -> bool:
        """Return whether the result of a task is on disk."""
        return self._read(task) is not None

    def _run(self, tasks):
        for task in tasks:
            self._on_task(task.name)
            yield Finished(task, task.function(self._shared, *task.arguments))

    def _path(self, folder, task):
        key = json.dumps([_digest_of_code(), task.function.__name__, task.key], sort_keys=True)
        return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"

    def _read(self, task):
        """Return the result that is kept of a task; None if there is none, or it is damaged."""
        if self._folder is None:
            return None
        with suppress(OSError, ValueError):
            digest, _, text = self._path(self._folder, task).read_text("utf-8").partition("\n")
            if hashlib.sha256(text.encode()).hexdigest() == digest:
                return json.loads(text, object_hook=_unpack)
        return None

    def _write(self, task, result):
        if self._folder is not None:
            text = json.dumps(result, default=_pack)
            data = f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}".encode()
            with suppress(InputError):  # a full disk: the result is there, but not the next time
                write_atomically(str(self._path(self._folder, task)), lambda file: file.write(data))


def open_runner(
    shared: Any, options: Mapping[str, Any], on_task: Callable
) -> AbstractContextManager[TaskRunner]:
    """Return what gives the runner of a command's tasks, whose results are kept.

    It is that of the annex whose option is given, such as ``cluster``, or else this process.
    """
    for option, entry in added("RUNNERS").items():
        if options.get(option) is not None:
            return load(entry)(shared, options[option], on_task)
    return nullcontext(TaskRunner(shared, keeps=True, on_task=on_task))


@cache
def _digest_of_code():
    """Return a digest of this package's modules: other code may give other results."""
    digest = hashlib.sha256()
    for file in sorted(_PACKAGE.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _pack(array: Any) -> Any:
    if isinstance(array, np.generic):
        return array.item()
    bits = base64.b64encode(np.packbits(array).data).decode()
    return {_BITS: bits, "length": len(array)}


def _unpack(value: dict) -> Any:
    if _BITS not in value:
        return value
    packed = np.frombuffer(base64.b64decode(value[_BITS]), np.uint8)
    return np.unpackbits(packed, count=value["length"]).view(bool)
