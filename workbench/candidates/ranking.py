"""Scores of the candidates of each sentence: made ready, normalized, put in order."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from workbench.candidates.sets import CandidateSets
from workbench.text.errors import InputError


class Ranking(NamedTuple):
    """The candidates of each sentence in the order of their probabilities."""

    order: np.ndarray  # int64, shape (C,): numbers of candidates, the best of a sentence first
    probabilities: np.ndarray  # shape (C,): p(candidate | sentence), by number of the candidate


class PackedCandidates:
    """Candidate sets made ready for the models with some features, by name.

    ``reference`` names the feature that is log q0. InputError if they share no feature.
    """

    def __init__(self, corpus: CandidateSets, features: tuple[str, ...], reference: str | None):
        self.corpus, self.features = corpus, features
        place_of = place_shared_names(corpus, features)
        places = place_of[corpus.features]
        values = np.where(places >= 0, corpus.values, np.float32(0))
        arrays = values, np.maximum(places, 0), corpus.starts
        self._matrix = sparse.csr_matrix(arrays, (len(corpus), max(len(features), 1)))
        self._offsets = corpus.value_of(reference) if reference else 0.0

    def probabilities(self, weights: np.ndarray) -> np.ndarray:
        """Return p(candidate | sentence) under the weights of the features; shape (C,)."""
        padded = weights if len(weights) else np.zeros(1)
        scores, starts = self._matrix @ padded + self._offsets, self.corpus.sentence_starts[:-1]
        ids = self.corpus.sentence_ids
        scores = np.exp(scores - np.maximum.reduceat(scores, starts)[ids])
        return scores / np.add.reduceat(scores, starts)[ids]


def rank_by(sets: CandidateSets, probabilities: np.ndarray) -> Ranking:
    """Return the ranking by probabilities, shape (C,); equal ones stay in their order."""
    order = np.lexsort((-probabilities, sets.sentence_ids))
    return Ranking(order, probabilities)


def choose(sets: CandidateSets, probabilities: np.ndarray) -> np.ndarray:
    """Return the number of the most probable candidate of each sentence, the first on a tie."""
    starts = sets.sentence_starts[:-1]
    is_top = probabilities == np.maximum.reduceat(probabilities, starts)[sets.sentence_ids]
    places = np.flatnonzero(is_top)
    return places[np.searchsorted(places, starts)]


def place_shared_names(sets: CandidateSets, features: Sequence[str]) -> np.ndarray:
    """Return the place of each of the sets' features among some, -1 where it is not there; int32.

    InputError if they share none.
    """
    names = sets.feature_names
    if names == features:
        return np.arange(len(names), dtype=np.int32)
    place_of = {name: place for place, name in enumerate(features)}
    places = np.array([place_of.get(name, -1) for name in names], np.int32)
    if len(features) and not (places >= 0).any():
        raise InputError(
            f"{sets.name}: no feature has a name that the model knows; both must name features "
            "alike, as a features.txt beside each does"
        )
    return places
