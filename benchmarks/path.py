"""Row: the path of sigma^2 against cold fits of our own."""

from functools import partial

from benchmarks.measure import Row, Target, timed
from workbench.adaptation.map import MapAdaptation
from workbench.experiments.session import SIGMA2_GRID
from workbench.experiments.tuning import Tuning

_TOLERANCE = 1e-6
_TARGET = Target(">=", 8, "×")


def path(bench):
    """Yield the row: the fits alone, built before, at every cut-off; the same tolerance."""
    grid = _coarse_first(bench.sizes.grid_step)
    laps = [_time_cutoff(bench, cutoff, grid) for cutoff in bench.sizes.cutoffs]
    mine, theirs = zip(*laps, strict=True)
    note = f"{len(grid)} values at each of {len(laps)} cut-offs, a run each; figure of the sums"
    yield Row(
        "path of σ²", mine, theirs, "s", "cold fits of our own", sum(theirs) / sum(mine),
        _TARGET, note,
    )  # fmt: skip


def _coarse_first(every):
    """The slider's values in the order in which the page fills its curve."""
    places = [k for step in (8, 4, 2, 1) for k in range(0, len(SIGMA2_GRID), step * every)]
    return [SIGMA2_GRID[k] for k in dict.fromkeys(places)]


def _time_cutoff(bench, cutoff, grid):
    """Seconds of the path and of cold fits; a path that ends elsewhere is refused."""
    adaptation = bench.domain["train"]
    tuning = Tuning(bench.background, adaptation, {}, cutoff, _TOLERANCE)
    problem = MapAdaptation(bench.background, adaptation, cutoff)
    problem.fit(1.0, tolerance=1)  # compiled
    mine = theirs = 0.0
    for sigma2 in grid:
        tuned, seconds = timed(partial(tuning.at, sigma2))
        mine += seconds
        cold, seconds = timed(partial(problem.fit, sigma2, tolerance=_TOLERANCE))
        theirs += seconds
        assert tuned.fit.objective >= cold.objective * (1 + 1e-5), "the path fell short"
    return mine, theirs
