"""What runs the tasks of a study, here and on two workers; their results without seconds."""

import pytest

SECONDS = {"fit_seconds", "seconds", "train_seconds", "adapt_seconds"}


@pytest.fixture(scope="module")
def client():
    """Two workers, each a process of its own."""
    from workbench.cluster.connection import start_workers  # here, as few tests need Dask

    with start_workers(2) as own:
        yield own


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder for what is kept, where no test before has written."""
    monkeypatch.setenv("WORKBENCH_CACHE", str(tmp_path))
    return tmp_path / "studies"


@pytest.fixture(params=["here", "cluster"])
def runner_of(request):
    """Make what runs the tasks of a study: this process, then the workers."""
    from workbench.cluster.studies import ClusterRunner
    from workbench.experiments.task_runner import TaskRunner

    if request.param == "here":
        return TaskRunner
    client = request.getfixturevalue("client")
    return lambda shared, **options: ClusterRunner(shared, client, **options)


def timeless(value):
    """A result without the seconds that it took."""
    if isinstance(value, dict):
        return {key: timeless(own) for key, own in value.items() if key not in SECONDS}
    return [timeless(own) for own in value] if isinstance(value, list) else value
