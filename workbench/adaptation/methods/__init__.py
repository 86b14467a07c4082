"""The registry of adaptation methods, by the names that the papers and this project give them."""

from workbench.adaptation.method import Method
from workbench.adaptation.methods import (
    augment,
    auxiliary,
    baselines,
    data_combination,
    map,
    model_combination,
    target,
)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        baselines.UNIGRAM, baselines.ADAPTED_UNIGRAM, baselines.BACKGROUND, target.TARGET,
        map.MAP, map.TWO_VARIANCES, data_combination.ALL, data_combination.WEIGHTED,
        target.PREDICTION, target.INTERPOLATION, augment.METHOD, auxiliary.AUXILIARY,
        auxiliary.CLASSES, *model_combination.METHODS, auxiliary.MINIMUM_DIVERGENCE,
        map.EXPONENTIAL, target.EXPONENTIAL,
    )
}  # fmt: skip
