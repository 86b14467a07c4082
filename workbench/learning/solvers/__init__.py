"""The solvers by name, each in the same form: from a problem and a prior to a ``Fit``."""

from functools import partial

from workbench.learning.solvers.fit import maximise
from workbench.learning.solvers.iis import scale_iteratively
from workbench.learning.solvers.newton import solve
from workbench.text.errors import InputError


def _climb(likelihood, events, firing, features):
    return partial(maximise, likelihood(events, firing, features))


def _go_to_the_end(likelihood, events, firing, features):
    return partial(solve, likelihood(events, firing, features))


def _scale(likelihood, events, firing, features):
    return partial(scale_iteratively, events, firing, features)


FINE = 1e-6  # tolerance of L-BFGS where it is to go to the end
SOLVERS = {"lbfgs": _climb, "newton": _go_to_the_end, "iis": _scale}


def finest_solver(prior, allowed):
    """Name of the solver that goes to the very end the fastest; arguments as of ``find_solver``."""
    return "newton" if prior == "gaussian" and "newton" in allowed else "lbfgs"


def go_to_the_end(log_likelihood, prior, start, allowed):
    """Return the ``Fit`` of the finest solver; arguments as of ``solve`` and ``find_solver``."""
    if finest_solver(prior.name, allowed) == "newton":
        return solve(log_likelihood, prior, start)
    return maximise(log_likelihood, prior, start, tolerance=FINE)


def find_solver(solver, prior, allowed=tuple(SOLVERS)):
    """Return a solver that can do with a kind of prior.

    Parameters
    ----------
    solver : {"lbfgs", "newton", "iis"}
    prior : {"gaussian", "exponential"}
        A name of ``PRIORS``.
    allowed : tuple of str
        The solvers that the kind of model has.

    Returns
    -------
    pose : callable
        From (likelihood, events, firing, features), the kind of log-likelihood and then as
        of ``scale_iteratively``, to what goes from (prior, start, options by name) to a
        ``Fit``; options are those of that function, of ``maximise`` or of ``solve``. The
        events need not be there any longer, and their memory can be had.

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
