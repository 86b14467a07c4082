"""The log-likelihood of packed events and its gradient, and the penalized objective.

Scores go down and gradients come back the same way:
weights (F,) -> table of predicates (P, L) -> rows of slots (n_rows, L) -> events.
Only the last arrow touches the events; all that the eleven templates say about
a word is summed before, once per vocabulary word.
"""

from functools import cached_property

import numpy as np

from workbench.features.compaction import compact_rows, fold_slots, unsigned
from workbench.learning.hessian import Hessian
from workbench.learning.kernels import LANES, expand_events, sum_events
from workbench.learning.row_kernels import sum_rows
from workbench.learning.threads import N_THREADS, even_slices, run_in_threads

_NEVER = -1e30  # score of the cells beyond K: their probability is exp(-700), which is nothing
_SMALL = 20_000  # events below which a second thread costs more than it saves
_FEW = 200_000  # predicates of rows; on one core scipy sums them the fastest


def padded_width(n_tags):
    """L: K rounded up to whole vector registers."""
    return -(-n_tags // LANES) * LANES


def pad_labels(n_tags):
    """Scores that keep the lanes beyond K out; a tuple of L numbers, as ``padding`` in kernels."""
    return (0.0,) * n_tags + (_NEVER,) * (padded_width(n_tags) - n_tags)


class LogLikelihood:
    """L(Lambda) of eq. 1: total nats over events, as a function of the weights.

    Parameters
    ----------
    events : Contexts
        With N events.
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        Cells of the weight table that are features, F of them; a weight vector
        lists them in row-major order.

    Attributes
    ----------
    observed : ndarray, shape (F,)
        Count of each feature in the events.
    n_events : float
        Total count.
    """

    def __init__(self, events, firing, features):
        self._shape = len(features), padded_width(events.n_tags)
        predicates, tags = np.nonzero(features)
        self._place, self._cells = (predicates, tags), predicates * self._shape[1] + tags
        self._padding = pad_labels(events.n_tags)
        self.observed = (firing.T @ events.count_tags())[predicates, tags]
        self.n_events = float(events.counts.sum())
        self._rows, self._firing = compact_rows(*fold_slots(events, firing))
        self._tags, self._counts = events.tags, events.counts
        self._back = self._firing.T.tocsr()
        n_threads = 1 if len(self._tags) < _SMALL else N_THREADS
        self._slices = even_slices(len(self._tags), n_threads)
        self._sums = np.empty((2, n_threads, self._firing.shape[0], self._shape[1]))

    def table(self, weights):
        """Scores of all rows that fire, after a silent one; shape (rows, L)."""
        dense = np.zeros((1, *self._shape))
        dense.ravel()[self._cells] = weights
        return self._sum_rows(dense, self._firing)

    def _sum_rows(self, sources, ways):
        """Sum rows of predicates into those of slots, or the other way."""
        if ways.nnz < _FEW:
            return ways @ sources.sum(axis=0)
        sums = np.empty((ways.shape[0], self._shape[1]))
        chosen = np.arange(len(sums), dtype=np.uint32)
        run_in_threads(
            lambda part: sum_rows(sources, chosen[part], *unsigned(ways), self._padding, sums),
            even_slices(len(sums), N_THREADS),
        )
        return sums

    def __call__(self, weights):
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        table, (expected, _) = self.table(weights), self._sums
        expected[:] = 0
        parts = run_in_threads(
            lambda part, sums: sum_events(table, *self._events(part), self._padding, sums),
            self._slices, expected,
        )  # fmt: skip
        return sum(parts), self.observed - self._gather(expected)

    def curvature(self, weights):
        """Return the diagonal of the Hessian of -L(Lambda), shape (F,)."""
        self._expand(weights, np.empty(0), np.empty((0, self._shape[1])))
        return self._gather(self._sums[1])

    def expand(self, weights, share=0.0):
        """Return the log-likelihood, its gradient and the ``Hessian`` of -L(Lambda).

        Parameters
        ----------
        weights : ndarray, shape (F,)
        share : float
            Events with less than this share of the mean event's curvature are left out
            of the Hessian, but not of its diagonal.
        """
        uncertainty, probabilities, scratch = self._room
        value = self._expand(weights, uncertainty, probabilities)
        kept = np.flatnonzero(uncertainty >= share * uncertainty.mean()) if len(uncertainty) else []
        expected, diagonal = map(self._gather, self._sums)
        hessian = Hessian(
            self._firing, self._place, self._padding, self._rows[kept], self._counts[kept],
            probabilities[kept], diagonal, scratch,
        )  # fmt: skip
        return value, self.observed - expected, hessian

    @cached_property
    def _room(self):
        """Of ``expand``, used again and again: fresh memory costs as much as what is done in it."""
        n, width = len(self._tags), self._shape[1]
        return (
            np.empty(n),
            np.empty((n, width)),
            np.empty((N_THREADS, 2, len(self._sums[0, 0]), width)),
        )

    def _expand(self, weights, uncertainty, probabilities):
        """Fill both sums, and what is to be told of the events; return the log-likelihood."""
        table = self.table(weights)
        self._sums[:] = 0
        parts = run_in_threads(
            lambda part, expected, curvature: expand_events(
                table, *self._events(part), self._padding, expected, curvature,
                uncertainty[part], probabilities[part],
            ),
            self._slices, *self._sums,
        )  # fmt: skip
        return sum(parts)

    def _events(self, part):
        return self._rows[part], self._tags[part], self._counts[part]

    def _gather(self, sums):
        """Take row sums back to features."""
        return self._sum_rows(sums, self._back).ravel()[self._cells]
