"""The Gaussian prior."""

import numpy as np
import oracles
import pytest

from workbench.learning.prior import GaussianPrior, check_positive
from workbench.text.errors import InputError

MEANS = {"zero mean": np.zeros(4), "background mean": np.array([1.5, -2.0, 0.0, 30.0])}
VARIANCES = {"one variance": 0.7, "a variance for each": np.array([0.01, 1.0, 5.0, 1e4])}


@pytest.fixture(params=MEANS.values(), ids=MEANS)
def mean(request):
    return request.param


@pytest.fixture(params=VARIANCES.values(), ids=VARIANCES)
def prior(request, mean):
    return GaussianPrior(mean, request.param)


def test_the_penalty_is_that_of_equation_3_with_its_gradient_and_zero_at_the_mean(prior, rng):
    assert prior.penalty(prior.mean)[0] == 0
    assert not prior.penalty(prior.mean)[1].any()
    weights = rng.normal(size=4)
    variances = np.broadcast_to(prior.sigma2, 4)
    terms = zip(weights, prior.mean, variances, strict=True)
    summed = sum((w - m) ** 2 / (2 * s) for w, m, s in terms)
    assert prior.penalty(weights)[0] == pytest.approx(summed, rel=1e-14)  # rounding only
    slopes = oracles.central_differences(lambda w: prior.penalty(w)[0], weights)
    # Differences of a cost near 5e4, 2e-5 apart, lose eleven digits of sixteen.
    assert prior.penalty(weights)[1] == pytest.approx(slopes, rel=1e-6, abs=1e-5)


def test_sigma2_is_the_variance_and_not_its_root():
    assert GaussianPrior(np.zeros(1), 4.0).penalty(np.array([2.0]))[0] == 0.5


@pytest.mark.parametrize("sigma2", [0, -1, 0.0, np.nan, np.inf, -np.inf, "wide", "", None, [1, 2]])
def test_a_variance_that_is_not_positive_and_finite_is_refused(sigma2):
    with pytest.raises(InputError, match="greater than 0"):
        check_positive(sigma2)


@pytest.mark.parametrize("sigma2", [5, 0.01, 1e-9, 1e9, np.float32(0.5), "2.5"])
def test_a_positive_number_is_a_variance(sigma2):
    assert check_positive(sigma2) == float(sigma2)
