"""The registry of adaptation methods, by the names that the papers and this project give them."""

from workbench.adaptation.method import Method
from workbench.adaptation.methods import (
    augment,
    auxiliary,
    baselines,
    data_combination,
    linint,
    map,
    mindiv,
    model_combination,
    pred,
    target,
)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        baselines.UNIGRAM,
        baselines.ADAPTED_UNIGRAM,
        baselines.BACKGROUND,
        target.METHOD,
        map.MAP,
        map.TWO_VARIANCES,
        data_combination.ALL,
        data_combination.WEIGHTED,
        pred.METHOD,
        linint.METHOD,
        augment.METHOD,
        *auxiliary.METHODS,
        *model_combination.METHODS,
        mindiv.METHOD,
        map.EXPONENTIAL,
        target.EXPONENTIAL,
    )
}
