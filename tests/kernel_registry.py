"""Which arguments each compiled function is tried with: ``kernel_cases_*.py`` fill the table."""

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path

import numpy as np

FOLDERS = ("workbench.numerics", "workbench.inference")  # of all kernels
CASES = []  # of (kernel, plain form, function from (rng, n, n_tags) to arguments)


def case(kernel: Callable, plain: Callable | None = None) -> Callable:
    """Decorate a function that returns a list of arguments for a compiled function.

    Its own arguments are ``rng``; ``n``, how many words or numbers, 0 and 1 among them; and
    ``n_tags``, from 1. A kernel may have several cases. What it is compared with, in what it
    returns and in what it leaves in its arguments, is ``plain``, by default the Python that
    it was compiled from.
    """

    def register(make_arguments: Callable) -> Callable:
        CASES.append((kernel, plain or kernel.py_func, make_arguments))
        return make_arguments

    return register


def load_cases() -> list:
    """Return ``CASES`` once all tables have been read."""
    for path in sorted(Path(__file__).parent.glob("kernel_cases_*.py")):
        importlib.import_module(path.stem)
    return CASES


def find_kernels() -> dict:
    """Return all compiled functions of the ``FOLDERS`` by the full names of their homes."""
    found = {}
    for folder in map(importlib.import_module, FOLDERS):
        for info in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            for each in vars(importlib.import_module(info.name)).values():
                if hasattr(each, "py_func"):
                    found[f"{each.py_func.__module__}.{each.py_func.__name__}"] = each
    return found


def flatten(outcome: object) -> np.ndarray:
    """Return all numbers of nested tuples and lists of arrays in a row; None has none."""
    if isinstance(outcome, tuple | list):
        return np.concatenate([np.zeros(0), *map(flatten, outcome)])
    return np.zeros(0) if outcome is None else np.ravel(np.asarray(outcome, float))
