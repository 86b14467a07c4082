"""A table of numbers as a grid of coloured cells."""

import altair as alt
import pandas as pd

from workbench.charts.looks import DEEP_TEAL, NAME_AXIS, finish


def draw_grid(
    table: pd.DataFrame,
    heading: str,
    format: str = ".0%",
    reverse: bool = False,
    cell: tuple[int, int] = (74, 30),
) -> alt.LayerChart:
    """Draw a table of numbers as a grid of cells, the number in each; a column's name heads it.

    The names of the table's index and columns are those of the axes. With ``reverse``
    small numbers have the deepest colour, as with errors; ``cell`` is width and height.
    """
    rows, columns = table.index.name or "row", table.columns.name or "column"
    long = _cells(table, rows, columns)
    low, high = long["value"].min(), long["value"].max()
    ends = [high, low] if reverse else [low, high]
    ramp = alt.Scale(domain=ends, range=["#ffffff", DEEP_TEAL], interpolate="rgb")
    edge = ends[0] + 0.7 * (ends[1] - ends[0])  # beyond it white is read better than black
    is_dark = f"datum.value {'<' if reverse else '>'} {edge}"
    base = alt.Chart(long).encode(
        alt.X(f"{columns}:N", sort=None, axis=alt.Axis(labelAngle=0, orient="top", **NAME_AXIS)),
        alt.Y(f"{rows}:N", sort=None, axis=alt.Axis(**NAME_AXIS)),
    )
    cells = base.mark_rect(stroke="#d5d9df").encode(alt.Color("value:Q", scale=ramp, legend=None))
    numbers = base.mark_text(fontSize=12).encode(
        alt.Text("value:Q", format=format),
        color=alt.condition(is_dark, alt.value("white"), alt.value("#30353d")),
    )
    width, height = cell[0] * table.shape[1], cell[1] * table.shape[0]
    return finish(alt.layer(cells, numbers), heading, width=width, height=height)


def _cells(table, rows, columns):
    """Return a row for each cell: the labels of its row and column, and its ``value``."""
    long = table.rename(index=_label, columns=_label).rename_axis(index=rows).reset_index()
    return long.melt(rows, var_name=columns, value_name="value")


def _label(label):
    """Return a label as text, numbers without trailing zeros."""
    return label if isinstance(label, str) else f"{label:g}"
