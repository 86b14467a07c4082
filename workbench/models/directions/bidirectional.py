"""Two MEMMs together, one of which reads sentences forward and one backward.

An MEMM reads the tags of the words before each word. Which tags the words after it have tells as
much, as in a title whose last word alone is surely a capital: that is what the backward one reads.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.features.selection import Features
from workbench.models.capitalizer import Capitalizer
from workbench.models.directions.backward import BackwardMEMM
from workbench.models.directions.both_adaptations import BothAdaptations
from workbench.models.interpolation import PackedTwice, nest, unnest
from workbench.models.memm import MEMM
from workbench.models.mixed_forms import read_mixed_forms
from workbench.models.saved.checks import check_info, require
from workbench.text.corpus import Corpus

_DIRECTIONS: dict[str, type[MEMM]] = {"forward": MEMM, "backward": BackwardMEMM}


@dataclass(eq=False)
class BidirectionalMEMM(Capitalizer):
    """P(t_i | W) as the mean of those of a forward and a backward MEMM.

    Each word gets the tag with the greatest probability: the tags of a sentence need not be the
    best sequence of either model. Both learn from the same text; ``info`` is the forward
    model's, with features, log-likelihood and convergence of both.

    Source
    ------
    Giménez & Màrquez (2004), *SVMTool*, combine taggers of both directions; they take the
    better of two sequences.
    """

    forward: MEMM
    backward: BackwardMEMM
    mixed_forms: dict
    info: dict = field(default_factory=dict)
    tag_names: tuple = field(init=False)  # those of both models
    kind = "bidirectional"
    solvers = MEMM.solvers
    training_problem = MEMM.training_problem  # a variance is searched for the forward model

    def __post_init__(self) -> None:
        self.tag_names = self.forward.tag_names

    @classmethod
    def of(cls, forward: MEMM, backward: BackwardMEMM) -> "BidirectionalMEMM":
        """Return the model of two that were trained on the same text."""
        models = forward, backward
        likelihoods = [model.info.get("log_likelihood", np.nan) for model in models]
        info = forward.info | {
            "features": sum(model.info["features"] for model in models),
            "log_likelihood": sum(likelihoods),
            "converged": all(model.info.get("converged", False) for model in models),
        }
        return cls(forward, backward, forward.mixed_forms, info)

    @classmethod
    def fit(cls, corpus: Corpus, *arguments: Any, **options: Any) -> "BidirectionalMEMM":
        """Return the model trained on a corpus, arguments as of ``LogLinear.fit``."""
        forward = MEMM.fit(corpus, *arguments, **options)
        return cls.of(forward, BackwardMEMM.fit(corpus, *arguments, **options))

    @property
    def models(self) -> tuple[MEMM, BackwardMEMM]:
        """Both models, the forward one first."""
        return self.forward, self.backward

    @property
    def features(self) -> tuple[Features, Features]:
        """The feature sets of both models."""
        return self.forward.features, self.backward.features

    def pack(self, corpus: Corpus) -> PackedTwice:
        """Make a corpus ready for this model and for those with the same ``features``."""
        return PackedTwice(corpus, (self.forward.pack(corpus), self.backward.pack(corpus)))

    def tag(self, text: Corpus | PackedTwice, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the most probable tag of each word, of those allowed; int8, shape (N,)."""
        return self.probabilities(text, allowed).argmax(axis=1).astype(np.int8)

    def probabilities(
        self, text: Corpus | PackedTwice, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return P(tag of word i | W), shape (N, K); allowed tags as of ``MEMM.probabilities``."""
        both = zip(self.models, self._packed(text), strict=True)
        forward, backward = (model.probabilities(packed, allowed) for model, packed in both)
        return (forward + backward) / 2

    def _packed(self, text):
        is_ready = isinstance(text, PackedTwice) and text.features == self.features
        return (text if is_ready else self.pack(getattr(text, "corpus", text))).packed

    def adaptation_problem(self, corpus: Corpus, cutoff: int | None = 0) -> BothAdaptations:
        """Return the adaptation of both models to a corpus, with a cut-off."""
        return BothAdaptations(self, corpus, cutoff)

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        header, arrays, lists = nest(dict(zip(_DIRECTIONS, self.models, strict=True)))
        return header | {"info": self.info}, arrays, lists

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> "BidirectionalMEMM":
        """Return the model that the parts of a model file hold."""
        forward, backward = (
            unnest(name, header, arrays, lists, kind) for name, kind in _DIRECTIONS.items()
        )
        require(forward.tag_names == backward.tag_names, "two models of other tags")
        return cls(forward, backward, read_mixed_forms(lists), check_info(header))
