"""What runs the tasks of a command's study: this process, or a cluster."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from workbench.cli.console import Progress
from workbench.cluster.connection import connect
from workbench.cluster.studies import ClusterRunner
from workbench.experiments.task_runner import TaskRunner


@contextmanager
def open_runner(study: Any, options: Namespace, progress: Progress) -> Iterator[TaskRunner]:
    """Give the runner of a study's tasks: this process, or the cluster that is asked for."""
    if options.cluster is None:
        yield TaskRunner(study, keeps=True, on_task=progress.began)
    else:
        with connect(options.cluster) as client:
            yield ClusterRunner(study, client, keeps=True, on_task=progress.began)
