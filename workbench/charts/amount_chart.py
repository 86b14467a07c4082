"""Learning curves: errors on dev against the amount of adaptation data, with named crossovers."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from workbench.charts import looks

_BACKGROUND = "background"
_AROUND = 110  # pixels of title, legend and axes, which the page counts as part of the height
_LINE = 16  # pixels of a line of the axis' title
_STEPS = (1, 1.5, 2, 3, 4, 5, 7)  # of a power of ten: ticks of a logarithmic axis of errors
_MOST = 1.3  # times the background's error: where the axis of errors ends
_INK, _PAPER = "#20242c", "#ffffff"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPES = ("circle", "triangle-up", "diamond", "cross")  # the background's is the square


def amount_table(
    curves: pd.DataFrame, crossovers: Sequence = (), amount: int | None = None
) -> pd.DataFrame:
    """Lay out learning curves: a row for each point, each rule and each crossover.

    Parameters
    ----------
    curves : DataFrame
        As in ``Amounts.table``.
    crossovers : sequence of Crossover
        Of these curves; those without a place have no row.
    amount : int, optional
        The number of sentences that is marked.

    Returns
    -------
    table : DataFrame
        The columns of ``curves`` with ``kind``: "curve", "background", "crossover" (with its
        ``letter``, of which the axis says what it is) or "amount".
    """
    is_rule = curves["method"] == _BACKGROUND
    drawn = curves.assign(kind=np.where(is_rule, "background", "curve"))
    crossings = [
        {"kind": "crossover", "n_sentences": c.n_sentences, "error": c.error, "letter": letter}
        for letter, c in zip(_LETTERS, _placed(crossovers), strict=False)
    ]
    mark = [{"kind": "amount", "n_sentences": amount}] if amount else []
    table = pd.concat([drawn, pd.DataFrame([*crossings, *mark])], ignore_index=True)
    columns = [*drawn.columns, "letter"]
    return table.reindex(columns=columns).dropna(subset=["n_sentences"])


def _placed(crossovers):
    return [crossover for crossover in crossovers if not np.isnan(crossover.n_sentences)]


def _legend_lines(crossovers):
    """Return the texts of the letters, then those of pairs of curves that do not cross."""
    placed = [f"{x}: {c.text}" for x, c in zip(_LETTERS, _placed(crossovers), strict=False)]
    return placed + [c.text for c in crossovers if np.isnan(c.n_sentences)]


def draw_amounts(
    curves: pd.DataFrame, crossovers: Sequence = (), amount: int | None = None, quality: str = ""
) -> alt.LayerChart:
    """Draw learning curves, as wide as their place: a line and the samples' spread a method.

    Parameters are those of ``amount_table``. Both axes are logarithmic, unless an error is 0.
    Errors far above the background's, of next to no data, are cut off, so that they do not
    flatten all others. With the name of a ``quality`` it is drawn, what the errors leave, on a
    linear axis.
    """
    if quality:
        curves, crossovers = _what_is_left(curves, crossovers)
    table = amount_table(curves, crossovers, amount)
    base = alt.Chart().encode(_sentences(curves, _legend_lines(crossovers)))
    color, dash, shape = _series([m for m in curves["method"].unique() if m != _BACKGROUND])
    options = _quality_options(quality) if quality else _error_options(curves)
    error = alt.Y("error:Q", **options)
    of_curves = base.transform_filter("datum.kind === 'curve'").encode(color)
    spread = of_curves.mark_area(opacity=0.18, clip=True)
    spread = spread.encode(alt.Y("low:Q", **options), alt.Y2("high:Q"))
    lines = of_curves.mark_line(strokeWidth=looks.LINE, clip=True).encode(error, dash)
    points = of_curves.mark_point(filled=True, size=60, opacity=1, clip=True)
    points = points.encode(error, shape, tooltip=_tip(quality))
    layers = [
        spread.properties(name="spread"), *_rules(base, error, color, dash),
        lines.properties(name="lines"), points.properties(name="points"),
    ]  # fmt: skip
    if (table["kind"] == "crossover").any():  # layers without a row make Vega complain
        layers += _crossings(base, error)
    chart = alt.layer(*layers).properties(name="amounts", data=table)
    is_cut = not quality and _top(curves) < curves["high"].max()
    cut = "; those far above the background's are cut off" if is_cut else ""
    heading = looks.begin(f"{quality or 'errors'} on dev by the amount of data{cut}")
    return looks.finish(chart, heading, height=260 + _AROUND + _LINE * len(crossovers))


def _what_is_left(curves, crossovers):
    """Return curves and crossovers of accuracies, 1 minus the errors."""
    left = curves.assign(error=1 - curves["error"], low=1 - curves["high"], high=1 - curves["low"])
    return left, [crossover._replace(error=1 - crossover.error) for crossover in crossovers]


def _tip(quality):
    what = f"dev {quality or 'errors'}"
    figures = {"error": what, "low": "lowest of the samples", "high": "highest of the samples"}
    return [
        alt.Tooltip("method:N"),
        alt.Tooltip("n_sentences:Q", title="sentences", format=","),
        alt.Tooltip("n_words:Q", title="amount" if quality else "words", format=",.0f"),
        *(alt.Tooltip(f"{name}:Q", title=title, format=".2%") for name, title in figures.items()),
    ]


def _series(methods):
    """Return colour, dash and shape of the methods and of the background, with one legend."""
    legend = alt.Legend(
        title=None, orient="top", labelFontSize=13, symbolSize=90, symbolOpacity=1, offset=4,
        symbolStrokeWidth=0,
    )  # fmt: skip
    n, names = len(methods), [*methods, _BACKGROUND]
    values: dict[type, list] = {
        alt.Color: [*looks.SERIES_COLORS[:n], looks.MODEL_COLORS[1]],
        alt.StrokeDash: [*looks.SERIES_DASHES[:n], [8, 4]],
        alt.Shape: [*_SHAPES[:n], looks.MODEL_SHAPES[1]],
    }
    return [
        looks.named_channel(channel, "method", names, own, legend=legend)
        for channel, own in values.items()
    ]


def _sentences(curves, lines):
    most = max(int(curves["n_sentences"].max()), 3)
    scale = alt.Scale(type="log", domain=[2, most], nice=False, padding=24)
    ticks = [n for k in range(8) for n in (2 * 10**k, 10 * 10**k) if 2 <= n <= most]
    axis = alt.Axis(
        values=ticks, format=",d", labelFontSize=13, titleFontSize=13,
        title=["sentences of adaptation data (log scale)", *lines], grid=False, **looks.QUIET_AXIS,
    )  # fmt: skip
    return alt.X("n_sentences:Q", axis=axis, scale=scale)


def _top(curves):
    """Return where the axis of errors ends: at their largest, unless that is far above the rest.

    The rest are the background's error and those of all the data; the axis ends a little above.
    """
    is_last = curves["n_sentences"] == curves["n_sentences"].max()
    is_known = is_last | (curves["method"] == _BACKGROUND)
    return min(curves["high"].max(), _MOST * curves.loc[is_known, "error"].max())


def _error_options(curves):
    low, high = curves["low"].min(), _top(curves)
    title, ticks = "words with a wrong tag", dict[str, Any](tickCount=5)
    options = dict[str, Any](type="linear", domain=[0, high], zero=True)
    if low > 0:  # from a tick on, so that the lowest errors are read
        steps = sorted(step * 10.0**-k for k in range(6) for step in _STEPS)
        low = max((step for step in steps if step <= low), default=low)
        title, ticks = f"{title} (log scale)", {"values": [s for s in steps if low <= s <= high]}
        options = {"type": "log", "domain": [low, high]}
    axis = alt.Axis(format=".2~%", labelFontSize=13, titleFontSize=13, **ticks, **looks.QUIET_AXIS)
    scale = alt.Scale(nice=False, padding=10, **options)
    return {"axis": axis, "scale": scale, "title": title}


def _quality_options(quality):
    axis = alt.Axis(
        format=".1%", labelFontSize=13, titleFontSize=13, tickCount=5, **looks.QUIET_AXIS
    )
    scale = alt.Scale(zero=False, nice=False, padding=10)
    return {"axis": axis, "scale": scale, "title": quality}


def _rules(base, error, color, dash):
    """Return the background's rule, and the rule at the amount marked."""
    before = alt.Chart().transform_filter("datum.kind === 'background'")
    rule = before.mark_rule(strokeWidth=1.5).encode(error, color, dash)
    now = base.transform_filter("datum.kind === 'amount'")
    now = now.mark_rule(color=looks.QUIET, strokeWidth=2.5)
    return [rule.properties(name="background"), now.properties(name="amount")]


def _crossings(base, error):
    """Return the crossovers, each a disc with a letter, readable on light and dark pages."""
    crossing = base.transform_filter("datum.kind === 'crossover'").encode(error)
    disc = crossing.mark_point(
        filled=True, shape="circle", size=330, opacity=1, fill=_INK, stroke=_PAPER, strokeWidth=1.5
    )
    letter = crossing.mark_text(fontSize=13, fontWeight=700, color=_PAPER)
    letter = letter.encode(text="letter:N")
    return [disc.properties(name="crossovers"), letter.properties(name=f"{looks.INSIDE}_letters")]
