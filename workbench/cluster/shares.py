"""Tasks on a cluster: how they are asked for, and what runs on a worker for a part of a text.

A part is a chain of tasks (read, number, pack, make ready to learn from) whose results stay on
the worker that made them. Dask remembers the chain: when a worker is gone its parts are read and
packed again elsewhere, and who waits for a result does not notice but for the time.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from workbench.cluster.calls.packed_calls import submit
from workbench.cluster.feature_counts import WholeSelection
from workbench.cluster.text_parts import Piece, read_part
from workbench.features.contexts import Contexts
from workbench.learning.problem import ActiveLikelihood
from workbench.models.table import active_likelihood
from workbench.numerics.threads import set_threads
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.incoming import is_address

_PATIENCE = 5  # seconds between looks at whether there is a worker left
_MOST_LOOKS = 12  # without one


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

    def merge(self, function: Callable, futures: Sequence[Any]) -> Any:
        """Return the future of all results merged: neighbours in pairs, and these in pairs."""
        while len(futures) > 1:
            pairs = [futures[i : i + 2] for i in range(0, len(futures), 2)]
            futures = [
                self.submit(function, *pair) if len(pair) == 2 else pair[0] for pair in pairs
            ]
        return futures[0]

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
            raise InputError(
                f"cluster {self.address}: workers died one after another of {error.task}; each "
                "may need more memory, or more workers smaller parts"
            ) from None
        except (OSError, CancelledError) as error:
            raise ClusterLost(f"cluster {self.address}: the scheduler has gone ({error})") from None

    def wait_for(self, call: Any, actor: Any) -> Any:
        """Return the result of the call of an actor; OSError if no worker has the actor any more.

        ``ClusterLost`` as in ``collect``.
        """
        return self._wait(lambda: call.result(timeout=_PATIENCE), lambda: self._look_for(actor))

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
        """Return the future of all results merged, as in ``Tasks``."""
        return self.tasks.merge(function, self.results)

    def collect(self) -> list[Any]:
        """Return the results, as in ``Tasks``."""
        return self.tasks.collect(self.results)


class LikelihoodOfPart:
    """The log-likelihood of a part over the weights that it depends on."""

    def __init__(self, active: ActiveLikelihood):
        self.log_likelihood, self.places = active

    def evaluate(self, weights: np.ndarray, gradient: np.ndarray) -> float:
        """Return the log-likelihood in nats, and fill in its gradient, by its own weights."""
        value, gradient[:] = self.log_likelihood(weights)
        return value

    def curvature(self, weights: np.ndarray, diagonal: np.ndarray) -> None:
        """Fill in the diagonal of the Hessian of -L(Lambda), by its own weights."""
        diagonal[:] = self.log_likelihood.curvature(weights)

    def __sizeof__(self) -> int:
        """Return its size in bytes: the scheduler leaves what is large where it is."""
        return _n_bytes(self.log_likelihood)


def _n_bytes(thing):
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    parts = thing if isinstance(thing, list | tuple) else getattr(thing, "__dict__", {}).values()
    return sum(map(_n_bytes, parts))


# --- what runs on a worker ----------------------------------------------------------------


def read_here(pieces: Sequence[Piece], name: str) -> Corpus | None:
    """Return the words of some pieces, as ``read_part``; InputError, too, if a file is not here."""
    from distributed import get_worker

    for path in (piece.path for piece in pieces):
        if not is_address(path) and not os.path.exists(path):
            raise InputError(
                f"{path}: not there on worker {get_worker().address}; a text must be at the same "
                "path on all workers"
            )
    return read_part(pieces, name)


def _has_actor(key, dask_worker):
    return key in dask_worker.state.actors


def make_likelihood(events: Contexts, kind: Any, selection: WholeSelection) -> LikelihoodOfPart:
    """Return the log-likelihood of the events of a part; ``kind`` is ``MEMM`` or ``CRF``."""
    from distributed import get_worker

    set_threads(get_worker().state.nthreads)
    firing = selection.firing_of(events)
    return LikelihoodOfPart(active_likelihood(kind.likelihood, events, selection.features, firing))


def find_places(part: LikelihoodOfPart) -> tuple[np.ndarray, np.ndarray]:
    """Return which weights a part depends on, uint32, shape (its own,), and ``observed``."""
    return part.places.astype(np.uint32), part.log_likelihood.observed
