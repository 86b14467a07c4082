"""By how much each template changes the errors."""

import altair as alt
import pandas as pd

from workbench.charts.looks import NAME_AXIS, QUIET, QUIET_AXIS, finish, interval_tooltips
from workbench.charts.method_chart import gain_channels, gain_in_words

_VERSUS = "compared with the base"


def ablation_table(rows: list[dict]) -> pd.DataFrame:
    """Lay out rows of ``Ablation`` without the base, the one with the most errors first."""
    judged = [
        (row["name"], row["relative_change"], *row["interval"], gain_in_words(row["says"]))
        for row in rows[1:]
    ]
    table = pd.DataFrame(judged, columns=["templates", "change", "low", "high", _VERSUS])
    table = table.astype(dict.fromkeys(["change", "low", "high"], float))  # None is nan
    return table.sort_values("change", ascending=False, ignore_index=True)


def draw_ablation(rows: list[dict]) -> alt.LayerChart:
    """Draw by how much each template changes the adapted model's errors, with 95 % intervals.

    Rows are those of ``Ablation``, the base and one more at least. The chart is as wide as
    its place; a rule marks no change.
    """
    table = ablation_table(rows)
    axis = alt.Axis(labelLimit=190, labelFlush=False, **NAME_AXIS)
    y = alt.Y("templates:N", sort=table["templates"].tolist(), title=None, axis=axis)
    says = f"change of the errors from those with {rows[0]['name']}"
    x = alt.X("low:Q", axis=alt.Axis(format="+.1~%", tickCount=6, title=says, **QUIET_AXIS))
    color, shape = gain_channels(set(table[_VERSUS]), _VERSUS)
    base, change = alt.Chart(table), alt.X("change:Q")
    tip = [alt.Tooltip("templates:N"), alt.Tooltip("change:Q", format="+.1%")]
    interval = base.mark_rule(strokeWidth=4, opacity=0.4).encode(y, x, alt.X2("high:Q"), color)
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        y, change, color, shape, tooltip=[*tip, *interval_tooltips("+.1%")]
    )
    nothing = alt.Chart(pd.DataFrame({"change": [0.0]})).mark_rule(color=QUIET, strokeWidth=1)
    chart = alt.layer(nothing.encode(change), interval, points)
    heading = "Errors on the dev text, with 95 % intervals of their change"
    return finish(chart, heading, height=alt.Step(22))
