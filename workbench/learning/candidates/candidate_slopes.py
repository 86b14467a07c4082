"""How the log-likelihood of each sentence of candidate sets changes along a direction of weights.

With t and p the target and the probabilities of a sentence's candidates, F its matrix of values,
one row a candidate, and s = F d the scores that a direction d makes instead of weights::

    slope = (t - p)' s

Without sentence z the weights go back by (H - H_z)^-1 g_z, as ``learning.influence`` says, where
g_z = F'r, r = t - p, and H_z = F'WF, W = diag(p) - pp'. Were the other sentences' curvature
diagonal, D = diag(H - H_z), Woodbury's identity would say

    (H - H_z)^-1 g_z = H^-1 F' (r + W F D^-1 F' r).

So ``at`` takes the diagonal of H for slopes that allow for the sentence's own curvature.
"""

import numpy as np

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.learning.influence import Slopes

_LEAST = 0.01  # share of a weight's curvature that other sentences and the prior have at least


class CandidateSlopes:
    """The slopes of S sentences of candidate sets, C candidates in all.

    Parameters
    ----------
    columns : SentenceColumns
        Of F features.
    shares : ndarray, shape (C,)
        What is to be learnt, as in ``target_shares``.
    offsets : ndarray, shape (C,)
        log q0 of each candidate, the reference distribution's.

    Source
    ------
    Koh & Liang (2017), section 2, on the model of Plank & van Noord (2008), section 3.
    """

    def __init__(self, columns: SentenceColumns, shares: np.ndarray, offsets: np.ndarray):
        self._columns, self._shares, self._offsets = columns, shares, offsets
        sizes = np.diff(columns.sentence_starts)
        self._sentences = np.repeat(np.arange(len(sizes)), sizes)
        of_entries = np.repeat(np.arange(len(sizes)), np.diff(columns.entry_starts))
        of_columns = np.repeat(np.arange(len(sizes)), np.diff(columns.column_starts))
        self._candidates = columns.sentence_starts[of_entries] + columns.candidates
        self._owners = columns.pattern_starts[of_entries] + columns.owners
        self._patterns = columns.pattern_starts[of_columns] + columns.patterns

    def at(self, weights: np.ndarray, diagonal: np.ndarray | None = None) -> Slopes:
        """Return the slopes at some weights, shape (F,), as a function of the direction, (F,).

        With the diagonal of the objective's Hessian, shape (F,), a direction that is the inverse
        Hessian times v gives v' (H - H_z)^-1 g_z of each sentence z, about; without it v' H^-1 g_z.
        """
        p = self._probabilities(weights)
        rest = self._shares - p
        if diagonal is not None:
            moves = self._score(self._gather(rest) / self._curvature_of_others(p, diagonal))
            rest += p * (moves - self._sum(p * moves)[self._sentences])
        return lambda direction: self._sum(rest * self._score(direction[self._columns.features]))

    def _probabilities(self, weights):
        """Return p of every candidate, shape (C,)."""
        scores = self._offsets + self._score(weights[self._columns.features])
        tops = np.maximum.reduceat(scores, self._columns.sentence_starts[:-1])
        p = np.exp(scores - tops[self._sentences])
        return p / self._sum(p)[self._sentences]

    def _score(self, of_columns):
        """Return the scores, (C,), that a number for each column, (Q,), makes."""
        of_patterns = np.bincount(self._patterns, of_columns, self._columns.pattern_starts[-1])
        parts = of_patterns[self._owners] * self._columns.values
        return np.bincount(self._candidates, parts, len(self._shares))

    def _gather(self, of_candidates):
        """Return the sum over candidates of a number, (C,), times the value of a column; (Q,)."""
        return self._sum_patterns(of_candidates[self._candidates] * self._columns.values)

    def _sum_patterns(self, of_entries):
        n_patterns = self._columns.pattern_starts[-1]
        return np.bincount(self._owners, of_entries, n_patterns)[self._patterns]

    def _curvature_of_others(self, p, diagonal):
        """Return the diagonal of H - H_z of the sentence and feature of each column; (Q,)."""
        squares = self._sum_patterns(p[self._candidates] * self._columns.values**2)
        whole = diagonal[self._columns.features]
        return np.maximum(whole - (squares - self._gather(p) ** 2), _LEAST * whole)

    def _sum(self, of_candidates):
        """Return the sums of a number of candidates, (C,), by sentence; shape (S,)."""
        return np.add.reduceat(of_candidates, self._columns.sentence_starts[:-1])
