"""The registry of adaptation methods, by the names that the papers and this project give them."""

from workbench.adaptation.method import Method
from workbench.adaptation.methods import (
    augment,
    auxiliary,
    baselines,
    data_combination,
    hierarchy,
    linint,
    map,
    mindiv,
    model_combination,
    target,
    template_variances,
)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        baselines.UNIGRAM, baselines.ADAPTED_UNIGRAM, baselines.BACKGROUND, target.TARGET,
        map.MAP, map.TWO_VARIANCES, template_variances.METHOD, data_combination.ALL,
        data_combination.WEIGHTED, hierarchy.CHAIN, hierarchy.HIERARCHY, target.PREDICTION,
        linint.INTERPOLATION,
        augment.METHOD, auxiliary.AUXILIARY, auxiliary.CLASSES, *model_combination.METHODS,
        mindiv.MINIMUM_DIVERGENCE, map.EXPONENTIAL, target.EXPONENTIAL,
    )
}  # fmt: skip
