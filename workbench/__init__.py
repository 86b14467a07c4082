"""A workbench for adapting capitalizers (Chelba & Acero, 2004).

The way of the data, one direction: text, features, scoring, inference, learning, models,
adaptation, evaluation, experiments, charts, views. What is meant for use in notebooks and
programs can be imported from here. The stub beside this file lists these names; a name's
module is loaded on first use, so that importing the package costs nothing.

>>> from workbench import MEMM, adapt, load
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.3.0"

_HOME_OF = {
    alias.name: statement.module
    for statement in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
    if isinstance(statement, ast.ImportFrom) and statement.module
    for alias in statement.names
}
__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
