"""A workbench for adapting capitalizers (Chelba & Acero, 2004).

The way of the data, one direction: text, features, inference, learning, models,
adaptation, evaluation, experiments, charts, views. What is meant for use in notebooks and
programs can be imported from here. The stub beside this file lists these names, and that of an
annex its own; a name's module is loaded on first use, so that importing the package costs nothing.

>>> from workbench import MEMM, adapt, load
"""

from importlib import import_module

__version__ = "0.3.0"
_home_of: dict[str, str] = {}  # the module of each name


def _read_stub():
    import ast  # with all else that takes time, only once a name is asked for
    from pathlib import Path

    for stub in (Path(__file__).with_suffix(".pyi"), *Path(__file__).parent.glob("*/__init__.pyi")):
        for statement in ast.parse(stub.read_text("utf-8")).body:
            if isinstance(statement, ast.ImportFrom) and statement.module:
                names = (alias.name for alias in statement.names if alias.name != "*")
                _home_of.update(dict.fromkeys(names, statement.module))


def __getattr__(name: str) -> object:
    if not _home_of:
        _read_stub()
    if name == "__all__":
        return sorted(_home_of)
    if name not in _home_of:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    return getattr(import_module(_home_of[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
