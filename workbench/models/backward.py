"""An MEMM that reads each sentence from its end: its last tags are those of the words that follow.

Its words, contexts and events are those of the reversed sentences, so that template ``t-1`` reads
the tag of the next word and ``nextword`` the word before. The text and the tags that it is given,
and those that it returns, are in their usual order, and so is the text that its lexicon counts:
which words begin a sentence stays known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.features.contexts import Choose, Contexts
from workbench.features.events import pack_events
from workbench.features.packing import pack_contexts
from workbench.features.templates import Template
from workbench.inference import BestPaths
from workbench.models.capitalizer import check_allowed
from workbench.models.memm import MEMM, PackedText
from workbench.text.corpus import Column, Corpus


def reversed_places(starts: np.ndarray) -> np.ndarray:
    """Return the place of each word once each sentence is reversed; int64, shape (N,).

    Twice reversed is the text itself, so they lead back, too.
    """
    lengths = np.diff(starts)
    return np.repeat(starts[:-1] + starts[1:] - 1, lengths) - np.arange(starts[-1])


def reverse_sentences(corpus: Corpus) -> Corpus:
    """Return a corpus with the words of each sentence in reversed order, sentences as they are."""
    places = reversed_places(corpus.starts)
    columns = {name: Column(c.strings, c.ids[places]) for name, c in corpus.columns.items()}
    return replace(
        corpus, word_ids=corpus.word_ids[places], tags=corpus.tags[places],
        form_ids=corpus.form_ids[places], columns=columns,
    )  # fmt: skip


class PackedBackward(PackedText):
    """A corpus made ready for MEMMs that read backward: its contexts are of reversed sentences."""

    @staticmethod
    def pack(
        corpus: Corpus, templates: Sequence[Template], choose: Choose | None = None
    ) -> Contexts:
        """Return the contexts of reversed sentences, as ``pack_contexts``."""
        return pack_contexts(reverse_sentences(corpus), templates, choose)


@dataclass(eq=False, repr=False)
class BackwardMEMM(MEMM):
    """An MEMM of reversed sentences; attributes are those of ``LogLinear``."""

    kind = "backward-memm"
    packed = PackedBackward

    @staticmethod
    def pack_training(corpus: Corpus, templates: Sequence[Template]) -> Contexts:
        """Return the events of reversed sentences."""
        return pack_events(reverse_sentences(corpus), templates)

    def best_tags(self, text: Corpus | PackedText, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the most probable tags, of those allowed, exactly, as ``MEMM.best_tags``."""
        packed = self._packed(text)
        places, allowed = self._reverse_allowed(packed, allowed)
        return super().best_tags(packed, allowed)[places]

    def best_paths(self, text: Corpus | PackedText, k: int) -> BestPaths:
        """Return the k most probable tag sequences of each sentence, as ``MEMM.best_paths``."""
        packed = self._packed(text)
        found = super().best_paths(packed, k)
        return found._replace(tags=found.tags[:, reversed_places(packed.corpus.starts)])

    def probabilities(
        self, text: Corpus | PackedText, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return P(tag of word i | W), summed over all other tags, as ``MEMM.probabilities``."""
        packed = self._packed(text)
        places, allowed = self._reverse_allowed(packed, allowed)
        return super().probabilities(packed, allowed)[places]

    def local_scores(self, packed: PackedText, weights: np.ndarray, tags: np.ndarray) -> np.ndarray:
        """Return the scores of the contexts before given tags, the first tag's 0; shape (N, K)."""
        places = reversed_places(packed.corpus.starts)
        return super().local_scores(packed, weights, tags[places])[places]

    def _reverse_allowed(self, packed, allowed):
        places = reversed_places(packed.corpus.starts)
        allowed = check_allowed(allowed, packed.corpus, self.tag_names)
        return places, None if allowed is None else allowed[places]
