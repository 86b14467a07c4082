"""How many steps and seconds a fit still needs, estimated from how its gain shrinks."""

from math import exp, log
from typing import NamedTuple

from workbench.learning.solvers.fit import TOLERANCE, WINDOW, Step

_FEWEST = 5  # gains before there is an estimate
_SKIPPED = 5  # steps at the beginning, which gain far more than the law of those after them says
_RECENT = 60  # gains that the line is drawn through: fits pause, where fewer mislead
_MOST = 500  # steps: the limit of ``maximise``
_WEIGHT = 0.2  # of a new estimate in the running mean


class TimeLeft(NamedTuple):
    """An estimate: steps in all, and seconds from now."""

    steps: int
    seconds: float


class TimeLeftEstimator:
    """Estimates when ``maximise`` will find its objective flat, from its steps so far.

    The fit ends when ten steps together gain less than the tolerance, a fraction of the
    objective. This gain falls about as a power of the step, so a line through the last ones, both
    in logarithms, tells at which step it meets the tolerance. A running mean keeps the estimate
    calm. On fits of four backgrounds it was wrong by a factor of 1.5 at most from step 30 on.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._total: float | None = None  # logarithm of the steps in all

    def add(self, step: Step) -> TimeLeft | None:
        """Return the estimate after a further step; None while there is too little to go by.

        Step 0 begins another fit.
        """
        if step.iteration == 0:
            self._steps, self._total = [], None
        self._steps.append(step)
        found = self._meeting_point(self._gains())
        if found is not None:
            last = found if self._total is None else self._total
            self._total = last + _WEIGHT * (found - last)
        if self._total is None:
            return None
        self._total = max(self._total, log(step.iteration + 1))
        total = exp(self._total)
        return TimeLeft(round(total), (total - step.iteration) * self._seconds_a_step())

    def _gains(self):
        """Return logarithms of a step and of the share of the objective that ten steps gained."""
        gains = []
        for i in range(max(WINDOW + _SKIPPED, len(self._steps) - _RECENT), len(self._steps)):
            before, after = (self._steps[at].objective for at in (i - WINDOW, i))
            if after > before and after:
                gains.append((log(i), log((after - before) / abs(after))))
        return gains

    def _meeting_point(self, gains):
        """Return the logarithm of the step where a line through the gains meets the tolerance."""
        if len(gains) < _FEWEST:
            return None
        x_mean, y_mean = (sum(values) / len(gains) for values in zip(*gains, strict=True))
        spread = sum((x - x_mean) ** 2 for x, _ in gains)
        slope = sum((x - x_mean) * (y - y_mean) for x, y in gains) / spread
        if slope >= 0:
            return None
        return min(x_mean + (log(TOLERANCE) - y_mean) / slope, log(_MOST))

    def _seconds_a_step(self):
        first, last = self._steps[-WINDOW - 1 :][0], self._steps[-1]
        return (last.seconds - first.seconds) / max(last.iteration - first.iteration, 1)


def describe_progress(iteration: int, left: TimeLeft | None) -> str:
    """Return a step and, where there is an estimate, how many there will be and the time left.

    >>> describe_progress(40, TimeLeft(118, 61.2))
    'step 40 of about 120, about 65 s left'
    """
    if left is None:
        return f"step {iteration}"
    return f"step {iteration} of about {-(-left.steps // 10) * 10}, {_duration(left.seconds)} left"


def _duration(seconds):
    if seconds < 5:
        return "a few seconds"
    if seconds < 90:
        return f"about {-(-seconds // 5) * 5:.0f} s"
    return f"about {seconds / 60:.0f} min"
