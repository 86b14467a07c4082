"""Sums over tags and sequences of tags, and the best of them; a folder a model structure; compiled.

``maxent``: one context at a time. ``memm``: sequences of locally normalized contexts.
``chain``: sequences normalized as a whole.
"""

from typing import NamedTuple

import numpy as np


class BestPaths(NamedTuple):
    """The k most probable tag sequences of each sentence, best first."""

    tags: np.ndarray  # int8, shape (k, N); -1 where a sentence has fewer paths
    log_probabilities: np.ndarray  # shape (k, sentences): log P(T | W); -inf where there is none
