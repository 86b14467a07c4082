"""Methods on candidate sets, in the view Compare: their quality, and how sure differences are."""

from collections.abc import Mapping, Sequence

import streamlit as st

from workbench.charts.bars import gain_of
from workbench.evaluation.number_words import interval_in_words, signed
from workbench.experiments.method_rows import describe_values, standing
from workbench.views.typography import draw_table, number_column, scale

_TEST = "By the sign test of sentences, corrected (Holm), and the 95 % interval of the difference"
_COLUMNS = {
    "method": st.column_config.TextColumn("method", pinned=True, width=130),
    "quality": number_column("quality", "rate", width=80),
    "points": number_column("points", "change", width=80, help="Less the background's"),
    "background": st.column_config.TextColumn("against background", width=150, help=_TEST),
    "best": st.column_config.TextColumn("against the best", width=130, help=_TEST),
    "interval": st.column_config.TextColumn(
        "95 % interval", width=115, help="Of the quality, in %"
    ),
    "accuracy": number_column(
        "best chosen", "rate", width=95, help="Sentences in which a best candidate is chosen"
    ),
    "p": number_column("p", "chance", width=75, help="Sign test against the background"),
}  # fmt: skip
_ALWAYS = ("method", "quality", "points", "background")


def draw_table_of(comparison: Mapping, rows: Sequence[Mapping], shared: Mapping) -> None:
    """Draw the table of a comparison, its rows in the order given.

    ``shared`` are the columns that comparisons of words have, too.
    """
    pairs = {pair["b"]: pair for pair in comparison["paired"] if pair["a"] == "background"}
    shown = [_table_row(row, pairs.get(row["name"], {})) for row in rows]
    draw_table(
        shown, {**_COLUMNS, **shared}, _ALWAYS,
        "Methods, their quality on the test text, and whether the differences are significant",
    )  # fmt: skip


def _table_row(row, pair):
    is_judged = row["gain"]["from_background"] is not None
    return {
        "method": row["name"], "quality": scale(row["quality"], "rate"),
        "points": signed(100 * pair["difference"]) if pair else None,
        "background": gain_of(row) if is_judged else None, "best": standing(row),
        "interval": interval_in_words(row["quality_interval"], lambda x: f"{100 * x:.2f}"),
        "accuracy": scale(row["accuracy"], "rate"), "p": scale(pair.get("p_value"), "chance"),
        "features": row["features"], "seconds": row["fit_seconds"], "chosen": describe_values(row),
    }  # fmt: skip
