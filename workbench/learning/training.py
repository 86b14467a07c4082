"""The solvers by name, each in the same form: from a problem and a prior to a ``Fit``."""

from workbench.learning.iis import scale_iteratively
from workbench.learning.objective import LogLikelihood
from workbench.learning.solvers import maximise
from workbench.text.errors import InputError


def _climb(events, firing, features, prior, start=None, **options):
    return maximise(LogLikelihood(events, firing, features), prior, start, **options)


SOLVERS = {"lbfgs": _climb, "iis": scale_iteratively}


def find_solver(solver, prior):
    """Return a solver that can do with a kind of prior.

    Parameters
    ----------
    solver : {"lbfgs", "iis"}
    prior : {"gaussian", "exponential"}
        A name of ``PRIORS``.

    Returns
    -------
    solve : callable
        From (events, firing, features, prior, start, options by name) to a ``Fit``, as
        ``scale_iteratively``; options are those of it or of ``maximise``.

    Raises
    ------
    InputError
        If there is no such solver, or it is iis, whose updates take a Gaussian prior alone.
    """
    if solver not in SOLVERS:
        raise InputError(f"solver {solver!r}: known are {', '.join(SOLVERS)}")
    if solver == "iis" and prior != "gaussian":
        raise InputError(f"solver iis takes a gaussian prior; {prior} is allowed with lbfgs")
    return SOLVERS[solver]
