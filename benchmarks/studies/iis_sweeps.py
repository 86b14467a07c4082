"""Is the error insensitive to the number of IIS sweeps, as the paper says: sweeps × sigma^2."""

import warnings
from collections.abc import Iterator

import numpy as np

from workbench.adaptation.adaptation import Adaptation
from workbench.experiments.papers.study import Study, compare_errors
from workbench.experiments.papers.tables import make_spec
from workbench.learning.solvers.fit import Fit, NotConverged

SIGMA2S = (0.1, 1.0, 10.0, 100.0)
SWEEPS = (1, 5, 20, 60)  # each goes on where the one before ends


def make_sweeps(study: Study) -> list[dict]:
    """Return log-likelihood and errors after some sweeps of improved iterative scaling.

    On the first domain's dev text, with all features; the last row of each sigma^2 is the optimum.
    """
    domain = next(iter(study.domains))
    adaptation = study.adaptation(domain)
    return [row for sigma2 in SIGMA2S for row in _rows_of(study, domain, adaptation, sigma2)]


def _rows_of(study, domain, adaptation, sigma2):
    dev = study.domains[domain]["dev"]
    best = study.adaptation(domain).at(sigma2)
    optimal = best.tags["dev"] != dev.tags
    for n, fit in _scale(study, adaptation, sigma2):
        wrong = adaptation.model(fit, sigma2, solver="iis").tag(dev) != dev.tags
        row = {"sigma2": sigma2, "sweeps": str(n), "log_likelihood": fit.log_likelihood}
        row |= {"error": float(wrong.mean()), **compare_errors(dev, optimal, wrong)}
        yield row
    yield {"sigma2": sigma2, "sweeps": "optimum", "log_likelihood": best.fit.log_likelihood,
           "error": float(optimal.mean())}  # fmt: skip


def _scale(study: Study, adaptation: Adaptation, sigma2: float) -> Iterator[tuple[int, Fit]]:
    """Yield the number of sweeps and the fit after it."""
    start: np.ndarray | None = None
    for n, further in zip(SWEEPS, np.diff(SWEEPS, prepend=0).tolist(), strict=True):
        study.report(f"IIS, sigma2 {sigma2:g}, {n} sweeps")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)  # to stop early is the point
            fit = adaptation.fit(sigma2, start=start, solver="iis", max_sweeps=further)
        start = fit.weights
        yield n, fit


SPEC = make_spec(
    "iis", "CA04", "beside figure 1", "errors by sweeps of improved iterative scaling and sigma2",
    make_sweeps,
    ("sigma2", "sigma2", "number"), ("sweeps", "sweeps"),
    ("log_likelihood", "log-likelihood, nats", "nats"), ("error", "dev", "rate"),
    ("change", "against the optimum", "change"), ("p", "p (McNemar)", "chance"),
)  # fmt: skip
