"""Before and after: a line from each background value to its adapted value."""

import altair as alt
import pandas as pd

from workbench.charts import looks


def draw_moves(
    table: pd.DataFrame, heading: str, unit: str = "weight", width: int = 420
) -> alt.LayerChart:
    """Draw a line from ``before`` to ``after`` for each ``name`` of a table, in its order."""
    axis = alt.Axis(labelLimit=260, **looks.NAME_AXIS)
    names = alt.Y("name:N", sort=None, title=None, axis=axis)
    x = alt.X("before:Q", axis=alt.Axis(title=unit, tickCount=6, **looks.QUIET_AXIS))
    legend = alt.Legend(title=None, orient="top", offset=4)
    line = alt.Chart(table).mark_rule(color=looks.QUIET, strokeWidth=2, opacity=0.6)
    ends = (
        alt.Chart(table.melt("name", ["before", "after"], "when", "at"))
        .transform_calculate(model="datum.when === 'before' ? 'background' : 'adapted'")
        .mark_point(filled=True, size=80, opacity=1)
        .encode(names, alt.X("at:Q"), *looks.model_channels(looks.MODELS[1:], legend=legend))
    )
    chart = alt.layer(line.encode(names, x, alt.X2("after:Q")), ends)
    return looks.finish(chart, heading, width=width, height=24 * len(table))
