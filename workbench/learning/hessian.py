"""Products with the MaxEnt Hessian for Newton's method, over the uncertain events alone.

Most events are all but certain once a model fits: on newswire four fifths of them hold a hundredth
of the curvature. A product over the others alone costs a fraction of a gradient, and Newton's
method needs no more: what is left out makes its steps a little too long, the gradient is exact.
"""

import numpy as np

from workbench.inference.maxent.hessian_products import UncertainEvents, sum_moves
from workbench.numerics.threads import even_slices, run_in_threads, thread_count
from workbench.numerics.vectors import add_diagonal_product
from workbench.scoring.row_scores import RowScores

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
