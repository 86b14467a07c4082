"""What the background predicts as a feature of the domain's model (PRED)."""

import numpy as np

from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.union import restrict
from workbench.features.selection import select_with_firing
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers.newton import solve
from workbench.models.capitalizer import count_mixed_forms
from workbench.models.prediction import PredictionMEMM, pack_with_predictions


class Prediction:
    """The MEMM of the adaptation data, which reads the background's tags as well as the text.

    Source
    ------
    Daumé III (2007), PRED. The tags of the last and the next word are read, too: tagging
    by the background comes first, so they are there.
    """

    def __init__(self, sources):
        self._source, self.corpus, self.given = (
            sources.background,
            sources.adaptation,
            {"cutoff": 0},
        )
        predicted = self._source.tag(self.corpus)
        events = pack_with_predictions(self.corpus, self._source.templates, predicted)
        self._features, firing = select_with_firing(events, 0)
        self._log_likelihood, _ = restrict(events, self._features, firing=firing)
        self._path = Path(self._fit)

    def _fit(self, start, sigma2):
        prior = GaussianPrior(np.zeros(len(self._features)), sigma2)
        return solve(self._log_likelihood, prior, start)

    def learn(self, sigma2):
        """Return the MEMM for the variance of its zero-mean prior."""
        fit = self._path.at(sigma2=sigma2)
        weights = self._features.table(fit.weights)
        info = {
            "name": f"{self._source.info['name']} + {self.corpus.name}", "method": "pred",
            "words": len(self.corpus), "text": self.corpus.fingerprint, "cutoff": 0,
            "sigma2": float(sigma2), "features": len(self._features),
            "log_likelihood": fit.log_likelihood, "converged": fit.converged,
        }  # fmt: skip
        mixed_forms = self._source.mixed_forms | count_mixed_forms(self.corpus)
        return PredictionMEMM(
            self._source.templates, self._features, weights, mixed_forms, info,
            self.corpus.tag_names, source=self._source,
        )  # fmt: skip


METHOD = Method(
    "pred", "the background's tags as predicates (PRED)", Prediction, {"sigma2": SIGMA2}
)
