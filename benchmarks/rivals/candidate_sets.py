"""Rows: a model of candidate sets trained against SciPy's L-BFGS on sparse matrices; moved live."""

import os
import time
from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import scipy
from scipy import sparse
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits  # comes with scikit-learn

from benchmarks.measure import Row, Target, percentile, ratio, take_turns, timed
from benchmarks.texts import QUICK, Bench
from workbench.adaptation.adaptation import Adaptation
from workbench.features.candidates.candidate_files import is_candidate_source, read_candidates
from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.candidates.targets import target_shares
from workbench.learning.prior import GaussianPrior
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.numerics.threads import set_threads, thread_count
from workbench.text.sets.registry import VARIABLE

_SIGMA2, _GAP = 0.1, 1e-4  # variance; share of the objective by which the end may miss the optimum
_ASKED = Target(">=", 20, "×")
_BACKGROUND, _DOMAIN = "parses-gum/background", "parses-gum/conversation"
_DRAWN = 600, 100  # sentences of each, where there are no such files
_MOVES = (0.01, 0.015, 0.1, 0.02, 0.3, 0.05)


def candidates(bench: Bench) -> Iterator[Row]:
    """Yield rows of training, and two of a move of sigma^2: the first answer, the settled one."""
    background, domain = _find(bench)
    plain = _Plain(background)
    goal = plain.goal  # which compiles, too

    def mine():
        _train(background, goal)

    theirs, rounds = plain.maximise, bench.sizes.rounds
    for how, laps in {
        "": take_turns(rounds, mine, theirs),
        ", SciPy on one thread": take_turns(rounds, mine, _on_one_thread(theirs)),
        ", one thread each": _take_turns_on_one_thread(rounds, mine, theirs),
    }.items():
        yield Row(
            f"training on candidate sets{how}", *laps, "s", f"SciPy {scipy.__version__}",
            ratio(*laps[::-1]), _ASKED,
            f"{background.n_sentences:,} sentences, {len(background):,} candidates, "
            f"{len(background.features):,} values; from sets in memory, packing and making "
            f"matrices among it, to within {_GAP:g} of the optimum",
        )  # fmt: skip
    yield from _move(CandidateModel.fit(background, sigma2=_SIGMA2), domain)


def _on_one_thread(run):
    """Return a call without further threads of BLAS, which make it slower on small vectors."""

    def held():
        with threadpool_limits(1):
            run()

    return held


def _take_turns_on_one_thread(rounds, *runs):
    """Time calls in turns, in seconds of processor time; neither side has a second thread."""
    n = thread_count()
    set_threads(1)
    with threadpool_limits(1):
        laps = take_turns(rounds, *runs, clock=time.process_time)
    set_threads(n)
    return laps


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


def _train(sets, goal):
    """Train from packed sets until the objective reaches a goal."""
    problem = CandidateModel.training_problem(sets)

    def stop(step):
        if step.objective >= goal:
            raise StopIteration

    try:
        problem.learn(sigma2=_SIGMA2, tolerance=_GAP, on_step=stop)
    except StopIteration:
        return
    raise AssertionError("ours did not reach the objective")


class _Plain:
    """The same objective from a CSR matrix of the candidates, as anybody would write it."""

    def __init__(self, sets):
        self._sets, self._shares = sets, target_shares(sets)
        self._ids, self._starts = sets.sentence_ids, sets.sentence_starts[:-1]

    @cached_property
    def goal(self) -> float:
        """The objective at which both sides end."""
        problem = CandidateModel.training_problem(self._sets)
        prior = GaussianPrior(problem.mean, _SIGMA2)
        fit = problem.maximise(prior)
        weights = np.zeros(len(self._sets.feature_names))
        weights[[self._sets.feature_names.index(name) for name in problem.features]] = fit.weights
        self._build()
        assert np.isclose(-self._cost(weights)[0], fit.objective, rtol=1e-4), "not the same"
        return fit.objective - _GAP * abs(fit.objective)

    def _build(self):
        arrays = self._sets.values.astype(float), self._sets.features, self._sets.starts
        self._matrix = sparse.csr_matrix(arrays, (len(self._sets), len(self._sets.feature_names)))
        self._back = self._matrix.T.tocsr()

    def _cost(self, weights):
        scores = self._matrix @ weights
        scores -= np.maximum.reduceat(scores, self._starts)[self._ids]
        log_p = scores - np.log(np.add.reduceat(np.exp(scores), self._starts))[self._ids]
        pull = weights / _SIGMA2
        cost = weights @ pull / 2 - self._shares @ log_p
        return cost, self._back @ (np.exp(log_p) - self._shares) + pull

    def maximise(self) -> None:
        """Build the matrices and go on until the goal is reached."""
        self._build()

        def stop_at(intermediate_result):
            if -intermediate_result.fun >= self.goal:
                raise StopIteration

        options = {"maxiter": 20_000, "maxfun": 20_000, "ftol": 0, "gtol": 0}
        start = np.zeros(len(self._sets.feature_names))
        minimize(self._cost, start, (), "L-BFGS-B", True, callback=stop_at, options=options)
