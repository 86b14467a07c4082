"""Several MEMMs as one model: each word gets the tag with the greatest mean probability."""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from workbench.features.selection import Features
from workbench.features.templates import find_templates
from workbench.models.capitalizer import Capitalizer
from workbench.models.ensembles.backward import BackwardMEMM
from workbench.models.ensembles.ensemble_adaptation import EnsembleAdaptation
from workbench.models.ensembles.members import DIRECTIONS, Member, diverse_members
from workbench.models.interpolation import PackedForEach, nest, unnest
from workbench.models.memm import MEMM
from workbench.models.mixed_forms import read_mixed_forms
from workbench.models.saved.checks import check_info, require
from workbench.settings import BACKGROUND
from workbench.text.corpus import Corpus

_MOST = 8  # members of a model file


@dataclass(eq=False, repr=False)
class Ensemble(Capitalizer):
    """P(t_i | W) as the mean of those of several MEMMs that learn from the same text.

    The members read sentences forward or backward, and have all templates or fewer. Each word
    gets the tag with the greatest probability: the tags of a sentence need not be the best
    sequence of any member. ``info`` is the first member's, with features, log-likelihood and
    convergence of all.

    Source
    ------
    Giménez & Màrquez (2004), *SVMTool*, combine taggers of both directions; they take the
    better of two sequences. Ho (1998), *The random subspace method for constructing decision
    forests*: the mean of classifiers of fewer features each; here they are left out by group.
    """

    members: tuple[MEMM, ...]
    mixed_forms: dict
    info: dict = field(default_factory=dict)
    tag_names: tuple = field(init=False)  # those of all members
    kind = "ensemble"
    solvers = MEMM.solvers
    training_problem = MEMM.training_problem  # a variance is searched for one forward MEMM

    def __post_init__(self) -> None:
        self.tag_names = self.members[0].tag_names

    @staticmethod
    def design(templates: Sequence[str]) -> list[Member]:
        """Return the members of an ensemble with these templates, given by name."""
        return diverse_members(templates)

    @classmethod
    def of(cls, *members: MEMM) -> Self:
        """Return the model of members that were trained on the same text."""
        likelihoods = [model.info.get("log_likelihood", np.nan) for model in members]
        info = members[0].info | {
            "features": sum(model.info["features"] for model in members),
            "log_likelihood": sum(likelihoods),
            "converged": all(model.info.get("converged", False) for model in members),
        }
        return cls(members, members[0].mixed_forms, info)

    @classmethod
    def fit(
        cls, corpus: Corpus, templates: str | Sequence[str] = BACKGROUND["templates"],
        *arguments: Any, **options: Any,
    ) -> Self:  # fmt: skip
        """Return the model trained on a corpus, arguments as in ``LogLinear.fit``."""
        names = [template.name for template in find_templates(templates)]
        fits = (m.kind.fit(corpus, m.templates, *arguments, **options) for m in cls.design(names))
        return cls.of(*fits)

    @property
    def features(self) -> tuple[Features, ...]:
        """The feature sets of all members."""
        return tuple(model.features for model in self.members)

    def pack(self, corpus: Corpus) -> PackedForEach:
        """Make a corpus ready for this model and for those with the same ``features``."""
        return PackedForEach(corpus, tuple(model.pack(corpus) for model in self.members))

    def best_tags(
        self, text: Corpus | PackedForEach, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the most probable tag of each word, of those allowed; int8, shape (N,)."""
        return self.probabilities(text, allowed).argmax(axis=1).astype(np.int8)

    @property
    def known_words(self) -> Container[str]:
        """The words, in lower case, that its first model has kept features of."""
        return self.members[0].known_words

    def probabilities(
        self, text: Corpus | PackedForEach, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return P(tag of word i | W), shape (N, K); allowed tags as in ``MEMM.probabilities``."""
        total: Any = 0.0
        for model, packed in self._with_packed(text):
            total += model.probabilities(packed, allowed)
        return total / len(self.members)

    def _with_packed(self, text):
        """Return pairs of a member and the text packed for it, now if it is not yet."""
        if isinstance(text, PackedForEach) and text.features == self.features:
            return zip(self.members, text.packed, strict=True)
        corpus = getattr(text, "corpus", text)
        return ((model, model.pack(corpus)) for model in self.members)

    def adaptation_problem(self, corpus: Corpus, cutoff: int | None = 0) -> EnsembleAdaptation:
        """Return the adaptation of all members to a corpus, with a cut-off."""
        return EnsembleAdaptation(self, corpus, cutoff)

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        header, arrays, lists = nest(dict(zip(_names(self.members), self.members, strict=True)))
        return header | {"info": self.info}, arrays, lists

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> Self:
        """Return the model that the parts of a model file hold."""
        names = list(header["models"])
        require(0 < len(names) <= _MOST, f"{len(names)} members; an ensemble has 1 to {_MOST}")
        kinds = (DIRECTIONS[name.split()[0]] for name in names)
        members = tuple(
            unnest(name, header, arrays, lists, kind)
            for name, kind in zip(names, kinds, strict=True)
        )
        require(names == list(_names(members)), "other names of members than an ensemble has")
        require(len({m.tag_names for m in members}) == 1, "members of different tags")
        return cls(members, read_mixed_forms(lists), check_info(header))


def _names(members):
    """Yield the names of members in a model file: forward, backward, forward 2 and so on."""
    seen: Counter[str] = Counter()
    for model in members:
        direction = "backward" if isinstance(model, BackwardMEMM) else "forward"
        seen[direction] += 1
        yield direction if seen[direction] == 1 else f"{direction} {seen[direction]}"
