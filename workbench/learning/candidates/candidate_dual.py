"""The dual problem of a model of candidate sets under a Gaussian prior."""

from typing import NamedTuple

import numpy as np

from workbench.features.candidates.sentence_columns import SentenceColumns
from workbench.inference.candidates.dual_steps import LEAST_SHARE, Duals, step_through_sentences
from workbench.learning.prior import GaussianPrior
from workbench.numerics.vectors import dot


class Targets(NamedTuple):
    """What is to be learnt of C candidates."""

    shares: np.ndarray  # shape (C,), as in ``target_shares``
    offsets: np.ndarray  # shape (C,): log q0 of each candidate


class CandidateDual:
    """A distribution over the candidates of each sentence, and the weights that it makes.

    Parameters
    ----------
    columns : SentenceColumns
        Of F features and C candidates.
    targets : Targets
    prior : GaussianPrior
    shares, weights : ndarray, shape (C,) and (F,)
        Where it begins: distributions and the weights that ``dual_steps`` has for them. The
        targets themselves make the prior's mean.

    Attributes
    ----------
    weights : ndarray, shape (F,)
    n_sentences : int
    """

    def __init__(
        self, columns: SentenceColumns, targets: Targets, prior: GaussianPrior,
        shares: np.ndarray, weights: np.ndarray,
    ):  # fmt: skip
        self._columns, self._targets, self._prior = columns, targets, prior
        self.weights, self.n_sentences = np.array(weights), len(columns.sentence_starts) - 1
        self._sigma2 = np.broadcast_to(np.asarray(prior.sigma2, float), len(weights))
        shares = np.maximum(shares, LEAST_SHARE)
        self._duals = Duals(shares, np.log(shares))

    def step(self, order: np.ndarray) -> float:
        """Take one step for each sentence, in a given order; return the sum of the gaps met."""
        return step_through_sentences(
            order, self.weights, self._sigma2, self._columns, self._targets.offsets, self._duals
        )

    def objective(self) -> float:
        """Return the dual objective in nats, never below the objective that is maximised."""
        shares, logs = self._duals
        penalty, pull = self._prior.penalty(self.weights)
        rest = self._targets.shares - shares
        entropy = -dot(shares, logs)
        return dot(rest, self._targets.offsets) + dot(pull, self._prior.mean) + penalty - entropy
