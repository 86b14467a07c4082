"""The section of slices of candidate sets: where the quality is lost, and where it is gained."""

import streamlit as st

from workbench.evaluation.candidates.selection_slices import DOCUMENT, FIRST
from workbench.evaluation.number_words import interval_in_words, signed
from workbench.experiments.movers import name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.text.tasks import TaskName
from workbench.views.candidates import subset_table
from workbench.views.sections import Section
from workbench.views.typography import number_column

# What a narrow screen must show comes first.
_COLUMNS = {
    "said": st.column_config.TextColumn("slice", width=145),
    "n": number_column("sentences", "count", width=75),
    "gain": number_column("points", "change", width=75, help="Adapted less background"),
    "interval": number_column("95 % interval", "change", width=125),
    "before": number_column("background", "rate", width=85),
    "after": number_column("adapted", "rate", width=75),
    "fixed": number_column("better", "count", width=60),
    "broken": number_column("worse", "count", width=60),
}
_WANTED = {"words": "their words, or how many they are", "document": "the names of their documents"}


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the quality by slice; a row that is chosen filters the sentences to its own."""
    table = session.slices(snapshot)
    names = [name_subset(*row) for row in table[["kind", "name"]].values]
    rows = table.assign(
        said=[_name(row) for row in table.itertuples()],
        before=100 * table["before"], after=100 * table["after"],
        gain=[_points(change) for change in table["change"]],
        interval=[interval_in_words((row.low, row.high), _points) for row in table.itertuples()],
    )  # fmt: skip
    alt = "Quality of background and adapted model by slice"
    subset_table.draw("table of quality slices", rows, names, _COLUMNS, alt, height="content")
    st.caption(
        f"The {session.quality_name} of each slice's sentences; first-best is the candidate that "
        "was proposed first. Intervals are by a paired bootstrap of sentences, where enough "
        "choices differ. Select a row to see its sentences above."
        f"{_say_unknown(session.slicing(snapshot.part).unknown)}"
    )


def _name(row):
    """Return what a slice is called where its kind does not stand beside it."""
    if row.kind == DOCUMENT:
        return row.name
    if row.kind == FIRST:
        return f"{row.kind} {row.name}"
    return f"{row.name} {row.kind.removesuffix('s') if row.name == '1' else row.kind}"


def _points(change):
    return signed(100 * change) if round(100 * change, 2) else "0.00"


def _say_unknown(kinds):
    """Return why there are no slices of some kinds, in a sentence for each."""
    return "".join(
        f" There are no slices by {kind}: these sets come without {_WANTED[kind]}."
        for kind in kinds
    )


SECTION = Section("slices", (TaskName.CANDIDATES,), draw)
