"""A number against another, a line for each series."""

import altair as alt
import pandas as pd

from workbench.charts.looks import LINE, QUIET_AXIS, TEAL, finish, series_channels

_DENSE = 40  # points of a line


def draw_lines(
    table: pd.DataFrame,
    x: tuple[str, str],
    y: tuple[str, str],
    heading: str,
    series: str | None = None,
    log: str = "",
    formats: tuple[str, str] = ("~r", "~s"),
    width: int = 480,
) -> alt.LayerChart:
    """Draw a number against another, a line for each series.

    Parameters
    ----------
    x, y : (str, str)
        Column and what its axis says.
    series : str, optional
        Column that names the series, four at most.
    log : {"", "x", "y", "xy"}
        Axes with a logarithmic scale.
    formats : (str, str)
        Of the numbers on the axes.
    """
    axes = zip((alt.X, alt.Y), (x, y), "xy", formats, strict=True)
    places = [
        _axis(channel, *column, axis in log, format) for channel, column, axis, format in axes
    ]
    names = list(dict.fromkeys(table[series])) if series else ["all"]
    base = alt.Chart(table).encode(*places)
    line = base.mark_line(strokeWidth=LINE, color=TEAL)
    is_dense = len(table) > _DENSE * len(names)  # points would run into one another
    points = base.mark_point(filled=True, size=0 if is_dense else 36, opacity=1, color=TEAL)
    if series:
        color, dash, shape = series_channels(series, names, symbolSize=80, offset=4)
        line, points = line.encode(color, dash), points.encode(color, shape)
    return finish(alt.layer(line, points), heading, width=width, height=260)


def _axis(channel, name, heading, log, format):
    scale = alt.Scale(type="log" if log else "linear", nice=not log, zero=False)
    axis = alt.Axis(format=format, tickCount=5, title=heading, **QUIET_AXIS)
    return channel(f"{name}:Q", scale=scale, axis=axis)
