"""The section of weights of a model of candidate sets: which moved most, how far all moved."""

import streamlit as st

from workbench.experiments.exploring.candidates.moved_weights import moved_weights
from workbench.experiments.movers import WEIGHT, name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views.sections import Section
from workbench.views.sections.weights import draw_weights
from workbench.views.typography import number_column

_COLUMNS = {
    "feature": st.column_config.TextColumn("feature", width=165),
    "adapted": st.column_config.NumberColumn("adapted", width=84),
    "background": st.column_config.NumberColumn("background", width=84, help="–: no such feature"),
    "change": st.column_config.NumberColumn("change", width=84, help="In nats"),
    "helped": number_column(
        "helped", "count", width=70, help="Sentences whose choice it helped to change"
    ),
    "sentences": number_column(
        "seen in", "count", width=70,
        help="Sentences of the adaptation data in which it tells candidates apart",
    ),
}  # fmt: skip


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the weights that moved most, and a histogram of how far all moved."""
    table = moved_weights(session, snapshot)
    names = [name_subset(WEIGHT, feature) for feature in table["feature"]]
    caption = "Select a row to see, above, the sentences whose choice it helped to change."
    draw_weights("table of moved weights", table, names, _COLUMNS, caption, snapshot)


SECTION = Section("weights", (TaskName.CANDIDATES,), draw)
