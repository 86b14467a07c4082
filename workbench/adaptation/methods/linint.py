"""Linear interpolation of the background's and the domain's probabilities (LININT)."""

from typing import Any

from workbench.adaptation.method import SIGMA2, Axis, Method, Sources
from workbench.adaptation.methods.target import Target
from workbench.models.interpolation import Interpolation
from workbench.models.memm import MEMM
from workbench.models.mixed_forms import join_mixed_forms

_AMOUNTS = ("words", "sentences", "candidates")  # that a model's info has of the data learnt


class LinearInterpolation:
    """The background and the domain's model, mixed in each context; both stay as they are.

    Source
    ------
    Daumé III (2007), LININT: the share is chosen on development data.
    """

    def __init__(self, sources: Sources):
        self._background, self._target = sources.background, Target(sources)

    def learn(self, share: float, sigma2: float) -> Any:
        """Return the mixture for the domain's share and the variance of its model."""
        inside, outside = self._target.learn(sigma2=sigma2), self._background
        info = {
            "name": f"{outside.info['name']} + {inside.info['name']}", "method": "linint",
            **{key: inside.info[key] for key in _AMOUNTS if key in inside.info},
            "text": inside.info["text"], "share": float(share), "sigma2": float(sigma2),
            "features": outside.info["features"] + inside.info["features"],
        }  # fmt: skip
        if not isinstance(outside, MEMM):
            return inside.mix(outside, float(share), info)
        mixed_forms = join_mixed_forms(outside.mixed_forms, inside.mixed_forms)
        return Interpolation(inside, outside, float(share), mixed_forms, info)


INTERPOLATION = Method(
    "linint", "probabilities of the background and of the adaptation data's own model, mixed",
    LinearInterpolation,
    {"share": Axis((0.05, *(k / 10 for k in range(1, 10)), 0.95), start=0.5), "sigma2": SIGMA2},
)  # fmt: skip
