"""The adaptation methods that do with a model of candidate sets, with axes of their own."""

from workbench.adaptation.method import Axis
from workbench.candidates.learning import DEFAULTS
from workbench.settings import ALPHA_SEARCH

SIGMA2 = Axis((0.003, 0.01, 0.03, 0.1, 0.3, 1.0), start=DEFAULTS["sigma2"], refinements=1)
_ONE = {"sigma2": SIGMA2}
# By method; an axis that is not named is the method's own.
AXES: dict[str, dict[str, Axis]] = {
    "background": {},
    "target": _ONE, "map": _ONE, "all": _ONE, "weighted": _ONE, "linint": _ONE,
    "auxiliary": _ONE, "auxiliary-classes": _ONE, "model-combination": _ONE,
    "equal-weights": _ONE, "mindiv-adapt-only": _ONE,
    "map-two-variances": {"sigma2_m": SIGMA2, "sigma2_a": SIGMA2},
    "map-exponential": {"alpha": Axis((20.0, 10.0, 5.0, *ALPHA_SEARCH), start=5.0)},
    "augment": {
        "sigma2_g": Axis((0.03, 0.1, 0.3, 1.0), start=0.1),
        "sigma2_t": Axis((0.003, 0.01, 0.03, 0.1, 0.3), start=0.03),
    },
}  # fmt: skip
