"""The k best paths, as every decoder of sequences returns them."""

from typing import NamedTuple

import numpy as np


class BestPaths(NamedTuple):
    """The k most probable tag sequences of each sentence, best first.

    Attributes
    ----------
    tags : ndarray of int8, shape (k, N)
        -1 where a sentence has fewer paths.
    log_probabilities : ndarray, shape (k, sentences)
        log P(T | W); -inf where there is none.
    """

    tags: np.ndarray
    log_probabilities: np.ndarray
