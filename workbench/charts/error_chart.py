"""The errors of the three models, in all and by tag."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from workbench.charts import looks

_MOST_TAGS = 12  # rows of the chart of tags


def error_table(models: list[dict]) -> pd.DataFrame:
    """Lay out the models' errors with the 95 % interval of their change from the background."""
    base = next(row["error_rate"] for row in models if row["name"] == "background")
    rows = []
    for row in models:
        interval = row.get("versus", {}).get("interval") or (None, None)
        low, high = (np.nan if x is None else base * (1 + x) for x in interval)
        rows.append((row["name"], row["error_rate"], row["wrong"], low, high))
    return pd.DataFrame(rows, columns=["model", "error", "wrong", "low", "high"])


def tag_table(models: list[dict]) -> pd.DataFrame:
    """Lay out the wrong words of each model by the tag they should have had, the worst tags."""
    rows = [
        (tag, row["name"], round((1 - scores["recall"]) * scores["support"]), scores["support"])
        for row in models
        for tag, scores in row["per_tag"].items()
        if scores["support"]
    ]
    table = pd.DataFrame(rows, columns=["tag", "model", "wrong", "support"])
    worst = table.groupby("tag")["wrong"].max().nlargest(_MOST_TAGS)
    return table[table["tag"].isin(worst.index[worst > 0])].reset_index(drop=True)


def error_layers() -> looks.Layers:
    """Return error rates with intervals of their change, and a rule at the background's."""
    names = alt.Axis(minExtent=72, ticks=False)
    y = alt.Y("model:N", sort=list(looks.MODELS), title=None, axis=names)
    color, shape = looks.model_channels(legend=None, sort=list(looks.MODELS))
    axis = alt.Axis(format=".1~%", tickCount=5, gridOpacity=0.6)
    error = alt.X("error:Q", axis=axis, title=None, scale=alt.Scale(zero=True))
    tip = [
        alt.Tooltip("model:N"),
        alt.Tooltip("error:Q", format=".2%"),
        alt.Tooltip("wrong:Q", title="wrong words", format=","),
        *looks.interval_tooltips(),
    ]
    base = alt.Chart().encode(y, color)
    interval = base.mark_rule(strokeWidth=4, opacity=0.45).encode(
        alt.X("low:Q", axis=axis, title=None), alt.X2("high:Q")
    )
    points = base.mark_point(filled=True, size=130, opacity=1).encode(error, shape, tooltip=tip)
    before = (
        alt.Chart(name="before")
        .mark_rule(color=looks.MODEL_COLORS[1], strokeDash=[8, 4])
        .encode(error)
        .transform_filter("datum.model == 'background'")
    )
    return alt.layer(
        before, interval.properties(name="intervals"), points.properties(name="models")
    )


def tag_layers(models: Sequence[str] = looks.MODELS) -> looks.Layers:
    """Return wrong words of models by tag, with a line from the background to the adapted one."""
    y = alt.Y("tag:N", title=None, sort=None, axis=alt.Axis(minExtent=72, ticks=False))
    x = alt.X(
        "wrong:Q", title="wrong words", axis=alt.Axis(tickCount=5, gridOpacity=0.6, format="~s")
    )
    legend = alt.Legend(title=None, orient="top", symbolSize=90, offset=6, values=list(models))
    color, shape = looks.model_channels(legend=legend, sort=list(looks.MODELS))
    tip = [
        alt.Tooltip("model:N"),
        alt.Tooltip("tag:N", title="reference tag"),
        alt.Tooltip("wrong:Q", title="wrong words", format=","),
        alt.Tooltip("support:Q", title="of", format=","),
    ]
    base = alt.Chart().encode(y, x)
    move = (
        base.mark_line(color=looks.QUIET, strokeWidth=3, opacity=0.4)
        .encode(detail="tag:N")
        .transform_filter("datum.model != '1-gram'")
        .properties(name="moves")
    )
    points = base.mark_point(filled=True, size=110, opacity=1).encode(color, shape, tooltip=tip)
    return alt.layer(move, points.properties(name="models"))
