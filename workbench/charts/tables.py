"""Charts of any table: lines, a grid of cells, before and after."""

import altair as alt
import pandas as pd

from workbench.charts import looks

_DENSE = 40  # points of a line


def draw_lines(
    table: pd.DataFrame, x: tuple[str, str], y: tuple[str, str], heading: str,
    series: str | None = None, log: str = "", formats: tuple[str, str] = ("~r", "~s"),
    width: int = 480,
) -> alt.LayerChart:  # fmt: skip
    """Draw a number against another, a line for each series.

    ``x`` and ``y`` are a column and what its axis says; ``series``, if any, the column that names
    the series, four at most; ``log``, of {"", "x", "y", "xy"}, the axes with a logarithmic scale;
    ``formats`` those of the numbers on the two axes.
    """
    axes = zip((alt.X, alt.Y), (x, y), "xy", formats, strict=True)
    places = [_axis(channel, *column, axis in log, form) for channel, column, axis, form in axes]
    names = list(dict.fromkeys(table[series])) if series else ["all"]
    base = alt.Chart(table).encode(*places)
    line = base.mark_line(strokeWidth=looks.LINE, color=looks.TEAL)
    is_dense = len(table) > _DENSE * len(names)  # points would run into one another
    points = base.mark_point(filled=True, size=0 if is_dense else 36, opacity=1, color=looks.TEAL)
    if series:
        color, dash, shape = looks.series_channels(series, names, symbolSize=80, offset=4)
        line, points = line.encode(color, dash), points.encode(color, shape)
    return looks.finish(alt.layer(line, points), heading, width=width, height=260)


def _axis(channel, name, heading, log, format):
    scale = alt.Scale(type="log" if log else "linear", nice=not log, zero=False)
    axis = alt.Axis(format=format, tickCount=5, title=heading, **looks.QUIET_AXIS)
    return channel(f"{name}:Q", scale=scale, axis=axis)


def draw_grid(
    table: pd.DataFrame, heading: str, format: str = ".0%", reverse: bool = False,
    cell: tuple[int, int] = (74, 30),
) -> alt.LayerChart:  # fmt: skip
    """Draw a table of numbers as a grid of cells, the number in each; a column's name heads it.

    The names of the table's index and columns are those of the axes. With ``reverse``
    small numbers have the deepest colour, as with errors; ``cell`` is width and height.
    """
    rows, columns = table.index.name or "row", table.columns.name or "column"
    long = _cells(table, rows, columns)
    low, high = long["value"].min(), long["value"].max()
    ends = [high, low] if reverse else [low, high]
    ramp = alt.Scale(domain=ends, range=["#ffffff", looks.DEEP_TEAL], interpolate="rgb")
    edge = ends[0] + 0.84 * (ends[1] - ends[0])  # beyond it white is read better than black
    is_dark = f"datum.value {'<' if reverse else '>'} {edge}"
    across = alt.Axis(labelAngle=0, orient="top", **looks.NAME_AXIS)
    base = alt.Chart(long).encode(
        alt.X(f"{columns}:N", sort=None, axis=across),
        alt.Y(f"{rows}:N", sort=None, axis=alt.Axis(**looks.NAME_AXIS)),
    )
    cells = base.mark_rect(stroke="#d5d9df").encode(alt.Color("value:Q", scale=ramp, legend=None))
    numbers = base.mark_text().encode(
        alt.Text("value:Q", format=format),
        color=alt.condition(is_dark, alt.value("white"), alt.value("#000000")),
    )
    width, height = cell[0] * table.shape[1], cell[1] * table.shape[0]
    numbers = numbers.properties(name=f"{looks.INSIDE}_numbers")
    return looks.finish(alt.layer(cells, numbers), heading, width=width, height=height)


def _cells(table, rows, columns):
    """Return a row for each cell: the labels of its row and column, and its ``value``."""
    long = table.rename(index=_label, columns=_label).rename_axis(index=rows).reset_index()
    return long.melt(rows, var_name=columns, value_name="value")


def _label(label):
    """Return a label as text, numbers without trailing zeros."""
    return label if isinstance(label, str) else f"{label:g}"


def draw_moves(table: pd.DataFrame, heading: str, unit: str = "weight") -> alt.LayerChart:
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
    return looks.finish(chart, heading, width=420, height=24 * len(table))
