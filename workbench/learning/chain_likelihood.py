"""The log-likelihood of a linear chain and its gradient.

Scores of words are sums of rows, as those of events are: weights (F,) -> cells of rows
-> words. Between words stand the rows of the one slot that reads the last label alone:
they are a matrix of transitions.
"""

from typing import Any

import numpy as np
from scipy import sparse

from workbench.features.contexts import Sentences
from workbench.inference.chain.batches import StoredSentences, split_sentences, split_stored
from workbench.inference.chain.chain_sums import Expansion, sum_chains
from workbench.inference.chain.forward_backward import Lattice, find_transitions
from workbench.learning.chain_hessian import ChainHessian
from workbench.numerics.threads import run_in_threads
from workbench.scoring.chain_cells import Cells, release_words
from workbench.text.sources.scratch import release


class ChainLogLikelihood:
    """The sum of log P(labels | words) over sentences, as a function of the weights.

    Parameters and attributes are those of ``LogLikelihood``, with sentences for its events.

    Source
    ------
    Lafferty, McCallum & Pereira (2001); total nats, as in eq. 1 of Chelba & Acero (2004).
    """

    def __init__(
        self, sentences: Sentences, firing: sparse.csr_matrix, features: np.ndarray
    ) -> None:
        self.observed = _count(sentences, firing, features)
        self._cells, self._tags = Cells(sentences, firing, features), sentences.tags
        split = split_stored if sentences.memory else split_sentences
        self._starts, self._parts = sentences.starts, split(sentences.starts)
        self._sums = np.empty((len(self._parts), len(self._cells)))
        self._none = np.empty((len(self._parts), 0))
        self._room: tuple[Lattice, np.ndarray] | None = None

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        value = self._sum(self._cells.scores(weights), self._sums, self._none)
        return value, self._gradient()

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return p * (1 - p), summed for every feature, shape (F,): about the Hessian of -L."""
        self._sum(self._cells.scores(weights), self._none, self._sums)
        return self._gather(self._sums)

    def expand(
        self, weights: np.ndarray, share: float = 0.0
    ) -> tuple[float, np.ndarray, ChainHessian]:
        """Return the log-likelihood, its gradient and the ``ChainHessian`` of -L.

        Words with less than this share of the mean word's curvature are left out of the
        Hessian, but not of its diagonal.
        """
        scores, n = self._cells.scores(weights), len(self._tags)
        if self._room is None:  # used again and again
            lattice = Lattice(*np.empty((3, n, len(self._cells.padding))))
            self._room = lattice, np.empty_like(self._sums)
        lattice, curvature = self._room
        kept = Expansion(lattice, np.zeros(n, np.int64), np.zeros(n))
        value = self._sum(scores, self._sums, curvature, kept)
        forward = find_transitions(scores.table, scores.padding).forward
        diagonal = self._gather(curvature)
        hessian = ChainHessian(self._cells, forward, kept, self._starts, share, diagonal)
        return value, self._gradient(), hessian

    def _sum(self, scores, expected, curvature, kept=None):
        """Fill in the sums that are asked for, each thread its own; return the log-likelihood."""
        split, nothing = self._cells.split, Lattice(*np.empty((3, 0, len(scores.padding))))
        kept = kept or Expansion(nothing, np.empty(0, np.int64), np.empty(0))
        expected[:] = curvature[:] = 0
        parts = run_in_threads(
            lambda part, first, second: self._sum_part(
                part, scores, split(first), split(second), kept
            ),
            self._parts, expected, curvature,
        )  # fmt: skip
        return sum(parts)

    def _sum_part(self, part, scores, expected, curvature, kept):
        """Sum a thread's sentences as ``sum_chains``; of those on disk few are in memory."""
        if not isinstance(part, StoredSentences):
            return sum_chains(scores, self._tags, part, expected, curvature, kept)
        total = 0.0
        for block in part.blocks():
            total += sum_chains(scores, self._tags, block.sentences, expected, curvature, kept)
            release_words(scores.words, block.words)
            release(self._tags[block.words])
        return total

    def _gradient(self):
        """Return the gradient, shape (F,), once what is expected has been summed."""
        gradient = self._gather(self._sums)
        return np.subtract(self.observed, gradient, out=gradient)

    def _gather(self, sums):
        """Take the sums of all threads back to features; the first's become those of all."""
        for others in sums[1:]:
            sums[0] += others
        return self._cells.gather(sums[0])


def _count(sentences, firing, features):
    """Count the features that sentences hold, shape (F,); sparsely, for few cells have counts."""
    if not features.any():
        return np.empty(0)
    counts: Any = sparse.csr_matrix(features.shape)
    for slot, fillers in enumerate(sentences.fillers):
        own = slice(fillers.first_row, fillers.first_row + len(fillers))
        counts += firing[own].T @ sentences.count_tags(slot)
    return np.asarray(counts[features.nonzero()], float).ravel()
