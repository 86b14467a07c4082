"""``python -m benchmarks.load MODEL``: the service under load, by clients that check every answer.

Each client sends texts of its own, of 1 to 2,000 sentences, as text and as JSON, one after
another without a pause. What the right answers are is known before: a ``Recaser`` of this process
gave them. An answer is wrong, cross-talk if it is the right one of another client or text.
"""

import argparse
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from benchmarks.measure import percentile
from workbench import Recaser, load, load_model

_ROOT = Path(__file__).parents[1]
_SIZES = (1, 3, 10, 50, 300, 2000)  # sentences of the texts of a client
_SAMPLES = 60  # times that memory is looked at
RIGHT, WRONG, CROSS_TALK, ERROR = "right", "wrong", "cross-talk", "error"


@dataclass
class Outcome:
    """What came of all requests; only the thread of one client writes to its own.

    Attributes
    ----------
    counts : Counter
        Requests by what came of them: RIGHT, WRONG, CROSS_TALK or ERROR.
    seconds : list of float
        From the first byte sent to the last one read, of each request that was answered.
    notes : list of str
        The first things that went wrong.
    """

    counts: Counter = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        """Add what another client has counted."""
        self.counts += other.counts
        self.seconds += other.seconds
        self.notes += other.notes


def main(arguments: Sequence[str] | None = None) -> int:
    """Put a server under load and print what came of it; returns 1 if anything was wrong."""
    options = _parser().parse_args(arguments)
    answers = prepare(options.model, options.text, options.clients)
    with serve(options.model) as port:
        outcome, memory = press(port, answers, options.seconds)
    print("\n".join(describe(outcome, memory, options.seconds)))
    return int(set(outcome.counts) != {RIGHT})


def _parser():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("--text", default="nltk-docs", help="data set (default %(default)s)")
    parser.add_argument("--clients", type=int, default=20, metavar="N", help="default 20")
    parser.add_argument("--seconds", type=float, default=600, metavar="S", help="default 600")
    return parser


def prepare(model: str, text: str, n_clients: int) -> list[dict[str, str]]:
    """Return, for each client, its texts and the right answers; no two texts are the same."""
    corpus, recaser = load(text), Recaser(load_model(model))
    lines = [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]
    answers = []
    for client in range(n_clients):
        start = client * len(lines) // n_clients
        own = lines[start:] + lines[:start]
        texts = [
            "\n".join([f"this is text {n} of client {client} .", *own[:n], ""]) for n in _SIZES
        ]
        answers.append({text: recaser.recase(text) for text in texts})
    return answers


@contextmanager
def serve(model: str) -> Iterator[int]:
    """Serve a model in a process of its own; yields its port."""
    command = [sys.executable, "-m", "workbench", "serve", str(Path(model).resolve())]
    with subprocess.Popen(
        [*command, "--port", "0"], cwd=_ROOT, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        try:
            if not line.startswith("http://"):
                raise SystemExit(line.strip())
            yield int(line.split(":")[2])
        finally:
            server.terminate()


def press(
    port: int, answers: Sequence[Mapping[str, str]], seconds: float
) -> tuple[Outcome, list[float]]:
    """Return what came of the requests of some seconds, and the server's memory over time, in MB.

    ``answers`` has the texts of each client with the right answers.
    """
    known = {right for own in answers for right in own.values()}
    outcomes = [Outcome() for _ in answers]
    end = time.monotonic() + seconds
    clients = [
        threading.Thread(target=_send, args=(port, number, own, known, end, outcome))
        for number, (own, outcome) in enumerate(zip(answers, outcomes, strict=True))
    ]
    memory = [_memory(port)]
    for client in clients:
        client.start()
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, seconds / _SAMPLES))
        memory.append(_memory(port))
    for client in clients:
        client.join()
    total = Outcome()
    for outcome in outcomes:
        total.add(outcome)
    return total, memory


def _send(port, number, own, known, end, outcome):
    """Be one client, on one connection, until the end."""
    texts, n = list(own), number  # each begins with a text of another size
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        while time.monotonic() < end:
            text = texts[n % len(texts)]
            began = time.perf_counter()
            try:
                status, answer = _ask(connection, text, as_json=bool(n // len(texts) % 2))
            except (OSError, HTTPException, ValueError) as error:
                connection.close()  # the next request makes another
                what, note = ERROR, f"client {number}: {type(error).__name__}: {error}"
            else:
                outcome.seconds.append(time.perf_counter() - began)
                what = judge(status, answer, own[text], known)
                note = f"client {number}: status {status}: {answer[:80]!r}"
            outcome.counts[what] += 1
            if what != RIGHT:
                outcome.notes.append(note)
            n += 1


def _ask(connection, text, as_json):
    """Return the status and the text of an answer."""
    body, kind = text.encode(), "text/plain"
    if as_json:
        body, kind = json.dumps({"text": text}).encode(), "application/json"
    connection.request("POST", "/recase", body, {"Content-Type": kind})
    response = connection.getresponse()
    answer = response.read().decode()
    if as_json and response.status == 200:
        answer = json.loads(answer)["text"]
    return response.status, answer


def judge(status: int, answer: str, right: str, known: set[str]) -> str:
    """Return what an answer is, where ``known`` has the right answers of all clients."""
    if status != 200:
        return ERROR
    if answer == right:
        return RIGHT
    return CROSS_TALK if answer in known else WRONG


def _memory(port):
    """Return the resident memory of the server in MB, nan where it does not say."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
    name = "process_resident_memory_bytes "
    found = (float(line.removeprefix(name)) / 1e6 for line in lines if line.startswith(name))
    return next(found, float("nan"))


def describe(outcome: Outcome, memory: Sequence[float], seconds: float) -> Iterator[str]:
    """Yield lines with the figures."""
    n = outcome.counts.total()
    yield f"{n:,} requests in {seconds:g} s"
    yield ", ".join(f"{what} {outcome.counts[what]:,}" for what in (ERROR, WRONG, CROSS_TALK))
    if outcome.seconds:
        shown = (f"p{p} {percentile(outcome.seconds, p):.3f} s" for p in (50, 95, 99))
        yield f"time of an answer: {', '.join(shown)}"
    yield describe_memory(memory)
    yield from outcome.notes[:10]


def describe_memory(memory: Sequence[float]) -> str:
    """Return a line on the memory of a server over time, in MB."""
    middle = len(memory) // 2
    return (
        f"memory of the server: {memory[0]:.0f} MB at the start, {memory[middle]:.0f} in the "
        f"middle, {memory[-1]:.0f} at the end; the most before the middle "
        f"{max(memory[: middle + 1]):.0f}, after it {max(memory[middle:]):.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
