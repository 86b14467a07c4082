"""The section of weights: which moved most, how far all moved, and which words they changed."""

from math import isnan
from typing import Any

import streamlit as st

from workbench.charts.tables import describe_counts, draw_counts
from workbench.experiments.movers import WEIGHT, count_moves, movers, name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.views.sections import OF_WORDS, Section
from workbench.views.typography import number_column, typeset

_KEY = "table of weights"
_NAMES = "weights shown"
_NATS: list[Any] = ["adapted", "background", "change"]
# What a narrow screen must show comes first.
_COLUMNS = {
    "words": st.column_config.TextColumn("because of", width=190),
    "tag": st.column_config.TextColumn("tag", width=55),
    "adapted": st.column_config.NumberColumn("adapted", width=84),
    "background": st.column_config.NumberColumn("background", width=84, help="–: no such feature"),
    "change": st.column_config.NumberColumn("change", width=84, help="In nats"),
    "helped": number_column("words", "count", width=60, help="Words that it helped to change"),
}


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the weights that moved most; a row that is chosen filters the text to its words."""
    table = movers(session, snapshot)
    st.session_state[_NAMES] = [
        name_subset(WEIGHT, f"{row.predicate} > {row.tag}") for row in table.itertuples()
    ]
    rows = table.assign(
        words=[_name(row) for row in table.itertuples()], helped=table["positions"].map(len)
    ).drop(columns="positions")
    st.dataframe(
        rows.style.format(_signed, subset=_NATS), hide_index=True, column_config=_COLUMNS,
        column_order=list(_COLUMNS), height=420, placeholder="–", key=_KEY, on_select=_choose,
        selection_mode="single-row", alt="The weights that adaptation moved most",
    )  # fmt: skip
    st.caption("Select a row to see, above, the words that the weight helped to change.")
    counts = count_moves(snapshot)
    st.altair_chart(draw_counts(counts), alt=describe_counts(counts))
    st.caption(describe_counts(counts))


def _signed(nats):
    return "–" if isnan(nats) else typeset(f"{nats:+.2f}")


def _name(row):
    """Return a predicate in words, with its value where the words leave it out."""
    value = row.predicate.partition("=")[2]
    is_said = row.words.endswith(")") or value in row.words
    return row.words if is_said else f"{row.words} ({value})"


def _choose():
    chosen = st.session_state[_KEY]["selection"]["rows"]
    st.session_state["slice"] = st.session_state[_NAMES][chosen[0]] if chosen else ""


SECTION = Section("weights", OF_WORDS, draw)
