"""The adaptation data alone (TGTONLY), under either prior; or with the background's tags (PRED)."""

from typing import Any

import numpy as np

from workbench.adaptation.method import MODELS, SIGMA2, Method, Sources
from workbench.adaptation.methods.map import ALPHA
from workbench.learning.prior import check_strength, zero_mean_prior
from workbench.learning.warm_start import WarmStarts
from workbench.models.prediction import PredictionTraining


class Target:
    """The model of the adaptation data: all their features, the templates of the background.

    Source
    ------
    Daumé III (2007), TGTONLY; P_IN of Plank & van Noord (2008).
    """

    method = "target"

    def __init__(self, sources: Sources):
        self.problem = self._problem(sources)
        self.given, self.warm_starts = {"cutoff": 0}, WarmStarts()

    def _problem(self, sources):
        learnt = {key: sources.options[key] for key in sources.options.keys() - {"sigma2"}}
        return sources.model.training_problem(sources.adaptation, **learnt | {"cutoff": 0})

    def _fit(self, prior, start):
        return self.problem.maximise(prior, start)

    def learn(self, **strength: float) -> Any:
        """Return the model for the strength of its prior, ``sigma2`` or ``alpha``."""
        prior = zero_mean_prior(len(self.problem.mean), **check_strength(**strength))
        fit = self.warm_starts.fit(lambda start: self._fit(prior, start), **strength)
        return self.problem.model(fit.weights, fit, method=self.method, **strength)


class ExponentialTarget(Target):
    """The adaptation data alone, weights >= 0 under Goodman's prior.

    Source
    ------
    Goodman (2004): the penalty is alpha times the sum of the weights.
    """

    method = "target-exponential"

    def _fit(self, prior, start):
        start = None if start is None else np.maximum(start, 0.0)
        return self.problem.maximise(prior, start)


class Prediction(Target):
    """The MEMM of the adaptation data, which reads the background's tags as well as the text.

    Source
    ------
    Daumé III (2007), PRED. The tags of the last and the next word are read, too: tagging
    by the background comes first, so they are there.
    """

    method = "pred"

    def _problem(self, sources):
        return PredictionTraining(sources.background, sources.adaptation)


TARGET = Method(
    "target", "the adaptation data alone (TGTONLY)", Target, {"sigma2": SIGMA2},
    models=MODELS,
)  # fmt: skip
EXPONENTIAL = Method(
    "target-exponential",
    "the adaptation data alone, weights >= 0 under Goodman's exponential prior",
    ExponentialTarget, {"alpha": ALPHA},
)  # fmt: skip
PREDICTION = Method(
    "pred", "the background's tags as predicates (PRED)", Prediction, {"sigma2": SIGMA2}
)
