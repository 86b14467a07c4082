"""Sums over tags and sequences of tags, and the best of them; a folder a model structure; compiled.

``maxent``: one context at a time. ``memm``: sequences of locally normalized contexts.
``chain``: sequences normalized as a whole.
"""

from typing import NamedTuple

import numpy as np


class BestPaths(NamedTuple):
    """The k most probable tag sequences of each sentence, best first.

    ``tags``, int8, shape (k, N), are -1 where a sentence has fewer paths; ``log_probabilities``,
    log P(T | W), shape (k, sentences), are -inf there.
    """

    tags: np.ndarray
    log_probabilities: np.ndarray
