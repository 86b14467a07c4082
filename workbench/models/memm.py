"""The maximum entropy Markov model: P(T|W) as a product of P(t_i | x_i(W, t_{i-1}, t_{i-2}))."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.features.contexts import Contexts
from workbench.features.events import pack_events
from workbench.features.packing import pack_contexts
from workbench.features.stored import pack_stored_events
from workbench.features.templates import Template
from workbench.inference import BestPaths
from workbench.inference.memm.decoding import k_best, marginals, viterbi
from workbench.inference.memm.scores import ContextScores, mix, score_contexts
from workbench.inference.scores import score_rows
from workbench.learning.influence import EventSlopes
from workbench.learning.likelihood import LogLikelihood
from workbench.models.capitalizer import check_allowed
from workbench.models.log_linear import LogLinear, Packed
from workbench.text.corpus import Corpus


def _pack_events(corpus, templates):
    """Return the events of a corpus, on disk if the corpus is."""
    if corpus.memory:
        return pack_stored_events(corpus, templates, corpus.memory)
    return pack_events(corpus, templates)


class PackedText(Packed):
    """A corpus made ready for MEMMs."""

    pack = staticmethod(pack_contexts)

    def scores(self, weights: np.ndarray) -> ContextScores:
        """Return the scores of all contexts by a table of weights, shape (P, K)."""
        return score_contexts(score_rows(self._firing, weights), self._contexts)


@dataclass(eq=False, repr=False)
class MEMM(LogLinear):
    """A maximum entropy Markov model; attributes are those of ``LogLinear``."""

    kind = "memm"
    pack_training = staticmethod(_pack_events)
    likelihood = LogLikelihood
    slopes = EventSlopes
    packed = PackedText

    @staticmethod
    def pack_after(corpus: Corpus, templates: Sequence[Template], decided: np.ndarray) -> Contexts:
        """Return the events of a corpus in order: its tags, after those decided before them.

        ``decided``, int8, shape (N,), are the tags of all words as a model gave them.
        """
        contexts = pack_contexts(replace(corpus, tags=decided), templates)
        return replace(contexts, tags=corpus.tags)

    def best_tags(self, text: Corpus | PackedText, allowed: np.ndarray | None = None) -> np.ndarray:
        """Return the most probable tags, exactly, places in ``tag_names``; int8, shape (N,).

        Where ``allowed``, bool, shape (N, K), says which tags each word may have, these are the
        most probable sequence of such tags. The probabilities in each context are still those of
        all K tags: sequences with other tags are left out, and no word's probabilities are
        normalized again. InputError as in ``check_allowed``.
        """
        packed = self._packed(text)
        allowed = check_allowed(allowed, packed.corpus, self.tag_names)
        return viterbi(mix([packed.scores(self.weights)]), packed.corpus.starts, allowed)

    def best_paths(self, text: Corpus | PackedText, k: int) -> BestPaths:
        """Return the k most probable tag sequences of each sentence, as ``k_best``."""
        packed = self._packed(text)
        return k_best(mix([packed.scores(self.weights)]), packed.corpus.starts, k)

    def probabilities(
        self, text: Corpus | PackedText, allowed: np.ndarray | None = None
    ) -> np.ndarray:
        """Return P(tag of word i | W), summed over all other tags; shape (N, K).

        Where ``allowed``, as in ``tag``, is given it is conditional on each word of the sentence
        having an allowed tag: a word's probabilities then depend on the words after it, too.
        """
        packed = self._packed(text)
        allowed = check_allowed(allowed, packed.corpus, self.tag_names)
        return marginals(mix([packed.scores(self.weights)]), packed.corpus.starts, allowed)

    def local_probabilities(self, text: Corpus | PackedText, tags: np.ndarray) -> np.ndarray:
        """Return P(tag of word i | its context after the two tags given before it); (N, K).

        ``tags``, int, shape (N,), are of the words of the text, as ``tag`` gives them.
        """
        packed = self._packed(text)
        scores = self.local_scores(packed, self.weights, self.find_places(packed.corpus, tags))
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    def local_scores(self, packed: PackedText, weights: np.ndarray, tags: np.ndarray) -> np.ndarray:
        """Return the scores of the contexts after given tags, the first tag's 0; shape (N, K).

        ``weights``, shape (P, K), may be other than the model's own.
        """
        words, history = packed.scores(weights)
        last, before_last = (
            tags_before(packed.corpus, tags, d, len(self.tag_names)) for d in (1, 2)
        )
        own = words[np.arange(len(words)), last if words.shape[1] > 1 else 0]
        return np.pad(own + history[last, before_last], ((0, 0), (1, 0)))


def tags_before(corpus: Corpus, tags: np.ndarray, distance: int, outside: int) -> np.ndarray:
    """Return the tags of the words some places before, ``outside`` before a sentence; (N,)."""
    places = np.arange(len(tags)) - distance
    inside = places >= corpus.starts[corpus.sentence_ids]
    return np.where(inside, tags[np.maximum(places, 0)], outside)
