"""The sections below the text: one at a time, so that the others cost nothing.

A new section is a file here, found by being here, whose ``SECTION`` says the name, which tasks have
it and what draws it. ``SECTIONS`` in ``settings`` has the name, too: the order, and what links say.
An annex has more of them in a table ``SECTIONS``, by name.
"""

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from pkgutil import iter_modules
from typing import NamedTuple

import streamlit as st

from workbench.annexes import added, import_alone, load
from workbench.experiments.session import Session, Snapshot
from workbench.settings import SECTIONS, Settings
from workbench.text.tasks import TaskName
from workbench.views import controls

OF_WORDS = tuple(TaskName)


class Section(NamedTuple):
    """A section: its name, the tasks that have it, None for all, and what draws it."""

    name: str
    tasks: tuple[str, ...] | None
    draw: Callable[[Settings, Session, Snapshot], None]
    is_silent: bool = False  # it tells nothing of what a lesson that is open asks


@cache
def sections_of(task: str) -> dict[str, Section]:
    """Return the sections of a task by name, in their order on the page."""
    modules = [import_alone(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    here = [module.SECTION for module in modules if hasattr(module, "SECTION")]
    here += map(load, added("SECTIONS").values())
    own = {s.name: s for s in here if s.tasks is None or task in s.tasks}
    return {name: own[name] for name in SECTIONS if name in own}


def draw(settings: Settings, session: Session, snapshot: Snapshot, is_hidden: bool) -> None:
    """Draw the choice of a section, and the chosen one unless it is to be hidden."""
    own = sections_of(session.task.name)
    with st.container(key="below"):
        chosen = controls.choose("section", [*own], st.segmented_control)
        # What another section drew goes at once. Tables measure their type when they are made: in
        # a lecture a frame of their own makes them anew.
        places = [st.container() if name == chosen else st.empty() for name in own]
        with places[[*own].index(chosen)], st.container() if settings.lecture else nullcontext():
            if is_hidden and not own[chosen].is_silent:
                st.caption("Hidden while it would tell what the lesson asks.")
            else:
                own[chosen].draw(settings, session, snapshot)
