"""Calls of the parts of a text on their workers, without a Dask task for each call.

The parts become *actors* of Dask: a call goes to the worker that has the part, and its result
comes back, without the scheduler's bookkeeping; in a cluster of this machine not even through its
process, and its vectors are in memory that both processes have. An actor is gone with its worker,
or if Dask drops it. Then another is made of the part, which Dask makes again if it is gone too,
and the call is repeated.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from typing import Any

import numpy as np

from workbench.cluster.calls.shared_vectors import (
    Address,
    SharedVectors,
    open_shared,
    share_vectors,
)
from workbench.cluster.shares import Parts
from workbench.text.errors import InputError

_MOST_LOSSES = 4  # in one call: then it is the call that workers die of


class HeldPart:
    """A part on its worker; the vectors of a call are sent to it, or in memory shared with it."""

    def __init__(self, part: Any):
        self._part = part
        self._vectors: SharedVectors | None = None

    def share(self, address: Address, n: int) -> bool:
        """Use the vectors at an address from now on; return whether they are on this machine."""
        self._vectors = open_shared(address, n)
        return self._vectors is not None

    def call(self, method: str, given: np.ndarray | None) -> tuple[Any, np.ndarray | None]:
        """Return what a method of the part returns, and the vector that it fills in.

        Both vectors are None where they are shared; ConnectionError if these are not.
        """
        function = getattr(self._part, method)
        if given is not None:
            found = np.empty_like(given)
            return function(given, found), found
        if self._vectors is None:  # made again since they were shared
            raise ConnectionError("the memory that was shared is not known here")
        return function(*self._vectors), None


class PartCalls:
    """Calls a method of all parts at once, each on its worker, and collects the results.

    Parameters
    ----------
    parts : Parts
        Any objects. Their methods take a vector, float64, and fill in another of the same length;
        what they return besides is small. They must not change what later calls return.
    sizes : sequence of int
        Length of each part's vectors.
    """

    def __init__(self, parts: Parts, sizes: Sequence[int]):
        self._parts, self._sizes = parts, sizes
        self._actors = dict[int, Any]()
        self._shared = dict[int, SharedVectors]()  # of the actors on this machine

    def __call__(self, method: str, own: Iterable[np.ndarray]) -> Iterator[tuple[Any, np.ndarray]]:
        """Yield what a method of each part returns, in order, and the vector that it fills in.

        ``own`` are the vectors given, one for each part; all are called before the first result
        is yielded. What is filled in is another's at the next call. ``ClusterLost`` as in
        ``Tasks.collect``; InputError if workers die one after another.
        """
        self._make_actors()
        calls = [(given, self._call(i, method, given)) for i, given in enumerate(own)]
        for i, (given, call) in enumerate(calls):
            value, found = self._wait(i, method, given, call)
            yield value, self._shared[i].found if found is None else found

    def _make_actors(self):
        lacks = [i not in self._actors for i in range(len(self._parts.results))]
        if any(lacks):
            made = self._parts.keep(lacks).map(HeldPart, as_actors=True).collect()
            for i, actor in zip(np.flatnonzero(lacks).tolist(), made, strict=True):
                self._actors[i] = actor
                self._share(i)

    def _share(self, i):
        """Share the vectors of a part with its worker, if it is on this machine.

        Each actor has memory of its own: one thought lost may still write to what it was given.
        """
        self._shared.pop(i, None)
        if memory := share_vectors(self._sizes[i]):
            with closing(memory), suppress(OSError):
                call = self._begin(i, "share", memory.address, self._sizes[i])
                if call is not None and self._parts.tasks.wait_for(call, self._actors[i]):
                    self._shared[i] = memory.vectors

    def _begin(self, i, method, *arguments):
        """Return the future of a call, None if the worker is known to be gone."""
        with self._parts.tasks.client.as_current(), suppress(RuntimeError):
            return getattr(self._actors[i], method)(*arguments)

    def _call(self, i, method, given):
        if shared := self._shared.get(i):
            shared.given[:] = given
            given = None
        return self._begin(i, "call", method, given)

    def _wait(self, i, method, given, call):
        """Return the result of a call, which is repeated where it is lost with its actor."""
        tasks = self._parts.tasks
        for _ in range(_MOST_LOSSES):
            with suppress(OSError):
                if call is not None:
                    return tasks.wait_for(call, self._actors[i])
            del self._actors[i]
            self._make_actors()
            call = self._call(i, method, given)
        raise InputError(
            f"cluster {tasks.address}: workers died one after another; each may need more "
            "memory, or more workers smaller parts"
        )
