"""What the views Compare and Papers say of candidate sets: the command that does it."""

import shlex

import streamlit as st

from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views import cache


def is_elsewhere(settings: Settings) -> bool:
    """Return whether the texts are candidate sets, which these views do not take."""
    return cache.task_of(settings.background) is TaskName.CANDIDATES


def draw_compare(settings: Settings) -> None:
    """Draw the command that compares the methods of adaptation."""
    _draw("Methods are compared", settings, "compare", "--dev", settings.domain)


def draw_tables(settings: Settings) -> None:
    """Draw the command that makes the tables of Plank & van Noord (2008)."""
    _draw("The tables of Plank & van Noord (2008) are made", settings, "tables")


def _draw(deed, settings, command, *more):
    words = ["python", "-m", "workbench", command, "--background", settings.background,
             "--adapt", settings.domain, *more]  # fmt: skip
    if "/" in settings.background:
        st.caption(f"{deed} on candidate sets by the command line; the view Tune takes them, too.")
        st.code(shlex.join(words), "bash", wrap_lines=True)
    else:
        st.caption(
            "This view is for texts; of recasings of the embedded text the view Tune alone shows "
            "what adaptation does. Of candidate sets in a folder the command line has more."
        )
