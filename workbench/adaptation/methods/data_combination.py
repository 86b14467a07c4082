"""Background and adaptation data trained on together, as they are or with a weight (ALL, WEIGHTED).

The features are those of MAP adaptation, so that only the use of the background
differs: its events here, its weights there.
"""

from typing import Any

import numpy as np

from workbench.adaptation.method import MODELS, Axis, Method, Sources
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise
from workbench.learning.warm_start import WarmStarts
from workbench.settings import BACKGROUND


class DataCombination:
    """One log-likelihood over the events of both texts.

    Source
    ------
    Daumé III (2007), ALL and WEIGHTED; data combination of Plank & van Noord (2008).
    Features are the background's after its cut-off and all of the adaptation data's;
    the papers do not say how they cut off. A fit begins at the background's weights.
    """

    def __init__(self, sources: Sources):
        self.problem = sources.background.adaptation_problem(sources.adaptation)
        self._sigma2 = sources.options["sigma2"]
        log_likelihood, places = self.problem.likelihood_of(sources.corpus)
        n = len(self.problem.background_weights)
        self._background = Part(log_likelihood, selection(places, n).T.tocsr())
        self._select = selection(self.problem.places, n).T.tocsr()
        self.warm_starts = WarmStarts()

    def _fit(self, start, weight, sigma2):
        added = Part(self.problem.log_likelihood, self._select, factor=weight)
        start = self.problem.background_weights if start is None else start
        prior = GaussianPrior(np.zeros(len(start)), sigma2)
        return maximise(Combined([self._background, added]), prior, start, tolerance=1e-5)

    def learn(self, weight: float = 1.0, sigma2: float | None = None) -> Any:
        """Return the model of both texts, counts of the adaptation data multiplied by a weight."""
        sigma2 = self._sigma2 if sigma2 is None else sigma2
        point = {"weight": float(weight), "sigma2": float(sigma2)}
        fit = self.warm_starts.fit(lambda start: self._fit(start, **point), **point)
        return self.problem.model_of_all(fit.weights, fit, method="weighted", **point)


# Strengths of smoothing are tried too, so that a rival is at its best.
_SMOOTHING = Axis((1.0, 2.0, 5.0, 10.0, 20.0), start=BACKGROUND["sigma2"])

ALL = Method(
    "all", "one model of both texts (among other names; by itself `all` is every method)",
    DataCombination, {"sigma2": _SMOOTHING}, models=MODELS, needs="text",
)  # fmt: skip
WEIGHTED = Method(
    "weighted", "one model of both texts, events of the adaptation data times a weight",
    DataCombination,
    {"weight": Axis((1.0, 2.0, 5.0, 10.0, 20.0, 50.0), start=5.0), "sigma2": _SMOOTHING},
    models=MODELS, needs="text",
)  # fmt: skip
