"""Where numbers were in the background and where adaptation moved them."""

import altair as alt
import pandas as pd

from workbench.charts.looks import (
    MODEL_COLORS,
    MODEL_SHAPES,
    MODELS,
    NAME_AXIS,
    QUIET,
    QUIET_AXIS,
    finish,
    named_channel,
)


def draw_moves(
    table: pd.DataFrame, heading: str, unit: str = "weight", width: int = 420
) -> alt.LayerChart:
    """Draw a line for each number, from where it was to where it is.

    Parameters
    ----------
    table : DataFrame
        ``name``, ``before``, ``after``; drawn in this order.
    heading : str
    unit : str
        What the axis says.
    width : int
    """
    axis = alt.Axis(labelLimit=260, **NAME_AXIS)
    names = alt.Y("name:N", sort=None, title=None, axis=axis)
    x = alt.X("before:Q", axis=alt.Axis(title=unit, tickCount=6, **QUIET_AXIS))
    legend = alt.Legend(title=None, orient="top", offset=4)
    line = alt.Chart(table).mark_rule(color=QUIET, strokeWidth=2, opacity=0.6)
    ends = (
        alt.Chart(table.melt("name", ["before", "after"], "when", "at"))
        .transform_calculate(model="datum.when === 'before' ? 'background' : 'adapted'")
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            names,
            alt.X("at:Q"),
            named_channel(alt.Color, "model", MODELS[1:], MODEL_COLORS[1:], legend=legend),
            named_channel(alt.Shape, "model", MODELS[1:], MODEL_SHAPES[1:], legend=legend),
        )
    )
    chart = alt.layer(line.encode(names, x, alt.X2("after:Q")), ends)
    return finish(chart, heading, width=width, height=24 * len(table))
