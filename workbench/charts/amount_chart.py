"""Learning curves: errors on dev against the amount of adaptation data, with named crossovers."""

from collections.abc import Sequence
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd

from workbench.charts import looks

_BACKGROUND = "background"
_AROUND = 110  # pixels of title, legend and axes, which the page counts as part of the height
_TIP = [
    alt.Tooltip("method:N"),
    alt.Tooltip("n_sentences:Q", title="sentences", format=","),
    alt.Tooltip("n_words:Q", title="words", format=",.0f"),
    alt.Tooltip("error:Q", title="dev errors", format=".2%"),
    alt.Tooltip("low:Q", title="lowest of the samples", format=".2%"),
    alt.Tooltip("high:Q", title="highest of the samples", format=".2%"),
]


def amount_table(
    curves: pd.DataFrame, crossovers: Sequence = (), amount: int | None = None
) -> pd.DataFrame:
    """Lay out learning curves: a row a point, and one for each rule and each crossover.

    Parameters
    ----------
    curves : DataFrame
        As of ``Amounts.table``.
    crossovers : sequence of Crossover
        Of these curves; those without a place have no row.
    amount : int, optional
        The number of sentences that is marked.

    Returns
    -------
    table : DataFrame
        The columns of ``curves`` with ``kind``: "curve", "background", "crossover" (with its
        ``text`` and ``is_left``, whether the text is best put on the left) or "amount".
    """
    is_rule = curves["method"] == _BACKGROUND
    drawn = curves.assign(kind=np.where(is_rule, "background", "curve"))
    most = max(curves["n_sentences"].max(), 2)
    crossings = [
        {"kind": "crossover", "n_sentences": c.n_sentences, "error": c.error, "text": c.text,
         "is_left": bool(c.n_sentences > np.sqrt(2 * most))}
        for c in crossovers if not np.isnan(c.n_sentences)
    ]  # fmt: skip
    mark = [{"kind": "amount", "n_sentences": amount}] if amount else []
    table = pd.concat([drawn, pd.DataFrame([*crossings, *mark])], ignore_index=True)
    columns = [*drawn.columns, "text", "is_left"]
    return table.reindex(columns=columns).dropna(subset=["n_sentences"])


def draw_amounts(
    curves: pd.DataFrame, crossovers: Sequence = (), amount: int | None = None
) -> alt.LayerChart:
    """Draw learning curves, as wide as their place: a line and the samples' spread a method.

    Parameters are those of ``amount_table``. Both axes are logarithmic, unless an error is 0.
    """
    table = amount_table(curves, crossovers, amount)
    methods = [name for name in curves["method"].unique() if name != _BACKGROUND]
    base = alt.Chart().encode(_sentences(curves))
    color, dash, shape = looks.series_channels(
        "method", methods, labelFontSize=13, symbolSize=90, offset=4
    )
    error = _error(curves)
    of_curves = base.transform_filter("datum.kind === 'curve'").encode(color)
    spread = of_curves.mark_area(opacity=0.18).encode(
        alt.Y("low:Q", axis=error.axis, scale=error.scale, title=error.title), alt.Y2("high:Q")
    )
    lines = of_curves.mark_line(strokeWidth=looks.LINE).encode(error, dash)
    points = of_curves.mark_point(filled=True, size=60, opacity=1)
    points = points.encode(error, shape, tooltip=_TIP)
    layers = [
        spread.properties(name="spread"), *_rules(base, error), lines.properties(name="lines"),
        points.properties(name="points"), *_crossings(base, error),
    ]  # fmt: skip
    chart = alt.layer(*layers).properties(name="amounts", data=table)
    heading = "Errors on the dev text by the amount of adaptation data"
    return looks.finish(chart, heading, height=260 + _AROUND)


def _sentences(curves):
    most = max(int(curves["n_sentences"].max()), 3)
    scale = alt.Scale(type="log", domain=[2, most], nice=False, padding=12)
    ticks = [n for k in range(8) for n in (2 * 10**k, 10 * 10**k) if 2 <= n <= most]
    axis = alt.Axis(
        values=ticks, format=",d", labelFontSize=13, titleFontSize=13,
        title="sentences of adaptation data (log scale)", **looks.QUIET_AXIS | {"grid": False},
    )  # fmt: skip
    return alt.X("n_sentences:Q", axis=axis, scale=scale)


def _error(curves):
    low, high = curves["low"].min(), curves["high"].max()
    form = ".2%" if high < 0.1 else ".1%"
    kind: Literal["log", "linear"] = "log" if low > 0 else "linear"
    values = [f * 10.0**-k for k in range(5) for f in (1, 2, 5) if low <= f * 10.0**-k <= high]
    ticks = {"values": sorted(values)} if kind == "log" and len(values) > 1 else {"tickCount": 5}
    axis = alt.Axis(format=form, labelFontSize=13, titleFontSize=13, **ticks, **looks.QUIET_AXIS)
    scale = alt.Scale(type=kind, nice=False, zero=False, padding=10)
    return alt.Y("error:Q", axis=axis, scale=scale, title="words with a wrong tag")


def _rules(base, error):
    """Return the background's rule with its name, and the rule at the amount marked."""
    before = alt.Chart().transform_filter("datum.kind === 'background'").encode(error)
    rule = before.mark_rule(color=looks.MODEL_COLORS[1], strokeDash=[8, 4], strokeWidth=1.5)
    name = before.mark_text(align="right", baseline="bottom", dy=-4, fontSize=13).encode(
        x=alt.value("width"), text=alt.value("background, no adaptation data")
    )
    now = base.transform_filter("datum.kind === 'amount'").mark_rule(
        color=looks.QUIET, strokeWidth=2.5
    )
    return [
        rule.properties(name="background"), name.properties(name="background_name"),
        now.properties(name="amount"),
    ]  # fmt: skip


def _crossings(base, error):
    """Return the crossovers: a diamond, and what is crossed beside it."""
    crossing = base.transform_filter("datum.kind === 'crossover'").encode(error)
    point = crossing.mark_point(shape="diamond", size=190, strokeWidth=2.5, color=looks.QUIET)
    sides = [("left", "!datum.is_left", 12), ("right", "datum.is_left", -12)]
    texts = [
        crossing.transform_filter(where)
        .mark_text(align=align, dx=dx, dy=14, fontSize=13, fontWeight=600)
        .encode(text="text:N").properties(name=f"crossover_{align}")
        for align, where, dx in sides
    ]  # fmt: skip
    return [point.properties(name="crossovers"), *texts]
