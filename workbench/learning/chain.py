"""The log-likelihood of a linear chain and its gradient.

Scores of words go the way that those of events go: weights (F,) -> table of predicates
-> rows of slots -> words. Between words stand the rows of the one slot that reads the
last label alone: they are a matrix of transitions.
"""

from itertools import pairwise

import numpy as np

from workbench.features.contexts import drop_silent_rows
from workbench.learning.chain_kernels import sum_chain_variances, sum_chains
from workbench.learning.objective import padded_width
from workbench.learning.threads import N_THREADS, even_slices, run_in_threads

_NEVER = -1e30  # score of the cells beyond K
_SMALL = 5_000  # words below which a second thread costs more than it saves


def pad_labels(n_tags):
    """Scores that keep the lanes beyond K out; a tuple of L numbers."""
    return (0.0,) * n_tags + (_NEVER,) * (padded_width(n_tags) - n_tags)


def share_sentences(starts):
    """Cut sentences into parts of about as many words, one a thread; a list of ``starts``."""
    n_words = int(starts[-1])
    n_parts = 1 if n_words < _SMALL else N_THREADS
    edges = [np.searchsorted(starts, part.stop) for part in even_slices(n_words, n_parts)]
    return [starts[a : b + 1] for a, b in pairwise([0, *edges])]


def split_rows(sentences, firing):
    """Take words and transitions apart, rows that fire nothing left out.

    Parameters
    ----------
    sentences : Sentences
        With N words and K labels.
    firing : sparse matrix, shape (n_rows, P)

    Returns
    -------
    words : ndarray of int32, shape (N, S)
    history : ndarray of int32, shape (K + 1,)
        Row of each last label; the silent row 0 where no template reads it.
    firing : sparse matrix, shape (rows that fire + 1, P)
    """
    words, history = sentences.word_rows, sentences.history_rows
    rows, firing = drop_silent_rows(np.append(words.ravel(), history), firing)
    silent = np.zeros(sentences.n_tags + 1 - len(history), np.int32)
    history = np.append(rows[words.size :], silent)
    return rows[: words.size].reshape(words.shape), history, firing


class ChainLogLikelihood:
    """The sum of log P(labels | words) over sentences, as a function of the weights.

    Parameters
    ----------
    sentences : Sentences
        With N words.
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        Cells of the weight table that are features, F of them; a weight vector
        lists them in row-major order.

    Attributes
    ----------
    observed : ndarray, shape (F,)
        Count of each feature in the sentences.

    Source
    ------
    Lafferty, McCallum & Pereira (2001); total nats, as in eq. 1 of Chelba & Acero (2004).
    """

    def __init__(self, sentences, firing, features):
        width = padded_width(sentences.n_tags)
        predicates, tags = np.nonzero(features)
        self._shape, self._cells = (len(features), width), predicates * width + tags
        self._padding = pad_labels(sentences.n_tags)
        self.observed = (firing.T @ sentences.count_tags())[predicates, tags]
        self._rows, self._history, self._firing = split_rows(sentences, firing)
        self._tags, self._back = sentences.tags, self._firing.T.tocsr()
        self._parts = share_sentences(sentences.starts)
        self._sums = np.empty((len(self._parts), self._firing.shape[0], width))
        self._pairs = np.empty((len(self._parts), len(self._history), width))

    def table(self, weights):
        """Scores of all rows that fire, after a silent one; shape (rows, L)."""
        dense = np.zeros(self._shape)
        dense.ravel()[self._cells] = weights
        return self._firing @ dense

    def __call__(self, weights):
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        table = self.table(weights)
        between = table[self._history]
        parts = self._in_parallel(
            lambda starts, sums, pairs: sum_chains(
                table, self._rows, self._tags, between, self._padding, starts, sums, pairs
            )
        )
        return sum(parts), self.observed - self._gather()

    def curvature(self, weights):
        """Return p * (1 - p), summed for every feature, shape (F,): about the Hessian of -L."""
        table = self.table(weights)
        between = table[self._history]
        self._in_parallel(
            lambda starts, sums, pairs: sum_chain_variances(
                table, self._rows, between, self._padding, starts, sums, pairs
            )
        )
        return self._gather()

    def _in_parallel(self, kernel):
        """Run a kernel on every part of the sentences, each with sums of its own."""
        self._sums[:], self._pairs[:] = 0, 0
        return run_in_threads(kernel, self._parts, self._sums, self._pairs)

    def _gather(self):
        """Take sums of rows and of transitions back to features."""
        sums = self._sums.sum(axis=0)
        np.add.at(sums, self._history, self._pairs.sum(axis=0))
        return (self._back @ sums).ravel()[self._cells]
