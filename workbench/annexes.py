"""Annexes: folders of this package that may be left out, and what they add to tables of the house.

An annex is a folder with a module ``joins``. For each table of the house that it adds to, this
module has a dict of the table's name in capitals; the file that reads the table says what an entry
is::

    COMMANDS  a command; OPTIONS: those of a command, and who takes it over: cli/main.py
    RUNNERS   what runs the tasks of a study, by option: experiments/task_runner.py
    ENDS      the task of a file, by the end of its name: text/sets/registry.py
    TASKS     what is said of a task: evaluation/task.py
    KINDS     a kind of model: models/kinds.py
    AXES      the methods for a kind of model, and their axes: adaptation/method.py
    TABLES    the papers' tables that a task has: experiments/papers/tables.py
    PAYLOADS  what the browser is told of a task's decisions: scrub/slider.py
    SCRIPTS   a module and a sheet for the browser, their path from scrub/ without the end of the
              names, .js and .css: scrub/bundle.py
    PAGES     what the page makes of a task's texts: views/texts.py
    SECTIONS  a section below the text: views/sections/

An entry "module:name" is loaded when it is asked for, so that what needs no annex imports no more
than these small modules. Nothing of the house imports an annex.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

_IMPORTING = RLock()


def import_alone(name: str) -> ModuleType:
    """Import a module while no other thread does.

    Where a package imports its own parts, and of two threads one imports the package, the other a
    part of it, Python gives one of them a half-made module.
    """
    with _IMPORTING:
        return import_module(name)


@cache
def _joins() -> list[ModuleType]:
    folders = sorted(path.parent.name for path in Path(__file__).parent.glob("*/joins.py"))
    return [import_alone(f"workbench.{folder}.joins") for folder in folders]


def added(table: str) -> dict[str, Any]:
    """Return the entries that all annexes add to a table of the house, by name."""
    return {name: entry for joins in _joins() for name, entry in getattr(joins, table, {}).items()}


def find(table: str, name: str) -> Any:
    """Return what the entry of a name stands for; None if no annex has it."""
    entry = added(table).get(name)
    return None if entry is None else load(entry)


def added_to(table: str, name: str) -> list[Any]:
    """Return what each annex has under a name, of those that have it."""
    tables = (getattr(joins, table, {}) for joins in _joins())
    return [entries[name] for entries in tables if name in entries]


def load(entry: str) -> Any:
    """Return what an entry "module:name" stands for."""
    module, _, name = entry.partition(":")
    return getattr(import_alone(module), name)
