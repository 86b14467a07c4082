"""``python -m benchmarks.scale``: hours and money to train on billions of words, simulated.

What a word, a row, a weight and a byte cost is measured first, in seconds of one core, on the
first file of the background's text and on the first six; how rows, events, weights and passes
grow with the text is fitted between the two (Heaps' law) and continued. Then trainings are
simulated pass by pass: each worker's time is drawn, the slowest is waited for, and workers are
lost and their parts packed again. ``docs/scale.md`` has what came of it.
"""

import math
import sys
import time
from dataclasses import dataclass
from operator import getitem
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.cluster import workers
from benchmarks.texts import FULL, Bench, Texts
from workbench.cluster.counts import count_slots, merge_slots
from workbench.cluster.text import count_forms, merge_forms
from workbench.cluster.workers import PartCalls, Parts, Tasks
from workbench.features.events import pack_events
from workbench.features.selection import select_with_firing
from workbench.features.templates import find_templates
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import zero_mean_prior
from workbench.learning.solvers.fit import maximise
from workbench.numerics.threads import set_threads
from workbench.text.readers import read_corpus

_FEW, _MANY = 1, 6  # files of the two texts that are measured
_BANDWIDTH = 1.25e9  # bytes a second: 10 Gbit/s, what a virtual machine of eight cores has
_EVENT_BYTES = 20  # of an event that is sent
_PRICE = 0.05  # dollars an hour and core, about what clouds ask
_SPREAD = 0.1  # of a worker's time, as a share of it: standard deviation
_LOST = 0.05  # of the workers in an hour, for machines that may be taken away
_CHECKED = 21e6  # words of a text that was trained on in fact
_SEED = 0


@dataclass(frozen=True)
class Sizes:
    """What a text of some words comes to."""

    words: float
    rows: float  # of all slots, which are merged
    events: float
    weights: float
    passes: float


class Costs(NamedTuple):
    """Seconds of one core."""

    word: float  # read, numbered and packed
    row: float  # merged with another part's
    select: float  # a row looked at when features are selected
    event: float  # of a pass
    step: float  # of the solver, by weight and pass
    byte: float  # through scheduler and client
    round: float  # of a pass, whatever is in it
    task: float  # asked for and answered, one for each worker and pass
    pair: float  # of workers, that exchange events: scheduler and client


def measure(files: list[Path]) -> tuple[Costs, Sizes, Sizes]:
    """Return the costs, and the sizes of a few files and of more."""
    set_threads(1)
    _measure(files[:1])  # compile
    (small, _), (large, costs) = (_measure(files[:n]) for n in (_FEW, _MANY))
    return costs._replace(**_measure_wire()), small, large


def _measure(files):
    clock, laps = time.process_time, {}
    began = clock()
    corpus = read_corpus(files)
    events = pack_events(corpus, find_templates("ca04"))
    laps["word"] = (clock() - began) / len(corpus)
    began, counts, forms = clock(), count_slots(events), count_forms(corpus)
    merge_slots(counts, counts), merge_forms(forms, forms)
    laps["row"] = (clock() - began) / events.n_rows
    began = clock()
    features, firing = select_with_firing(events, 5)
    laps["select"] = (clock() - began) / events.n_rows
    inner = LogLikelihood(events, firing, features.exists)
    timed = _Timed(inner)
    began = clock()
    maximise(timed, zero_mean_prior(len(features), "gaussian", sigma2=5.0))
    laps["step"] = (clock() - began - timed.seconds) / timed.passes / len(features)
    laps["event"] = timed.seconds / timed.passes / len(events.rows)
    sizes = len(corpus), events.n_rows, len(events.rows), len(features), timed.passes
    return Sizes(*map(float, sizes)), Costs(**laps, byte=0.0, round=0.0, task=0.0, pair=0.0)


class _Timed:
    """A log-likelihood, and what its passes cost."""

    def __init__(self, inner: LogLikelihood):
        self._inner, self.observed, self.passes, self.seconds = inner, inner.observed, 0, 0.0

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        return self._time(self._inner, weights)

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        return self._time(self._inner.curvature, weights)

    def _time(self, function, weights):
        began = time.process_time()
        result = function(weights)
        self.seconds += time.process_time() - began
        self.passes += 1
        return result


def _measure_wire(n: int = 1_000_000, rounds: int = 20) -> dict[str, float]:
    """Return what a pass, a task of it, a byte and a pair cost scheduler and client."""
    with workers(1) as client:
        tasks = Tasks(client)
        few, many, large = (
            _measure_passes(tasks, rounds, *how) for how in ((1, 1), (9, 1), (1, n))
        )
        pair = _measure_pairs(tasks)
    task = (many - few) / 8
    byte = max(0.0, large - few) / (16 * n)
    return {"round": few - task, "task": task, "byte": byte, "pair": pair}


def _measure_pairs(tasks, n=32):
    """Return the seconds of a pair in an exchange among n parts that send next to nothing."""
    workers = list(tasks.client.nthreads()) * n
    dealt = Parts(tasks, [tasks.submit(list, range(n)) for _ in workers], workers)
    tasks.collect(dealt.results[:1])
    began = time.process_time()
    sent = [dealt.map(getitem, receiver).results for receiver in range(n)]
    tasks.collect([tasks.submit(max, *received) for received in sent])
    return (time.process_time() - began) / n**2


def _measure_passes(tasks, rounds, n_parts, size):
    """Return the seconds of a pass over so many parts that are sent and send back an array."""
    weights, workers = np.zeros(size), list(tasks.client.nthreads()) * n_parts
    held = Parts(tasks, [tasks.submit(_Part) for _ in workers], workers)
    calls, given = PartCalls(held), [weights] * n_parts
    list(calls("negate", given))
    began = time.process_time()
    for _ in range(rounds):
        list(calls("negate", given))
    return (time.process_time() - began) / rounds


class _Part:
    """What a worker has of a text, but for the text."""

    def negate(self, given):
        return -given


def grow(small: Sizes, large: Sizes, words: float) -> Sizes:
    """Return the sizes of a text of so many words: powers of it, through the two measured."""
    ratio = math.log(large.words / small.words)

    def along(a, b):
        return b * (words / large.words) ** (math.log(b / a) / ratio)

    pairs = zip(vars(small).values(), vars(large).values(), strict=True)
    return Sizes(*(along(a, b) for a, b in pairs))


class Simulated(NamedTuple):
    """Seconds of a training by what they go to."""

    packing: float
    merging: float
    exchange: float  # of events between workers
    computing: float  # the slowest worker of each pass
    wire: float  # what scheduler and client do with what is sent
    solver: float
    lost: float  # parts packed again

    @property
    def total(self) -> float:
        return sum(self)


def simulate(
    costs: Costs, small: Sizes, large: Sizes, words: float, n: int, rng: np.random.Generator
) -> Simulated:  # fmt: skip
    """Return the time of a training on ``n`` workers of one core."""
    whole, part = grow(small, large, words), grow(small, large, words / n)
    packing = part.words * costs.word * _slowest(n, rng)
    depth = math.ceil(math.log2(n)) if n > 1 else 0
    sent = whole.rows * 5 * 12 / _BANDWIDTH  # counts of five tags and their columns
    merging = depth * (whole.rows * costs.row + sent) + whole.rows * costs.select
    exchange = n * n * costs.pair + part.events * _EVENT_BYTES / _BANDWIDTH  # all at the same time
    wire = _wire(costs, whole.weights, n)
    computing = lost = 0.0
    for _ in range(round(whole.passes)):
        pass_ = whole.events / n * costs.event * _slowest(n, rng)  # equal ones are counted once
        computing += pass_
        hours = (pass_ + wire + whole.weights * costs.step) / 3600
        lost += packing if rng.random() < 1 - (1 - _LOST) ** (hours * n) else 0.0
    solver = whole.passes * whole.weights * costs.step
    return Simulated(packing, merging, exchange, computing, whole.passes * wire, solver, lost)


def _wire(costs, weights, n):
    """Return the seconds that the client takes for what a pass sends to and gets from workers.

    At most: a part depends on fewer weights than the whole.
    """
    return costs.round + n * costs.task + n * 16 * weights * max(costs.byte, 1 / _BANDWIDTH)


def _wire_of_tree(costs, weights, n):
    """Return the seconds that a pass would take if sums were made in a tree of workers.

    That is not built. A level takes a call of a neighbour and one vector of all weights, up and
    down the tree.
    """
    level = costs.round + costs.task + 8 * weights * max(costs.byte, 1 / _BANDWIDTH)
    return 2 * math.ceil(math.log2(n)) * level


def _slowest(n, rng):
    """Return the time of the slowest of some workers, as a multiple of a worker's usual time."""
    return float(rng.normal(1.0, _SPREAD, n).clip(0.5).max()) if n > 1 else 1.0


def main() -> None:
    """Measure, simulate and print."""
    bench = Bench(Texts.find(), FULL)
    costs, small, large = measure(bench.background_files)
    print(costs, small, large, grow(small, large, _CHECKED), sep="\n", file=sys.stderr)
    print_table(costs, small, large)


def print_table(costs: Costs, small: Sizes, large: Sizes) -> None:
    """Print the hours of each simulated training by what they go to, and its dollars."""
    head = "words", "workers", "hours", *Simulated._fields, "dollars", "wire of a tree"
    rng = np.random.default_rng(_SEED)
    print("|", " | ".join(head), "|\n|", " | ".join("---" for _ in head), "|")
    for words in (_CHECKED, 1e9, 1e10, 1e11):
        for n in (1, 2) if words == _CHECKED else (16, 64, 256):
            found = simulate(costs, small, large, words, n, rng)
            whole = grow(small, large, words)
            tree = whole.passes * _wire_of_tree(costs, whole.weights, n)
            hours = [seconds / 3600 for seconds in (found.total, *found)]
            numbers = words, n, *hours, (n + 1) * hours[0] * _PRICE, tree / 3600
            print("|", " | ".join(f"{number:.3g}" for number in numbers), "|")


if __name__ == "__main__":
    main()
