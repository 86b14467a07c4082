"""The log-likelihood of MaxEnt and MEMM: value, gradient, Hessian, and the weights' layout.

An event (y, #, x) was seen # times; s(y | x) is the sum of the weights of the features that are
active, p(y | x) = exp s(y | x) / Z(x), and f(x, y) is 1 where feature f is active, else 0::

    value      L = sum of # (s(y | x) - log Z(x))                             nats, total
    gradient   dL / df = sum of # (f(x, y) - sum over y' of p(y' | x) f(x, y'))
                       = observed - expected
    Hessian    of -L, times v: how expected counts move as the weights move along v,

                   sum of # p(y | x) (d(y | x) - sum over y' of p(y' | x) d(y' | x)) f(x, y)

               with d the scores by v as weights; its diagonal is the sum of # p (1 - p)

    weights    F numbers, the features in row-major order of the table (P, K)

The way from weights to scores, and of sums back, is that of ``inference.scores``; the sums are
those of ``inference.maxent``. Events in memory and on disk go through one loop, a piece at a time.

Most events are all but certain once a model fits: on newswire four fifths of them hold a hundredth
of the curvature. A product with the Hessian over the others alone costs a fraction of a gradient,
and Newton's method needs no more: what is left out makes its steps a little too long, the gradient
is exact.
"""

from functools import cached_property

import numpy as np
from scipy import sparse

from workbench.features.compaction import compact_rows
from workbench.features.contexts import Contexts
from workbench.features.firing import count_features
from workbench.inference.maxent import Events, SecondOrder, UncertainEvents, sum_events, sum_moves
from workbench.inference.scores import RowScores
from workbench.numerics.threads import even_slices, run_in_threads, thread_count
from workbench.numerics.vectors import add_diagonal_product, dot
from workbench.text.scratch import release

_PIECE = 1 << 16  # events, the same on disk and in memory, so that sums are the same to the bit
_SMALL = 20_000  # events below which a second thread costs more than it saves


class Hessian:
    """The Hessian of -L at some weights, over its uncertain events.

    Parameters
    ----------
    scores : RowScores
        Of all F weights.
    diagonal : ndarray, shape (F,)
        Of all events.

    Attributes
    ----------
    active : ndarray of int
        Numbers of the weights whose predicates uncertain events fire; the rows and columns
        of the others are nothing but their diagonal.
    """

    block = None  # the diagonal is preconditioner enough

    def __init__(self, scores: RowScores, events: UncertainEvents, diagonal: np.ndarray) -> None:
        self.diagonal, self._n = diagonal, len(events.rows)
        used = np.zeros(scores.n_rows, bool)
        used[events.rows] = True
        self._scores, self.active = scores.restrict(used)
        number = np.cumsum(used, dtype=np.uint32) - np.uint32(1)
        events = events._replace(rows=number[events.rows])
        slices = even_slices(self._n, 1 if self._n < _SMALL else thread_count())
        self._parts = [UncertainEvents(*(each[part] for each in events)) for part in slices]
        self._sums = np.empty((len(slices), self._scores.n_rows, len(scores.columns)))
        self._totals = np.zeros(self._scores.n_predicates)  # counts of all tags never move

    def __len__(self) -> int:
        """Return the number of uncertain events."""
        return self._n

    def multiply(self, vector: np.ndarray, precision: np.ndarray, product: np.ndarray) -> float:
        """Fill a product of (Hessian + diagonal precision) with a vector of the active weights.

        All have shape (number active,). Returns the inner product of vector and product.
        """
        moves, columns = self._scores.of_rows(vector), self._scores.columns
        self._sums[:] = 0
        run_in_threads(
            lambda events, sums: sum_moves(moves, events, columns, sums), self._parts, self._sums
        )
        product[:] = self._scores.gather_rows(self._sums, self._totals)
        return add_diagonal_product(vector, precision, product)

    def __matmul__(self, vector: np.ndarray) -> np.ndarray:
        """Return the product with a vector, shape (F,)."""
        product, active = self.diagonal * vector, np.empty(len(self.active))
        self.multiply(vector[self.active], np.zeros(len(active)), active)
        product[self.active] = active
        return product


class LogLikelihood:
    """L(Lambda) of eq. 1: total nats over events, as a function of the weights.

    Parameters
    ----------
    events : Contexts
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        Cells of the weight table that are features, F of them; weights are in row-major order.

    Attributes
    ----------
    observed : ndarray, shape (F,)
        Count of each feature in the events.
    """

    def __init__(self, events: Contexts, firing: sparse.csr_matrix, features: np.ndarray) -> None:
        counted = count_features(events, firing)
        self.observed, self._totals = counted[features], counted.sum(axis=1)
        # By scores relative to the first tag's: each of its features lowers those of all others.
        predicates, tags = np.nonzero(features)
        self._seen = self.observed - np.where(tags, 0.0, self._totals[predicates])
        rows, firing = compact_rows(events, firing)
        self._scores, self._events = RowScores(firing, features), Events(rows, events.counts)
        self._slices = even_slices(len(rows), 1 if len(rows) < _SMALL else thread_count())
        self._expected = np.empty((len(self._slices), firing.shape[0], events.n_tags - 1))

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        return self._sum(weights, self._expected, self._curvature[:, :0]), self._gradient()

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return the diagonal of the Hessian of -L(Lambda), shape (F,)."""
        self._sum(weights, self._expected[:, :0], self._curvature)
        return self._scores.gather_all(self._curvature)

    def expand(self, weights: np.ndarray, share: float = 0.0) -> tuple[float, np.ndarray, Hessian]:
        """Return the value, the gradient and the ``Hessian`` of -L(Lambda): the Taylor expansion.

        Events with less than this share of the mean event's curvature are left out of the
        Hessian, but not of its diagonal.
        """
        uncertainty, probabilities = self._by_event
        value = self._sum(weights, self._expected, self._curvature, self._by_event)
        least = share * uncertainty.mean() if len(uncertainty) else 0.0
        kept = np.flatnonzero(uncertainty >= least)
        events = UncertainEvents(*self._events.take(kept), probabilities[kept])
        diagonal = self._scores.gather_all(self._curvature)
        return value, self._gradient(), Hessian(self._scores, events, diagonal)

    @cached_property
    def _by_event(self):
        """Of ``expand``, used again and again: fresh memory costs as much as what is done in it."""
        n = len(self._events.rows)
        return np.empty(n), np.empty((n, len(self._scores.columns)))

    @cached_property
    def _curvature(self):
        """Sums of the second order by thread, row and tag, the reference tag's first."""
        n_threads, n_rows, width = self._expected.shape
        return np.empty((n_threads, n_rows, 1 + width))

    def _sum(self, weights, expected, curvature, by_event=None):
        """Fill what is asked for, sums by thread and row, and of events; return L(Lambda)."""
        table, columns = self._scores.of_rows(weights), self._scores.columns
        uncertainty, probabilities = by_event or (np.empty(0), np.empty((0, len(columns))))
        expected[:] = curvature[:] = 0
        normalizers = run_in_threads(
            lambda part, own, curved: self._sum_part(
                part, table, own, SecondOrder(curved, uncertainty[part], probabilities[part])
            ),
            self._slices, expected, curvature,
        )  # fmt: skip
        return dot(self._seen, weights) - sum(normalizers)

    def _sum_part(self, part, table, expected, second):
        """Sum a thread's events as ``sum_events``; of those on disk few are in memory."""
        total = 0.0
        for start in range(part.start, part.stop, _PIECE):
            own = slice(start, min(start + _PIECE, part.stop))
            within = slice(own.start - part.start, own.stop - part.start)
            uncertainty, probabilities = second.uncertainty[within], second.probabilities[within]
            of_own = SecondOrder(second.curvature, uncertainty, probabilities)
            events = self._events.take(own)
            total += sum_events(table, events, self._scores.columns, expected, of_own)
            release(events.rows)
            release(events.counts)
        return total

    def _gradient(self):
        """Return observed less expected counts, shape (F,), once these have been summed."""
        expected = self._scores.gather_rows(self._expected, self._totals)
        return np.subtract(self.observed, expected, out=expected)
