"""CRFsuite with the predicates of our templates; rows of training a capitalizer against it."""

import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Row, Target, find_rival, ratio, timed
from benchmarks.texts import Bench
from workbench.features.events import pack_events
from workbench.learning.likelihood import LogLikelihood
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise
from workbench.models.memm import MEMM
from workbench.text.corpus import BOUNDARY, Corpus

CUTOFF, SIGMA2 = 5, 5.0
_TARGET = Target(">=", 15, "×")


def find_crfsuite() -> tuple[Any, str]:
    """Return the module, or None, and its name and version."""
    return find_rival("pycrfsuite", "python-crfsuite")


def wiped_sentences(corpus: Corpus) -> list[list[str]]:
    """Return the words of each sentence in uniform case."""
    words = [corpus.words[place] for place in corpus.word_ids.tolist()]
    return [words[a:b] for a, b in pairwise(corpus.starts.tolist())]


def attributes(words: Sequence[str]) -> list[list[str]]:
    """Return, for each word of a sentence, the predicates of CA04 that read words."""
    padded = [BOUNDARY, *words, BOUNDARY]
    return [
        [*_of_word(word), f"previousword={before}", f"nextword={after}"]
        for before, word, after in zip(padded, words, padded[2:], strict=False)
    ]


@cache
def _of_word(word):
    lengths = range(1, min(3, len(word)) + 1)
    prefixes = [f"prefix{n}={word[:n]}" for n in lengths]
    return [f"currentword={word}", *prefixes, *(f"suffix{n}={word[-n:]}" for n in lengths)]


def tags_of(corpus: Corpus) -> list[list[str]]:
    """Return the names of the tags of each sentence."""
    names = [corpus.tag_names[tag] for tag in corpus.tags.tolist()]
    return [names[a:b] for a, b in pairwise(corpus.starts.tolist())]


def fill_trainer(pycrfsuite: Any, corpus: Corpus, iterations: int) -> Any:
    """Return a trainer with a corpus, our prior and our cut-off.

    ``feature.minfreq`` keeps features that are seen as often, as our cut-off does; its
    manual says otherwise. The cost c2 * sum of squares is ours at 1 / (2 sigma2).
    """
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.select("lbfgs")
    options = {"feature.minfreq": CUTOFF, "c2": 1 / (2 * SIGMA2), "max_iterations": iterations}
    trainer.set_params(options)
    for words, tags in zip(wiped_sentences(corpus), tags_of(corpus), strict=True):
        trainer.append(attributes(words), tags)
    return trainer


def training(bench: Bench) -> Iterator[Row]:
    """Yield two rows: training from words, and from features that are ready."""
    pycrfsuite, rival = find_crfsuite()
    corpus, sizes = bench.trainings[-1], bench.sizes
    laps, note = [], "the rival is not here"
    if pycrfsuite:
        MEMM.fit(bench.training(2_000))  # compile
        laps = [_time_round(pycrfsuite, corpus, sizes.iterations) for _ in range(sizes.long_rounds)]
        note = f"its {laps[-1][-1]} iterations, to our convergence; cut-off {CUTOFF} and "
        note += f"σ² {SIGMA2:g} on both sides, label bigrams for t-1"
    for start, side in (("from words", 0), ("ready features", 1)):
        mine, theirs = (tuple(lap[who][side] for lap in laps) for who in (0, 1))
        name = f"training a capitalizer {start}, {len(corpus) / 1e6:.2g}M words"
        yield Row(name, mine, theirs, "s", rival, ratio(theirs, mine), _TARGET, note)


def _time_round(pycrfsuite, corpus, iterations):
    """Return seconds (from words, from ready features) of ours and theirs; their iterations."""
    trainer, reading = timed(lambda: fill_trainer(pycrfsuite, corpus, iterations))
    with tempfile.TemporaryDirectory() as folder:
        _, theirs = timed(lambda: trainer.train(str(Path(folder, "model.crfsuite"))))
    model, mine = timed(lambda: MEMM.fit(corpus, cutoff=CUTOFF, sigma2=SIGMA2))
    assert model.info["converged"]
    events = pack_events(corpus, model.templates)
    firing, exists = model.features.firing(events), model.features.exists
    prior = GaussianPrior(np.zeros(len(model.features)), SIGMA2)
    _, ready = timed(lambda: maximise(LogLikelihood(events, firing, exists), prior))
    steps = trainer.logparser.last_iteration["num"]
    return (mine, ready), (reading + theirs, theirs), steps
