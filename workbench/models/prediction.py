"""An MEMM whose predicates include the tags that another model predicts (PRED)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from workbench.features.contexts import Contexts
from workbench.features.packing import add_column, pack_contexts
from workbench.features.selection import Features
from workbench.features.templates import Template
from workbench.learning.solvers.fit import Fit
from workbench.models.capitalizer import Capitalizer
from workbench.models.interpolation import nest, unnest
from workbench.models.memm import MEMM, PackedText
from workbench.models.mixed_forms import join_mixed_forms, read_mixed_forms
from workbench.models.table_problems import TableTraining
from workbench.text.corpus import BOUNDARY, Corpus

READ = {"predicted": (0,), "predicted-1": (-1,), "predicted+1": (1,)}  # offsets of the tags read


def pack_with_predictions(
    corpus: Corpus, templates: Sequence[Template], tags: np.ndarray
) -> Contexts:
    """Return the contexts of a corpus with predicates such as ``predicted=CAP``.

    They are the predicted tags, int8, shape (N,), of this, the last and the next word.
    """
    contexts, names = pack_contexts(corpus, templates), (*corpus.tag_names, BOUNDARY)
    for name, (offset,) in READ.items():
        contexts = add_column(contexts, name, names, _at(corpus, tags, offset))
    return contexts


def predictions_at(corpus: Corpus, tags: np.ndarray, place: int) -> list[str]:
    """Return the predicates of predicted tags, int8, shape (N,), that fire at a place."""
    names = (*corpus.tag_names, BOUNDARY)
    read = {name: _at(corpus, tags, offset)[place] for name, (offset,) in READ.items()}
    return [f"{name}={names[tag]}" for name, tag in read.items()]


def _at(corpus, tags, offset):
    """Return the predicted tags of the words at an offset, K beyond the sentence; shape (N,)."""
    places = np.arange(len(tags)) + offset
    inside = (places >= 0) & (places < len(tags))
    places = np.clip(places, 0, len(tags) - 1)
    inside &= corpus.sentence_ids[places] == corpus.sentence_ids
    return np.where(inside, tags[places], len(corpus.tag_names)).astype(np.int64)


@dataclass(eq=False, repr=False)
class PredictionMEMM(MEMM):
    """An MEMM some of whose predicates are the tags that another one, ``source``, predicts.

    Source
    ------
    PRED, Daumé III (2007), section 2, after Florian et al. (2004).
    """

    source: MEMM = field(kw_only=True)
    kind = "prediction"

    def pack(self, corpus: Corpus, features: Features | None = None) -> PackedText:
        """Return a corpus packed, after the source has tagged it."""
        features = self.features if features is None else features
        plain = self.describe(corpus.unlabel(self.tag_names))
        contexts = pack_with_predictions(plain, self.templates, self.source.tag(plain))
        return PackedText(corpus, features, contexts, features.firing(contexts))

    adaptation_problem = Capitalizer.adaptation_problem  # it reads tags that adapting would change

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        header, arrays, lists = nest({"source": self.source})
        own_header, own_arrays, own_lists = super().to_parts()
        return header | own_header, arrays | own_arrays, lists | own_lists

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> "PredictionMEMM":
        """Return the model from the parts of its file."""
        own = MEMM.from_parts(header, arrays, lists)
        source = unnest("source", header, arrays, lists)
        return cls(
            own.templates, own.features, own.weights, read_mixed_forms(lists), own.info,
            own.tag_names, own.lexicon, source=source,
        )  # fmt: skip


class PredictionTraining(TableTraining):
    """The training of a ``PredictionMEMM`` on a corpus that its source tags first."""

    def __init__(self, source: MEMM, corpus: Corpus):
        corpus = corpus.add_tags(source.tag_names)
        pack = partial(pack_with_predictions, tags=source.tag(corpus))
        super().__init__(MEMM, corpus, source.templates, pack=pack)
        self._source = source

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> PredictionMEMM:
        """Return the model of some weights, shape (F,)."""
        own, source = super().model(weights, fit, **record), self._source
        own.info["name"] = f"{source.info['name']} + {self.corpus.name}"
        mixed_forms = join_mixed_forms(source.mixed_forms, own.mixed_forms)
        parts = own.templates, own.features, own.weights, mixed_forms, own.info, own.tag_names
        return PredictionMEMM(*parts, own.lexicon, source=source)
