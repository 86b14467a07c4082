"""Plain charts of any table: lines, grids, moves, and methods side by side."""

from io import BytesIO

import altair as alt
import pandas as pd
from altair.utils.mimebundle import spec_to_mimebundle
from PIL import Image

from workbench.charts.looks import LINE, MODEL_COLORS, QUIET, TEXT_COLORS, title

_ORANGE, _TEAL, _VIOLET = TEXT_COLORS
_DEEP = "#0b6b62"  # teal on which white text is read
_SERIES = ((_TEAL, [1, 0], "circle"), (_ORANGE, [6, 3], "square"), (_VIOLET, [2, 2], "triangle-up"))
_DENSE = 40  # points of a line
_UNKNOWN = (float("nan"), float("nan"))
_AXIS = {"gridOpacity": 0.6, "titleFontWeight": "normal", "titlePadding": 8}
_NAMES = {"ticks": False, "domain": False, "labelPadding": 8, "titleFontWeight": "normal"}
_OPEN = {"stroke": None}  # a view without a frame


def keep_pictures():
    """Let a notebook keep charts as PNG, which every page shows, whether scripts run there or not.

    Needs vl-convert-python, as all of altair's pictures do.
    """
    alt.renderers.register("small picture", _picture)
    alt.renderers.enable("small picture")


def _picture(spec, **options):
    """Return the PNG of a chart, its colours numbered: an eighth of the size, as good to see."""
    bundle, size = spec_to_mimebundle(spec, "png", "vega-lite", scale_factor=2, **options)
    small = BytesIO()
    Image.open(BytesIO(bundle["image/png"])).convert("RGB").quantize(128).save(small, "PNG")
    return {"image/png": small.getvalue()}, size


def _axis_of(channel, name, heading, log, format):
    scale = alt.Scale(type="log" if log else "linear", nice=not log, zero=False)
    axis = alt.Axis(format=format, tickCount=5, title=heading, **_AXIS)
    return channel(f"{name}:Q", scale=scale, axis=axis)


def _series_looks(series, names):
    """Channels of colour, dash and shape for the series of a table; none for one line alone."""
    if not series:
        return {}
    looks = zip(*_SERIES[: len(names)], strict=True)
    legend = alt.Legend(title=None, orient="top", symbolStrokeWidth=0, symbolSize=80, offset=4)
    channels = alt.Color, alt.StrokeDash, alt.Shape
    return {
        name: channel(f"{series}:N", scale=alt.Scale(domain=names, range=list(look)), legend=legend)
        for name, channel, look in zip(
            ("color", "strokeDash", "shape"), channels, looks, strict=True
        )
    }


def draw_lines(table, x, y, heading, series=None, log="", formats=("~r", "~s"), width=480):
    """Draw a number against another, a line for each series.

    Parameters
    ----------
    table : DataFrame
    x, y : (str, str)
        Column and what its axis says.
    heading : str
    series : str, optional
        Column that parts the lines, three at most.
    log : {"", "x", "y", "xy"}
        Axes with a logarithmic scale.
    formats : (str, str)
        Of the numbers on the axes.
    width : int
    """
    axes = zip((alt.X, alt.Y), (x, y), "xy", formats, strict=True)
    places = [
        _axis_of(channel, *column, axis in log, format) for channel, column, axis, format in axes
    ]
    names = list(dict.fromkeys(table[series])) if series else [None]
    looks = _series_looks(series, names)
    base = alt.Chart(table).encode(*places)
    line = base.mark_line(strokeWidth=LINE, color=_TEAL)
    line = line.encode(**{name: look for name, look in looks.items() if name != "shape"})
    is_dense = len(table) > _DENSE * len(names)  # points would run into one another
    points = base.mark_point(filled=True, size=0 if is_dense else 36, opacity=1, color=_TEAL)
    points = points.encode(**{name: look for name, look in looks.items() if name != "strokeDash"})
    return alt.layer(line, points).properties(
        width=width, height=260, title=title(heading), view=_OPEN
    )


def _told(label):
    """A label of a row or column, numbers without idle zeros."""
    return label if isinstance(label, str) else f"{label:g}"


def draw_grid(table, heading, format=".0%", reverse=False, cell=(74, 30)):
    """Draw a table of numbers as a grid of cells, the number in each; a column's name heads it.

    Parameters
    ----------
    table : DataFrame
        Its index and its columns name the two axes.
    heading : str
    format : str
        Of the numbers.
    reverse : bool
        Whether small numbers are the ones to be seen, as with errors.
    cell : (int, int)
        Width and height.
    """
    rows, columns = table.index.name or "row", table.columns.name or "column"
    long = table.copy()
    long.index = [_told(label) for label in table.index]
    long.columns = [_told(label) for label in table.columns]
    long = long.rename_axis(index=rows).reset_index()
    long = long.melt(rows, var_name=columns, value_name="value")
    low, high = long["value"].min(), long["value"].max()
    ends = [high, low] if reverse else [low, high]
    ramp = alt.Scale(domain=ends, range=["#ffffff", _DEEP], interpolate="rgb")
    color = alt.Color("value:Q", scale=ramp, legend=None)
    edge = ends[0] + 0.7 * (ends[1] - ends[0])  # beyond it white is read better than black
    is_dark = f"datum.value {'<' if reverse else '>'} {edge}"
    base = alt.Chart(long).encode(
        alt.X(f"{columns}:N", sort=None, axis=alt.Axis(labelAngle=0, orient="top", **_NAMES)),
        alt.Y(f"{rows}:N", sort=None, axis=alt.Axis(**_NAMES)),
    )
    cells = base.mark_rect(stroke="#d5d9df").encode(color)
    numbers = base.mark_text(fontSize=12).encode(
        alt.Text("value:Q", format=format),
        color=alt.condition(is_dark, alt.value("white"), alt.value("#30353d")),
    )
    width, height = cell[0] * table.shape[1], cell[1] * table.shape[0]
    return alt.layer(cells, numbers).properties(
        width=width, height=height, title=title(heading), view=_OPEN
    )


def draw_moves(table, heading, unit="weight", width=420):
    """Draw where numbers were and where they are: a line from each ``before`` to its ``after``.

    Parameters
    ----------
    table : DataFrame
        ``name``, ``before``, ``after``; drawn in this order.
    heading : str
    unit : str
        What the axis says.
    width : int
    """
    names = alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, **_NAMES))
    x = alt.X("before:Q", axis=alt.Axis(title=unit, tickCount=6, **_AXIS))
    colors = alt.Scale(domain=["background", "adapted"], range=list(MODEL_COLORS[1:]))
    shapes = alt.Scale(domain=["background", "adapted"], range=["square", "circle"])
    legend = alt.Legend(title=None, orient="top", offset=4)
    base = alt.Chart(table).encode(names)
    line = base.mark_rule(color=QUIET, strokeWidth=2, opacity=0.6).encode(x, alt.X2("after:Q"))
    ends = (
        alt.Chart(table.melt("name", ["before", "after"], "when", "at"))
        .transform_calculate(model="datum.when === 'before' ? 'background' : 'adapted'")
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            names,
            alt.X("at:Q"),
            alt.Color("model:N", scale=colors, legend=legend),
            alt.Shape("model:N", scale=shapes, legend=legend),
        )
    )
    height = 24 * len(table)
    return alt.layer(line, ends).properties(
        width=width, height=height, title=title(heading), view=_OPEN
    )


def gain_of(row):
    """Name what a row of ``compare`` says of its errors beside the background's.

    A difference that is not significant is no difference.
    """
    return gain_in_words((row.get("gain") or {}).get("from_background") or "not significant")


def gain_in_words(says):
    """Name what a verdict says of errors."""
    if "not" in says:
        return "no clear difference"
    return "fewer errors" if says.startswith("gain") else "more errors"


def method_table(rows):
    """Lay out rows of ``compare``, those with the fewest errors first."""
    table = [
        (row["name"], row["error_rate"], *row.get("error_interval", _UNKNOWN), gain_of(row))
        for row in sorted(rows, key=lambda row: row["error_rate"])
    ]
    columns = ["method", "error", "low", "high", "beside the background"]
    return pd.DataFrame(table, columns=columns)


def draw_methods(rows, heading, width=420):
    """Draw the error rates of methods, the best first.

    Parameters
    ----------
    rows : list of dict
        Such as ``model_row`` gives them.
    heading : str
    width : int
    """
    table = method_table(rows)
    axis = alt.Axis(format=".1~%", tickCount=6, title="words with a wrong tag", **_AXIS)
    base = alt.Chart(table).encode(
        alt.Y("method:N", sort=None, title=None, axis=alt.Axis(**_NAMES)),
        alt.X("error:Q", axis=axis, scale=alt.Scale(zero=True)),
    )
    points = base.mark_point(filled=True, size=90, opacity=1, color=_TEAL)
    numbers = base.mark_text(align="left", dx=8, fontSize=11)
    numbers = numbers.encode(alt.Text("error:Q", format=".2%"))
    height = 26 * len(table)
    return alt.layer(points, numbers).properties(
        width=width, height=height, title=title(heading), view=_OPEN
    )
