"""sigma^2 without development data: the evidence for it, by Laplace's approximation.

log p(data | sigma^2) = L(w) - |w - mean|^2 / (2 sigma^2) - log det(1 + sigma^2 H) / 2 nats, at the
weights w that are best for sigma^2, where H is the Hessian of -L. The first part grows with
sigma^2, the last one falls: it counts the directions in which the data let the weights move.
"""

import numpy as np

from benchmarks.studies.log_determinant import Estimate, estimate_log_determinant
from workbench.adaptation.adaptation import Adaptation
from workbench.experiments.search import OnTried, search_sigma2

_N_PROBES, _N_STEPS = 4, 25


def log_evidence(adaptation: Adaptation, sigma2: float) -> Estimate:
    """Return the log evidence of the adaptation data for a sigma^2, nats, and its standard error.

    Source
    ------
    MacKay (1992), *A Practical Bayesian Framework for Backpropagation Networks*; the determinant
    by ``estimate_log_determinant``.
    """
    fit = adaptation.at(sigma2).fit
    _, _, hessian = adaptation.problem.log_likelihood.expand(fit.weights)
    last = estimate_log_determinant(
        lambda vector: vector + sigma2 * (hessian @ vector), 1 + sigma2 * hessian.diagonal,
        _N_PROBES, _N_STEPS, seed=0,
    )  # fmt: skip
    distance = float(np.sum((fit.weights - adaptation.problem.mean) ** 2))
    value = fit.log_likelihood - distance / (2 * sigma2) - last.value / 2
    return Estimate(value, last.error / 2)


def choose_by_evidence(
    adaptation: Adaptation, on_try: OnTried = None
) -> tuple[float, dict[float, float]]:
    """Return the sigma^2 with the highest evidence, and the nats against each that was tried."""
    return search_sigma2(lambda sigma2: -log_evidence(adaptation, sigma2).value, on_try)
