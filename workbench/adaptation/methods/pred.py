"""What the background predicts as a feature of the domain's model (PRED)."""

from workbench.adaptation.method import SIGMA2, Method
from workbench.adaptation.methods.target import Target
from workbench.models.prediction import PredictionTraining


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


PREDICTION = Method(
    "pred", "the background's tags as predicates (PRED)", Prediction, {"sigma2": SIGMA2}
)
