"""Calls of what the workers hold of a text, without a task for each call.

The parts become *actors* of Dask: a call goes to the worker that has the part, and its result
comes back, without the scheduler's bookkeeping; in a cluster of this machine not even through its
process. An actor is gone with its worker, or if Dask drops it. Then another is made of the part,
which Dask makes again if it is gone too, and the call is repeated.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from workbench.cluster.shares import Parts
from workbench.text.errors import InputError

_MOST_LOSSES = 4  # in one call: then it is the call that workers die of


class PartCalls:
    """Calls of the methods of all parts at once.

    Parameters
    ----------
    parts : Parts
        Any objects; their methods must not change what later calls return.
    """

    def __init__(self, parts: Parts):
        self._parts, self._actors = parts, dict[int, Any]()

    def __call__(self, method: str, own: Iterable[Any]) -> Iterator[Any]:
        """Yield ``part.method(own[i])`` of each part, in order; all are called before the first.

        ``ClusterLost`` as of ``Tasks.collect``; InputError if workers die one after another.
        """
        self._make_actors()
        calls = [(argument, self._call(i, method, argument)) for i, argument in enumerate(own)]
        for i, (argument, call) in enumerate(calls):
            yield self._wait(i, method, argument, call)

    def _make_actors(self):
        lacks = [i not in self._actors for i in range(len(self._parts.results))]
        if any(lacks):
            made = self._parts.keep(lacks).map(_return, as_actors=True).collect()
            self._actors |= dict(zip(np.flatnonzero(lacks).tolist(), made, strict=True))

    def _call(self, i, method, argument):
        """Return the future of a call, None if the worker is known to be gone."""
        with self._parts.tasks.client.as_current(), suppress(RuntimeError):
            return getattr(self._actors[i], method)(argument)

    def _wait(self, i, method, argument, call):
        """Return the result of a call, which is repeated where it is lost with its actor."""
        tasks = self._parts.tasks
        for _ in range(_MOST_LOSSES):
            with suppress(OSError):
                if call is not None:
                    return tasks.wait_for(call, self._actors[i])
            del self._actors[i]
            self._make_actors()
            call = self._call(i, method, argument)
        raise InputError(
            f"cluster {tasks.address}: workers died one after another; each may need more "
            "memory, or more workers smaller parts"
        )


def _return(part):
    return part
