"""The section of weights: which moved most, and which words they changed."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from workbench.experiments.movers import WEIGHT, find_subset, movers, name_subset
from workbench.experiments.session import Session, Snapshot
from workbench.settings import Settings
from workbench.views.sections import OF_WORDS, Section
from workbench.views.typography import draw_subsets, number_column, typeset

_LOOKED_AT, _MOST = 200, 20  # weights, those that moved most first, and how many are shown
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
    table, part = movers(session, snapshot, _LOOKED_AT), settings.slice
    if part and not part.startswith(WEIGHT):  # only what they changed there counts
        only: Any = find_subset(session, snapshot, part)
        table["positions"] = [np.intersect1d(own, only).tolist() for own in table["positions"]]
    has_helped = table["positions"].map(len) > 0
    table = (table[has_helped] if has_helped.any() else table).head(_MOST)
    names = [name_subset(WEIGHT, f"{row.predicate} > {row.tag}") for row in table.itertuples()]
    caption = "The weights that moved most and changed words; a click on a row shows these words."
    draw_weights("table of weights", table, names, _COLUMNS, caption)


def draw_weights(
    key: str, table: pd.DataFrame, names: Sequence[str], columns: Mapping, caption: str
) -> None:  # fmt: skip
    """Draw weights that moved, and how many decisions each helped."""
    values = table[["background", "adapted"]].fillna(0).to_numpy()
    rows = table.assign(helped=table["positions"].map(len), moved=pd.Series([*values], table.index))
    low, high = (float(edge(values, initial=0)) for edge in (np.min, np.max))
    moved = st.column_config.BarChartColumn("before, after", width=90, y_min=low, y_max=high)
    told = rows.drop(columns="positions").style
    told = told.format(lambda nats: typeset(f"{nats:+.2f}"), _NATS, "–")
    alt, columns = "The weights that adaptation moved most", {**columns, "moved": moved}
    draw_subsets(key, told, names, columns, alt, height=420, placeholder="–")
    st.caption(caption)


SECTION = Section("weights", OF_WORDS, draw)
