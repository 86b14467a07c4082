"""The registry of solvers: names, and which of them takes which prior.

Each goes from what it works on, a prior and a start to a ``Fit``: L-BFGS and Newton's method
work on a log-likelihood, improved iterative scaling on the events themselves.
"""

from collections.abc import Callable, Sequence

from workbench.learning.solvers.fit import maximise
from workbench.learning.solvers.iis import scale_iteratively
from workbench.learning.solvers.newton import maximise_by_newton
from workbench.text.errors import InputError

SOLVERS: dict[str, Callable] = {
    "lbfgs": maximise,
    "newton": maximise_by_newton,
    "iis": scale_iteratively,
}


def finest_solver(prior: str, allowed: Sequence[str]) -> str:
    """Return the name of the solver that reaches the optimum the fastest; see ``find_solver``."""
    return "newton" if prior == "gaussian" and "newton" in allowed else "lbfgs"


def find_solver(solver: str, prior: str, allowed: Sequence[str] = tuple(SOLVERS)) -> Callable:
    """Return a solver, if it takes a kind of prior.

    Parameters
    ----------
    solver : {"lbfgs", "newton", "iis"}
    prior : {"gaussian", "exponential"}
        A name of ``PRIORS``.
    allowed : sequence of str
        The solvers that the kind of model has.

    Raises
    ------
    InputError
        If there is no such solver, or the prior has an edge at its mean and the solver is
        not lbfgs.
    """
    if solver not in allowed:
        raise InputError(f"solver {solver!r}: known are {', '.join(allowed)}")
    if solver != "lbfgs" and prior != "gaussian":
        raise InputError(f"solver {solver} takes a gaussian prior; {prior} is allowed with lbfgs")
    return SOLVERS[solver]
