"""Rows: training CRFs against CRFsuite, to its final loss, with memory; tagging; one live move."""

import math
import multiprocessing
import tempfile
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.measure import Row, Target, one_core, ratio, take_turns, timed
from benchmarks.rivals.crfsuite import SIGMA2, attributes, find_crfsuite, tags_of, wiped_sentences
from workbench.adaptation.adaptation import Adaptation
from workbench.features.templates import find_templates, predicates_of
from workbench.models.crf import CRF
from workbench.text.errors import InputError
from workbench.text.sets.registry import load

_SPEED, _MEMORY = Target(">=", 3, "×"), Target(">=", 2, "×")
_TAG = Target(">=", 5, "×")
_ANSWERS = {"first answer": Target("<=", 0.5, "s"), "settled": Target("<=", 1, "s")}
_START, _MOVES = 1.0, (0.1, 0.32, 2.2, 4.6, 10.0)
CHUNKS, PATIENCE = "chunk-wsj", 1000  # iterations until CRFsuite has converged


class _Reached(Exception):
    """Our objective is as good as the rival's."""


def crf(bench):
    """Yield the rows; those of chunks where ``chunk-wsj`` is one of the data sets."""
    pycrfsuite, rival = find_crfsuite()
    text = bench.training(bench.sizes.training[0])
    yield from _training("capitalizer", text, "ca04", 5, bench, pycrfsuite, rival)
    try:
        chunks = load(CHUNKS)
    except InputError:
        chunks = None
    if chunks is not None and bench.sizes.long_rounds and len(text) > 100_000:
        yield from _training("chunker", chunks, "chunk", 0, bench, pycrfsuite, rival)
    yield _tagging(text, bench, pycrfsuite, rival)
    yield from _moves(text, bench)


# --- training -----------------------------------------------------------------------------


def _training(what, corpus, templates, cutoff, bench, pycrfsuite, rival):
    """Rows of seconds and of megabytes; each side in a process of its own."""
    laps, note = [], "the rival is not here"
    for _ in range(bench.sizes.long_rounds if pycrfsuite else 0):
        theirs = _alone(_train_theirs, corpus, templates, cutoff, bench.sizes.iterations)
        mine = _alone(_train_ours, corpus, templates, cutoff, -theirs["loss"])
        laps.append((mine, theirs))
        note = f"to its loss, {theirs['loss']:,.1f}, after {theirs['steps']} iterations; ours "
        note += f"{mine['steps']}; cut-off {cutoff}, σ² {SIGMA2:g}; its reading is not counted"
    name = f"training a CRF {what}, {len(corpus) / 1e6:.2g}M words"
    for key, unit, target in (("seconds", "s", _SPEED), ("megabytes", "MB", _MEMORY)):
        ours, others = (tuple(lap[side][key] for lap in laps) for side in (0, 1))
        row = f"{name}, memory" if unit == "MB" else name
        yield Row(row, ours, others, unit, rival, ratio(others, ours), target, note)


def _alone(run, *arguments):
    """Return what a function gives in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(run, arguments)


def _memory(key):
    """What the system says of this process, MB: VmRSS, held now, or VmHWM, the most so far."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return math.nan
    line = next(row for row in status.read_text().splitlines() if row.startswith(key))
    return int(line.split()[1]) / 1024


def _grown(before):
    """MB by which the peak rose above what was held before."""
    return max(0.1, _memory("VmHWM") - before)  # a tiny text fits into what was there


def _train_ours(corpus, templates, cutoff, objective):
    """Train until an objective is reached, all of ``fit`` counted."""
    CRF.fit(corpus.take(np.arange(20)), templates, 0, tolerance=1e-2)  # compiled
    before, steps = _memory("VmRSS"), []

    def stop(step):
        steps.append(step)
        if step.objective >= objective:
            raise _Reached

    def fit():
        try:
            CRF.fit(corpus, templates, cutoff, SIGMA2, tolerance=1e-7, on_step=stop)
        except _Reached:
            return
        raise AssertionError("ours stopped short of the rival's loss")

    _, seconds = timed(fit)
    return {"seconds": seconds, "megabytes": _grown(before), "steps": len(steps) - 1}


def _train_theirs(corpus, templates, cutoff, iterations):
    """Train to convergence; memory counts what the trainer holds, time what it then takes."""
    pycrfsuite, _ = find_crfsuite()
    before, trainer = _memory("VmRSS"), pycrfsuite.Trainer(verbose=False)
    trainer.select("lbfgs")
    options = {"feature.minfreq": cutoff, "c2": 1 / (2 * SIGMA2)}
    trainer.set_params(options | {"max_iterations": PATIENCE if iterations >= 100 else iterations})
    for read, tags in zip(_attributes(corpus, templates), tags_of(corpus), strict=True):
        trainer.append(read, tags)
    with tempfile.TemporaryDirectory() as folder:
        _, seconds = timed(lambda: trainer.train(str(Path(folder, "model.crfsuite"))))
    last = trainer.logparser.last_iteration
    measured = {"seconds": seconds, "megabytes": _grown(before)}
    return measured | {"loss": last["loss"], "steps": last["num"]}


def _attributes(corpus, templates):
    """What the templates read of the words of each sentence."""
    if templates == "ca04":
        yield from map(attributes, wiped_sentences(corpus))
        return
    chosen = [t for t in find_templates(templates) if not t.n_tags]
    words = [corpus.words[place] for place in corpus.word_ids.tolist()]
    columns = {n: [c.strings[i] for i in c.ids.tolist()] for n, c in corpus.columns.items()}
    for a, b in pairwise(corpus.starts.tolist()):
        own = {name: strings[a:b] for name, strings in columns.items()}
        yield [predicates_of(chosen, words[a:b], i, (), **own) for i in range(b - a)]


# --- tagging and moving -------------------------------------------------------------------


def _tagging(text, bench, pycrfsuite, rival):
    """From ready features, one core."""
    name, laps = "tagging by a CRF, ready features, one core", ((), ())
    if pycrfsuite:
        corpus = bench.domain["train"]
        model = CRF.fit(text, cutoff=5, sigma2=SIGMA2)
        packed, ready = model.pack(corpus), [attributes(w) for w in wiped_sentences(corpus)]
        tag = _tagger(pycrfsuite, text, bench.sizes.iterations).tag
        with one_core():
            sides = lambda: model.tag(packed), lambda: list(map(tag, ready))
            take_turns(1, *sides)
            laps = take_turns(bench.sizes.rounds, *sides)
        laps = tuple(tuple(len(corpus) / 1000 / lap for lap in side) for side in laps)
    return Row(name, *laps, "k/s", rival, ratio(*laps), _TAG)


def _tagger(pycrfsuite, corpus, iterations):
    trainer, tagger = pycrfsuite.Trainer(verbose=False), pycrfsuite.Tagger()
    trainer.set_params({"feature.minfreq": 5, "max_iterations": min(iterations, 20)})
    for read, tags in zip(_attributes(corpus, "ca04"), tags_of(corpus), strict=True):
        trainer.append(read, tags)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder, "model.crfsuite")))
        tagger.open(str(Path(folder, "model.crfsuite")))
    return tagger


def _moves(text, bench):
    """From sigma^2 = 1, where a page opens, to others: fit, and errors of two texts."""
    background = CRF.fit(text, cutoff=5, sigma2=SIGMA2)
    laps = [_time_move(background, bench, s) for s in _MOVES[: bench.sizes.rounds]]
    note = f"{len(bench.domain['train']):,} words, σ² 1 to {', '.join(f'{s:g}' for s in _MOVES)}"
    for answer, seconds in zip(_ANSWERS, zip(*laps, strict=True), strict=True):
        row = f"slider move of a CRF, {answer}"
        yield Row(row, seconds, (), "s", "", median(seconds), _ANSWERS[answer], note)


def _time_move(background, bench, sigma2):
    """Seconds from a move until the first answer, and until the settled one."""
    texts = {part: bench.domain[part] for part in ("dev", "test")}
    adaptation = Adaptation(background, bench.domain["train"], texts=texts)
    adaptation.at(_START)
    _, until_first = timed(partial(_show, adaptation.first, sigma2))
    _, more = timed(partial(_show, adaptation.at, sigma2))
    return until_first, until_first + more


def _show(answer, sigma2):
    tuned = answer(sigma2)
    return [tuned.wrong[part] for part in ("dev", "test")]
