"""The tasks of a study run by the workers of a Dask cluster, which are sent its texts once each."""

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from workbench.cluster.connection import connect
from workbench.cluster.workers import submit
from workbench.experiments.task_runner import Finished, TaskRunner
from workbench.numerics.threads import set_threads
from workbench.text.errors import InputError


class ClusterRunner(TaskRunner):
    """Runs tasks on the workers of a client; otherwise as a ``TaskRunner``.

    InputError if the cluster is lost.
    """

    is_shared = True

    def __init__(
        self, shared: Any, client: Any, keeps: bool = False, on_task: Callable | None = None
    ):
        super().__init__(shared, keeps, on_task)
        self._client, self._sent = client, None

    def _run(self, tasks):
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


def _run_on_worker(function, shared, *arguments):
    from distributed import get_worker

    set_threads(get_worker().state.nthreads)
    return function(shared, *arguments)


@contextmanager
def open_runner(shared: Any, place: str, on_task: Callable) -> Iterator[ClusterRunner]:
    """Give the runner of tasks on a cluster, by its address; their results are kept."""
    with connect(place) as client:
        yield ClusterRunner(shared, client, keeps=True, on_task=on_task)
