"""The maximum entropy Markov model: P(T|W) as a product of P(t_i | x_i(W, t_{i-1}, t_{i-2}))."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from workbench.features.contexts import pack_contexts, pack_events
from workbench.features.selection import firing_matrix
from workbench.learning.objective import LogLikelihood
from workbench.learning.threads import N_THREADS, even_slices, run_in_threads
from workbench.models.kernels import history_factors, marginals, viterbi
from workbench.models.log_linear import LogLinear
from workbench.text.casing import TAGS

_SMALL = 5_000  # words below which a second thread costs more than it saves


class PackedText:
    """A corpus made ready for the models that share a feature set.

    Finding the predicates of a text takes longer than tagging it, so what is
    tagged again and again, as development data under a moving slider, is packed once.
    """

    def __init__(self, corpus, templates, features, tag_names=TAGS):
        self.corpus, self.features = corpus, features
        self._contexts = pack_contexts(corpus.unlabel(tag_names), templates)
        self._firing = firing_matrix(self._contexts, features.values, features.n_predicates)

    def scores(self, weights):
        """Return the scores of all contexts, taken apart.

        Parameters
        ----------
        weights : ndarray, shape (P, K)

        Returns
        -------
        words : ndarray, shape (N, 1, K), or (N, K + 1, K) by t-1
            Of the predicates that read words, and maybe t-1.
        history : ndarray, shape (K + 1, K + 1, K)
            Of the predicates that read (t-1, t-2) alone.
        """
        table, n_tags = self._firing @ weights, weights.shape[1]
        fillers = self._contexts.fillers
        reads_both = any(f.slot.offsets and f.slot.n_tags for f in fillers)
        words = np.zeros((len(self.corpus), n_tags + 1 if reads_both else 1, n_tags))
        history = np.zeros((n_tags + 1, n_tags + 1, n_tags))
        for filler, rows in zip(fillers, self._contexts.rows.T, strict=True):
            if filler.slot.offsets:
                words += _by_last_tag(table, filler, rows)
            else:
                history += _by_history(table, filler)
        return words, history


def _by_last_tag(table, fillers, rows):
    """Rows of a slot of words, of every t-1 where it reads that; shape (N, 1 or K + 1, K)."""
    own = table[fillers.first_row : fillers.first_row + len(fillers)]
    by_tag = own.reshape(-1, fillers.n_histories, own.shape[1])
    return by_tag[(rows - fillers.first_row) // fillers.n_histories]


def _by_history(table, fillers):
    """Rows of a slot of tags, to be added to scores of (t-1, t-2)."""
    base = len(fillers.tag_names)
    rows = table[fillers.first_row : fillers.first_row + len(fillers)]
    return rows.reshape(base, base if fillers.slot.n_tags == 2 else 1, -1)


def _decode(kernel, words, history, starts, answer):
    """Run a kernel of decoding over the sentences, on all cores where that pays."""
    n_parts = 1 if len(words) < _SMALL else N_THREADS
    edges = [np.searchsorted(starts, part.stop) for part in even_slices(len(words), n_parts)]
    parts = [starts[a : b + 1] for a, b in pairwise([0, *edges])]
    factors = history_factors(history)
    run_in_threads(lambda part: kernel(words, factors, part, answer), parts)


@dataclass(eq=False)
class MEMM(LogLinear):
    """A maximum entropy Markov model; attributes are those of ``LogLinear``."""

    kind = "memm"
    pack_training = staticmethod(pack_events)
    likelihood = LogLikelihood
    packed = PackedText

    def tag(self, text):
        """Return the most probable tags, exactly; int8, shape (N,).

        Parameters
        ----------
        text : Corpus or PackedText
        """
        packed = self._packed(text)
        words, history = packed.scores(self.weights)
        tags = np.empty(len(words), np.int8)
        _decode(viterbi, words, history, packed.corpus.starts, tags)
        return tags

    def probabilities(self, text):
        """Return P(tag of word i | W), summed over all other tags; shape (N, K)."""
        packed = self._packed(text)
        words, history = packed.scores(self.weights)
        summed = np.empty((len(words), len(self.tag_names)))
        _decode(marginals, words, history, packed.corpus.starts, summed)
        return summed
