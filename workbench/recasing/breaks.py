"""Whether a sentence ends after an exclamation or a question in quotes.

``"Stop!" cried the guard.`` is one sentence, ``"Stop!" He ran.`` is two, and punctuation alone does
not show it. So both readings are tagged, and the more probable one is taken. After an abbreviation,
as in ``in the U.S. he``, this does not help: the right reading is not more probable than the wrong
one, and nine times of ten the sentence goes on, so that none is taken to end (docs/reading.md).
"""

from dataclasses import replace
from typing import Any

import numpy as np

from workbench.text.corpus import Corpus

_MARGIN = 0.02  # nats by which one sentence must be more probable than two


def settle_breaks(model: Any, corpus: Corpus, doubtful: list[int]) -> Corpus:
    """Return a corpus with doubtful sentences joined to the one before, if that is more probable.

    ``doubtful`` are the places of these sentences. The probability of a reading is that of its
    best tags, word by word. A model without probabilities, such as a 1gram, joins none.
    """
    if not doubtful or not hasattr(model, "probabilities"):
        return corpus
    second = np.array(doubtful)
    n, pairs = len(second), np.stack((second - 1, second), axis=1).ravel()
    both = corpus.take(np.concatenate((pairs, pairs))).compact()  # apart, and then together
    both = replace(both, starts=np.delete(both.starts, np.arange(2 * n + 1, 4 * n, 2)))
    surest = np.log(model.probabilities(both).max(axis=1))
    apart, together = np.split(np.add.reduceat(surest, both.starts[:-1]), [2 * n])
    goes_on = together - apart.reshape(n, 2).sum(axis=1) > _MARGIN
    return replace(corpus, starts=np.delete(corpus.starts, second[goes_on]))
