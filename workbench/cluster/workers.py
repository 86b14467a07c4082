"""Work sent to Dask's workers and collected; what happens when a worker is killed or lost.

A part of a text is a chain of tasks (read, number, pack, make ready to learn from) whose results
stay on the worker that made them. Dask remembers the chain: when a worker is gone its parts are
read and packed again elsewhere, and who waits for a result does not notice but for the time.

Where one part is called again and again (``PartCalls``), it becomes an *actor* of Dask: a call goes
to the worker that has the part, and its result comes back, without the scheduler's bookkeeping. An
actor is gone with its worker, or if Dask drops it. Then another is made of the part, and the call
is repeated.

Dask's scheduler unpacks the functions and arguments of tasks, so it would need every module that
they come from. Here it sees bytes, arrays and futures, and a function that is sent whole.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from workbench.text.errors import InputError

_PATIENCE = 5  # seconds between looks at whether there is a worker left
_MOST_LOOKS = 12  # without one
_MOST_LOSSES = 4  # of a part in one call: then it is the call that workers die of


class ClusterLost(InputError):
    """The scheduler or the last worker went away while there was work to do."""


class Tasks:
    """Tasks of a client, each asked for by a function and its arguments.

    Arguments may be futures: results of earlier tasks, which stay where they are.
    """

    def __init__(self, client: Any):
        self.client, self.address = client, client.scheduler.address

    def submit(
        self, function: Callable, *arguments: Any, worker: str | None = None,
        as_actor: bool = False,
    ) -> Any:  # fmt: skip
        """Return the future of a task, on a worker, given by its address, as long as it lives.

        That of an actor is what calls go to, and the result stays on its worker.
        """
        placed = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        return submit(self.client, function, *arguments, **placed, actor=as_actor)

    def collect(self, futures: Sequence[Any]) -> list[Any]:
        """Return the results of tasks, in order.

        ``ClusterLost`` if no worker is left for a minute, or the scheduler is gone; InputError
        if workers die of a task one after another.
        """
        from distributed import KilledWorker, wait

        try:
            self._wait(lambda: wait(futures, timeout=_PATIENCE))
            with self.client.as_current():  # whose client actors come back with
                return self.client.gather(list(futures))
        except KilledWorker as error:
            raise self.died(f" of {error.task}") from None
        except (OSError, CancelledError) as error:
            raise ClusterLost(f"cluster {self.address}: the scheduler has gone ({error})") from None

    def wait_for(self, call: Any, actor: Any) -> Any:
        """Return the result of the call of an actor; OSError if no worker has the actor any more.

        ``ClusterLost`` as in ``collect``.
        """
        return self._wait(lambda: call.result(timeout=_PATIENCE), lambda: self._look_for(actor))

    def died(self, of_what: str) -> InputError:
        """Return the error that workers died one after another; ``of_what`` begins with a space."""
        return InputError(
            f"cluster {self.address}: workers died one after another{of_what}; each may need more "
            "memory, or more workers smaller parts"
        )

    def _look_for(self, actor):
        """Raise ConnectionError if no worker has an actor: Dask leaves its calls unanswered."""
        if not any(self.client.run(_has_actor, actor.key, on_error="ignore").values()):
            raise ConnectionError(f"no worker has {actor.key}")

    def _wait(self, ask, look=lambda: None):
        """Return the result of ``ask``, repeated while it times out, with a ``look`` each time."""
        looks = 0
        while looks < _MOST_LOOKS:
            try:
                with self.client.as_current():
                    return ask()
            except TimeoutError:
                looks = 0 if self.client.nthreads() else looks + 1
                look()
        raise ClusterLost(f"cluster {self.address}: no worker is left")


class Parts(NamedTuple):
    """Results of tasks, one for each part of a text, in order, and on which worker each stays.

    Without a worker named for every task, Dask may put all parts on one and leave others idle.
    """

    tasks: Tasks
    results: list[Any]  # Future, or what the first tasks are given
    workers: list[str]  # addresses

    def map(
        self, function: Callable, *given: Any, own: Sequence[Any] | None = None,
        as_actors: bool = False,
    ) -> "Parts":  # fmt: skip
        """Return ``function(part, *given)`` of each part, computed where the part is.

        With ``own``, one for each part, it is ``function(part, own[i], *given)``.
        """
        columns = [self.results] if own is None else [self.results, own]
        results = [
            self.tasks.submit(function, *of_part, *given, worker=worker, as_actor=as_actors)
            for worker, *of_part in zip(self.workers, *columns, strict=True)
        ]
        return self._replace(results=results)

    def keep(self, kept: Sequence[Any]) -> "Parts":
        """Return the parts for which ``kept``, one for each part, is true."""
        results, workers = (list(compress(each, kept)) for each in self[1:])
        return self._replace(results=results, workers=workers)

    def merge(self, function: Callable) -> Any:
        """Return the future of all results merged: neighbours in pairs, and these in pairs."""
        futures = self.results
        while len(futures) > 1:
            pairs = [futures[i : i + 2] for i in range(0, len(futures), 2)]
            futures = [
                self.tasks.submit(function, *pair) if len(pair) == 2 else pair[0] for pair in pairs
            ]
        return futures[0]

    def collect(self) -> list[Any]:
        """Return the results, as in ``Tasks``."""
        return self.tasks.collect(self.results)


def _has_actor(key, dask_worker):
    return key in dask_worker.state.actors


class _HeldPart:
    """A part on its worker, as an actor."""

    def __init__(self, part: Any):
        self._part = part

    def call(self, method: str, given: np.ndarray) -> Any:
        """Return what a method of the part returns."""
        return getattr(self._part, method)(given)


class PartCalls:
    """Calls a method of all parts at once, each on its worker, and collects the results.

    ``parts`` are any objects. Their methods take a vector, float64; they must not change what later
    calls return.
    """

    def __init__(self, parts: Parts):
        self._parts = parts
        self._actors = dict[int, Any]()

    def __call__(self, method: str, own: Iterable[np.ndarray]) -> Iterator[Any]:
        """Yield what a method of each part returns, in order.

        ``own`` are the vectors given, one for each part; all are called before the first result
        is yielded. ``ClusterLost`` as in ``Tasks.collect``; InputError if workers die one after
        another.
        """
        self._make_actors()
        calls = [(given, self._begin(i, method, given)) for i, given in enumerate(own)]
        for i, (given, call) in enumerate(calls):
            yield self._wait(i, method, given, call)

    def _make_actors(self):
        lacks = [i not in self._actors for i in range(len(self._parts.results))]
        if any(lacks):
            made = self._parts.keep(lacks).map(_HeldPart, as_actors=True).collect()
            self._actors.update(zip(np.flatnonzero(lacks).tolist(), made, strict=True))

    def _begin(self, i, method, given):
        """Return the future of a call, None if the worker is known to be gone."""
        with self._parts.tasks.client.as_current(), suppress(RuntimeError):
            return self._actors[i].call(method, given)

    def _wait(self, i, method, given, call):
        """Return the result of a call, which is repeated where it is lost with its actor."""
        tasks = self._parts.tasks
        for _ in range(_MOST_LOSSES):
            with suppress(OSError):
                if call is not None:
                    return tasks.wait_for(call, self._actors[i])
            del self._actors[i]
            self._make_actors()
            call = self._begin(i, method, given)
        raise tasks.died("")


def submit(client: Any, function: Callable, *arguments: Any, **placed: Any) -> Any:
    """Return the future of ``function(*arguments)`` on a worker; ``placed`` are Dask's options.

    The function is one of a module. Arguments that are futures stand for their results.
    """
    from distributed import Future

    sent = {i: a for i, a in enumerate(arguments) if isinstance(a, Future | np.ndarray)}
    others = [None if i in sent else argument for i, argument in enumerate(arguments)]
    packed = pickle.dumps((function, others, list(sent)))
    return client.submit(_unpack_and_call, packed, *sent.values(), pure=False, **placed)


def _make_call():
    """Return what runs on a worker: a function in a function, which is sent whole."""

    def unpack_and_call(packed: bytes, *sent: Any) -> Any:
        from pickle import loads

        function, arguments, places = loads(packed)
        for place, argument in zip(places, sent, strict=True):
            arguments[place] = argument
        return function(*arguments)

    return unpack_and_call


_unpack_and_call = _make_call()
