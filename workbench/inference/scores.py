"""Weights to the scores of rows, and sums back to weights: the one layout of all models.

The score of tag y in context x is a sum over the slots of x, and of a slot over predicates::

    s(y | x) = sum over slots of R[row_slot(x), y]
    R[r, y]  = sum over the predicates p that row r fires of w(p, y)

so what all templates say of one word is summed once a word and not once an event. Only
differences of scores count: the first tag is the *reference*, its score is 0 and has no
column, and what belongs to it follows from the others::

    weights      F numbers, the features in row-major order of the table
       |  each in its cell (p, y); no feature: 0
    table        P x K       w(p, y)
       |  less the first column
    relative     P x (K-1)   w(p, y) - w(p, first)
       |  firing, sparse, n_rows x P
    row scores   n_rows x (K-1)   R
       |  rows, integers, N x S: a row for each slot of a context
    scores       N x (K-1)   s(y | x) - s(first | x)

Each arrow is linear, so sums over events (expected counts, gradients, Hessian-vector products)
take its transpose, upwards. ``RowScores`` has the arrows between weights and rows; those from
rows on have the loops of ``maxent``, and ``memm.scores`` for a text that is decoded. A chain has
*cells* in the place of rows: with no reference tag, since its transitions compare scores of
different words.

Kernels take ``columns``, a tuple of as many zeros as a row has numbers: the length of a tuple
is known when they are compiled, so loops over tags are unrolled.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import sparse

from workbench.features.selection import Features
from workbench.numerics.jit import jit
from workbench.text.errors import InputError


class RowScores:
    """The linear map from weights, shape (F,), to the scores of rows, and its transpose.

    Parameters
    ----------
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        Cells of the weight table that are features, F of them; weights are in row-major order.
    """

    def __init__(self, firing: sparse.csr_matrix, features: np.ndarray) -> None:
        self._set_up(firing, np.flatnonzero(features), features.shape[1])

    def _set_up(self, firing: sparse.csr_matrix, cells: np.ndarray, n_tags: int) -> None:
        self._firing, self._cells = firing, cells.astype(np.uint32)
        self.columns = (0.0,) * (n_tags - 1)
        self._table = np.empty((firing.shape[1], n_tags))
        self._relative = np.empty((firing.shape[1], n_tags - 1))

    @cached_property
    def _back(self):
        return self._firing.T.tocsr()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._firing.shape[0]

    @property
    def n_predicates(self) -> int:
        """Number of predicates, P."""
        return self._firing.shape[1]

    def of_rows(self, weights: np.ndarray) -> np.ndarray:
        """Return relative scores of rows, shape (n_rows, K - 1); InputError unless F weights."""
        if len(weights) != len(self._cells):  # compiled code would write outside of the table
            raise InputError(f"{len(weights)} weights: exactly {len(self._cells)} are allowed here")
        spread(weights, self.columns, self._cells, self._table, self._relative)
        return self._firing @ self._relative

    def gather_rows(self, sums: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Return the sums by feature, shape (F,), of sums by row and tag: the transpose.

        ``sums``, shape (parts, n_rows, K - 1), are of the tags after the reference; parts are
        added up. ``totals``, shape (P,), are of all tags, by predicate.
        """
        by_predicate, values = self._sum_predicates(sums), np.empty(len(self._cells))
        gather(by_predicate, totals, self.columns, self._cells, self._table, values)
        return values

    def gather_all(self, sums: np.ndarray) -> np.ndarray:
        """Return the sums by feature of sums of all K tags, shape (parts, n_rows, K)."""
        return self._sum_predicates(sums).ravel()[self._cells]

    def _sum_predicates(self, sums: np.ndarray) -> np.ndarray:
        return self._back @ (sums[0] if len(sums) == 1 else sums.sum(axis=0))

    def restrict(self, rows: np.ndarray) -> tuple["RowScores", np.ndarray]:
        """Return the map for some rows, bool, shape (n_rows,), and the weights that these read.

        The map is of these rows and weights alone; the weights are given by their numbers.
        """
        firing, n_tags = self._firing[np.flatnonzero(rows)], self._table.shape[1]
        fired = np.zeros(firing.shape[1], bool)
        fired[firing.indices] = True
        number = np.cumsum(fired, dtype=np.int32) - 1
        predicates, tags = np.divmod(self._cells, n_tags)
        active = np.flatnonzero(fired[predicates])
        entries = firing.data, number[firing.indices], firing.indptr
        firing = sparse.csr_matrix(entries, (firing.shape[0], np.count_nonzero(fired)))
        own = RowScores.__new__(RowScores)
        own._set_up(firing, number[predicates[active]] * n_tags + tags[active], n_tags)
        return own, active


def score_rows(firing: sparse.csr_matrix, table: np.ndarray) -> np.ndarray:
    """Return the relative scores of rows, shape (n_rows, K - 1), by a table, shape (P, K)."""
    scores = firing @ table  # a text has fewer rows than a model has predicates
    relative = np.empty((len(scores), table.shape[1] - 1))
    subtract_reference(scores, (0.0,) * relative.shape[1], relative)
    return relative


def find_weights(features: Features, table: np.ndarray, predicates: Sequence[str]) -> np.ndarray:
    """Return the weights of named predicates, nan where there is no feature; (predicates, K)."""
    weights, exists = np.full((len(predicates), table.shape[1]), np.nan), features.exists
    for row, predicate in zip(weights, predicates, strict=True):
        template, value = predicate.split("=", 1)
        number = features.values.get(template, {}).get(value)
        if number is not None:
            row[exists[number]] = table[number, exists[number]]
    return weights


# --- compiled; "cells", uint32, shape (F,), are places in the table, P x K, which is scratch ---


@jit
def spread(
    weights: np.ndarray, columns: tuple, cells: np.ndarray, table: np.ndarray, relative: np.ndarray
) -> None:
    """Fill the relative scores of predicates, shape (P, K - 1), that weights make."""
    flat = table.reshape(-1)
    flat[:] = 0.0
    for i in range(len(weights)):
        flat[cells[i]] = weights[i]
    subtract_reference(table, columns, relative)


@jit
def subtract_reference(table: np.ndarray, columns: tuple, relative: np.ndarray) -> None:
    """Fill the columns of a table after the first, less the first; shape (P, K - 1)."""
    for p in range(len(table)):
        for k in range(len(columns)):
            relative[p, k] = table[p, k + 1] - table[p, 0]


@jit
def gather(
    sums: np.ndarray, totals: np.ndarray, columns: tuple,
    cells: np.ndarray, table: np.ndarray, values: np.ndarray,
) -> None:  # fmt: skip
    """Fill values, shape (F,), with sums by predicate, (P, K - 1): the transpose of ``spread``.

    What the sums leave of the totals of all tags, shape (P,), is the reference tag's.
    """
    flat, width = table.reshape(-1), len(columns)
    for p in range(len(table)):
        table[p, 0] = totals[p]
        for k in range(width):
            table[p, k + 1] = sums[p, k]
            table[p, 0] -= sums[p, k]
    for i in range(len(values)):
        values[i] = flat[cells[i]]
