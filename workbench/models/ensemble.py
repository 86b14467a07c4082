"""Several MEMMs as one model: each word gets the tag with the greatest mean probability.

Models that err alike gain nothing together. An MEMM reads the tags of the words before each word;
which tags the words after it have tells as much, as in a title whose last word alone is surely a
capital: members that read backward know that. And of features that tell the same, each gets
a part of the weight; a member that lacks some of them learns the others in full. All members are
adapted together, as one problem of flat weights.
"""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from workbench.features.selection import Features
from workbench.features.templates import CASING, CASING_RATE, find_templates
from workbench.learning.prior import GaussianPrior, Prior
from workbench.learning.problem import Problem
from workbench.learning.solvers.fit import Fit, Step
from workbench.models.backward import BackwardMEMM
from workbench.models.capitalizer import Capitalizer
from workbench.models.files import check_info, require
from workbench.models.interpolation import PackedForEach, nest, unnest
from workbench.models.memm import MEMM
from workbench.models.mixed_forms import read_mixed_forms
from workbench.models.table_problems import outcome_of
from workbench.settings import BACKGROUND
from workbench.text.corpus import Corpus

_MOST = 8  # members of a model file
DIRECTIONS: dict[str, type[MEMM]] = {"forward": MEMM, "backward": BackwardMEMM}


class Member(NamedTuple):
    """The kind of one member, which is its direction, and its templates by name."""

    kind: type[MEMM]
    templates: tuple[str, ...]


def both_directions(templates: Sequence[str]) -> list[Member]:
    """Return a forward and a backward member, both with all of some templates."""
    return [Member(kind, tuple(templates)) for kind in DIRECTIONS.values()]


def diverse_members(templates: Sequence[str]) -> list[Member]:
    """Return four members with different subsets of some templates, two of them backward.

    One lacks strings of letters, one the case of neighbours in the background's lexicon, one
    both and the word's own case there; the last has all. Templates that do not have both
    groups, such as ``ca04``, give ``both_directions``.
    """
    read = find_templates(templates)
    letters = {template.name for template in read if template.many}
    columns = [  # read besides the words: template, column and distance
        (template.name, *offset)
        for template in read
        for offset in template.offsets
        if isinstance(offset, tuple)
    ]
    neighbours = {name for name, column, distance in columns if column == CASING and distance}
    casing = {name for name, column, _ in columns if column in (CASING, CASING_RATE)}
    if not letters or not neighbours:
        return both_directions(templates)
    lacking: tuple[tuple[type[MEMM], set[str]], ...] = (
        (MEMM, letters), (BackwardMEMM, neighbours), (MEMM, letters | casing), (BackwardMEMM, set())
    )  # fmt: skip
    found = [
        Member(kind, tuple(t.name for t in read if t.name not in lacks)) for kind, lacks in lacking
    ]
    return [member for member in found if member.templates]


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

    def adaptation_problem(self, corpus: Corpus, cutoff: int | None = 0) -> "EnsembleAdaptation":
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


@dataclass(eq=False, repr=False)
class BidirectionalMEMM(Ensemble):
    """The ensemble of a forward and a backward MEMM with the same templates."""

    kind = "bidirectional"

    @staticmethod
    def design(templates: Sequence[str]) -> list[Member]:
        """Return both members."""
        return both_directions(templates)


class EnsembleAdaptation(Problem):
    """The adaptations of all members of a background to one corpus.

    The weights of the first member come first, those of the others after them. They share
    nothing but the prior's strength, so each member is fitted by itself.

    Parameters
    ----------
    background : Ensemble
    corpus, cutoff
        As in ``TableAdaptation``, from which the errors are, too.
    """

    def __init__(self, background: Any, corpus: Corpus, cutoff: int | None = 0):
        self.background, self.corpus = background, corpus
        self._parts = [model.adaptation_problem(corpus, cutoff) for model in background.members]
        self.cutoff = self._parts[0].cutoff
        mean = np.concatenate([part.mean for part in self._parts])
        super().__init__(None, mean, self._parts[0].solvers)

    @property
    def is_inherited(self) -> np.ndarray:
        """Which active features are the background's; bool, shape (F,)."""
        return np.concatenate([part.is_inherited for part in self._parts])

    def maximise(
        self, prior: Prior, start: np.ndarray | None = None, solver: str | None = None,
        tolerance: float | None = None, **options: Any,
    ) -> Fit:  # fmt: skip
        """Return the ``Fit`` of all under a prior, of one last step; as ``Problem.maximise``."""
        fits = [
            part.maximise(_part_of(prior, own), None if start is None else start[own], solver,
                          tolerance, **options)
            for part, own in self._with_places()
        ]  # fmt: skip
        last = [fit.steps[-1] for fit in fits]
        step = Step(
            sum(each.iteration for each in last), sum(each.log_likelihood for each in last),
            sum(each.penalty for each in last),
            float(np.linalg.norm([each.gradient_norm for each in last])),
            sum(each.seconds for each in last),
        )  # fmt: skip
        weights = np.concatenate([fit.weights for fit in fits])
        return Fit(weights, [step], all(fit.converged for fit in fits))

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        """Return the model of these active weights, shape (F,); ``record`` says how it was made."""
        models = [part.model(weights[own], **record) for part, own in self._with_places()]
        found = type(self.background).of(*models)
        new = sum(part.n_new for part in self._parts)
        own = {"background": self.background.info, "new_features": new, **outcome_of(fit)}
        return replace(found, info=found.info | own)

    def _with_places(self):
        """Return each problem with the slice of its weights among all."""
        ends = np.cumsum([len(part.mean) for part in self._parts]).tolist()
        places = (slice(end - len(p.mean), end) for p, end in zip(self._parts, ends, strict=True))
        return zip(self._parts, places, strict=True)


def _part_of(prior, own):
    """Return the prior of some of its weights."""
    if isinstance(prior, GaussianPrior) and isinstance(prior.sigma2, np.ndarray):
        return GaussianPrior(prior.mean[own], prior.sigma2[own])
    return replace(prior, mean=prior.mean[own])
