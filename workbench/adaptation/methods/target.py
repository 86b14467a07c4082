"""The adaptation data alone, as if there were no background (TGTONLY)."""

import numpy as np

from workbench.adaptation.method import SIGMA2, Method, Path
from workbench.adaptation.union import MODELS, restrict
from workbench.features.selection import select_with_firing
from workbench.features.templates import find_templates
from workbench.learning.prior import GaussianPrior
from workbench.learning.solvers import go_to_the_end
from workbench.models.capitalizer import count_mixed_forms


class Target:
    """The model of the adaptation data: all their features, the templates of the background.

    Source
    ------
    Daumé III (2007), TGTONLY; P_IN of Plank & van Noord (2008).
    """

    def __init__(self, sources):
        self.corpus, self.given = sources.adaptation, {"cutoff": 0}
        self._model = sources.model
        self._templates = self._model.admit(find_templates(sources.options["templates"]))
        events = self._model.pack_training(self.corpus, self._templates)
        self._features, firing = select_with_firing(events, 0)
        self._log_likelihood, _ = restrict(events, self._features, self._model.likelihood, firing)
        self._path = Path(self._fit)

    def _fit(self, start, **strength):
        prior, allowed = self.prior(**strength), self._model.solvers
        return go_to_the_end(self._log_likelihood, prior, start, allowed)

    def prior(self, sigma2):
        """The zero-mean prior for a variance."""
        return GaussianPrior(np.zeros(len(self._features)), sigma2)

    def learn(self, **strength):
        """Return the model for the strength of its prior, ``sigma2``."""
        fit = self._path.at(**strength)
        weights = self._features.table(fit.weights)
        info = {
            "name": self.corpus.name, "words": len(self.corpus), "text": self.corpus.fingerprint,
            "method": "target", "cutoff": 0, **strength, "features": len(self._features),
            "log_likelihood": fit.log_likelihood, "converged": fit.converged,
        }  # fmt: skip
        mixed_forms, names = count_mixed_forms(self.corpus), self.corpus.tag_names
        return self._model(self._templates, self._features, weights, mixed_forms, info, names)


METHOD = Method(
    "target", "the adaptation data alone (TGTONLY)", Target, {"sigma2": SIGMA2}, models=MODELS
)
