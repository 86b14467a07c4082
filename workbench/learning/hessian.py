"""The Hessian of a log-likelihood, by its products with vectors.

Most events are all but certain once a model fits: on newswire four fifths of them
hold a hundredth of the curvature. A product runs over the others alone, so it costs
a fraction of a gradient, and Newton's method needs no more: what the Hessian leaves
out makes its steps a little too long, the gradient stays exact.
"""

from collections.abc import Sequence

import numpy as np

from workbench.inference.maxent.hessian_products import (
    RowScratch,
    UncertainEvents,
    hessian_vector_product,
)
from workbench.numerics.threads import N_THREADS, even_slices, run_in_threads
from workbench.numerics.vectors import add_diagonal_product
from workbench.scoring.row_scores import RowScores

_SMALL = 20_000  # events below which a second thread costs more than it saves


class Hessian:
    """The Hessian of -L at some weights, over its uncertain events.

    Parameters
    ----------
    scores : RowScores
        Of all F weights.
    events : UncertainEvents
    diagonal : ndarray, shape (F,)
        Of all events.
    scratch : sequence of RowScratch
        One a thread.

    Attributes
    ----------
    active : ndarray of int
        Numbers of the weights whose predicates uncertain events fire; the rows and columns
        of the others are nothing but their diagonal.
    """

    def __init__(
        self, scores: RowScores, events: UncertainEvents,
        diagonal: np.ndarray, scratch: Sequence[RowScratch],
    ) -> None:  # fmt: skip
        self.diagonal, self._n = diagonal, len(events.rows)
        self._scores, self.active = scores.restrict(_used(events.rows, scores.n_rows))
        slices = even_slices(self._n, 1 if self._n < _SMALL else N_THREADS)
        parts = [UncertainEvents(*(each[part] for each in events)) for part in slices]
        chosen = [np.flatnonzero(_used(part.rows, scores.n_rows)) for part in parts]
        rows = [self._scores.firing_rows(each.astype(np.uint32)) for each in chosen]
        self._parts = rows, parts, list(scratch[: len(parts)])
        n_predicates = self._scores.n_predicates
        self._products = np.empty((len(parts), n_predicates, len(scores.columns)))
        self._totals = np.zeros(n_predicates)  # counts of all tags together never move

    def __len__(self) -> int:
        """Return the number of uncertain events."""
        return self._n

    def multiply(self, vector: np.ndarray, precision: np.ndarray, product: np.ndarray) -> float:
        """Fill a product of (Hessian + diagonal precision) with a vector of the active weights.

        Parameters
        ----------
        vector, precision, product : ndarray, shape (number active,)

        Returns
        -------
        float
            The inner product of vector and product.
        """
        moves, columns = self._scores.of_predicates(vector), self._scores.columns
        run_in_threads(
            lambda rows, events, scratch, own: hessian_vector_product(
                moves, rows, events, columns, scratch, own
            ),
            *self._parts, self._products,
        )  # fmt: skip
        self._scores.gather_predicates(self._products, self._totals, product)
        return add_diagonal_product(vector, precision, product)

    def __matmul__(self, vector: np.ndarray) -> np.ndarray:
        """Return the product with a vector, shape (F,)."""
        product, active = self.diagonal * vector, np.empty(len(self.active))
        self.multiply(vector[self.active], np.zeros(len(active)), active)
        product[self.active] = active
        return product


def _used(rows: np.ndarray, n_rows: int) -> np.ndarray:
    """Which rows events read; bool, shape (n_rows,)."""
    used = np.zeros(n_rows, bool)
    used[rows] = True
    return used
