"""What the view Papers says of candidate sets, which it does not take: the command that does it."""

import shlex

import streamlit as st

from workbench.experiments.exploring.candidates.candidate_sources import is_recased
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views import cache
from workbench.views.sources import own_sets


def is_elsewhere(settings: Settings) -> bool:
    """Return whether the texts are candidate sets."""
    return cache.task_of(settings.background) is TaskName.CANDIDATES


def draw_tables(settings: Settings) -> None:
    """Draw the command that makes the tables of Plank & van Noord (2008)."""
    texts = settings.background, settings.domain
    if not any(own_sets.find(name) or is_recased(name) for name in texts):
        st.caption(
            "The tables of Plank & van Noord (2008) are made on candidate sets by the command "
            "line, because their cross-validation takes many minutes."
        )
        words = ["python", "-m", "workbench", "tables", "--background", settings.background,
                 "--adapt", settings.domain]  # fmt: skip
        st.code(shlex.join(words), "bash", wrap_lines=True)
    else:
        st.caption(
            "The papers' tables are of texts and of parses: of recasings and of sets of your own "
            "the views Tune and Compare show what adaptation does."
        )
