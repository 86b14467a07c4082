"""What is there without adaptation, and the 1-gram capitalizer with counts of both texts."""

from collections import Counter
from typing import Any

import numpy as np

from workbench.adaptation.method import MODELS, Axis, Method, Sources
from workbench.models.mixed_forms import count_mixed_forms, join_mixed_forms
from workbench.models.unigram import Unigram
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus
from workbench.text.tasks import TaskName

VOCABULARY = 100_000  # as in Chelba & Acero (2004), section 2.1


class _Unigram:
    def __init__(self, sources: Sources):
        self._corpus, self._model = sources.corpus, sources.unigram

    def learn(self) -> Unigram:
        return self._model or Unigram.fit(self._corpus, VOCABULARY)


class _Background:
    def __init__(self, sources: Sources):
        self._model, self.given = sources.background, dict(sources.options)

    def learn(self) -> Any:
        return self._model


class _AdaptedUnigram:
    def __init__(self, sources: Sources):
        self._corpora = sources.corpus.require_cased(), sources.adaptation

    def learn(self, weight: float) -> Unigram:
        return add_counts(*self._corpora, weight)


def add_counts(background: Corpus, adaptation: Corpus, weight: float = 1.0) -> Unigram:
    """Return the 1-gram capitalizer of two corpora, the counts of the second multiplied.

    Source
    ------
    Our own: Chelba & Acero (2004) leave the 1-gram as it is. At weight 1 it is the 1-gram
    of both texts together; at any other the mode of a Dirichlet posterior whose prior
    counts are the background's, divided by the weight.
    """
    counts: dict[str, np.ndarray] = {}
    for corpus, factor in ((background, 1.0), (adaptation, weight)):
        for word, row in _count_tags(corpus).items():
            counts[word] = counts.get(word, 0) + factor * row
    likely = Counter({word: row.sum() for word, row in counts.items()}).most_common(VOCABULARY)
    mixed_forms = join_mixed_forms(count_mixed_forms(background), count_mixed_forms(adaptation))
    info = {
        "name": f"{background.name} + {adaptation.name}", "method": "1-gram-adapted",
        "words": len(background) + len(adaptation), "text": adaptation.fingerprint,
        "weight": float(weight),
    }  # fmt: skip
    return Unigram({w: int(counts[w].argmax()) for w, _ in likely}, mixed_forms, "loc", info)


def _count_tags(corpus):
    """Count the tags of each word that occurs; a dict of arrays, shape (K,)."""
    n_tags = len(TAGS)
    cells = corpus.word_ids.astype(np.int64) * n_tags + corpus.tags
    table = np.bincount(cells, minlength=len(corpus.words) * n_tags).reshape(-1, n_tags)
    return {corpus.words[w]: table[w] for w in np.flatnonzero(table.any(axis=1)).tolist()}


UNIGRAM = Method(
    "1-gram", "each word its most frequent tag in the background", _Unigram,
    tasks=(TaskName.CASE,), needs="1-gram",
)  # fmt: skip
ADAPTED_UNIGRAM = Method(
    "1-gram-adapted", "the 1-gram of both texts, counts of the adaptation data times a weight",
    _AdaptedUnigram, {"weight": Axis((1.0, 2.0, 5.0, 10.0, 20.0, 50.0), start=1.0)},
    tasks=(TaskName.CASE,), needs="text",
)  # fmt: skip
BACKGROUND = Method(
    "background", "the model of the background, not adapted (SRCONLY)", _Background, models=MODELS
)
