"""Models of candidate sets side by side, as ``evaluate --json`` prints them; reasons for a choice.

A model selects one candidate a sentence. Its quality is a ratio of sums over all sentences,
labelled bracket F1 where the counts of brackets are known, else the mean quality. Why it prefers
one candidate to another is said by features whose contributions sum to the gap.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from workbench.candidates.joins import ENDS
from workbench.candidates.model import CandidateModel
from workbench.candidates.sets import TASK, CandidateSets, Terms
from workbench.evaluation.error_rates import to_json
from workbench.evaluation.significance import (
    FEWEST_SENTENCES,
    NO_INTERVAL,
    TOO_FEW,
    Interval,
    mcnemar,
)
from workbench.evaluation.task import Task, Wording
from workbench.text.errors import InputError
from workbench.text.tasks import check_same_task

# What the page says of it; scored by ``report_selections``.
TASK_OF_CANDIDATES = Task(
    TASK, tuple(ENDS), "", False,
    Wording("sentence", "sentences", "better", "worse", "not best"),
)  # fmt: skip
BASELINES = ("first", "random", "oracle")


class Selection(NamedTuple):
    """What a model, given by name, selects: the number of a candidate of each sentence, (S,)."""

    name: str
    chosen: np.ndarray


def report_selections(sets: CandidateSets, named_models: Iterable[tuple[str, Any]]) -> dict:
    """Score models on candidate sets and compare each with every later one; a dict for JSON.

    Fractions, None where one is undefined: ``sentences`` and ``candidates``, numbers;
    ``models``, see ``selection_row``; the quality of the ``first`` candidate of each sentence,
    of one at ``random`` and of the best, the ``oracle``; ``dependencies``, the same of
    dependency accuracy; and ``paired``, see ``paired_selection_row``. InputError if a model
    is of another task.
    """
    rows, selections = [], []
    for name, model in named_models:
        selections.append(select(sets, name, model))
        rows.append(selection_row(sets, selections[-1], model.kind))
    pairs = [paired_selection_row(sets, a, b) for a, b in combinations(selections, 2)]
    return describe_sets(sets) | {"models": rows, "paired": pairs}


def select(sets: CandidateSets, name: str, model: Any) -> Selection:
    """Return what a model selects; InputError, with its name, if it is of another task."""
    check_same_task(sets.name, sets.task, name, model.task)
    return Selection(name, model.tag(sets))


def describe_sets(sets: CandidateSets) -> dict[str, Any]:
    """Return the size of candidate sets, and what is there without a model."""
    shares = baseline_shares(sets)
    quality = {name: sets.quality_terms.ratio(own) for name, own in shares.items()}
    dependencies = {name: _dependencies(sets, own) for name, own in shares.items()}
    size = {"sentences": sets.n_sentences, "candidates": len(sets)}
    return to_json(size | quality | {"dependencies": dependencies})


def baseline_shares(sets: CandidateSets) -> dict[str, np.ndarray]:
    """Return the shares of candidates that each of ``BASELINES`` selects; shape (C,).

    The oracle selects the first of the best candidates; random all of them, alike.
    """
    starts, sizes = sets.sentence_starts[:-1], np.diff(sets.sentence_starts)
    best = np.flatnonzero(sets.is_best)
    oracle = best[np.searchsorted(best, starts)]
    return {
        "first": sets.shares_of(starts), "random": (1 / sizes)[sets.sentence_ids],
        "oracle": sets.shares_of(oracle),
    }  # fmt: skip


def _dependencies(sets, shares):
    return math.nan if sets.dependency_terms is None else sets.dependency_terms.ratio(shares)


def selection_row(sets: CandidateSets, selection: Selection, kind: str) -> dict[str, Any]:
    """Return the scores of what a model of some kind selects; a dict.

    ``quality``; ``quality_interval`` (95 %, by sentence); ``accuracy``, the share of sentences
    in which a best candidate is selected; ``dependency_accuracy``; ``reducible``, the share of
    the way from the first candidates' quality to the oracle's.
    """
    shares = sets.shares_of(selection.chosen)
    quality, baselines = sets.quality_terms.ratio(shares), baseline_shares(sets)
    first, oracle = (sets.quality_terms.ratio(baselines[key]) for key in ("first", "oracle"))
    row = {
        "name": selection.name, "kind": kind, "quality": quality,
        "quality_interval": ratio_interval(sets.quality_terms.take(selection.chosen)),
        "accuracy": float(sets.is_best[selection.chosen].mean()),
        "dependency_accuracy": _dependencies(sets, shares),
        "reducible": (quality - first) / (oracle - first) if oracle > first else math.nan,
    }  # fmt: skip
    return to_json(row)


def paired_selection_row(sets: CandidateSets, a: Selection, b: Selection) -> dict[str, Any]:
    """Compare what two models select, sentence by sentence; a dict.

    ``a`` and ``b``, names; ``better``, sentences in which b's candidate has a higher quality
    than a's; ``worse``, the reverse; ``p_value`` of the sign test, exact and two-sided;
    ``difference`` of the quality, b's less a's, a fraction, and its 95 % ``interval`` over
    resampled sentences; ``dependency_difference`` and ``dependency_interval``, the same of
    dependency accuracy.
    """
    of_a, of_b = sets.quality[a.chosen], sets.quality[b.chosen]
    signs = mcnemar(of_a < of_b, of_b < of_a)  # the sign test, of who is behind
    row = {"a": a.name, "b": b.name, "better": signs.fixed, "worse": signs.broken,
           "p_value": signs.p_value}  # fmt: skip
    for prefix, terms in (("", sets.quality_terms), ("dependency_", sets.dependency_terms)):
        difference, interval = _compare(terms, a, b)
        row |= {f"{prefix}difference": difference, f"{prefix}interval": interval}
    return to_json(row)


def _compare(terms, a, b):
    if terms is None:
        return math.nan, NO_INTERVAL
    pair = [terms.take(each.chosen) for each in (a, b)]
    first, second = (own.total() for own in pair)
    return second - first, ratio_interval(*pair)


def ratio_interval(*terms: Terms) -> Interval:
    """Return the bounds of 95 % of a ratio over resampled sentences; of two, the difference.

    Both are of the same draws. nan where no draw has a denominator, and where fewer than
    ``FEWEST_SENTENCES`` sentences have terms; of two, terms that differ.

    Source
    ------
    Efron & Tibshirani (1993), percentile method; sentences are drawn, which are independent.
    """
    first, second = terms if len(terms) > 1 else (*terms, Terms(np.zeros(1), np.zeros(1)))
    differ = (first.above != second.above) | (first.below != second.below)
    if np.count_nonzero(differ) < FEWEST_SENTENCES:
        return NO_INTERVAL
    drawn = _draw_sentences(len(first.above))
    with np.errstate(invalid="ignore"):
        ratios = [(drawn @ own.above) / (drawn @ own.below) for own in terms]
    figures = ratios[0] if len(ratios) == 1 else ratios[1] - ratios[0]
    figures = figures[np.isfinite(figures)]
    if not len(figures):
        return NO_INTERVAL
    return Interval(*np.quantile(figures, (0.025, 0.975)).tolist())


@lru_cache(maxsize=1)
def _draw_sentences(n, seed=0, n_samples=1000):
    """Return how often each of n sentences is in each resampled text, shape (n_samples, n)."""
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=n_samples)
    return drawn.astype(float)  # products of whole numbers are many times slower


def verdict_of(pair: Mapping) -> str:
    """Say in words what a paired row shows: by whether its interval is on one side of 0.

    >>> verdict_of({"difference": 0.01, "interval": (0.002, 0.02)})
    'gain is significant'
    """
    low, high = pair["interval"]
    if low is None:
        return TOO_FEW
    what = "gain" if pair["difference"] >= 0 else "loss"
    is_real = low > 0 or high < 0
    return f"{what} is {'' if is_real else 'not '}significant"


def is_gain(row: Mapping) -> bool:
    """Return whether a paired row with its ``verdict`` shows a significant gain."""
    return row["verdict"] == "gain is significant"


def best_of(rows: Sequence[Mapping]) -> Mapping:
    """Return the row of the highest quality, the first on a tie."""
    return max(rows, key=lambda row: row["quality"])


class Reason(NamedTuple):
    """What one feature adds to the score of a candidate less that of a rival."""

    feature: str
    weight: float
    value: float  # in the candidate
    rival_value: float
    contribution: float  # nats: weight * (value - rival_value)


def explain_choice(
    model: CandidateModel, sets: CandidateSets, sentence: int, candidate: int, rival: int
) -> list[Reason]:
    """Return the features that tell two candidates of a sentence apart, the strongest first.

    The contributions sum to log p(candidate) - log p(rival); the reference distribution, if the
    model has one, is among them with its weight of 1.

    Parameters
    ----------
    sentence, candidate, rival : int
        Numbers from 0: of the sentence, and of two candidates within it.

    Raises
    ------
    InputError
        If there is no such sentence or candidate.
    """
    weights = model.weight_of
    own, other = (_values_of(sets, sentence, number) for number in (candidate, rival))
    reasons = [
        Reason(name, weight, a, b, weight * (a - b))
        for name in dict.fromkeys((*own, *other))
        if (weight := weights.get(name)) is not None
        and (a := own.get(name, 0.0)) != (b := other.get(name, 0.0))
    ]
    return sorted(reasons, key=lambda reason: -abs(reason.contribution))


def _values_of(sets, sentence, number):
    """Return the features of a candidate, by name."""
    if not 0 <= sentence < sets.n_sentences:
        raise InputError(f"{sets.name}: sentence {sentence}: 0 to {sets.n_sentences - 1} are there")
    first, end = sets.sentence_starts[sentence : sentence + 2].tolist()
    if not 0 <= number < end - first:
        raise InputError(f"{sets.name}: candidate {number}: 0 to {end - first - 1} are there")
    part = slice(*sets.starts[first + number : first + number + 2])
    names = [sets.feature_names[feature] for feature in sets.features[part]]
    return dict(zip(names, sets.values[part].astype(float).tolist(), strict=True))
