"""Training on several texts, the log-likelihood of each multiplied by a weight of its own."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from workbench.learning.combined import Combined, Part, selection
from workbench.learning.problem import Problem
from workbench.learning.solvers.fit import Fit
from workbench.models.table_problems import TableTraining
from workbench.text.errors import InputError


class WeightedTexts:
    """The training of one model on several texts, made ready for any weights.

    Features are those of all texts together, whatever the weights: the cut-off asks for
    occurrences. A weight of 2 otherwise counts every event of a text twice, 0 none.

    Parameters
    ----------
    training : TableTraining
        On all texts, one after the other.
    begins : sequence of int
        The sentences at which the second and further texts begin.
    """

    def __init__(self, training: TableTraining, begins: Sequence[int]):
        self._training, n = training, len(training.mean)
        texts = np.split(np.arange(training.corpus.n_sentences), begins)
        found = (training.likelihood_of(sentences) for sentences in texts)
        self._parts = [(nats, selection(places, n).T.tocsr()) for nats, places in found]

    def at(self, weights: Sequence[float]) -> Problem:
        """Return the problem of training with some weights, one a text."""
        pairs = zip(self._parts, weights, strict=True)
        parts = [Part(*part, factor=weight) for part, weight in pairs if weight]
        return _Weighted(self._training, Combined(parts), list(map(float, weights)))


class _Weighted(Problem):
    """Training with some weights of the texts, which the model's ``info`` records."""

    def __init__(self, training: TableTraining, log_likelihood: Callable, weights: list[float]):
        super().__init__(log_likelihood, training.mean, ("lbfgs",))
        self._training, self._weights = training, weights

    def model(self, weights: np.ndarray, fit: Fit | None = None, **record: Any) -> Any:
        return self._training.model(weights, fit, **record, text_weights=self._weights)


def read_weights(text: str, n_texts: int) -> list[float]:
    """Return the weights of texts from a list with commas; InputError unless all are >= 0."""
    try:
        weights = [float(weight) for weight in text.split(",")]
    except ValueError:
        weights = []
    fit = len(weights) == n_texts and all(0 <= weight < np.inf for weight in weights)
    if not fit or not any(weights):
        raise InputError(
            f"weights {text}: auto, or {n_texts} numbers with commas between, one a text, 0 or "
            "more and not all 0, are allowed"
        )
    return weights
