"""Why a model of candidate sets prefers one candidate to another: features whose gap sums to it."""

from typing import NamedTuple

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.text.errors import InputError


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
