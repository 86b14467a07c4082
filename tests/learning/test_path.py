"""The optimum at one sigma^2 predicted from others."""

import math

import numpy as np
import pytest

from workbench.learning.solvers.fit import Fit
from workbench.learning.warm_start import (
    WarmStarts,
    fill_order,
    predict_from_neighbour,
    predict_weights,
)


def curve(sigma2, degree):
    """Weights that are polynomials in log sigma^2."""
    return np.array([math.log(sigma2) ** power for power in range(degree + 1)])


def known(values, degree):
    return {value: curve(value, degree) for value in values}


def test_weights_are_predicted_by_a_curve_through_the_points_that_are_near():
    predicted = predict_weights(known([0.1, 0.5, 1.0, 3.0], 3), 0.7)
    assert predicted == pytest.approx(curve(0.7, 3))
    predicted = predict_weights(known([0.5, 0.8, 1.2], 2), 1.5)
    assert predicted == pytest.approx(curve(1.5, 2))
    points = known([1.0, 1.01], 2)
    assert np.array_equal(predict_weights(points, 1.2), points[1.01])
    points = known([1.0], 2)
    predicted = predict_weights(points, 5.0)
    assert np.array_equal(predicted, points[1.0])
    predicted += 1
    assert np.array_equal(points[1.0], curve(1.0, 2))
    points = known([0.1, 0.5, 1.0, 3.0, 9.0], 4)
    assert predict_weights(points, 1.0) == pytest.approx(points[1.0])


def test_the_path_is_filled_every_second_value_first_outward_from_what_is_known():
    assert fill_order([1.0, 2.0, 4.0, 8.0, 16.0]) == [1.0, 4.0, 16.0, 2.0, 8.0]
    values = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
    assert fill_order(values, {5.0}) == [4.0, 16.0, 1.0, 8.0, 2.0, 32.0]
    assert fill_order(values, {4.0, 20.0}) == [16.0, 1.0, 32.0, 8.0, 2.0]


@pytest.mark.parametrize("sigma2", [3.0, 100.0, 0.01])
def test_far_beyond_the_nearest_point_is_taken(sigma2):
    points = known([0.5, 0.8, 1.2], 2)
    nearest = 1.2 if sigma2 > 1 else 0.5
    assert np.array_equal(predict_weights(points, sigma2), points[nearest])


# --- beside another problem ---------------------------------------------------------------


def apart(sigma2):
    """What sets another problem apart: a line, where both are of degree 6."""
    return np.arange(7) * (1 + math.log(sigma2))


def double_of(values):
    """Points of another problem, whose weights are twice as large."""
    return {value: 2 * (curve(value, 6) - apart(value)) for value in values}


def halve(weights):
    return weights / 2


def test_problems_apart_are_predicted_by_what_sets_them_apart_as_far_as_it_is_known():
    own, others = known([0.5, 0.8, 1.2], 6), double_of([0.5, 0.8, 1.2, 1.5])
    assert predict_weights(own, 1.5) != pytest.approx(curve(1.5, 6), rel=1e-3)
    assert predict_from_neighbour(own, others, halve, 1.5) == pytest.approx(curve(1.5, 6))
    predicted = predict_from_neighbour({}, double_of([0.5, 1.5]), halve, 1.5)
    assert predicted == pytest.approx(curve(1.5, 6) - apart(1.5))
    own, others = known([0.8], 6), double_of([0.5, 1.5])
    predicted = predict_from_neighbour(own, others, halve, 1.5)
    moved = halve(others[1.5] - predict_weights(others, 0.8))
    assert predicted == pytest.approx(own[0.8] + moved)
    own, others = known([0.01], 6), double_of([10.0, 12.0])
    predicted = predict_from_neighbour(own, others, halve, 11.0)
    assert predicted == pytest.approx(halve(predict_weights(others, 11.0)))


@pytest.mark.parametrize("others", [[1.0], [0.9, 4.0]])
def test_ones_own_point_as_near_comes_first(others):
    own = known([1.0], 6)
    predicted = predict_from_neighbour(own, double_of(others), halve, 1.1)
    assert np.array_equal(predicted, own[1.0])


# --- warm starts --------------------------------------------------------------------------


def test_a_point_is_fitted_once_and_begins_where_its_hyper_parameters_point():
    asked, starts = [], WarmStarts()
    solve = lambda start: asked.append(start) or Fit(np.ones(2), [], True)  # noqa: E731
    assert starts.fit(solve, a=1, b=2) is starts.fit(solve, a=1.0, b=2.0)
    assert asked == [None]
    starts = WarmStarts()
    for a in (1.0, 10.0):
        starts.fits[("a", a), ("b", 1.0)] = Fit(np.array([np.log(a)]), [], True)
    assert starts.predict(a=3.0) is None
    assert starts.predict(a=3.0, b=1.0) == pytest.approx([np.log(3.0)])
    assert starts.predict(a=11.0, b=50.0) == pytest.approx([np.log(10.0)])
