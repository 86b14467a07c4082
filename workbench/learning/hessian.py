"""The Hessian of a log-likelihood, by its products with vectors.

Most events are all but certain once a model fits: on newswire four fifths of them
hold a hundredth of the curvature. A product runs over the others alone, so it costs
a fraction of a gradient, and Newton's method needs no more: what the Hessian leaves
out makes its steps a little too long, the gradient stays exact.
"""

import numpy as np

from workbench.inference.maxent.hessian_products import turn
from workbench.numerics.threads import N_THREADS, even_slices, run_in_threads
from workbench.numerics.vectors import add_diagonal_product
from workbench.scoring.weight_table import gather, place_cells, spread

_SMALL = 20_000  # events below which a second thread costs more than it saves


class Hessian:
    """The Hessian of -L at some weights, over its uncertain events.

    Parameters
    ----------
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    place : ndarray of uint32, shape (F,)
        Of each weight, as of ``place_cells``.
    padding : tuple of L
    events : (ndarray, ndarray, ndarray)
        The uncertain ones, as of ``turn``: rows, counts, probabilities.
    diagonal : ndarray, shape (F,)
        Of all events.
    scratch : ndarray, shape (threads, 2, n_rows, L)

    Attributes
    ----------
    active : ndarray of int
        Places of the weights that uncertain events feel; the rows and columns of the
        others are nothing but their diagonal.
    """

    def __init__(self, firing, place, padding, events, diagonal, scratch):
        rows, self._padding = events[0], padding
        self.diagonal, self._n = diagonal, len(rows)
        fired = _fired(firing, rows)
        number = (np.cumsum(fired) - 1).astype(np.uint32)
        predicates, tags = np.divmod(place, 1 + len(padding))
        self.active = np.flatnonzero(fired[predicates])
        self._place = place_cells(number[predicates[self.active]], tags[self.active], padding)
        self._dense = np.empty((1, np.count_nonzero(fired), len(padding)))
        self._by_tag = np.empty((self._dense.shape[1], 1 + len(padding)))
        self._nothing = np.zeros(len(self._dense[0]))  # a turn of all tags together
        slices = even_slices(len(rows), 1 if len(rows) < _SMALL else N_THREADS)
        self._turned = np.empty((len(slices), *self._dense.shape[1:]))
        ways = firing.indptr.view(np.uint32), number[firing.indices]
        parts = [tuple(each[part] for each in events) for part in slices]
        self._parts = [
            (np.flatnonzero(_used(firing, part[0])).astype(np.uint32), ways, part, padding, room)
            for part, room in zip(parts, map(tuple, scratch), strict=False)
        ]

    def __len__(self):
        """Return the number of uncertain events."""
        return self._n

    def multiply(self, vector, precision, product):
        """Fill a product of (Hessian + diagonal precision) with a vector of the weights active.

        Parameters
        ----------
        vector, precision, product : ndarray, shape (number active,)

        Returns
        -------
        float
            The inner product of vector and product.
        """
        between = self._padding, self._place, self._by_tag
        spread(vector, *between, self._dense[0])
        run_in_threads(
            lambda part, turned: turn(self._dense, *part, turned), self._parts, self._turned
        )
        gather(self._turned, self._nothing, *between, product)
        return add_diagonal_product(vector, precision, product)

    def __matmul__(self, vector):
        """Return the product with a vector, shape (F,)."""
        product = self.diagonal * vector
        active = np.empty(len(self.active))
        self.multiply(vector[self.active], np.zeros(len(active)), active)
        product[self.active] = active
        return product


def _used(firing, rows):
    """Which rows events read; bool, shape (n_rows,)."""
    used = np.zeros(firing.shape[0], bool)
    used[rows] = True
    return used


def _fired(firing, rows):
    """Which predicates events fire; bool, shape (P,)."""
    fired = np.zeros(firing.shape[1], bool)
    fired[firing.indices[np.repeat(_used(firing, rows), np.diff(firing.indptr))]] = True
    return fired
