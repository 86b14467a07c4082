"""Calls of what the workers hold of a text, without a task for each call.

The parts become *actors* of Dask: a call goes to the worker that has the part, and its result
comes back, without the scheduler's bookkeeping; in a cluster of this machine not even through its
process. An actor is gone with its worker. Then another is made of the part, which Dask makes
again, and the call is repeated.
"""

from collections.abc import Sequence
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

    def __call__(self, method: str, own: Sequence[Any]) -> list[Any]:
        """Return ``part.method(own[i])`` of each part, in order.

        ``ClusterLost`` as of ``Tasks.collect``; InputError if workers die one after another.
        """
        results: dict[int, Any] = {}
        for _ in range(_MOST_LOSSES):
            self._make_actors()
            missing = [i for i in range(len(own)) if i not in results]
            calls = {i: self._call(i, method, own[i]) for i in missing}
            results |= self._collect(calls)
            if len(results) == len(own):
                return [results[i] for i in range(len(own))]
        raise InputError(
            f"cluster {self._parts.tasks.address}: workers died one after another; each may need "
            "more memory, or more workers smaller parts"
        )

    def _make_actors(self):
        lacks = [i not in self._actors for i in range(len(self._parts.results))]
        if any(lacks):
            made = self._parts.keep(lacks).map(_return, as_actors=True).collect()
            self._actors |= dict(zip(np.flatnonzero(lacks).tolist(), made, strict=True))

    def _call(self, i, method, argument):
        """Return the future of a call, None if the worker is known to be gone."""
        with self._parts.tasks.client.as_current(), suppress(RuntimeError):
            return getattr(self._actors[i], method)(argument)

    def _collect(self, calls):
        """Return the results by part; where there is none, the actor is forgotten."""
        results = {}
        for i, call in calls.items():
            try:
                if call is None:
                    raise ConnectionError
                results[i] = self._parts.tasks.wait_for(call)
            except OSError:
                del self._actors[i]
        return results


def _return(part):
    return part
