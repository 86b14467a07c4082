"""Models of the adaptation data, alone or helped by the background (TGTONLY, PRED, LININT)."""

from typing import Any

import numpy as np

from workbench.adaptation.method import MODELS, SIGMA2, Axis, Method, Sources
from workbench.adaptation.methods.map import ALPHA
from workbench.learning.prior import check_strength, zero_mean_prior
from workbench.learning.warm_starts import WarmStarts
from workbench.models.interpolation import Interpolation
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
        return sources.model.training_problem(sources.adaptation, sources.options["templates"], 0)

    def _fit(self, prior, start):
        return self.problem.maximise(prior, start)

    def learn(self, **strength: float) -> Any:
        """Return the model for the strength of its prior, ``sigma2`` or ``alpha``."""
        prior = zero_mean_prior(len(self.problem.mean), **check_strength(**strength))
        fit = self.warm_starts.fit(lambda start: self._fit(prior, start), *strength.values())
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
        return self.problem.maximise(prior, start, tolerance=1e-4)  # its edges are slow


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


class LinearInterpolation:
    """The background and the domain's model, mixed in each context; both stay as they are.

    Source
    ------
    Daumé III (2007), LININT: the share is chosen on development data.
    """

    def __init__(self, sources: Sources):
        self._background, self._target = sources.background, Target(sources)

    def learn(self, share: float, sigma2: float) -> Interpolation:
        """Return the mixture for the domain's share and the variance of its model."""
        inside, outside = self._target.learn(sigma2=sigma2), self._background
        info = {
            "name": f"{outside.info['name']} + {inside.info['name']}", "method": "linint",
            "words": inside.info["words"], "text": inside.info["text"],
            "share": float(share), "sigma2": float(sigma2),
            "features": outside.info["features"] + inside.info["features"],
        }  # fmt: skip
        mixed_forms = outside.mixed_forms | inside.mixed_forms
        return Interpolation(inside, outside, float(share), mixed_forms, info)


TARGET = Method(
    "target", "the adaptation data alone (TGTONLY)", Target, {"sigma2": SIGMA2}, models=MODELS
)
EXPONENTIAL = Method(
    "target-exponential",
    "the adaptation data alone, weights >= 0 under Goodman's exponential prior",
    ExponentialTarget, {"alpha": ALPHA},
)  # fmt: skip
PREDICTION = Method(
    "pred", "the background's tags as predicates (PRED)", Prediction, {"sigma2": SIGMA2}
)
INTERPOLATION = Method(
    "linint", "probabilities of the background and of the adaptation data's own MEMM, mixed",
    LinearInterpolation,
    {"share": Axis((0.05, *(k / 10 for k in range(1, 10)), 0.95), start=0.5), "sigma2": SIGMA2},
)  # fmt: skip
