"""The log-likelihood of a linear chain and its gradient.

Scores of words are sums of rows, as those of events are: weights (F,) -> cells of rows
-> words. Between words stand the rows of the one slot that reads the last label alone:
they are a matrix of transitions.
"""

from itertools import pairwise

import numpy as np

from workbench.learning.cells import Cells
from workbench.learning.chain_hessian import ChainHessian
from workbench.learning.chain_kernels import count_chains, sum_chain_variances, sum_chains
from workbench.learning.forward_backward_kernels import transition_factors
from workbench.learning.objective import pad_labels
from workbench.learning.threads import N_THREADS, even_slices, run_in_threads

_SMALL = 5_000  # words below which a second thread costs more than it saves


def share_sentences(starts):
    """Cut sentences into parts of about as many words, one a thread; a list of ``starts``."""
    n_words = int(starts[-1])
    n_parts = 1 if n_words < _SMALL else N_THREADS
    edges = [np.searchsorted(starts, part.stop) for part in even_slices(n_words, n_parts)]
    return [starts[a : b + 1] for a, b in pairwise([0, *edges])]


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
        self.observed = self._count(sentences.starts)

    def _count(self, starts):
        """Count the features that the sentences hold, shape (F,)."""
        counts = np.zeros(len(self._cells))
        count_chains(
            self._cells.words, self._tags, self._padding, starts, *self._cells.split(counts)
        )
        return self._cells.gather(counts)

    def __call__(self, weights):
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        cells, scores = self._cells, self._cells.spread(weights)
        parts = self._in_parallel(
            lambda starts, sums: sum_chains(
                cells.words, self._tags, *scores, self._padding, starts, *cells.split(sums)
            )
        )
        return sum(parts), self.observed - self._gather()

    def curvature(self, weights):
        """Return p * (1 - p), summed for every feature, shape (F,): about the Hessian of -L."""
        nothing = np.empty((0, len(self._padding)))
        return self._curve(self._cells.spread(weights), (nothing, nothing, nothing))

    def _curve(self, scores, kept):
        cells = self._cells
        self._in_parallel(
            lambda starts, sums: sum_chain_variances(
                cells.words, *scores, self._padding, starts, kept, *cells.split(sums)
            )
        )
        return self._gather()

    def expand(self, weights, share=0.0):
        """Return the log-likelihood, its gradient and the ``ChainHessian`` of -L.

        Parameters
        ----------
        weights : ndarray, shape (F,)
        share : float
            Words with less than this share of the mean word's curvature are left out of the
            Hessian, but not of its diagonal.
        """
        value, gradient = self(weights)
        scores = self._cells.spread(weights)
        kept = tuple(np.empty((3, len(self._tags), len(self._padding))))
        diagonal = self._curve(scores, kept)
        n_tags = self._padding.count(0.0)
        forward = transition_factors(scores[0][-n_tags - 1 :], n_tags, self._padding)[0]
        hessian = ChainHessian(
            self._cells, self._padding, forward, kept, self._starts, share, diagonal
        )
        return value, gradient, hessian

    def _in_parallel(self, kernel):
        """Run a kernel on every part of the sentences, each with sums of its own."""
        self._sums[:] = 0
        return run_in_threads(kernel, self._parts, self._sums)

    def _gather(self):
        """Take sums of cells back to features."""
        return self._cells.gather(self._sums.sum(axis=0))

