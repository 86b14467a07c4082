"""A capitalizer whose best tag sequences are ranked by whole sentences; a kind of model."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.models.candidates.candidate_model import CandidateModel
from workbench.models.candidates.recasings import K_BEST, propose_recasings
from workbench.models.capitalizer import Capitalizer, check_allowed
from workbench.models.crf import CRF
from workbench.models.files import check_info, require
from workbench.models.memm import MEMM
from workbench.models.mixed_forms import mixed_forms_to_lists, read_mixed_forms
from workbench.text.corpus import Corpus

_TAGGERS: dict[str, Any] = {tagger.kind: tagger for tagger in (MEMM, CRF)}
_PARTS = "tagger", "ranking"
_MOST = 1000  # sequences of a sentence


@dataclass(frozen=True, eq=False, repr=False)
class Reranker(Capitalizer):
    """A capitalizer whose k best tag sequences are ranked by a model of candidates.

    Parameters
    ----------
    tagger : MEMM or CRF
        Of case.
    model : CandidateModel
        Its features are those of ``propose_recasings``.
    k : int
        Sequences of a sentence.
    info : dict
        Where it comes from.

    Source
    ------
    Collins & Koo (2005), *Discriminative Reranking for Natural Language Parsing*.
    """

    tagger: Any
    model: CandidateModel
    k: int = K_BEST
    info: dict = field(default_factory=dict)
    mixed_forms: dict = field(init=False)  # the tagger's

    kind = "reranked"

    def __post_init__(self) -> None:
        object.__setattr__(self, "mixed_forms", self.tagger.mixed_forms)

    def best_tags(self, text: Corpus, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the tags of the best-ranked sequence of each sentence; int8, shape (N,).

        Where that has a tag that is not allowed, those of the tagger, of the allowed ones.
        """
        proposed = propose_recasings(self.tagger, text, self.k)
        tags = proposed.tags_of(self.model.tag(proposed.sets))
        allowed = check_allowed(allowed, text, self.tag_names)
        if allowed is None:
            return tags
        is_wrong = ~allowed[np.arange(len(tags)), tags]
        in_sentence = np.bincount(text.sentence_ids, is_wrong, text.n_sentences) > 0
        return np.where(in_sentence[text.sentence_ids], self.tagger.best_tags(text, allowed), tags)

    def to_parts(self) -> tuple[dict, dict, dict]:
        """Return the header, arrays and lists of the model file."""
        header: dict = {"k": self.k, "info": self.info, "tagger_kind": self.tagger.kind}
        arrays: dict = {}
        lists: dict = {}
        for name, model in zip(_PARTS, (self.tagger, self.model), strict=True):
            header[name], own_arrays, own_lists = model.to_parts()
            arrays |= {f"{name}.{key}": array for key, array in own_arrays.items()}
            lists |= {f"{name}.{key}": strings for key, strings in own_lists.items()}
        return header, arrays, lists

    @classmethod
    def from_parts(cls, header: dict, arrays: dict, lists: dict) -> "Reranker":
        """Return the model that the parts of a model file hold."""
        forms, k = mixed_forms_to_lists(read_mixed_forms(lists)), header["k"]
        require(type(k) is int and 1 <= k <= _MOST, "the number of sequences")
        kinds = _TAGGERS[header["tagger_kind"]], CandidateModel
        tagger, model = (
            kind.from_parts(header[name], _part(name, arrays), _part(name, lists) | more)
            for kind, name, more in zip(kinds, _PARTS, (forms, {}), strict=True)
        )
        return cls(tagger, model, k, check_info(header))


def _part(name, parts):
    """Return the parts whose names begin with a name and a full stop, without these."""
    start = f"{name}."
    return {key.removeprefix(start): own for key, own in parts.items() if key.startswith(start)}
