"""Linear interpolation of two models of candidate sets, sentence by sentence."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from workbench.features.candidates.candidate_sets import CandidateSets
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.models.candidates.ranking import Ranking, choose, rank_by
from workbench.models.capitalizer import Capitalizer
from workbench.models.files import check_info, require, write_parts
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName

_PARTS = ("inside", "outside")


@dataclass(eq=False, repr=False)
class CandidateMixture:
    """P(candidate | sentence) = share * P_IN + (1 - share) * P_OUT, the share from 0 to 1.

    Source
    ------
    LININT, Daumé III (2007), section 2.
    """

    inside: CandidateModel
    outside: CandidateModel
    share: float
    info: dict = field(default_factory=dict)
    kind, task = "candidate-mixture", TaskName.CANDIDATES
    __repr__ = Capitalizer.__repr__

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise InputError(f"share {self.share}: a number from 0 to 1 is allowed")

    @property
    def features(self) -> tuple[tuple[str, ...], ...]:
        """The names of the features of both models."""
        return self.inside.features, self.outside.features

    def pack(self, sets: CandidateSets) -> "PackedForBoth":
        """Make candidate sets ready for the mixtures with the same ``features``."""
        return PackedForBoth(sets, self)

    def probabilities(self, sets: Any) -> np.ndarray:
        """Return p(candidate | sentence) of every candidate; shape (C,)."""
        packed = sets if isinstance(sets, PackedForBoth) else self.pack(sets)
        inside, outside = packed.probabilities(self)
        return self.share * inside + (1 - self.share) * outside

    def rank(self, sets: CandidateSets) -> Ranking:
        """Return the candidates of each sentence, the most probable first, and probabilities."""
        return rank_by(sets, self.probabilities(sets))

    def tag(self, sets: Any) -> np.ndarray:
        """Return the number of the most probable candidate of each sentence; int64, shape (S,)."""
        return choose(getattr(sets, "corpus", sets), self.probabilities(sets))

    def save(self, path: str | Path) -> None:
        """Write the model to one file, atomically; InputError if that fails."""
        write_parts(path, self.kind, *self.to_parts())

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        parts = {name: getattr(self, name).to_parts() for name in _PARTS}
        headers = {name: header for name, (header, _, _) in parts.items()}
        arrays, lists = (
            {f"{name}.{key}": value for name, own in parts.items() for key, value in own[k].items()}
            for k in (1, 2)
        )
        return {"info": self.info, "share": self.share, "models": headers}, arrays, lists

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> Self:
        """Return the model that the parts of its file make."""
        inside, outside = (
            CandidateModel.from_parts(
                header["models"][name],
                {"weights": arrays[f"{name}.weights"]}, {"features": lists[f"{name}.features"]},
            )
            for name in _PARTS
        )  # fmt: skip
        share = header["share"]
        require(isinstance(share, float), "a share that is no number")
        return cls(inside, outside, share, check_info(header))


class PackedForBoth:
    """Candidate sets made ready for the two models of a mixture."""

    def __init__(self, corpus: CandidateSets, mixture: CandidateMixture):
        self.corpus, self.features = corpus, mixture.features
        self._packed = mixture.inside.pack(corpus), mixture.outside.pack(corpus)

    def probabilities(self, mixture: CandidateMixture) -> list[np.ndarray]:
        """Return p of the inside model and of the outside one, each of shape (C,)."""
        models = mixture.inside, mixture.outside
        return [m.probabilities(own) for m, own in zip(models, self._packed, strict=True)]
