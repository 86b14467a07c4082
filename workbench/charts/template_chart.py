"""What each template is worth: errors without it, or with it, beside those of the base."""

import altair as alt
import pandas as pd

from workbench.charts.looks import QUIET, QUIET_AXIS, title
from workbench.charts.method_chart import GAINS, gain_looks
from workbench.charts.plain import gain_in_words

_BESIDE = "beside the base"


def ablation_table(rows):
    """Lay out rows of ``Ablation``, but for the base, what makes most errors first."""
    judged = [
        (row["name"], row["relative_change"], *row["interval"], gain_in_words(row["says"]))
        for row in rows[1:]
    ]
    table = pd.DataFrame(judged, columns=["templates", "change", "low", "high", _BESIDE])
    table = table.astype(dict.fromkeys(["change", "low", "high"], float))  # None is nan
    return table.sort_values("change", ascending=False, ignore_index=True)


def draw_ablation(rows):
    """Draw by how much each template changes the adapted model's errors, with 95 % intervals.

    Parameters
    ----------
    rows : list of dict
        Rows of ``Ablation``, the base and one more at least.

    Returns
    -------
    chart : alt.LayerChart
        As wide as its place; a rule stands where nothing changes.
    """
    table = ablation_table(rows)
    axis = alt.Axis(ticks=False, domain=False, labelPadding=8, labelLimit=190, labelFlush=False)
    y = alt.Y("templates:N", sort=table["templates"].tolist(), title=None, axis=axis)
    heading = f"change of the errors from those with {rows[0]['name']}"
    change = alt.Axis(format="+.1~%", tickCount=6, title=heading, **QUIET_AXIS)
    color, shape = gain_looks([gain for gain in GAINS if gain in set(table[_BESIDE])], _BESIDE)
    base = alt.Chart(table)
    x = alt.X("low:Q", axis=change)
    interval = base.mark_rule(strokeWidth=4, opacity=0.4).encode(y, x, alt.X2("high:Q"), color)
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        y, alt.X("change:Q"), color, shape, tooltip=_tip()
    )
    nothing = alt.Chart(pd.DataFrame({"change": [0.0]})).mark_rule(color=QUIET, strokeWidth=1)
    chart = alt.layer(nothing.encode(alt.X("change:Q")), interval, points)
    told = title("Errors on the dev text, with 95 % intervals of their change")
    return chart.properties(height=alt.Step(22), title=told, view={"stroke": None})


def _tip():
    return [
        alt.Tooltip("templates:N"),
        alt.Tooltip("change:Q", format="+.1%"),
        alt.Tooltip("low:Q", title="95 % interval from", format="+.1%"),
        alt.Tooltip("high:Q", title="to", format="+.1%"),
    ]
