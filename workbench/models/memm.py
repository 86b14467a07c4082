"""The maximum entropy Markov model: P(T|W) as a product of P(t_i | x_i(W, t_{i-1}, t_{i-2}))."""

from dataclasses import dataclass

import numpy as np

from workbench.features.contexts import pack_contexts, pack_events
from workbench.inference.memm.certain_paths import LOWEST, tag_certain
from workbench.inference.memm.viterbi import marginals, viterbi
from workbench.learning.likelihood import LogLikelihood
from workbench.models.log_linear import LogLinear
from workbench.models.packed import Packed
from workbench.numerics.threads import N_THREADS, run_in_threads
from workbench.scoring.context_sums import add_rows_by_tag, sum_rows_of_words

_SMALL = 5_000  # words below which a second thread costs more than it saves


class PackedText(Packed):
    """A corpus made ready for MEMMs."""

    pack = staticmethod(pack_contexts)

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
        fillers, rows = self._contexts.fillers, self._contexts.rows
        reads_both = any(f.slot.offsets and f.slot.n_tags for f in fillers)
        words = np.empty((len(rows), n_tags + 1 if reads_both else 1, n_tags))
        history = np.zeros((n_tags + 1, n_tags + 1, n_tags))
        of_words = np.array([s for s, f in enumerate(fillers) if not f.slot.n_tags], np.uint32)
        sum_rows_of_words(table, rows.view(np.uint32), of_words, (0.0,) * n_tags, words)
        for filler, own_rows in zip(fillers, rows.T, strict=True):
            if filler.slot.n_tags and filler.slot.offsets:
                own = table[filler.first_row : filler.first_row + len(filler)]
                places = (own_rows - filler.first_row) // filler.n_histories
                add_rows_by_tag(own.reshape(-1, filler.n_histories, n_tags), places, words)
            elif filler.slot.n_tags:
                history += _by_history(table, filler)
        return words, history


def _by_history(table, fillers):
    """Rows of a slot of tags, to be added to scores of (t-1, t-2)."""
    base = len(fillers.tag_names)
    rows = table[fillers.first_row : fillers.first_row + len(fillers)]
    return rows.reshape(base, base if fillers.slot.n_tags == 2 else 1, -1)


def decode(kernel, scored, shares, starts, answer):
    """Run a kernel of decoding over the sentences, on all cores where that pays.

    Parameters
    ----------
    kernel : find_best or marginals
    scored : sequence of (words, history)
        The scores of a text by each of M models, as ``PackedText.scores`` returns them.
    shares : sequence of float
        Of the M models in every context; they sum to 1.
    starts : ndarray of int64, shape (sentences + 1,)
    answer : ndarray
        The kernel's last argument, filled in and returned.
    """
    words, histories = zip(*scored, strict=True)
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")
    n_threads = 1 if len(answer) < _SMALL else N_THREADS
    parts = [order[part::n_threads] for part in range(n_threads)]
    arguments = words, np.stack([_factors(h) for h in histories]), np.array(shares, float)
    run_in_threads(lambda part: kernel(*arguments, starts[part], lengths[part], answer), parts)
    return answer


def find_best(scores, histories, shares, starts, lengths, tags):
    """Fill in the most probable tags of sentences, exactly: ``viterbi``, where there is doubt."""
    zeros = (0.0,) * histories.shape[-1]
    is_left = tag_certain(scores, histories, shares, zeros, starts, lengths, tags)
    viterbi(scores, histories, shares, starts[is_left], lengths[is_left], tags)


def _factors(history):
    return np.exp(np.maximum(history - history.max(axis=-1, keepdims=True), LOWEST))


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
        tags = np.empty(len(packed.corpus), np.int8)
        return decode(find_best, [packed.scores(self.weights)], [1], packed.corpus.starts, tags)

    def probabilities(self, text):
        """Return P(tag of word i | W), summed over all other tags; shape (N, K)."""
        packed = self._packed(text)
        p = np.empty((len(packed.corpus), len(self.tag_names)))
        return decode(marginals, [packed.scores(self.weights)], [1], packed.corpus.starts, p)
