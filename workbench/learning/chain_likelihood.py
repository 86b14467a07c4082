"""The log-likelihood of a linear chain and its gradient.

Scores of words are sums of rows, as those of events are: weights (F,) -> cells of rows
-> words. Between words stand the rows of the one slot that reads the last label alone:
they are a matrix of transitions.
"""

from itertools import pairwise

import numpy as np

from workbench.inference.chain.chain_sums import sum_chains
from workbench.inference.chain.forward_backward import transition_factors
from workbench.learning.chain_hessian import ChainHessian
from workbench.numerics.threads import N_THREADS, even_slices, run_in_threads
from workbench.scoring.cells import Cells, pad_labels
from workbench.scoring.word_sums import count_chains

_SMALL = 5_000  # words below which a second thread costs more than it saves


def share_sentences(starts):
    """Cut sentences into parts of about as many words, one a thread.

    Returns
    -------
    parts : list of (ndarray, ndarray)
        Starts and lengths of the sentences of each part, in int64, longest first.
    """
    n_words, starts = int(starts[-1]), np.asarray(starts, np.int64)
    n_parts = 1 if n_words < _SMALL else N_THREADS
    edges = [np.searchsorted(starts, part.stop) for part in even_slices(n_words, n_parts)]
    return [_sort(starts[a : b + 1]) for a, b in pairwise([0, *edges])]


def _sort(starts):
    """Starts and lengths of sentences that have words, longest first."""
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
    return starts[order], lengths[order]


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
        self._cells, self._tags = Cells(sentences, firing, features), sentences.tags
        self._padding = pad_labels(sentences.n_tags)
        self._starts, self._parts = sentences.starts, share_sentences(sentences.starts)
        self._sums = np.empty((len(self._parts), len(self._cells)))
        self.observed, self._room = self._count(sentences.starts), None

    def _count(self, starts):
        """Count the features that the sentences hold, shape (F,)."""
        counts = np.zeros(len(self._cells))
        cells = self._cells
        count_chains(cells.words, self._tags, self._padding, starts, cells.split(counts))
        return cells.gather(counts)

    def __call__(self, weights):
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        value = self._sum(self._cells.spread(weights), self._sums, self._nothing)
        return value, self._ascent()

    def curvature(self, weights):
        """Return p * (1 - p), summed for every feature, shape (F,): about the Hessian of -L."""
        self._sum(self._cells.spread(weights), self._nothing, self._sums)
        return self._gather(self._sums)

    def _sum(self, scores, expected, bent, kept=None):
        """Fill in the sums that are asked for, each thread its own; return the log-likelihood."""
        cells, width = self._cells, len(self._padding)
        kept = kept or (np.empty((3, 0, width)), np.empty(0, np.int64), np.empty(0))
        expected[:] = bent[:] = 0
        parts = run_in_threads(
            lambda sentences, *sums: sum_chains(
                cells.words, self._tags, scores, self._padding, sentences,
                tuple(map(cells.split, sums)), kept,
            ),
            self._parts, expected, bent,
        )  # fmt: skip
        return sum(parts)

    @property
    def _nothing(self):
        """Sums of no cells."""
        return np.empty((len(self._parts), 0))

    def _ascent(self):
        """Return the gradient, shape (F,), once what is expected has been summed."""
        gradient = self._gather(self._sums)
        return np.subtract(self.observed, gradient, out=gradient)

    def _gather(self, sums):
        """Take the sums of all threads back to features; the first's become those of all."""
        for others in sums[1:]:
            sums[0] += others
        return self._cells.gather(sums[0])

    def expand(self, weights, share=0.0):
        """Return the log-likelihood, its gradient and the ``ChainHessian`` of -L.

        Parameters
        ----------
        weights : ndarray, shape (F,)
        share : float
            Words with less than this share of the mean word's curvature are left out of the
            Hessian, but not of its diagonal.
        """
        scores, width = self._cells.spread(weights), len(self._padding)
        if self._room is None:  # used again and again
            self._room = np.empty((3, len(self._tags), width)), np.empty_like(self._sums)
        kept = self._room[0], np.zeros(len(self._tags), np.int64), np.zeros(len(self._tags))
        value = self._sum(scores, self._sums, self._room[1], kept)
        n_tags = self._padding.count(0.0)
        forward = transition_factors(scores[0][-n_tags - 1 :], self._padding)[0]
        hessian = ChainHessian(
            self._cells, self._padding, forward, kept, self._starts, share,
            self._gather(self._room[1]),
        )  # fmt: skip
        return value, self._ascent(), hessian
