"""The log-likelihood of packed events and its gradient, and the penalized objective.

Scores go down and gradients come back the same way:
weights (F,) -> table of predicates (P, L) -> rows of slots (n_rows, L) -> events.
Only the last arrow touches the events; all that the eleven templates say about
a word is summed before, once per vocabulary word.
"""

from functools import cached_property

import numpy as np

from workbench.features.compaction import compact_rows, fold_slots, unsigned
from workbench.features.firing import count_features
from workbench.inference.maxent.event_sums import LANES, sum_events
from workbench.learning.hessian import Hessian
from workbench.numerics.threads import N_THREADS, even_slices, run_in_threads
from workbench.numerics.vectors import dot
from workbench.scoring.columns import pad
from workbench.scoring.row_sums import sum_rows
from workbench.scoring.weight_table import gather, place_cells, spread

_SMALL = 20_000  # events below which a second thread costs more than it saves
_FEW = 200_000  # predicates of rows; on one core scipy sums them the fastest


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
    """

    def __init__(self, events, firing, features):
        predicates, tags = np.nonzero(features)
        self._padding = pad(max(1, events.n_tags - 1), LANES)
        self._place = place_cells(predicates, tags, self._padding)
        counted = count_features(events, firing)
        self.observed, self._totals = counted[predicates, tags], counted.sum(axis=1)
        # Scores are relative to the first tag's: each of its features moves all others down.
        self._seen = self.observed - np.where(tags, 0.0, self._totals[predicates])
        rows, self._firing = compact_rows(*fold_slots(events, firing))
        self._events, self._back = (rows, events.counts), self._firing.T.tocsr()
        n_threads = 1 if len(rows) < _SMALL else N_THREADS
        self._slices = even_slices(len(rows), n_threads)
        self._sums = np.empty((n_threads, self._firing.shape[0], len(self._padding)))

    def table(self, weights):
        """Scores of all rows that fire, after a silent one; shape (rows, L)."""
        dense = np.empty((1, len(self._totals), len(self._padding)))
        spread(weights, self._padding, self._place, self._by_tag, dense[0])
        return self._sum_rows(dense, self._firing)

    @cached_property
    def _by_tag(self):
        """Scratch of the kernels between weights and tables."""
        return np.empty((len(self._totals), 1 + len(self._padding)))

    def _sum_rows(self, sources, ways):
        """Sum rows of predicates into those of slots, or the other way."""
        if ways.nnz < _FEW:
            return ways @ sources.sum(axis=0)
        padding = (0.0,) * sources.shape[-1]
        sums = np.empty((ways.shape[0], len(padding)))
        chosen = np.arange(len(sums), dtype=np.uint32)
        run_in_threads(
            lambda part: sum_rows(sources, chosen[part], *unsigned(ways), padding, sums),
            even_slices(len(sums), N_THREADS),
        )
        return sums

    def __call__(self, weights):
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        return self._sum(weights, self._sums, self._bent[:, :0]), self._ascent()

    def curvature(self, weights):
        """Return the diagonal of the Hessian of -L(Lambda), shape (F,)."""
        self._sum(weights, self._sums[:, :0], self._bent)
        return self._gather_bent()

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
        value = self._sum(weights, self._sums, self._bent, uncertainty, probabilities)
        kept = np.flatnonzero(uncertainty >= share * uncertainty.mean()) if len(uncertainty) else []
        rows, counts = self._events
        events = rows[kept], counts[kept], probabilities[kept]
        diagonal = self._gather_bent()
        hessian = Hessian(self._firing, self._place, self._padding, events, diagonal, scratch)
        return value, self._ascent(), hessian

    @cached_property
    def _room(self):
        """Of ``expand``, used again and again: fresh memory costs as much as what is done in it."""
        n, (_, n_rows, width) = len(self._events[0]), self._sums.shape
        return np.empty(n), np.empty((n, width)), np.empty((N_THREADS, 2, n_rows, width))

    @cached_property
    def _bent(self):
        """Of sums of the second order, the reference tag's first."""
        return np.empty((*self._sums.shape[:2], 1 + len(self._padding)))

    def _sum(self, weights, expected, bent, uncertainty=None, probabilities=None):
        """Fill what is asked for, sums by thread and row, and of events; return L(Lambda)."""
        table, events = self.table(weights), self._events
        if uncertainty is None:
            uncertainty, probabilities = np.empty(0), np.empty((0, len(self._padding)))
        expected[:] = bent[:] = 0
        normalizers = run_in_threads(
            lambda part, counts, curvature: sum_events(
                table, tuple(each[part] for each in events), self._padding, counts,
                (curvature, uncertainty[part], probabilities[part]),
            ),
            self._slices, expected, bent,
        )  # fmt: skip
        return dot(self._seen, weights) - sum(normalizers)

    def _ascent(self):
        """Return the gradient, shape (F,), once what is expected has been summed."""
        expected, sums = np.empty_like(self.observed), self._sum_rows(self._sums, self._back)
        gather(sums[None], self._totals, self._padding, self._place, self._by_tag, expected)
        return np.subtract(self.observed, expected, out=expected)

    def _gather_bent(self):
        """Take row sums of the second order back to features."""
        return self._sum_rows(self._bent, self._back).ravel()[self._place]
