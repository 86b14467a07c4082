"""Charts of errors: of the three models, in all and by tag; of methods, with their verdicts."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from workbench.charts import looks
from workbench.evaluation.significance import NO_VERDICT, TOO_FEW, is_significant

_MOST_TAGS = 12  # rows of the chart of tags
_ITSELF, _VERSUS = "the background itself", "compared with the background"
_FROM_BASE = "compared with the base"
_BENCH_TITLE = "Errors on the test text, with 95 % intervals"
_QUALITY_TITLE = "{} on the test text, with 95 % intervals"
_UNKNOWN = (float("nan"), float("nan"))
GAINS = {
    "fewer errors": (looks.TEAL, "circle"),
    "no clear difference": (looks.QUIET, "diamond"),
    TOO_FEW: (looks.QUIET, "cross"),
    NO_VERDICT: (looks.QUIET, "cross"),
    "more errors": (looks.ORANGE, "triangle-down"),
    "better": (looks.TEAL, "circle"),  # where a quality is measured
    "worse": (looks.ORANGE, "triangle-down"),
    _ITSELF: (looks.MODEL_COLORS[1], "square"),
}


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


def gain_of(row: dict) -> str:
    """Return in words whether a row of ``compare`` is better than the background.

    A difference that is not significant is no difference.
    """
    says = (row.get("gain") or {}).get("from_background") or "not significant"
    return gain_in_words(says, "quality" in row)


def gain_in_words(says: str, is_of_quality: bool = False) -> str:
    """Return the legend's words for the verdict of a significance test."""
    if not is_significant(says):
        return says if says in GAINS else "no clear difference"
    if is_of_quality:
        return "better" if says.startswith("gain") else "worse"
    return "fewer errors" if says.startswith("gain") else "more errors"


def method_table(rows: list[dict]) -> pd.DataFrame:
    """Lay out rows of ``compare``, those with the fewest errors or the highest quality first."""
    table = [(row["name"], *_figure(row), gain_of(row)) for row in rows]
    named = pd.DataFrame(table, columns=["method", "error", "low", "high", _VERSUS])
    is_of_quality = any("quality" in row for row in rows)
    ordered = named.sort_values("error", ascending=not is_of_quality, kind="stable")
    return ordered.reset_index(drop=True)


def _figure(row):
    """Return what is drawn of a row, error rate or quality, and its interval."""
    if "quality" in row:
        return row["quality"], *row["quality_interval"]
    return row["error_rate"], *row.get("error_interval", _UNKNOWN)


def draw_methods(rows: list[dict], heading: str) -> alt.LayerChart:
    """Draw the error rates of methods, rows such as ``model_row`` gives, the best first."""
    table = method_table(rows)
    axis = alt.Axis(format=".1~%", tickCount=6, title="words with a wrong tag", **looks.QUIET_AXIS)
    base = alt.Chart(table).encode(
        alt.Y("method:N", sort=None, title=None, axis=alt.Axis(**looks.NAME_AXIS)),
        alt.X("error:Q", axis=axis, scale=alt.Scale(zero=True)),
    )
    points = base.mark_point(filled=True, size=90, opacity=1, color=looks.TEAL)
    numbers = base.mark_text(align="left", dx=8)
    numbers = numbers.encode(alt.Text("error:Q", format=".2%"))
    return looks.finish(alt.layer(points, numbers), heading, width=420, height=28 * len(table))


def draw_bench(rows: list[dict], measure: str = "") -> alt.LayerChart:
    """Draw the test errors in rows of ``compare`` with 95 % intervals, the best first.

    The chart is as wide as its place; a rule marks the background. ``measure`` is
    what is drawn where that is no error.
    """
    table = method_table(rows)
    table[_VERSUS] = gains = table[_VERSUS].where(table["method"] != "background", _ITSELF)
    axis = alt.Axis(labelLimit=170, labelFlush=False, **looks.NAME_AXIS)
    y = alt.Y("method:N", sort=table["method"].tolist(), title=None, axis=axis)
    x = alt.X(
        "low:Q",
        scale=alt.Scale(zero=False, padding=56, nice=False),
        axis=alt.Axis(
            format=".1~%", tickCount=6, title=measure or "test words with a wrong tag",
            **looks.QUIET_AXIS,
        ),
    )  # fmt: skip
    base = alt.Chart(table)
    color, shape = gain_channels(set(gains), _VERSUS)
    error = alt.X("error:Q")
    tip = [alt.Tooltip("method:N"), alt.Tooltip("error:Q", format=".2%")]
    interval = base.mark_rule(strokeWidth=4, opacity=0.4).encode(y, x, alt.X2("high:Q"), color)
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        y, error, color, shape, tooltip=[*tip, *looks.interval_tooltips()]
    )
    text = base.mark_text(dx=6, align="left", fontWeight=600).encode(
        y, alt.X("high:Q"), alt.Text("error:Q", format=".2%")
    )
    before = (
        base.mark_rule(color=looks.MODEL_COLORS[1], strokeDash=[8, 4], strokeWidth=1.5)
        .encode(error)
        .transform_filter("datum.method == 'background'")
    )
    # Without the background a layer of its own would be empty, and the browser warns.
    rule = [before] if "background" in set(table["method"]) else []
    chart = alt.layer(interval, *rule, points, text)
    title = looks.begin(_QUALITY_TITLE.format(measure)) if measure else _BENCH_TITLE
    return looks.finish(chart, title, **looks.rows_of(32, len(table)))


def gain_channels(gains: set[str], field: str) -> list[Any]:
    """Return colour and shape channels that tell gains from losses in a field, with a legend."""
    legend = alt.Legend(
        orient="top", title=field, titleLimit=0, titleFontWeight="normal", symbolSize=90,
        symbolOpacity=1, offset=8, columns=alt.ExprRef("width < 420 ? 2 : 4"),
    )  # fmt: skip
    names = [gain for gain in GAINS if gain in gains]
    values = zip(*(GAINS[name] for name in names), strict=True)
    channels = zip((alt.Color, alt.Shape), values, strict=True)
    return [looks.named_channel(c, field, names, values, legend=legend) for c, values in channels]


def ablation_table(rows: list[dict]) -> pd.DataFrame:
    """Lay out rows of ``Ablation`` without the base, the one with the most errors first."""
    judged = [
        (row["name"], row["relative_change"], *row["interval"], gain_in_words(row["says"]))
        for row in rows[1:]
    ]
    table = pd.DataFrame(judged, columns=["templates", "change", "low", "high", _FROM_BASE])
    table = table.astype(dict.fromkeys(["change", "low", "high"], float))  # None is nan
    return table.sort_values("change", ascending=False, ignore_index=True)


def draw_ablation(rows: list[dict]) -> alt.LayerChart:
    """Draw by how much each template changes the adapted model's errors, with 95 % intervals.

    Rows are those of ``Ablation``, the base and one more at least. The chart is as wide as
    its place; a rule marks no change.
    """
    table = ablation_table(rows)
    axis = alt.Axis(labelLimit=190, labelFlush=False, **looks.NAME_AXIS)
    y = alt.Y("templates:N", sort=table["templates"].tolist(), title=None, axis=axis)
    says = f"change of the errors from those with {rows[0]['name']}"
    x = alt.X("low:Q", axis=alt.Axis(format="+.1~%", tickCount=6, title=says, **looks.QUIET_AXIS))
    color, shape = gain_channels(set(table[_FROM_BASE]), _FROM_BASE)
    base, change = alt.Chart(table), alt.X("change:Q")
    tip = [alt.Tooltip("templates:N"), alt.Tooltip("change:Q", format="+.1%")]
    interval = base.mark_rule(strokeWidth=4, opacity=0.4).encode(y, x, alt.X2("high:Q"), color)
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        y, change, color, shape, tooltip=[*tip, *looks.interval_tooltips("+.1%")]
    )
    nothing = alt.Chart(pd.DataFrame({"change": [0.0]})).mark_rule(color=looks.QUIET, strokeWidth=1)
    chart = alt.layer(nothing.encode(change), interval, points)
    heading = "Errors on the dev text, with 95 % intervals of their change"
    return looks.finish(chart, heading, **looks.rows_of(24, len(table)))
