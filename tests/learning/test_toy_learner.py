"""Another kind of learner passes through adaptation, tuning and comparison untouched.

A toy: logistic regression of two classes over a dense matrix, whose weights are a plain vector. It
knows nothing of predicates and tags, and nothing in the package knows of it.
"""

import numpy as np
import pytest

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.experiments.method_rows import learn
from workbench.experiments.search import choose_sigma2
from workbench.learning.prior import GaussianPrior
from workbench.learning.problem import ActiveLikelihood, AdaptationProblem, Problem

N = 6  # features; the last two are never seen in the background


class Points:
    """Rows of features, one of two classes each; the toy's corpus."""

    def __init__(self, x, tags):
        self.x, self.tags, self.corpus, self.features = x, tags, self, None

    def require_cased(self):
        return self  # its classes are always known

    def count_wrong(self, tags):
        return int((tags != self.tags).sum())


class Logistic:
    """Nats of logistic regression, as solvers take them."""

    def __init__(self, points):
        self._x, self._sign = points.x, 2 * points.tags - 1
        self.observed = np.abs(points.x).sum(axis=0)

    def __call__(self, weights):
        margin = self._sign * (self._x @ weights)
        return -np.logaddexp(0, -margin).sum(), self._x.T @ (self._sign / (1 + np.exp(margin)))

    def curvature(self, weights):
        p = 1 / (1 + np.exp(-self._x @ weights))
        return (self._x**2).T @ (p * (1 - p))


class ToyProblem(AdaptationProblem):
    def __init__(self, background, points, cutoff=0):
        self.background, self.points, self.cutoff = background, points, cutoff
        weights, known = background.weights, np.arange(N) < N - 2
        super().__init__(weights, self.likelihood_of(points), known, ("lbfgs",))

    def likelihood_of(self, points):
        return ActiveLikelihood(Logistic(points), np.arange(N))

    def model_of_all(self, weights, fit=None, **record):
        return Toy(weights, record)

    def classes(self):
        return {"even": np.arange(0, N, 2), "odd": np.arange(1, N, 2)}


class Toy:
    kind, mixed_forms = "toy", {}

    def __init__(self, weights, info):
        self.weights, self.info, self.features = weights, info, None

    @classmethod
    def fit(cls, points, on_step=None):
        problem = Problem(Logistic(points), np.zeros(N), ("lbfgs",))
        return cls(problem.maximise(GaussianPrior(problem.mean, 5.0)).weights, {})

    def adaptation_problem(self, points, cutoff=0):
        return ToyProblem(self, points, cutoff)

    def pack(self, points):
        return points

    def tag(self, points):
        return (points.x @ self.weights > 0).astype(np.int8)


def draw(rng, weights, n):
    x = rng.normal(size=(n, N)) * (weights != 0)
    return Points(x, (x @ weights + rng.logistic(size=n) > 0).astype(np.int8))


@pytest.fixture(scope="module")
def texts():
    rng = np.random.default_rng(2008)
    general, domain = np.array([2.0, -1, 1, 1, 0, 0]), np.array([2.0, 1, 1, 1, 3, -3])
    return draw(rng, general, 3000), draw(rng, domain, 300), draw(rng, domain, 1000)


@pytest.fixture(scope="module")
def background(texts):
    return Toy.fit(texts[0])


def wrong(model, points):
    return int((model.tag(points) != points.tags).sum())


def test_it_is_adapted_to_the_optimum_of_any_prior_and_sigma2_is_searched(background, texts):
    model = adapt(background, texts[1], 0.5, tolerance=1e-12)
    _, gradient = Logistic(texts[1])(model.weights)
    assert gradient == pytest.approx((model.weights - background.weights) / 0.5, abs=1e-3)
    assert wrong(model, texts[2]) < wrong(background, texts[2])
    model = adapt(background, texts[1], sigma2_m=1e-9, sigma2_a=5.0)
    assert model.weights[:-2] == pytest.approx(background.weights[:-2], abs=1e-5)
    assert np.abs(model.weights[-2:]).min() > 0.1
    still = adapt(background, texts[1], alpha=20.0).weights == background.weights
    assert 0 < still.sum() < N
    best, tried = choose_sigma2(background, texts[1], texts[2])
    assert tried[best] == min(tried.values()) < wrong(background, texts[2])


def test_a_slider_moves_it_and_starts_are_warm(background, texts):
    tuning = Adaptation(background, texts[1], texts={"dev": texts[2]})
    for sigma2 in (0.1, 1.0, 0.4):
        alone = adapt(background, texts[1], sigma2, tolerance=1e-9)
        assert tuning.at(sigma2).wrong["dev"] == wrong(alone, texts[2])
    start = tuning.at(0.45).fit.steps[0].objective
    assert start > tuning.fit(0.45).steps[0].objective


@pytest.mark.parametrize(
    "name",
    ["map", "map-two-variances", "weighted", "augment", "auxiliary", "auxiliary-classes",
     "equal-weights", "mindiv-adapt-only", "map-exponential"],
)  # fmt: skip
def test_methods_learn_it(name, texts):
    options = {"sigma2": 5.0}
    sources = Sources(
        Split(*texts, options, Toy), train=lambda split, on_step: Toy.fit(split.background)
    )
    learned = learn(METHODS[name], sources, texts[2])
    assert learned.dev_wrong == wrong(learned.model, texts[2])
    assert learned.dev_wrong < wrong(sources.background, texts[2])
