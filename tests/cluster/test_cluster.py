"""A model trained on a cluster is the one of one process, whatever happens to a worker."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from itertools import count

import numpy as np
import psutil
import pytest

from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.cli.console import Progress
from workbench.cluster import connection, counts, workers
from workbench.cluster.connection import connect, start_workers
from workbench.cluster.text import DistributedText, read_part, split_text
from workbench.cluster.training import DistributedTraining
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus

TEMPLATES = "ca04 +currentword,nextword"  # with a slot of two words
HERE = "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"  # of docs/howto/cluster.md
ALONE = "--nthreads", "1", "--no-nanny"  # a worker that nobody starts again
STRENGTH = {"prior": "gaussian", "sigma2": 5.0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, background_corpus, adaptation_corpus):
    """A text of two files, the second of them packed."""
    place = tmp_path_factory.mktemp("text")
    for name, corpus in (("part-0.txt", background_corpus), ("part-1.txt.gz", adaptation_corpus)):
        lines = [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]
        open_file = gzip.open if name.endswith("gz") else open
        with open_file(place / name, "wt") as file:
            file.write("\n".join(lines) + "\n")
    return place


@pytest.fixture(scope="module")
def client():
    with start_workers(2) as own, connect(own) as given:
        yield given


# --- parts of a text ----------------------------------------------------------------------

_RUNNING = (
    "Mr. Smith went to Rome. He saw\nthe Tiber, and\nmany walls.\n\n\n Then it rained.\n \t\n"
)
LAYOUTS = {
    "tokenized": "The U.S. Senate met , and left .\nNATO , too .\n" * 9,
    "running": "Mr. Smith went to Rome. He saw the Tiber!\nThen it rained, of course.\n" * 9,
    "wrapped": "It is a long line of words that was broken, so that it\nfits a width of letters, "
               "as e-mail does in many places. A\nsentence goes on, then, in the next.\n\n" * 9,
    "marked": "\ufeff" + _RUNNING.replace("\n", "\r\n") * 9,
}  # fmt: skip


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_have_the_sentences_of_the_whole(tmp_path, layout, packed):
    path = tmp_path / "text"
    data = LAYOUTS[layout].encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    whole = read_corpus(path)
    for n in (1, 2, 3, 7, 40):
        parts = [read_part(pieces, "") for pieces in split_text([str(path)], [1] * n)]
        found = [part.sentence(i) for part in parts if part for i in range(part.n_sentences)]
        assert found == [whole.sentence(i) for i in range(whole.n_sentences)]


def test_notes_are_those_of_one_process(client, tmp_path):
    for name in ("a.txt", "b/c.TXT", "d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("<p>It Rained In Rome And In Paris On A Monday</p>\n" * 20)
    notes = list(read_corpus(tmp_path).notes)
    assert len(notes) == 3
    assert DistributedText(client, [str(tmp_path)]).notes == notes


# --- training -----------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[MEMM, CRF], ids=lambda kind: kind.kind)
def both(request, client, folder):
    """The problem of training on the cluster, and in one process."""
    text = DistributedText(client, [str(folder)])
    alone = request.param.training_problem(read_corpus(folder), TEMPLATES, 2)
    return DistributedTraining(request.param, text, TEMPLATES, 2), alone


def test_each_worker_has_a_part(both, client):
    shared, _ = both
    places = client.who_has(shared.log_likelihood.parts.results).values()
    assert sorted(places) == sorted((worker,) for worker in client.nthreads())


def test_features_and_objective_are_those_of_one_process(both, rng):
    shared, alone = both
    assert shared.features.names() == alone.features.names()
    np.testing.assert_array_equal(shared.features.exists, alone.features.exists)
    weights = rng.normal(size=len(alone.mean))
    (value, gradient), expected = (each.log_likelihood(weights) for each in both)
    assert value == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(gradient, expected[1], atol=1e-9)
    ours, theirs = (each.log_likelihood.curvature(weights) for each in both)
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    np.testing.assert_array_equal(shared.log_likelihood.observed, alone.log_likelihood.observed)


def test_words_are_dealt_in_proportion_and_the_most_frequent_stay(rng):
    n_events = np.append(rng.zipf(1.5, 2000).clip(max=90), 10_000)
    owners = counts.deal_words(n_events, 30_000, 10_000)
    assert np.flatnonzero(owners < 0).tolist() == [2000]
    dealt = np.bincount(owners[:-1], n_events[:-1])
    np.testing.assert_allclose(dealt / dealt.sum(), [0.75, 0.25], atol=0.01)


def test_models_are_those_of_one_process(both, background_corpus):
    ours, theirs = (each.train(STRENGTH, "lbfgs", tolerance=1e-10) for each in both)
    if ours.kind == "memm":
        ours = both[0].learn_unknown_words(ours)
        theirs = learn_unknown_words(theirs, both[1].corpus)
    assert ours.features.names() == theirs.features.names()
    np.testing.assert_allclose(ours.weights, theirs.weights, atol=1e-3)
    np.testing.assert_array_equal(ours.tag(background_corpus), theirs.tag(background_corpus))
    assert ours.mixed_forms == theirs.mixed_forms
    assert {**ours.info, "log_likelihood": 0} == {**theirs.info, "log_likelihood": 0}


def test_a_killed_worker_changes_nothing(client, folder):
    problem = DistributedTraining(MEMM, DistributedText(client, [str(folder)]), "ca04", 1)
    whole, steps = problem.train(STRENGTH, "lbfgs"), count()

    def kill_one(step):
        if next(steps) == 3:
            pid = min(client.run(os.getpid).values())
            os.kill(pid, signal.SIGKILL)

    survivor = problem.train(STRENGTH, "lbfgs", on_step=kill_one)
    assert next(steps) > 4
    np.testing.assert_array_equal(survivor.weights, whole.weights)


def test_a_call_ends_though_dask_drops_an_actor(both, client, monkeypatch):
    monkeypatch.setattr(workers, "_PATIENCE", 0.2)
    problem, _ = both
    weights = np.full(len(problem.mean), 0.1)
    value, gradient = problem.log_likelihood(weights)
    client.run(lambda dask_worker: dask_worker.state.actors.clear())
    again = problem.log_likelihood(weights)
    assert again[0] == value
    np.testing.assert_array_equal(again[1], gradient)


def test_a_worker_without_the_text_is_named(client, tmp_path, monkeypatch):
    (tmp_path / "news.txt").write_text(LAYOUTS["tokenized"])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"news.txt: not there on worker tcp://\S+; a text "):
        DistributedText(client, ["/proc/self/cwd/news.txt"])


# --- clusters of processes ----------------------------------------------------------------


@pytest.fixture
def start(tmp_path):
    """Start a scheduler or a worker of Dask, which ends with the test."""
    started = []

    def _start(what, *words, first_path=""):
        paths = [str(first_path), *filter(None, sys.path)]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words, *HERE]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(subprocess.Popen(command, env=env, cwd=tmp_path, **silent))
        return started[-1]

    yield _start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def start_scheduler(start, tmp_path):
    """Start a scheduler that has no such package; returns its process and its address."""
    none = tmp_path / "none" / "workbench"
    none.mkdir(parents=True)
    (none / "__init__.py").write_text("raise ImportError")

    def _start_scheduler():
        known = tmp_path / "scheduler.json"
        known.unlink(missing_ok=True)
        place = "--port", "0", "--scheduler-file", str(known)
        process = start("scheduler", *place, first_path=none.parent)
        while not (known.exists() and known.read_text().endswith("}")):
            assert process.poll() is None
            time.sleep(0.1)
        return process, json.loads(known.read_text())["address"]

    return _start_scheduler


def test_nothing_of_a_cluster_listens_beyond_this_machine(client, start, start_scheduler):
    scheduler, address = start_scheduler()
    begun = {scheduler.pid, start("worker", address, *ALONE).pid}
    hosts = {}
    while not all(hosts.get(pid) for pid in begun):
        ours = [psutil.Process(), *psutil.Process().children(recursive=True)]
        hosts = {
            own.pid: {s.laddr.ip for s in own.net_connections("tcp") if s.status == "LISTEN"}
            for own in ours
        }
        assert begun <= hosts.keys()
    assert hosts[os.getpid()]  # of the client's scheduler
    assert set().union(*hosts.values()) == {"127.0.0.1"}


def test_a_lost_scheduler_leaves_what_was_learnt(start, start_scheduler, folder, run, output):
    words = "train", folder, "-o", output, "--cutoff", "0", "--cluster"
    process, address = start_scheduler()
    start("worker", address, *ALONE)

    def kill(progress, step):
        if step.iteration == 4:
            process.kill()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Progress, "step", kill)
        status, _, message = run(*words, address)
    unfinished = output.with_name(f"{output.name}.unfinished")
    assert (status, message.count("\n")) == (1, 1)
    assert message.startswith(f"workbench: cluster {address}: the scheduler has gone")
    assert message.endswith(f"is in {unfinished}: the same command goes on there\n")
    assert list(output.parent.iterdir()) == [unfinished]

    _, address = start_scheduler()
    start("worker", address, *ALONE)
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Progress, "step", lambda progress, step: seen.append(step.penalty))
        status, _, message = run(*words, address)
    assert (status, message.splitlines()[0]) == (0, f"{unfinished}: training goes on from there")
    assert seen[0] > 0  # it did not begin at weights of 0
    assert list(output.parent.iterdir()) == [output]


def test_workers_of_another_version_are_named(start, start_scheduler, tmp_path):
    _, address = start_scheduler()
    (tmp_path / "old" / "workbench").mkdir(parents=True)
    (tmp_path / "old" / "workbench" / "__init__.py").write_text("__version__ = '0.1'")
    start("worker", address, *ALONE, first_path=tmp_path / "old")
    named = r"worker tcp://\S+ has capitalization-workbench 0.1 and Python \S+; "
    with pytest.raises(InputError, match=named), connect(address):
        pass


def test_a_cluster_that_is_none_is_refused(start_scheduler, refuse, folder, output, monkeypatch):
    monkeypatch.setattr(connection, "_PATIENCE", 0.3)
    words = "train", folder, "-o", output, "--cluster"
    for place, said in {
        "here": "local, or a scheduler's address such as tcp://localhost:8786, is allowed",
        "tcp://127.0.0.1:9": "no Dask scheduler answers there",
        start_scheduler()[1]: "it has no worker; `dask worker tcp://",
    }.items():
        assert refuse(*words, place).startswith(f"workbench: cluster {place}: {said}")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--templates", "best"), "as in best: take ca04, extended or no cluster"),
        (("--sigma2", "auto"), "sigma2 auto: on a cluster --dev is needed"),
        (("--memory", "1GB"), "--memory 1GB: is of training in one process"),
    ],
)
def test_what_is_learnt_in_one_process_is_refused(refuse, folder, output, options, why):
    assert why in refuse("train", folder, "-o", output, "--cluster", "local", *options)
