"""Linear interpolation of two MEMMs: their probabilities mixed in each context."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.features.selection import Features
from workbench.inference.memm.decoding import viterbi
from workbench.inference.memm.scores import mix
from workbench.models.capitalizer import Capitalizer, check_allowed
from workbench.models.files import check_info
from workbench.models.memm import MEMM, PackedText
from workbench.models.mixed_forms import mixed_forms_to_lists, read_mixed_forms
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


@dataclass(frozen=True, eq=False)
class PackedForEach:
    """A corpus made ready for each of several models."""

    corpus: Corpus
    packed: tuple[PackedText, ...]

    @property
    def features(self) -> tuple[Features, ...]:
        """The feature sets of all of them."""
        return tuple(packed.features for packed in self.packed)


@dataclass(eq=False, repr=False)
class Interpolation(Capitalizer):
    """P(t | x) = share * P_IN(t | x) + (1 - share) * P_OUT(t | x), the share from 0 to 1.

    The MEMMs inside and outside have the same tags; their templates may differ.

    Source
    ------
    LININT, Daumé III (2007), section 2. He interpolates predictions of a classifier; here
    tags are read by the next contexts, so the mixture is decoded as a whole.
    """

    inside: MEMM
    outside: MEMM
    share: float
    mixed_forms: dict
    info: dict = field(default_factory=dict)
    tag_names: tuple = field(init=False)  # those of both
    kind = "interpolation"

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise InputError(f"share {self.share}: a number from 0 to 1 is allowed")
        if self.inside.tag_names != self.outside.tag_names:
            raise InputError("models of different tags cannot be interpolated")
        self.tag_names = self.inside.tag_names

    @property
    def features(self) -> tuple[Features, Features]:
        """The feature sets of both models."""
        return self.inside.features, self.outside.features

    @property
    def known_words(self) -> Container[str]:
        """The words, in lower case, that either model has kept features of from training."""
        return {word for own in self.features for word in own.values.get("currentword", ())}

    def pack(self, corpus: Corpus) -> PackedForEach:
        """Make a corpus ready for this model and for those with the same ``features``."""
        return PackedForEach(corpus, (self.inside.pack(corpus), self.outside.pack(corpus)))

    def best_tags(
        self, text: Corpus | PackedForEach, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the most probable tags, of those allowed, exactly, as ``MEMM.best_tags``."""
        if not isinstance(text, PackedForEach):
            text = self.pack(text)
        elif text.features != self.features:
            text = self.pack(text.corpus)
        models = zip((self.inside, self.outside), text.packed, strict=True)
        scored = [own.scores(model.weights) for model, own in models]
        allowed = check_allowed(allowed, text.corpus, self.tag_names)
        return viterbi(mix(scored, [self.share, 1 - self.share]), text.corpus.starts, allowed)

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        header, arrays, lists = nest({"inside": self.inside, "outside": self.outside})
        return header | {"share": self.share, "info": self.info}, arrays, lists

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> "Interpolation":
        """Return the model that the parts of a model file hold."""
        inside, outside = (unnest(name, header, arrays, lists) for name in ("inside", "outside"))
        return cls(inside, outside, header["share"], read_mixed_forms(lists), check_info(header))


# --- files of several MEMMs ---------------------------------------------------------------


def nest(models: Mapping[str, MEMM]) -> tuple[dict, dict, dict]:
    """Return the header, arrays and lists of a file of several MEMMs by name."""
    headers: dict = {}
    arrays: dict = {}
    lists: dict = {}
    for name, model in models.items():
        headers[name], own_arrays, own_lists = model.to_parts()
        own_lists = own_lists | mixed_forms_to_lists(model.mixed_forms)
        arrays |= {f"{name}.{key}": array for key, array in own_arrays.items()}
        lists |= {f"{name}.{key}": strings for key, strings in own_lists.items()}
    return {"models": headers}, arrays, lists


def unnest(
    name: str, header: dict, arrays: dict, lists: dict, kind: type[MEMM] = MEMM
) -> Any:  # fmt: skip
    """Return one of the MEMMs of such a file, of that kind."""
    start = f"{name}."
    own_arrays, own_lists = (
        {key.removeprefix(start): value for key, value in parts.items() if key.startswith(start)}
        for parts in (arrays, lists)
    )
    return kind.from_parts(header["models"][name], own_arrays, own_lists)
