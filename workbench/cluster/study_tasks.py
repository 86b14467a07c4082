"""Tasks of a study: independent fits whose results come as they finish, and are kept on disk.

A study is run by this process, or by the workers of a Dask cluster, which are sent its texts once
each. A result is kept in the cache by the hash of all that it depends on, this package's code
among that, so a study that was stopped goes on where it was. A result is a dict for JSON, in
which arrays of bool may stand, too.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workbench.cluster.calls.packed_calls import submit
from workbench.models.files import write_atomically
from workbench.numerics.threads import set_threads
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
    """Runs tasks that share something, their texts.

    Parameters
    ----------
    shared : object
        The first argument of all tasks; a worker is sent it once.
    client : distributed.Client, optional
        Of the cluster whose workers run the tasks; without one, this process.
    keeps : bool
        Whether results are kept on disk, and looked for there.
    on_task : callable, optional
        Called with the name of each task that this process begins, or a worker has finished.
    """

    def __init__(
        self, shared: Any, client: Any = None, keeps: bool = False, on_task: Callable | None = None
    ):
        self._shared, self._client, self._on_task = shared, client, on_task or (lambda _: None)
        self._folder = kept_folder("studies") if keeps else None
        self._sent: Any = None

    def run(self, tasks: Sequence[Task]) -> Iterator[Finished]:
        """Yield the results of tasks: first those that are kept, then others as they finish.

        InputError as of a task, or if the cluster is lost.
        """
        missing = []
        for task in tasks:
            if (result := self._read(task)) is None:
                missing.append(task)
            else:
                yield Finished(task, result)
        for done in (self._run_here if self._client is None else self._run_there)(missing):
            self._write(*done)
            yield done

    @property
    def is_shared(self) -> bool:
        """Whether several processes run the tasks."""
        return self._client is not None

    def is_kept(self, task: Task) -> bool:
        """Return whether the result of a task is on disk."""
        return self._read(task) is not None

    def _run_here(self, tasks):
        for task in tasks:
            self._on_task(task.name)
            yield Finished(task, task.function(self._shared, *task.arguments))

    def _run_there(self, tasks):
        from distributed import KilledWorker, as_completed

        if not tasks:
            return
        address = self._client.scheduler.address
        try:
            futures = self._submit(tasks)
            with self._client.as_current():
                completed = as_completed(futures)
            for future in completed:
                task, result = futures[future], future.result()
                self._on_task(task.name)
                yield Finished(task, result)
        except KilledWorker as error:
            raise InputError(
                f"cluster {address}: workers died one after another of {error.task}; each may need "
                "more memory"
            ) from None
        except (OSError, CancelledError):
            raise InputError(
                f"cluster {address}: the scheduler has gone; what was finished is kept, and the "
                "same command goes on there"
            ) from None

    def _submit(self, tasks):
        """Return the tasks by their futures; those that come first are begun first."""
        if self._sent is None:
            self._sent = self._client.scatter(self._shared, broadcast=True, hash=False)
        return {
            submit(self._client, _run_on_worker, task.function, self._sent, *task.arguments): task
            for task in tasks
        }

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


def _run_on_worker(function, shared, *arguments):
    from distributed import get_worker

    set_threads(get_worker().state.nthreads)
    return function(shared, *arguments)


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
