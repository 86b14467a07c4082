"""MAP adaptation: a prior around the background's weights; one variance, two, or an exponential."""

from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.method import MODELS, SIGMA2, Axis, Method
from workbench.settings import ALPHA_SEARCH, TRAINING


def _prepare(sources):
    return Adaptation(sources.background, sources.adaptation)


# Large rates first: few weights are away there, and each smaller rate sends a few more. The
# other way round the first fit alone takes more steps than all of these.
ALPHA = Axis(ALPHA_SEARCH, start=TRAINING["alpha"].default)
MAP = Method(
    "map", "MAP adaptation, one sigma2 for all weights", _prepare, {"sigma2": SIGMA2},
    models=MODELS,
)  # fmt: skip
TWO_VARIANCES = Method(
    "map-two-variances", "MAP adaptation, sigma2_m for inherited and sigma2_a for new features",
    _prepare,
    {
        "sigma2_m": Axis((0.1, 0.3, 1.0, 3.0, 10.0), start=1.0, refinements=1),
        "sigma2_a": Axis((0.1, 0.3, 1.0, 3.0, 10.0, 30.0), start=1.0, refinements=1),
    },
    exhaustive=True, models=MODELS,
)  # fmt: skip
EXPONENTIAL = Method(
    "map-exponential",
    "adaptation with an exponential prior on both sides of the background's weights",
    _prepare, {"alpha": ALPHA},
)  # fmt: skip
