"""Rows: the path of sigma^2 against cold fits of our own, by either of our ways."""

from contextlib import suppress
from functools import partial

from benchmarks.measure import Row, Target, timed
from workbench.adaptation.adaptation import Adaptation, adapt_by_cutoff
from workbench.learning.solvers.fit import maximise
from workbench.learning.warm_start import fill_order
from workbench.settings import SIGMA2_GRID

_TARGET = Target(">=", 8, "×")
_CLOSE = 1e-5  # of the optimum: where a settled answer stands


def path(bench):
    """Yield the rows: the fits alone, built before, at every cut-off."""
    grid = fill_order(SIGMA2_GRID[:: bench.sizes.grid_step])  # as the page fills its curve
    tuned = adapt_by_cutoff(bench.background, bench.domain["train"], {})
    laps = [_time_cutoff(bench, tuned[cutoff], grid) for cutoff in bench.sizes.cutoffs]
    mine, climbs, colds = zip(*laps, strict=True)
    note = (
        f"{len(grid)} values at each of {len(laps)} cut-offs, each beside those before; a run "
        "each; figure of the sums"
    )
    rivals = {"cold climbs of our own (L-BFGS)": climbs, "cold fits of our own (Newton)": colds}
    for rival, theirs in rivals.items():
        figure = sum(theirs) / sum(mine)
        yield Row("path of σ²", mine, theirs, "s", rival, figure, _TARGET, note)


def _time_cutoff(bench, adaptation, grid):
    """Seconds of the path, of climbs to within 1e-5 of where it ends, and of cold fits."""
    cold_fit = Adaptation(bench.background, bench.domain["train"], adaptation.problem.cutoff).fit
    cold_fit(1.0)  # compiled
    mine = climbs = colds = 0.0
    for sigma2 in grid:
        tuned, seconds = timed(partial(adaptation.at, sigma2))
        mine += seconds
        cold, seconds = timed(partial(cold_fit, sigma2))
        colds += seconds
        best = max(tuned.fit.objective, cold.objective)
        assert tuned.fit.objective >= best * (1 + _CLOSE), "the path fell short"
        climbs += _climb(adaptation, sigma2, best * (1 + _CLOSE))
    return mine, climbs, colds


def _climb(adaptation, sigma2, objective):
    """Seconds until L-BFGS, from the background's weights, reaches an objective."""
    prior, seconds, log_likelihood = adaptation.prior(sigma2), [], adaptation.problem.log_likelihood

    def stop_there(step):
        if step.objective >= objective:
            seconds.append(step.seconds)
            raise StopIteration

    with suppress(StopIteration):
        maximise(log_likelihood, prior, tolerance=0, max_steps=5000, on_step=stop_there)
    return seconds[0]
