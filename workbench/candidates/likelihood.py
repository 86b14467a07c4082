"""The log-likelihood of candidate sets, one softmax a sentence: value, gradient, Hessian, slopes.

X is the matrix of values, one row a candidate, one column a feature. With scores
s(w) = log q0(w) + (X lambda)(w) of the candidates w of a sentence, and t(w) the shares that are
to be learnt, which sum to 1::

    p(w)         exp s(w) / Z,   Z = sum over the sentence's candidates of exp s
    value        sum over sentences of sum t(w) s(w) - log Z
    gradient     X' (t - p)
    diagonal     of the Hessian of -value: of feature i the sum over sentences of the variance
                 of x_i under p
    product      the Hessian of -value times v: X' (p (d - mean of d under p)), d = X v
    slope        of one sentence along a direction v of the weights: sum of (t - p) X v

Layout: X is sparse, and what all candidates of a sentence share cancels in each of these, so its
values are relative to the sentence's first candidate. Stored by columns, a feature's values lie
in the order of sentences; the values of one feature in one sentence are a *run*, and the same
arrays divided by runs instead of features are the matrix of sums by sentence and feature.

Without sentence z the weights go back by (H - H_z)^-1 g_z, as ``learning.influence`` says, where
g_z = X_z' r, r = t - p, and H_z = X_z' W X_z, W = diag(p) - pp'. Were the other sentences'
curvature diagonal, D = diag(H - H_z), Woodbury's identity would say

    (H - H_z)^-1 g_z = H^-1 X_z' (r + W X_z D^-1 X_z' r).

So ``at`` takes the diagonal of H for slopes that allow for the sentence's own curvature.

Source
------
Plank & van Noord (2008), section 3, eq. 1 and 2; of slopes Koh & Liang (2017), section 2.
"""

from functools import cached_property

import numpy as np
from scipy import sparse

from workbench.candidates.sets import CandidateSets
from workbench.learning.influence import Parts, Slopes
from workbench.numerics.vectors import add_diagonal_product

_LEAST = 0.01  # share of a weight's curvature that other sentences and the prior have at least


class RelativeValues:
    """The values of candidate sets less those of the first candidate of each sentence.

    A feature *tells candidates apart* in a sentence where it has such a value that is not 0.

    Attributes
    ----------
    matrix : sparse matrix by columns, shape (C, F)
    run_starts : ndarray of int, shape (Q + 1,)
        The first entry of each run, and the number of entries.
    run_features : ndarray of int, shape (Q,)
    """

    def __init__(self, matrix: sparse.csc_matrix, sentence_starts: np.ndarray):
        self.matrix, self._sentence_starts = matrix, sentence_starts
        sizes = np.diff(sentence_starts)
        sentences = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)[matrix.indices]
        begins = np.ones(matrix.nnz + 1, bool)
        begins[1:-1] = sentences[1:] != sentences[:-1]
        begins[matrix.indptr] = True
        self.run_starts = np.flatnonzero(begins)
        ends = np.searchsorted(self.run_starts, matrix.indptr)
        self.run_features = np.repeat(np.arange(matrix.shape[1]), np.diff(ends))

    @classmethod
    def of(cls, sets: CandidateSets) -> "RelativeValues":
        """Return those of candidate sets, features numbered as theirs."""
        shape = len(sets), len(sets.feature_names)
        rows = sparse.csr_matrix((sets.values.astype(float), sets.features, sets.starts), shape)
        firsts = sets.sentence_starts[sets.sentence_ids]
        return cls((rows - rows[firsts]).tocsc(), sets.sentence_starts)

    def take(self, features: np.ndarray) -> "RelativeValues":
        """Return the columns of some features, by their numbers, in that order."""
        return RelativeValues(self.matrix[:, features], self._sentence_starts)

    def count_sentences(self) -> np.ndarray:
        """Return in how many sentences each feature tells candidates apart; shape (F,)."""
        return np.bincount(self.run_features, minlength=self.matrix.shape[1])


class CandidateLikelihood:
    """L(Lambda): total nats over S sentences, C candidates in all, as a function of F weights.

    Parameters
    ----------
    values : RelativeValues
    sets : CandidateSets
        Whose values these are.
    shares : ndarray, shape (C,)
        What is to be learnt, as in ``target_shares``.
    offsets : ndarray, shape (C,)
        log q0 of each candidate, the reference distribution's; 0 where there is none.
    """

    def __init__(
        self, values: RelativeValues, sets: CandidateSets, shares: np.ndarray, offsets: np.ndarray
    ):
        self._values, self._matrix, self.n_features = values, values.matrix, values.matrix.shape[1]
        self._shares, self._offsets = shares, offsets
        self._starts, self._sentences = sets.sentence_starts[:-1], sets.sentence_ids

    @cached_property
    def observed(self) -> np.ndarray:
        """Sentences in which each feature tells candidates apart; shape (F,)."""
        return self._values.count_sentences().astype(float)

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood in nats and its gradient, shape (F,)."""
        value, p = self._sum(weights)
        return value, self._matrix.T @ (self._shares - p)

    def value(self, weights: np.ndarray) -> float:
        """Return the log-likelihood in nats."""
        return self._sum(weights)[0]

    def curvature(self, weights: np.ndarray) -> np.ndarray:
        """Return the diagonal of the Hessian of -L(Lambda), shape (F,)."""
        return self._diagonal(self._sum(weights)[1])

    def expand(
        self, weights: np.ndarray, share: float = 0.0
    ) -> tuple[float, np.ndarray, "CandidateHessian"]:
        """Return the value, the gradient and the Hessian of -L(Lambda): the Taylor expansion.

        The Hessian is of all sentences, whatever the share that might be left out.
        """
        value, p = self._sum(weights)
        gradient = self._matrix.T @ (self._shares - p)
        return value, gradient, CandidateHessian(self, p, self._diagonal(p))

    def at(self, weights: np.ndarray, diagonal: np.ndarray | None = None) -> Slopes:
        """Return the slopes of sentences at some weights as a function of the direction, (F,).

        With the diagonal of the objective's Hessian, shape (F,), a direction that is the inverse
        Hessian times v gives v' (H - H_z)^-1 g_z of each sentence z, about; without it v' H^-1 g_z.
        """
        _, p = self._sum(weights)
        rest = self._shares - p
        if diagonal is not None:
            whole = diagonal[self._values.run_features]
            of_others = np.maximum(whole - self._variances(p), _LEAST * whole)
            rest += self.covariance(p, self._by_run @ (self._by_run.T @ rest / of_others))

        def parts(direction: np.ndarray, sentence: int) -> Parts:
            own = np.flatnonzero(self._sentences == sentence)
            values = (self._matrix[own].T @ rest[own]) * direction
            features = np.flatnonzero(values)
            return Parts(features, np.zeros_like(features), values[features])

        return Slopes(lambda direction: self._add(rest * (self._matrix @ direction)), parts)

    def covariance(self, p: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return W times moves of the scores, shape (C,), sentence by sentence."""
        return p * (moves - self._add(p * moves)[self._sentences])

    def multiply(self, vector: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the product of the Hessian of -L(Lambda) with a vector, shape (F,)."""
        return self._matrix.T @ self.covariance(p, self._matrix @ vector)

    @cached_property
    def _by_run(self):
        """The values with a column for each run, shape (C, Q)."""
        shape = len(self._shares), len(self._values.run_features)
        arrays = self._matrix.data, self._matrix.indices, self._values.run_starts
        return sparse.csc_matrix(arrays, shape)

    def _sum(self, weights):
        """Return the value and the probabilities, shape (C,)."""
        scores = self._matrix @ weights + self._offsets
        scores -= np.maximum.reduceat(scores, self._starts)[self._sentences]
        p = np.exp(scores)
        totals = self._add(p)
        p /= totals[self._sentences]
        return float(self._shares @ scores - np.log(totals).sum()), p

    def _variances(self, p):
        """Return the variance under p of the values of each run, shape (Q,)."""
        squares = sparse.csc_matrix(
            (self._by_run.data**2, self._by_run.indices, self._by_run.indptr), self._by_run.shape
        )
        return np.maximum(squares.T @ p - (self._by_run.T @ p) ** 2, 0.0)

    def _diagonal(self, p):
        return np.bincount(self._values.run_features, self._variances(p), self.n_features)

    def _add(self, of_candidates):
        """Return the sums of a number of candidates, (C,), by sentence; shape (S,)."""
        return np.add.reduceat(of_candidates, self._starts)


class CandidateHessian:
    """The Hessian of -L at some weights, by the probabilities, (C,), that they give.

    Attributes
    ----------
    diagonal : ndarray, shape (F,)
    active : ndarray of int
        Numbers of the weights that have more than their diagonal: all.
    """

    block = None  # the diagonal is preconditioner enough

    def __init__(self, likelihood: CandidateLikelihood, p: np.ndarray, diagonal: np.ndarray):
        self._likelihood, self._p, self.diagonal = likelihood, p, diagonal
        self.active = np.arange(len(diagonal))

    def multiply(self, vector: np.ndarray, precision: np.ndarray, product: np.ndarray) -> float:
        """Fill a product of (Hessian + diagonal precision) with a vector; all of shape (F,).

        Returns the inner product of vector and product.
        """
        product[:] = self @ vector
        return add_diagonal_product(vector, precision, product)

    def __matmul__(self, vector: np.ndarray) -> np.ndarray:
        """Return the product with a vector, shape (F,)."""
        return self._likelihood.multiply(vector, self._p)
