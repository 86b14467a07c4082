"""Choose what a model is trained with: the variance of its prior, and the weights of its texts."""

from collections.abc import Callable, Sequence
from typing import Any

from workbench.adaptation.method import SIGMA2, Axis, fold
from workbench.adaptation.weighted_texts import WeightedTexts
from workbench.experiments.searches.error_search import ErrorCounter, OnTried, search, search_line
from workbench.learning.prior import GaussianPrior, zero_mean_prior
from workbench.learning.problem import Problem
from workbench.learning.solvers.fit import TOLERANCE
from workbench.learning.warm_starts import WarmStarts

TEXT_WEIGHT = Axis((0.1, 0.3, 1.0, 3.0), start=1.0)


def choose_training_sigma2(
    problem: Problem, dev: Any, axis: Axis = SIGMA2, on_try: OnTried = None
) -> tuple[float, dict[float, float]]:
    """Return the variance of a zero-mean prior with the fewest errors on development data.

    ``problem`` is that of training; values of the axis and results are as in ``search_line``.

    Source
    ------
    Chelba & Acero (2004), section 3.1.2: the background's variance, too, is chosen so.
    """
    count = ErrorCounter(_Training.of(problem), dev)
    return search_line(lambda value: count(sigma2=value), axis, on_try)


def choose_training_by_folds(
    make: Callable[[Any], Problem], data: Any, axis: Axis = SIGMA2, on_try: OnTried = None
) -> tuple[float, dict[float, float]]:
    """As ``choose_training_sigma2`` without dev, by 5-fold cross-validation on the data.

    ``make`` is called with the other folds of each and returns their problem of training.
    """
    counters = [ErrorCounter(_Training.of(make(rest)), held) for rest, held in fold(data)]
    return search_line(lambda value: sum(c(sigma2=value) for c in counters), axis, on_try)


def choose_text_weights(
    texts: WeightedTexts, sizes: Sequence[int], dev: Any, sigma2: float,
    on_try: Callable[[dict], object] | None = None,
) -> tuple[list[float], float]:  # fmt: skip
    """Return the weights of training texts with the fewest errors on dev, and how many these are.

    The weight of the largest text stays 1; the others, ``TEXT_WEIGHT``, are searched one after
    the other, until nothing changes or twice. ``on_try`` is called with weights by number of text.
    """
    largest = str(sizes.index(max(sizes)))
    axes = {str(i): TEXT_WEIGHT for i in range(len(sizes))} | {largest: Axis((1.0,), 1.0)}
    training = _Training(lambda **weights: (texts.at(list(weights.values())), sigma2))
    best, tried = search(ErrorCounter(training, dev, on_try), axes)
    return list(best.values()), tried[tuple(best.values())]


class _Training:
    """What is learnt at any hyper-parameters; each fit begins where others lead.

    ``find_problem`` takes them to a problem of training and the variance of its prior.
    """

    def __init__(self, find_problem):
        self._find_problem, self._warm_starts = find_problem, WarmStarts()

    @classmethod
    def of(cls, problem):
        return cls(lambda sigma2: (problem, sigma2))

    def learn(self, **values):
        problem, sigma2 = self._find_problem(**values)
        prior = zero_mean_prior(len(problem.mean), GaussianPrior.name, sigma2=sigma2)

        def solve(start):  # as ``fit`` of a model does unless told otherwise
            return problem.maximise(prior, start, "lbfgs", tolerance=TOLERANCE)

        fit = self._warm_starts.fit(solve, *values.values())
        return problem.model(fit.weights, fit, sigma2=sigma2)
