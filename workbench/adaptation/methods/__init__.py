"""All adaptation methods, by the names that the papers and this project give them."""

from workbench.adaptation.methods import (
    augment,
    auxiliary,
    baselines,
    data_combination,
    exponential,
    linint,
    map,
    mindiv,
    model_combination,
    pred,
    target,
    two_variances,
)

METHODS = {
    method.name: method
    for method in (
        baselines.UNIGRAM,
        baselines.ADAPTED_UNIGRAM,
        baselines.BACKGROUND,
        target.METHOD,
        map.METHOD,
        two_variances.METHOD,
        data_combination.ALL,
        data_combination.WEIGHTED,
        pred.METHOD,
        linint.METHOD,
        augment.METHOD,
        *auxiliary.METHODS,
        *model_combination.METHODS,
        mindiv.METHOD,
        *exponential.METHODS,
    )
}
