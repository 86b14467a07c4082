"""Coverage and errors by threshold: how many words have a high p, and their error rate."""

import altair as alt
import pandas as pd

from workbench.charts import looks

_AROUND = 110  # pixels of title, legend and axes, which the page counts as part of the height


def coverage_table(table: pd.DataFrame, threshold: float | None = None) -> pd.DataFrame:
    """Return what is drawn: rows of ``coverage`` with a word, and which one is the present one."""
    rows = table[table["n"] > 0].reset_index(drop=True)
    return rows.assign(current=rows["threshold"] == threshold)


def draw_coverage(table: pd.DataFrame, threshold: float | None = None) -> alt.LayerChart:
    """Draw the errors of words with p above a threshold against their share of all words.

    ``table`` is as in ``coverage``; a ring marks the present threshold. The chart is as wide
    as its place.
    """
    x = alt.X(
        "coverage:Q", scale=alt.Scale(zero=False, padding=24, nice=False),
        axis=alt.Axis(format=".0%", tickCount=6, labelFontSize=13, titleFontSize=13,
                      title="share of the words that are kept (ring: now)", **looks.QUIET_AXIS),
    )  # fmt: skip
    y = alt.Y(
        "error:Q", scale=alt.Scale(zero=True, padding=8),
        axis=alt.Axis(format=".2%", tickCount=5, labelFontSize=13, titleFontSize=13,
                      title="of these wrong", **looks.QUIET_AXIS),
    )  # fmt: skip
    tip = [
        alt.Tooltip("threshold:Q", title="p above", format=".3~f"),
        alt.Tooltip("n:Q", title="words kept", format=","),
        alt.Tooltip("coverage:Q", title="coverage", format=".2%"),
        alt.Tooltip("error:Q", title="errors", format=".2%"),
        alt.Tooltip("caught:Q", title="of all errors left out", format=".2%"),
    ]
    base = alt.Chart().encode(x, y)
    line = base.mark_line(strokeWidth=looks.LINE, color=looks.TEAL).encode(order="threshold:Q")
    points = base.mark_point(filled=True, size=60, opacity=1, color=looks.TEAL)
    now = base.transform_filter("datum.current")
    ring = now.mark_point(size=240, strokeWidth=2.5, filled=False, color=looks.TEAL)
    layers = [
        line.properties(name="line"), points.encode(tooltip=tip).properties(name="points"),
        ring.properties(name="present"),
    ]  # fmt: skip
    chart = alt.layer(*layers).properties(name="coverage", data=coverage_table(table, threshold))
    return looks.finish(chart, "Errors among the words that are sure enough", height=180 + _AROUND)


def describe_coverage(table: pd.DataFrame, threshold: float) -> str:
    """Say in a sentence how many words a threshold keeps, and how many of them are wrong."""
    row = table[table["threshold"] == threshold].iloc[0]
    if not row["n"]:
        return f"No dev word has p > {threshold:g}."
    caught = "" if pd.isna(row["caught"]) else (
        f" The other {100 * (1 - row['coverage']):.1f} % hold "
        f"{100 * row['caught']:.0f} % of all errors."
    )  # fmt: skip
    return (
        f"The model is sure of {100 * row['coverage']:.1f} % of the dev words (p > {threshold:g}); "
        f"{100 * row['error']:.2f} % of these are wrong.{caught}"
    )
