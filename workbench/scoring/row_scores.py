"""The way from weights to the scores of rows, and back; ``workbench.scoring`` has the picture."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import sparse

from workbench.features.selection import Features
from workbench.scoring.row_sums import FiringRows
from workbench.scoring.weight_table import gather, spread, subtract_reference


class RowScores:
    """The linear map from weights, shape (F,), to the scores of rows, and its transpose.

    Parameters
    ----------
    firing : sparse matrix, shape (n_rows, P)
        Which predicates each row fires.
    features : ndarray of bool, shape (P, K)
        Cells of the weight table that are features, F of them; weights are in row-major order.

    Attributes
    ----------
    columns : tuple
        K - 1 zeros, for kernels.
    """

    def __init__(self, firing: sparse.csr_matrix, features: np.ndarray) -> None:
        self._set_up(firing, np.flatnonzero(features), features.shape[1])

    def _set_up(self, firing: sparse.csr_matrix, cells: np.ndarray, n_tags: int) -> None:
        self._firing, self._cells = firing, cells.astype(np.uint32)
        self.columns = (0.0,) * (n_tags - 1)
        self._table = np.empty((firing.shape[1], n_tags))
        self._relative = np.empty((firing.shape[1], n_tags - 1))

    @cached_property
    def _back(self) -> sparse.csr_matrix:
        return self._firing.T.tocsr()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._firing.shape[0]

    @property
    def n_predicates(self) -> int:
        """Number of predicates, P."""
        return self._firing.shape[1]

    def of_predicates(self, weights: np.ndarray) -> np.ndarray:
        """Return relative scores of predicates, shape (P, K - 1); the next call overwrites them."""
        spread(weights, self.columns, self._cells, self._table, self._relative)
        return self._relative

    def of_rows(self, weights: np.ndarray) -> np.ndarray:
        """Return relative scores of rows, shape (n_rows, K - 1)."""
        return self._firing @ self.of_predicates(weights)

    def gather_predicates(
        self, sums: np.ndarray, totals: np.ndarray, values: np.ndarray
    ) -> np.ndarray:
        """Fill in the sums by feature of sums by predicate and tag.

        Parameters
        ----------
        sums : ndarray, shape (parts, P, K - 1)
            Of the tags after the reference; parts are added up.
        totals : ndarray, shape (P,)
            Of all tags, the reference among them.
        values : ndarray, shape (F,)
            Filled, and returned.
        """
        gather(sums, totals, self.columns, self._cells, self._table, values)
        return values

    def gather_rows(self, sums: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Return the sums by feature, shape (F,), of sums by row and tag.

        Parameters
        ----------
        sums : ndarray, shape (parts, n_rows, K - 1)
        totals : ndarray, shape (P,)
            As of ``gather_predicates``.
        """
        by_predicate = self._back @ sums.sum(axis=0)
        return self.gather_predicates(by_predicate[None], totals, np.empty(len(self._cells)))

    def gather_all(self, sums: np.ndarray) -> np.ndarray:
        """Return the sums by feature of sums of all K tags, shape (parts, n_rows, K)."""
        return (self._back @ sums.sum(axis=0)).ravel()[self._cells]

    def restrict(self, rows: np.ndarray) -> tuple["RowScores", np.ndarray]:
        """Return the map of the weights of the predicates that some rows fire, and which these are.

        Parameters
        ----------
        rows : ndarray of bool, shape (n_rows,)
            Whose scores and sums are asked for; those of others have no meaning.

        Returns
        -------
        scores : RowScores
        active : ndarray of int
            Numbers of the weights.
        """
        matrix, n_tags = self._firing, self._table.shape[1]
        fired = np.zeros(self.n_predicates, bool)
        fired[matrix.indices[np.repeat(rows, np.diff(matrix.indptr))]] = True
        number = np.cumsum(fired, dtype=np.int32) - 1
        predicates, tags = np.divmod(self._cells, n_tags)
        active = np.flatnonzero(fired[predicates])
        entries = matrix.data, number[matrix.indices], matrix.indptr
        firing = sparse.csr_matrix(entries, (self.n_rows, np.count_nonzero(fired)))
        own = RowScores.__new__(RowScores)
        own._set_up(firing, number[predicates[active]] * n_tags + tags[active], n_tags)
        return own, active

    def firing_rows(self, chosen: np.ndarray) -> FiringRows:
        """Return some rows of the firing matrix for kernels."""
        ends, predicates = self._firing.indptr, self._firing.indices
        return FiringRows(chosen, ends.view(np.uint32), predicates.view(np.uint32))


def score_rows(firing: sparse.csr_matrix, table: np.ndarray) -> np.ndarray:
    """Return the relative scores of rows, shape (n_rows, K - 1), by a table, shape (P, K)."""
    relative = np.empty((len(table), table.shape[1] - 1))
    subtract_reference(table, (0.0,) * relative.shape[1], relative)
    return firing @ relative


def find_weights(features: Features, table: np.ndarray, predicates: Sequence[str]) -> np.ndarray:
    """Return the weights of named predicates, nan where there is no feature; (predicates, K)."""
    weights, exists = np.full((len(predicates), table.shape[1]), np.nan), features.exists
    for row, predicate in zip(weights, predicates, strict=True):
        template, value = predicate.split("=", 1)
        number = features.values.get(template, {}).get(value)
        if number is not None:
            row[exists[number]] = table[number, exists[number]]
    return weights
