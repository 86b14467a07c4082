"""The section of slices of candidate sets: where the quality is lost, and where it is gained."""

import streamlit as st

from workbench.evaluation.number_words import change_in_points, signed
from workbench.experiments.exploring.session import Session, Snapshot
from workbench.experiments.exploring.subsets import name_subset
from workbench.settings import Settings
from workbench.views.number_text import number_column

_KEY, _NAMES = "table of quality slices", "quality slices shown"
# What a narrow screen must show comes first.
_COLUMNS = {
    "name": st.column_config.TextColumn("slice", width=165),
    "n": number_column("sentences", "count", width=75),
    "change": st.column_config.TextColumn("change", width=215),
    "before": number_column("background", "rate", width=85),
    "after": number_column("adapted", "rate", width=75),
    "fixed": number_column("better", "count", width=60),
    "broken": number_column("worse", "count", width=60),
}
_WANTED = {"words": "their words, or how many they are", "document": "the names of their documents"}


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the quality by slice; a row that is chosen filters the sentences to its own."""
    table = session.slices(snapshot)
    st.session_state[_NAMES] = [name_subset(*row) for row in table[["kind", "name"]].values]
    rows = table.assign(
        name=table["kind"] + ": " + table["name"],
        before=100 * table["before"], after=100 * table["after"],
        change=[_describe(row) for row in table.itertuples()],
    )  # fmt: skip
    st.dataframe(
        rows, hide_index=True, column_config=_COLUMNS, column_order=list(_COLUMNS),
        height="content", key=_KEY, on_select=_choose, selection_mode="single-row",
        alt="Quality of background and adapted model by slice",
    )  # fmt: skip
    st.caption(
        f"{session.quality_name} of the sentences of each slice; “first-best” says whether the "
        "candidate that was proposed first is the best. The interval is of 95 %, by a paired "
        "bootstrap of sentences, where enough choices differ. Select a row to see its sentences "
        f"above.{_say_unknown(session.slicing(snapshot.part).unknown)}"
    )


def _describe(row):
    change = change_in_points(row.change)
    if row.low != row.low:  # nan: too few differ
        return change if row.change == 0 else f"{change} (no interval)"
    return f"{change} ({signed(100 * row.low)} to {signed(100 * row.high)})"


def _say_unknown(kinds):
    """Return why there are no slices of some kinds, in a sentence for each."""
    return "".join(
        f" There are no slices by {kind}: the file of candidates comes without {_WANTED[kind]}."
        for kind in kinds
    )


def _choose():
    chosen = st.session_state[_KEY]["selection"]["rows"]
    st.session_state["slice"] = st.session_state[_NAMES][chosen[0]] if chosen else ""
