"""The estimate of the steps that a fit still needs, on the objectives of recorded fits."""

import pytest

from workbench.learning.solvers.fit import TOLERANCE, Step
from workbench.learning.solvers.time_left import TimeLeft, TimeLeftEstimator, describe_progress

# Nats by step; the fits ended because they had converged.
CRF_OF_REUTERS = [
    -3721354, -1251389, -727433, -338386, -233952, -176195, -149219, -138192, -131300, -127633,
    -124266, -118217, -115585, -114259, -112069, -110693, -108307, -107890, -107416, -106650,
    -106236, -105964, -105266, -104544, -104053, -103677, -103529, -102908, -102314, -101814,
    -101569, -101392, -101210, -101075, -100931, -100733, -100541, -100391, -100212, -100094,
    -99915, -99787, -99619, -99515, -99404, -99344, -99198, -99078, -98951, -98843, -98719,
    -98616, -98547, -98431, -98388, -98332, -98255, -98184, -98118, -98060, -97996, -97953,
    -97904, -97869, -97821, -97789, -97755, -97718, -97690, -97659, -97633, -97608, -97580,
    -97549, -97525, -97506, -97494, -97477, -97461, -97443, -97424, -97406, -97389, -97378,
    -97366, -97355, -97342, -97327, -97311, -97302, -97294, -97288, -97277, -97268, -97262,
    -97249, -97240, -97231, -97225, -97218, -97208, -97201, -97195, -97190, -97182, -97175,
    -97168, -97163, -97159, -97154, -97150, -97142, -97137, -97132, -97129, -97124, -97120,
]  # fmt: skip
MEMM_OF_DOCSTRINGS = [
    -449923, -151047, -65810, -34587, -23087, -18573, -16291, -14638, -13921, -13429, -13101,
    -12225, -11612, -11158, -10902, -10723, -10631, -10585, -10478, -10335, -10271, -10178,
    -10126, -10089, -10051, -10015, -9988, -9949, -9930, -9913, -9891, -9874, -9857, -9841,
    -9828, -9818, -9808, -9801, -9794, -9783, -9776, -9770, -9765, -9760, -9755, -9749, -9746,
    -9743, -9739, -9737, -9733, -9730, -9728, -9726, -9723, -9722, -9720, -9718, -9717, -9714,
    -9713, -9712, -9711, -9709, -9708, -9707, -9706, -9705, -9703, -9702, -9701, -9700, -9699,
    -9698, -9697, -9696, -9695, -9694, -9694, -9693, -9693, -9692, -9692, -9691, -9691, -9690,
    -9690, -9689, -9689, -9688, -9688,
]  # fmt: skip
FITS = {"crf": CRF_OF_REUTERS, "memm": MEMM_OF_DOCSTRINGS}
SECONDS_A_STEP = 0.5


def estimates(objectives, seconds=SECONDS_A_STEP):
    """Estimate after each step of a fit."""
    estimator = TimeLeftEstimator()
    return [estimator.add(Step(i, x, 0.0, 1.0, i * seconds)) for i, x in enumerate(objectives)]


@pytest.mark.parametrize("name", FITS)
def test_from_step_30_on_it_is_right_to_a_factor_and_near_the_end_to_a_tenth(name):
    n_steps = len(FITS[name]) - 1
    for step, found in enumerate(estimates(FITS[name])[30:], 30):
        assert 1 / 1.6 < found.steps / n_steps < 1.6, step
    assert estimates(FITS[name])[-5].steps == pytest.approx(n_steps, rel=0.12)


def test_there_is_no_estimate_before_enough_is_known_and_each_fit_begins_afresh():
    found = estimates(CRF_OF_REUTERS)
    assert found[:15] == [None] * 15
    assert found[25] is not None
    once = estimates(MEMM_OF_DOCSTRINGS)
    estimator = TimeLeftEstimator()
    for objectives in (CRF_OF_REUTERS, MEMM_OF_DOCSTRINGS):
        found = [estimator.add(Step(i, x, 0.0, 1.0, i / 2)) for i, x in enumerate(objectives)]
    assert found == once


def test_a_law_that_holds_exactly_is_found_exactly():
    objectives = [-1000.0]
    for i in range(1, 100):
        base = objectives[max(i - 10, 0)]
        objectives.append(base * (1 - 10 / i**2) if i >= 10 else base)
    expected = (10 / TOLERANCE) ** 0.5
    assert estimates(objectives)[90].steps == pytest.approx(expected, rel=0.02)


def test_seconds_are_those_of_the_steps_left_of_which_there_is_always_one():
    found = estimates(MEMM_OF_DOCSTRINGS)[60]
    assert found.seconds == pytest.approx((found.steps - 60) * SECONDS_A_STEP, abs=SECONDS_A_STEP)
    later = [*MEMM_OF_DOCSTRINGS, *[MEMM_OF_DOCSTRINGS[-1] + i for i in range(1, 40)]]
    for step, found in enumerate(estimates(later)[25:], 25):
        assert found.steps > step
        assert found.seconds > 0


@pytest.mark.parametrize("objectives", [[-5.0] * 40, [0.0] * 40, [-5.0, -9.0] * 20])
def test_a_fit_that_gains_nothing_has_no_estimate_and_no_error(objectives):
    assert estimates(objectives)[-1] is None


@pytest.mark.parametrize(
    ("iteration", "left", "said"),
    [
        (7, None, "step 7"),
        (40, TimeLeft(118, 61.2), "step 40 of about 120, about 65 s left"),
        (118, TimeLeft(119, 0.4), "step 118 of about 120, a few seconds left"),
        (80, TimeLeft(118, 20.0), "step 80 of about 120, about 20 s left"),
        (30, TimeLeft(121, 170.0), "step 30 of about 130, about 3 min left"),
    ],
)
def test_it_is_said_in_round_numbers(iteration, left, said):
    assert describe_progress(iteration, left) == said
