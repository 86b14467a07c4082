"""What a review changes in candidate sets: which candidate of a sentence is the best."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.experiments.exploring.candidates.why_chosen import name_candidate
from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.text.errors import InputError


def change_best(sets: CandidateSets, decisions: Iterable[Any]) -> CandidateSets:
    """Return candidate sets with the candidates that decisions call right as the best.

    Of a candidate only its figures are known, not what makes them: the one called right takes
    over those of the best, and whatever was best takes over its own.
    """
    figures = {"": sets.quality.copy()} | {name: own.copy() for name, own in sets.counts.items()}
    for decision in decisions:
        first, end = sets.sentence_starts[decision.at.sentence : decision.at.sentence + 2].tolist()
        best = first + np.flatnonzero(sets.is_best[first:end])
        right = first + number_of(sets, decision.at.sentence, decision.value)
        if right not in best:
            for own in figures.values():
                own[right], own[best] = own[best[0]], own[right]
    quality = figures.pop("")
    return replace(sets, quality=quality, counts=figures)


def number_of(sets: CandidateSets, sentence: int, named: str) -> int:
    """Return the number within its sentence, from 0, of a candidate by its name.

    InputError if the sentence has none of that name.
    """
    n = int(np.diff(sets.sentence_starts)[sentence])
    names = [name_candidate(number) for number in range(n)]
    if named not in names:
        raise InputError(f"{named[:40] or 'nothing'}: allowed are {names[0]} to {names[-1]}")
    return names.index(named)


def best_of(sets: CandidateSets, sentence: int) -> int:
    """Return the number within its sentence, from 0, of the first of its best candidates."""
    return int(sets.is_best[slice(*sets.sentence_starts[sentence : sentence + 2])].argmax())
