"""The solvers by name, each in the same form: from a problem and a prior to a ``Fit``."""

from workbench.learning.iis import scale_iteratively
from workbench.learning.newton import solve
from workbench.learning.objective import LogLikelihood
from workbench.learning.solvers import maximise
from workbench.text.errors import InputError


def _climb(events, firing, features, prior, start=None, **options):
    return maximise(LogLikelihood(events, firing, features), prior, start, **options)


def _go_to_the_end(events, firing, features, prior, start=None, **options):
    return solve(LogLikelihood(events, firing, features), prior, start, **options)


SOLVERS = {"lbfgs": _climb, "newton": _go_to_the_end, "iis": scale_iteratively}

TO_THE_END = {"gaussian": "newton", "exponential": "lbfgs"}  # the fastest, by prior


def find_solver(solver, prior):
    """Return a solver that can do with a kind of prior.

    Parameters
    ----------
    solver : {"lbfgs", "newton", "iis"}
    prior : {"gaussian", "exponential"}
        A name of ``PRIORS``.

    Returns
    -------
    solve : callable
        From (events, firing, features, prior, start, options by name) to a ``Fit``, as
        ``scale_iteratively``; options are those of it, of ``maximise`` or of ``solve``.

    Raises
    ------
    InputError
        If there is no such solver, or the prior has an edge at its mean and the solver is
        not lbfgs.
    """
    if solver not in SOLVERS:
        raise InputError(f"solver {solver!r}: known are {', '.join(SOLVERS)}")
    if solver != "lbfgs" and prior != "gaussian":
        raise InputError(f"solver {solver} takes a gaussian prior; {prior} is allowed with lbfgs")
    return SOLVERS[solver]
