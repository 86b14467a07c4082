"""Background and adaptation data trained on together, as they are or with a weight (ALL, WEIGHTED).

The features are those of MAP adaptation, so that only the use of the background
differs: its events here, its weights there.
"""

import numpy as np

from workbench.adaptation.method import Axis, Method, Path
from workbench.adaptation.union import MODELS, Union
from workbench.learning.combined import Combined, Part, selection
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.fit import maximise
from workbench.settings import BACKGROUND


class DataCombination:
    """One log-likelihood over the events of both texts.

    Source
    ------
    Daumé III (2007), ALL and WEIGHTED; data combination of Plank & van Noord (2008).
    Features are the background's after its cut-off and all of the adaptation data's;
    the papers do not say how they cut off. A fit begins at the background's weights.
    """

    def __init__(self, sources):
        self.union = Union(sources.background, sources.adaptation)
        self._sigma2 = sources.options["sigma2"]
        likelihood, free = self.union.restrict(sources.corpus)
        exists = self.union.features.exists
        self._background = Part(likelihood, selection(free[exists]).T.tocsr())
        self._select = selection(self.union.free[exists]).T.tocsr()
        self._path = Path(self._fit)

    def _fit(self, start, weight, sigma2):
        added = Part(self.union.log_likelihood, self._select, factor=weight)
        prior = GaussianPrior(np.zeros(len(self.union.features)), sigma2)
        start = self.union.mean[self.union.features.exists] if start is None else start
        return maximise(Combined([self._background, added]), prior, start, tolerance=1e-5)

    def learn(self, weight=1.0, sigma2=None):
        """Return the model of both texts, counts of the adaptation data multiplied by a weight."""
        sigma2 = self._sigma2 if sigma2 is None else sigma2
        fit = self._path.at(weight=weight, sigma2=sigma2)
        told = {"method": "weighted", "weight": float(weight), "sigma2": float(sigma2)}
        return self.union.assemble(self.union.features.table(fit.weights), fit, **told)


# Beside the weights, other strengths of smoothing: a rival should be at its best.
_SMOOTHING = Axis((1.0, 2.0, 5.0, 10.0, 20.0), start=BACKGROUND["sigma2"])

ALL = Method(
    "all",
    "one model of both texts (beside other names; by itself `all` is every method)",
    DataCombination,
    {"sigma2": _SMOOTHING},
    models=MODELS,
)
WEIGHTED = Method(
    "weighted",
    "one model of both texts, events of the adaptation data times a weight",
    DataCombination,
    {"weight": Axis((1.0, 2.0, 5.0, 10.0, 20.0, 50.0), start=5.0), "sigma2": _SMOOTHING},
    models=MODELS,
)
