"""Which sentences of a running text go on behind an exclamation or a question in quotes.

``"Stop!" cried the guard.`` is one sentence and ``"Stop!" He ran.`` two, which the marks do not
tell. Both readings are tagged, and the one of which the model is surer is taken. Behind an
abbreviation, ``in the U.S. he``, models are no surer of the right reading than of the wrong one,
and nine times of ten the sentence goes on: there none is taken to end (docs/reading.md).
"""

from dataclasses import replace
from typing import Any

import numpy as np

from workbench.text.corpus import Corpus

_FOR_A_BREAK = 0.02  # nats by which a sentence that goes on has to be the likelier


def settle_breaks(model: Any, corpus: Corpus, doubtful: list[int]) -> Corpus:
    """Return a corpus in which doubtful sentences, by place, are joined to those before them.

    Only those are that are likelier so, by the probabilities of their best tags; none by a model
    without probabilities.
    """
    if not doubtful or not hasattr(model, "probabilities"):
        return corpus
    second = np.array(doubtful)
    n, pairs = len(second), np.stack((second - 1, second), axis=1).ravel()
    both = corpus.take(np.concatenate((pairs, pairs))).compact()  # apart, and then together
    both = replace(both, starts=np.delete(both.starts, np.arange(2 * n + 1, 4 * n, 2)))
    surest = np.log(model.probabilities(both).max(axis=1))
    apart, together = np.split(np.add.reduceat(surest, both.starts[:-1]), [2 * n])
    goes_on = together - apart.reshape(n, 2).sum(axis=1) > _FOR_A_BREAK
    return replace(corpus, starts=np.delete(corpus.starts, second[goes_on]))
