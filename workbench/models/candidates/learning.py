"""What a model of candidate sets learns of each sentence."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.features.candidates.targets import (
    DEPENDENCY,
    GIVEN,
    QUALITIES,
    TARGETS,
    UNIFORM,
    sample_informative,
    target_shares,
)
from workbench.learning.candidates.candidate_likelihood import CandidateLikelihood, RelativeValues
from workbench.models.files import require
from workbench.text.errors import InputError, require_kind


class Learning(NamedTuple):
    """What is learnt of each sentence.

    Parameters
    ----------
    target : {"uniform", "gold", "proportional"}
        The candidates that are to be probable, as in ``target_shares``.
    reference : str, optional
        Name of the feature that is log q0: its weight is 1 and not learnt.
    most_candidates : int, optional
        The most candidates of a sentence to learn from, as in ``sample_informative``.
    quality : {"given", "dependency"}
        What makes a candidate the best: the sets' own quality, or as in ``by_dependencies``.

    Source
    ------
    Plank & van Noord (2008), section 3; "dependency" is their concept accuracy.
    """

    target: str = UNIFORM
    reference: str | None = None
    most_candidates: int | None = None
    quality: str = GIVEN

    def judge(self, sets: CandidateSets) -> CandidateSets:
        """Return sets with the quality that is learnt; InputError if they do not have it."""
        require_kind(sets, CandidateSets, ", which read_candidates makes,")
        return sets.by_dependencies() if self.quality == DEPENDENCY else sets

    def sample(self, sets: CandidateSets) -> CandidateSets:
        """Return the candidates that are learnt from, with the quality that is learnt."""
        judged, most = self.judge(sets), self.most_candidates
        return judged if most is None else sample_informative(judged, most)

    def likelihood(self, sets: CandidateSets, values: RelativeValues) -> CandidateLikelihood:
        """Return the log-likelihood of a sample, with its values, for what is to be learnt."""
        offsets = np.zeros(len(sets))
        if self.reference:
            if self.reference not in sets.feature_names:
                raise InputError(f"{sets.name}: no feature {self.reference!r}, which is to be q0")
            offsets = sets.value_of(self.reference)
        return CandidateLikelihood(values, sets, target_shares(sets, self.target), offsets)

    def changes(self) -> dict[str, Any]:
        """Return the values, by name, that are not the defaults."""
        usual = BEST_ALIKE._asdict()
        return {name: value for name, value in self._asdict().items() if value != usual[name]}

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """Return what a model file says; InputError if that cannot be."""
        learning = cls(**said)
        is_text = learning.reference is None or isinstance(learning.reference, str)
        most = learning.most_candidates
        is_number = most is None or (type(most) is int and most >= 2)
        is_known = learning.target in TARGETS and learning.quality in QUALITIES
        require(is_known and is_text and is_number, "another target")
        return learning


BEST_ALIKE = Learning()  # the candidates of best quality, alike


def name_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of ``CandidateModel.fit`` to display, with the entries of ``learning``."""
    others = {name: value for name, value in options.items() if name != "learning"}
    return others | options.get("learning", BEST_ALIKE).changes()
