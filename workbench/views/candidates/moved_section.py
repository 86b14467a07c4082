"""The section of weights of a model of candidate sets: which moved most, how far all moved."""

from typing import Any

import streamlit as st

from workbench.charts.tables import describe_counts, draw_counts
from workbench.experiments.exploring.candidates.moved_weights import moved_weights
from workbench.experiments.movers import WEIGHT, count_moves, name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views.candidates import subset_table
from workbench.views.sections import Section
from workbench.views.typography import number_column, typeset

_NATS: list[Any] = ["adapted", "background", "change"]
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
    rows = table.assign(helped=table["positions"].map(len)).drop(columns="positions")
    subset_table.draw(
        "table of moved weights", rows.style.format(_signed, subset=_NATS), names, _COLUMNS,
        "The weights that adaptation moved most", height=420, placeholder="–",
    )  # fmt: skip
    st.caption("Select a row to see, above, the sentences whose choice it helped to change.")
    counts = count_moves(snapshot)
    st.altair_chart(draw_counts(counts), alt=describe_counts(counts))
    st.caption(describe_counts(counts))


def _signed(nats):
    return "–" if nats != nats else typeset(f"{nats:+.2f}")  # nan: no such feature


SECTION = Section("weights", (TaskName.CANDIDATES,), draw)
