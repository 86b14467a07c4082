"""Rows: a model of candidate sets trained; moved live."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, Target, percentile, timed
from benchmarks.texts import QUICK, Bench
from workbench.adaptation.adaptation import Adaptation
from workbench.candidates.files import is_candidate_source, read_candidates
from workbench.candidates.model import CandidateModel
from workbench.candidates.sets import CandidateSets
from workbench.text.sets.registry import VARIABLE

_SIGMA2 = 0.1
_BACKGROUND, _DOMAIN = "parses-gum/background", "parses-gum/conversation"
_DRAWN = 600, 100  # sentences of each, where there are no such files
_MOVES = (0.01, 0.015, 0.1, 0.02, 0.3, 0.05)


def candidates(bench: Bench) -> Iterator[Row]:
    """Yield rows of training, and two of a move of sigma^2: the first answer, the settled one."""
    background, domain = _find(bench)
    laps = tuple(timed(partial(_train, background))[1] for _ in range(bench.sizes.rounds))
    yield Row(
        "training on candidate sets", laps, (), "s", "", float(np.median(laps)),
        Target("<=", 3, "s"),
        f"{background.n_sentences:,} sentences, {len(background):,} candidates, "
        f"{len(background.features):,} values; from sets in memory, their matrix among it",
    )  # fmt: skip
    yield from _move(CandidateModel.fit(background, sigma2=_SIGMA2), domain)


def _move(background, domain):
    for name, bound in (("first", 0.15), ("settled", 1.0)):
        adaptation = Adaptation(background, domain, texts={"train": domain})
        answer = adaptation.first if name == "first" else adaptation.at
        laps = tuple(timed(partial(_select, answer, sigma2))[1] for sigma2 in _MOVES)
        yield Row(
            f"a move of sigma2 on candidate sets, {name}", laps, (), "s", "",
            percentile(laps, 95), Target("<=", bound, "s"),
            f"{domain.n_sentences:,} sentences adapted to and selected from; 95th percentile",
        )  # fmt: skip


def _select(answer, sigma2):
    """Adapt at a variance and select candidates."""
    return answer(sigma2).wrong["train"]


def _find(bench):
    """Return a background and a domain, drawn where there are no files of parses."""
    home = Path(os.environ.get(VARIABLE, ""))
    if bench.sizes is not QUICK and is_candidate_source(home / _BACKGROUND):
        return read_candidates(home / _BACKGROUND), read_candidates(home / _DOMAIN)
    return tuple(_draw(n, seed) for seed, n in enumerate(_DRAWN))


def _draw(n_sentences, seed):
    """Return sentences of ten candidates with twenty features of two hundred each."""
    rng, n = np.random.default_rng(seed), 10 * n_sentences
    numbers = np.argsort(rng.random((n, 200)), axis=1)[:, :20]
    return CandidateSets(
        "drawn", tuple(map(str, range(200))), np.sort(numbers, axis=1).ravel().astype(np.int32),
        np.ones(20 * n, np.float32), np.arange(0, 20 * n + 1, 20), np.arange(0, n + 1, 10),
        (numbers < 60).mean(axis=1),
    )  # fmt: skip


def _train(sets):
    """Train from sets in memory."""
    return CandidateModel.fit(sets, sigma2=_SIGMA2)
