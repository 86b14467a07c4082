"""The section of weights of a model of candidate sets: which moved most, how far all moved."""

from typing import Any

import streamlit as st

from workbench.charts.tables import describe_counts, draw_counts
from workbench.experiments.exploring.candidates.moved_weights import moved_weights
from workbench.experiments.movers import WEIGHT, count_moves, name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views.sections import Section
from workbench.views.typography import number_column, typeset

_KEY = "table of moved weights"
_NAMES = "moved weights shown"
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
    st.session_state[_NAMES] = [name_subset(WEIGHT, feature) for feature in table["feature"]]
    rows = table.assign(helped=table["positions"].map(len)).drop(columns="positions")
    st.dataframe(
        rows.style.format(_signed, subset=_NATS), hide_index=True, column_config=_COLUMNS,
        column_order=list(_COLUMNS), height=420, placeholder="–", key=_KEY, on_select=_choose,
        selection_mode="single-row", alt="The weights that adaptation moved most",
    )  # fmt: skip
    st.caption("Select a row to see, above, the sentences whose choice it helped to change.")
    counts = count_moves(snapshot)
    st.altair_chart(draw_counts(counts), alt=describe_counts(counts))
    st.caption(describe_counts(counts))


def _choose():
    chosen = st.session_state[_KEY]["selection"]["rows"]
    st.session_state["slice"] = st.session_state[_NAMES][chosen[0]] if chosen else ""


def _signed(nats):
    return "–" if nats != nats else typeset(f"{nats:+.2f}")  # nan: no such feature


SECTION = Section("weights", (TaskName.CANDIDATES,), draw)
