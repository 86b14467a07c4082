"""What the background predicts as a feature of the domain's model (PRED)."""

from workbench.adaptation.method import SIGMA2, Method, Sources
from workbench.learning.prior import check_strength, zero_mean_prior
from workbench.learning.warm_starts import WarmStarts
from workbench.models.prediction import PredictionMEMM, PredictionTraining


class Prediction:
    """The MEMM of the adaptation data, which reads the background's tags as well as the text.

    Source
    ------
    Daumé III (2007), PRED. The tags of the last and the next word are read, too: tagging
    by the background comes first, so they are there.
    """

    def __init__(self, sources: Sources):
        self.problem = PredictionTraining(sources.background, sources.adaptation)
        self.given, self.warm_starts = {"cutoff": 0}, WarmStarts()

    def learn(self, sigma2: float) -> PredictionMEMM:
        """Return the MEMM for the variance of its zero-mean prior."""
        prior = zero_mean_prior(len(self.problem.mean), **check_strength(sigma2))
        fit = self.warm_starts.fit(lambda start: self.problem.maximise(prior, start), sigma2)
        return self.problem.model(fit.weights, fit, method="pred", sigma2=float(sigma2))


METHOD = Method(
    "pred", "the background's tags as predicates (PRED)", Prediction, {"sigma2": SIGMA2}
)
