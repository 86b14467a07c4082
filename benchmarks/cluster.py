"""Rows: training on a Dask cluster of this machine's cores, from text files to a model."""

import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import dask
import numpy as np
from distributed import Client

from benchmarks.measure import Row, Target, ratio, take_turns
from benchmarks.texts import Bench
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.cluster.connection import start_workers
from workbench.cluster.text import DistributedText
from workbench.cluster.training import DistributedTraining
from workbench.models.memm import MEMM
from workbench.numerics.threads import thread_count
from workbench.text.readers import read_corpus

_STRENGTH = {"prior": "gaussian", "sigma2": 5.0}
_CUTOFF = 5
_SCALING, _THREADS = Target(">=", 1.75, "×"), Target("<=", 1.25, "×")
_BYTES = Target("<=", 2, "× 8 bytes a weight")
_PASSES = 20
# Seconds after which Dask looks whether a lost worker is back; if it is just then being started
# anew, as after another kill, it is given up for good.
_GIVE_UP = "distributed.deploy.lost-worker-timeout"
_PATIENCE = 120  # seconds for a nanny to start another worker


def training(bench: Bench) -> Iterator[Row]:
    """Yield the rows of speed and of what goes over the wire, and of workers that are killed."""
    files = list(map(str, bench.background_files))
    with workers(1) as one, workers(2) as two:
        for client in (one, two):
            _train(client, files[:1])  # compile, and read the first file into memory
        laps = take_turns(
            bench.sizes.long_rounds, lambda: _train(two, files), lambda: _train(one, files),
            lambda: _train_alone(files),
        )  # fmt: skip
        shared, single, alone = laps
        n_bytes, n_words = _bytes_of_a_pass(two, files)
        killed = _killed(bench, two)
    name = f"training {n_words / 1e6:.3g}M words, two workers"
    yield Row(name, shared, single, "s", "one worker", ratio(single, shared), _SCALING)
    beside = f"one process, {thread_count()} threads"
    yield Row(f"{name}, beside threads", shared, alone, "s", beside, ratio(shared, alone), _THREADS)
    yield Row("bytes a pass and worker", (n_bytes,), (), "×", "", n_bytes, _BYTES)
    yield killed


@contextmanager
def workers(n: int) -> Iterator[Client]:
    """Give a client of workers of one thread each; a nanny starts another if one is killed."""
    with dask.config.set({_GIVE_UP: "1 hour"}), start_workers(n) as client:
        yield client


def _train(client, files, **options):
    problem = DistributedTraining(MEMM, DistributedText(client, files), "ca04", _CUTOFF)
    return problem.learn_unknown_words(problem.train(_STRENGTH, "lbfgs", **options))


def _train_alone(files):
    corpus = read_corpus(files)
    return learn_unknown_words(MEMM.fit(corpus, cutoff=_CUTOFF), corpus)


# --- what goes over the wire --------------------------------------------------------------


def _bytes_of_a_pass(client, files):
    """Return the bytes that a worker reads and writes in a pass by those of the weights.

    They are those of a worker on another machine, which has no memory to share.
    """
    text = DistributedText(client, files)
    problem = DistributedTraining(MEMM, text, "ca04", _CUTOFF)
    weights = np.full(len(problem.mean), 0.01)
    client.run(_count_bytes)
    before = client.run(_read_count)
    for _ in range(_PASSES):
        problem.log_likelihood(weights)
    after = client.run(_read_count)
    most = max(after[worker] - before[worker] for worker in after)
    return most / _PASSES / weights.nbytes, len(text)


def _count_bytes():
    """Count from now on, in a worker, all that goes over its connections."""
    from tornado.iostream import IOStream

    IOStream.n_bytes = 0
    for name in ("read_from_fd", "write_to_fd"):
        setattr(IOStream, name, _counting(IOStream, getattr(IOStream, name)))


def _counting(streams, method):
    def count(self, data):
        n = method(self, data)
        streams.n_bytes += n or 0
        return n

    return count


def _read_count():
    from tornado.iostream import IOStream

    return IOStream.n_bytes


# --- workers that are killed --------------------------------------------------------------


def _killed(bench, client):
    """Return the row of how often the model is the same though a worker was killed."""
    n, n_words = bench.sizes.killed
    corpus, draw, same = bench.training(n_words), random.Random(0), 0
    lines = (" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences))
    with TemporaryDirectory() as folder:
        file = Path(folder, "text.txt")
        file.write_text("\n".join(lines), "utf-8")
        steps: list = []
        whole = _train(client, [str(file)], on_step=steps.append)
        for _ in range(n):
            kill = partial(_kill, client, draw, draw.randrange(len(steps) - 1))
            model = _train(client, [str(file)], on_step=kill)
            same += np.allclose(model.weights, whole.weights, atol=1e-9)
            client.wait_for_workers(2, timeout=_PATIENCE)
    note = f"{len(corpus):,} words, {len(steps)} steps, a worker killed at a random one of them"
    target = Target(">=", n, f"of {n}")
    return Row("same model after a kill", (same,), (), f"of {n}", "", same, target, note)


def _kill(client, draw, at, step):
    """Kill a worker at a step of a fit."""
    if step.iteration == at:
        os.kill(draw.choice(list(client.run(os.getpid).values())), signal.SIGKILL)
