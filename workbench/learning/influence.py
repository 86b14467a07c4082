"""The influence of each sentence on a sum of weights: how the sum would change without it.

The weights are where the log-likelihood less the penalty is highest. There the gradient of all
sentences and of the prior is 0, and without sentence z it is minus g_z, that of its own
log-likelihood. With H the Hessian of the objective and H_z the sentence's share of it, Newton's
step to the new optimum is -(H - H_z)^-1 g_z, so a sum v'w of the weights rises by about

    - v' (H - H_z)^-1 g_z.

H s = v is solved once, for all sentences; ``sentence_slopes`` has what is left to do by
sentence, and how H_z is allowed for. It is leave-one-out with the features fixed: those that
only the sentence holds stay, and go back to the prior's mean.

Source
------
Cook & Weisberg (1982), *Residuals and Influence in Regression*; Koh & Liang (2017),
*Understanding Black-box Predictions via Influence Functions*, section 2.
"""

import threading
from typing import Any

import numpy as np

from workbench.learning.solvers.conjugate_gradients import solve

# Twice as fast as 0.01 and 2e-3; sentences keep their order (rank correlation 0.99, on CRFs).
_LEFT_OUT = 0.1  # share of the mean event's curvature below which H has no event
_TOLERANCE = 0.01  # of the solution of H s = v, as in ``solve``


class Influence:
    """The influence of the sentences of a text on sums of the weights fitted to it.

    Parameters
    ----------
    log_likelihood : LogLikelihood or ChainLogLikelihood
        Of the sentences.
    slopes : EventSlopes or ChainSlopes
        Of the same sentences; those that the log-likelihood lacks are ``dropped``, numbers.
    weights : ndarray, shape (F,)
        At the optimum.
    sigma2 : float or ndarray, shape (F,)
        Variance of the Gaussian prior.
    """

    def __init__(
        self, log_likelihood: Any, slopes: Any, weights: np.ndarray, sigma2: float | np.ndarray,
        dropped: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        self._precision, self._lock = 1 / np.broadcast_to(sigma2, weights.shape), threading.Lock()
        *_, self._hessian = log_likelihood.expand(weights, _LEFT_OUT)
        self._slopes = slopes.at(weights, self._hessian.diagonal + self._precision)
        self._dropped = sorted(dropped)

    def on(self, direction: np.ndarray) -> np.ndarray:
        """Return by how much the sum direction . weights would rise without each sentence.

        Shape (sentences,), in the order of the text; nan for those that are left out already.
        ``direction``, shape (F,), is the sum's gradient; of a logit gap 1, -1 and 0.
        """
        with self._lock:  # a product with the Hessian has its sums in memory of its own
            solved = solve(self._hessian, self._precision, direction, _TOLERANCE)
        rises = -self._slopes(solved)
        rises[self._dropped] = np.nan
        return rises
