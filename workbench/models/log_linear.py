"""Log-linear taggers of a sentence: a table of weights, predicates by tags, fitted and kept.

What sets one kind apart is how the words of a text are packed to learn from, the
log-likelihood that comes of them, and decoding.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from workbench.features.contexts import Contexts
from workbench.features.lexicon import Lexicon, describe_by_folds
from workbench.features.predicates import pack_names
from workbench.features.selection import Features, check_cutoff
from workbench.features.templates import TEMPLATES, Template, find_templates
from workbench.features.unpunctuated import check_share, learn_twice
from workbench.inference import BestPaths
from workbench.learning.prior import check_strength
from workbench.learning.solvers import find_solver
from workbench.models.capitalizer import Capitalizer
from workbench.models.files import (
    check_info,
    check_names,
    check_weights,
    lexicon_to_parts,
    mark_cells,
    pack_table,
    read_lexicon,
    read_table,
    require,
)
from workbench.models.mixed_forms import mixed_forms_to_lists, read_mixed_forms
from workbench.models.table_problems import TableAdaptation, TableTraining
from workbench.settings import BACKGROUND
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus, require_corpus


class Packed:
    """A corpus made ready for the models that share a feature set.

    Finding the predicates of a text takes longer than tagging it, so what is
    tagged again and again, as development data under a moving slider, is packed once.
    A kind of it says how it packs: ``pack(corpus, templates, choose)``, as ``pack_contexts``. The
    firing matrix, sparse, shape (n_rows, P), says which predicates each of their rows fires.
    """

    pack: ClassVar[Callable]

    def __init__(self, corpus: Corpus, features: Features, contexts: Contexts, firing: Any):
        self.corpus, self.features = corpus, features
        self._contexts, self._firing = contexts, firing

    @classmethod
    def of(
        cls, corpus: Corpus, templates: Sequence[Template], features: Features,
        tag_names: tuple[str, ...],
    ) -> Self:  # fmt: skip
        """Return a corpus packed for models of some tags; those of its own are not read."""
        chosen = features.choose_fillers()
        contexts = cls.pack(corpus.unlabel(tag_names), templates, chosen)
        return cls(corpus, features, contexts, chosen.matrix())

    def keep_features(self, features: Features, kept: np.ndarray) -> Self:
        """Return the corpus ready for fewer features, as ``Features.subset`` gives both."""
        return type(self)(self.corpus, features, self._contexts, self._firing[:, kept])


@dataclass(eq=False, repr=False)
class LogLinear(Capitalizer):
    """A model whose scores are sums of weights of (predicate, tag).

    A kind defines ``pack_training``, from a corpus and templates to ``Contexts``, and
    ``pack_after``, the same with the tags that a model decided on before each word;
    ``likelihood``, from these, a firing matrix and features to what ``maximise`` takes;
    ``slopes``, from contexts in order, firing, features and starts to those of its sentences;
    ``packed``, the kind of ``Packed`` that it tags; and ``best_tags(text)``.

    Weights, shape (P, K), are zero where there is no feature. The lexicon is that of the text it
    was trained on, if templates read one. ``info`` says where a model comes from: text and its
    hash, cutoff, prior, solver, convergence.
    """

    templates: tuple[Template, ...]
    features: Features
    weights: np.ndarray
    mixed_forms: dict
    info: dict = field(default_factory=dict)
    tag_names: tuple[str, ...] = TAGS
    lexicon: Lexicon | None = None
    solvers: tuple[str, ...] = ("lbfgs", "newton", "iis")
    pack_training: ClassVar[Callable]
    pack_after: ClassVar[Callable]
    likelihood: ClassVar[Callable]
    slopes: ClassVar[Callable]
    packed: ClassVar[type[Packed]]

    @property
    def drop_boundaries(self) -> float:
        """Share of the text that is learnt a second time without punctuation and sentence ends."""
        return self.info.get("drop_boundaries", 0.0)

    def probabilities(self, text: Any, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return P(tag of word i | W), summed over all other tags; shape (N, K).

        With allowed tags it is conditional on each word having one of its own.
        """
        raise NotImplementedError

    def best_paths(self, text: Any, k: int) -> BestPaths:
        """Return the k most probable tag sequences of each sentence, and log P of each."""
        raise NotImplementedError

    @staticmethod
    def usable_templates(templates: tuple[Template, ...]) -> tuple[Template, ...]:
        """Return those of some templates that this kind of model can have: all."""
        return templates

    @classmethod
    def fit(
        cls, corpus: Corpus, templates: str | Sequence[str] = BACKGROUND["templates"],
        cutoff: int = BACKGROUND["cutoff"], sigma2: float = BACKGROUND["sigma2"],
        alpha: float | None = None, solver: str = "lbfgs", drop_boundaries: float = 0.0,
        **options: Any,
    ) -> Self:  # fmt: skip
        """Return a model trained on a corpus.

        Parameters
        ----------
        templates : str or sequence of str
            Names of template sets and templates, as in ``find_templates``.
        cutoff : int
            Features seen less often are dropped; 0 keeps all.
        sigma2 : float
            Variance of the zero-mean Gaussian prior.
        alpha : float, optional
            Rate of Goodman's exponential prior, weights >= 0, instead of the Gaussian.
        solver : {"lbfgs", "newton", "iis"}
            L-BFGS; Newton's method, which goes on to the optimum; or the paper's improved
            iterative scaling, slower, which no CRF takes.
        drop_boundaries : float
            Share of the text, 0 to 1, that is learnt a second time without punctuation and
            sentence ends, as ``learn_twice``; unless 0, the templates ``unpunctuated`` are added.
        **options
            ``tolerance``, ``on_step`` and the most steps of ``maximise``,
            ``maximise_by_newton`` or ``scale_iteratively``.

        Source
        ------
        Chelba & Acero (2004), section 3, eq. 2. A CRF as Zhang, Qiu, Huang & Wu (2008),
        section 3.
        """
        strength = check_strength(sigma2, alpha)
        find_solver(solver, strength["prior"], cls.solvers)
        share = check_share(drop_boundaries)
        problem = cls.training_problem(corpus, templates, cutoff, solver == "iis", share)
        twice = {"drop_boundaries": share} if share else {}
        return problem.train(strength, solver, twice, **options)

    @classmethod
    def training_problem(
        cls, corpus: Corpus, templates: str | Sequence[str], cutoff: int,
        keep_events: bool = False, drop_boundaries: float = 0.0,
    ) -> TableTraining:  # fmt: skip
        """Return the ``TableTraining`` of this kind of model on a corpus, as in ``fit``."""
        further = find_templates("unpunctuated") if drop_boundaries else ()
        found = tuple(dict.fromkeys((*find_templates(templates), *further)))
        usable, cased = cls.usable_templates(found), require_corpus(corpus).require_cased()

        def pack(text, templates):
            return cls.pack_training(learn_twice(text, drop_boundaries), templates)

        return TableTraining(cls, cased, usable, check_cutoff(cutoff), keep_events, pack)

    def adaptation_problem(self, corpus: Corpus, cutoff: int | None = 0) -> TableAdaptation:
        """Return the ``TableAdaptation`` of this model to a corpus, with a cut-off."""
        return TableAdaptation(self, corpus, cutoff)

    def pack(self, corpus: Corpus, features: Features | None = None) -> Any:
        """Make a corpus ready for the models with these features, by default this one's own."""
        features = self.features if features is None else features
        described = self.describe(require_corpus(corpus))
        return self.packed.of(described, self.templates, features, self.tag_names)

    def describe(self, corpus: Corpus, to_learn: bool = False) -> Corpus:
        """Return a corpus with the columns that templates read of the lexicon, if there is one.

        ``to_learn`` says that it is learnt from: the lexicon's own text is then described by folds.
        """
        if self.lexicon is None:
            return corpus
        is_own = to_learn and corpus.fingerprint == self.lexicon.text
        return describe_by_folds(corpus) if is_own else self.lexicon.describe(corpus)

    def add_tags(self, tag_names: Sequence[str]) -> Self:
        """Return the model with those of some labels that it lacks; it has no feature of them."""
        new = tuple(name for name in tag_names if name not in self.tag_names)
        if not new:
            return self
        further = ((0, 0), (0, len(new)))
        features = Features(self.features.blocks, np.pad(self.features.exists, further))
        weights, names = np.pad(self.weights, further), (*self.tag_names, *new)
        return replace(self, features=features, weights=weights, tag_names=names)

    def _packed(self, text):
        """Return a text ready: as it is if packed for these features, else packed now."""
        is_ready = getattr(text, "features", None) is self.features
        return text if is_ready else self.pack(getattr(text, "corpus", text))

    def content_hash(self) -> str:
        """Return 64 hexadecimal digits that identify the features and their weights."""
        digest = hashlib.sha256("\n".join(self.features.names()).encode())
        digest.update(self.weights[self.features.exists].data)
        if self.lexicon is not None:
            digest.update("\n".join(self.lexicon.words).encode())
            digest.update(self.lexicon.counts.data)
        return digest.hexdigest()

    def changes_from(self, background: "LogLinear") -> tuple[dict, dict, dict]:
        """Return header, arrays and lists of an adapter: weights and features that are others.

        The first predicates of this model are the background's.
        """
        n_old, background = background.features.n_predicates, background.add_tags(self.tag_names)
        changed = self.weights.copy()
        changed[:n_old] -= background.weights
        is_new = self.features.exists
        is_new[:n_old] &= ~background.features.exists
        cells, new = (np.flatnonzero(each).astype(np.int32) for each in (changed, is_new))
        arrays = {"cells": cells, "weights": self.weights.ravel()[cells], "new_features": new}
        lists = {"predicates": self.features.names()[n_old:]}
        return {"tag_names": self.tag_names}, arrays, lists | mixed_forms_to_lists(self.mixed_forms)

    def with_changes(self, header: dict, arrays: dict, lists: dict) -> Self:
        """Return the adapted model of which an adapter has these parts, and this is the background.

        InputError, or what ``kinds`` makes one, if they do not go together.
        """
        names = check_names(header.get("tag_names", self.tag_names), "tag names")
        background = self.add_tags(names)
        n_old, n_tags = background.weights.shape
        shape = n_old + len(lists["predicates"]), n_tags
        exists = mark_cells(arrays["new_features"], shape, "new features")
        exists[:n_old] |= background.features.exists
        changed = mark_cells(arrays["cells"], shape, "changed weights")
        require(not (changed & ~exists).any(), "weights where no feature is")
        weights = np.zeros(shape)
        weights[:n_old] = background.weights
        weights[changed] = check_weights(arrays["weights"], len(arrays["cells"]))
        features = Features((*background.features.blocks, *pack_names(lists["predicates"])), exists)
        parts = read_mixed_forms(lists), check_info(header), background.tag_names, self.lexicon
        return type(self)(self.templates, features, weights, *parts)

    @classmethod
    def describe_options(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options of ``fit`` for JSON, equal where they mean the same."""
        # By the templates' names: a set may gain one, and expressions for the same set differ.
        names = [template.name for template in find_templates(options["templates"])]
        return {**options, "templates": names}

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        names, exists = [template.name for template in self.templates], self.features.exists
        header = {
            "templates": names, "tag_names": self.tag_names, "info": self.info,
            "sha256": self.content_hash(),
        }  # fmt: skip
        lists = {"predicates": self.features.names()}
        table, lexicon = pack_table(self.weights, exists), lexicon_to_parts(self.lexicon)
        return header | table[0] | lexicon[0], table[1] | lexicon[1], lists | lexicon[2]

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> Self:
        """Return the model that the parts of its file make."""
        tag_names = check_names(header["tag_names"], "tag names")
        templates, predicates = cls._read_templates(header["templates"]), lists["predicates"]
        own, exists = read_table(arrays, (len(predicates), len(tag_names)))
        features = Features(pack_names(predicates), exists)
        weights = features.table(own)
        mixed_forms, info = read_mixed_forms(lists), check_info(header)
        lexicon = read_lexicon(templates, header, arrays, lists)
        return cls(templates, features, weights, mixed_forms, info, tag_names, lexicon)

    @classmethod
    def _read_templates(cls, names):
        """Return the templates that a file names; they must be those that this kind can have."""
        templates = find_templates(check_names(names, "templates", len(TEMPLATES)))
        is_so = cls.usable_templates(templates) == templates and len(templates) == len(names)
        require(is_so, f"templates that a {cls.kind} cannot have")
        return templates
