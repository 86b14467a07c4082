"""A grid, lines, or before and after, of any table; how far weights moved.

Errors on dev at every sigma^2 and cut-off: a grid of cells, of which a click picks one.

Charts of any table: a line for each series, a grid of cells, values before and after.

How far the weights moved: a histogram of inherited and of new features.
"""

from typing import Any

import altair as alt
import pandas as pd

from workbench.charts import looks

GRID_PICK = "grid_pick"  # parameter of a click: its values are sigma2, cutoff (a text) and gen
NONE = "none"
_PALE, _DARK_INK, _LIGHT_INK = "#e4efec", "#20242c", "#ffffff"
_AROUND = 190  # pixels of title and axes: the page counts them as part of the height
# Every label in the middle of its row or column, also of the first and the last.
_CENTRED: dict[str, Any] = {
    "labelFlush": False, "labelBound": False, "labelOverlap": False,
    "labelFontSize": 13, "titleFontSize": 13,
}  # fmt: skip
KEY = ("● within one standard error of the best", "★ best\u2003◯ now")


def heat_map_table(
    points: pd.DataFrame, sigma2: float, cutoff: int | None, gen: int = 0, quality: str = ""
) -> pd.DataFrame:
    """Lay out the cells of the heat map.

    Parameters
    ----------
    points : DataFrame
        As in ``grid_points``.
    sigma2, cutoff
        The present ones.
    gen : int
        Comes back with a click, so that two clicks on one cell differ.
    quality : str
        What is measured if that is no error; shown is then what errors leave.

    Returns
    -------
    table : DataFrame
        ``cutoff`` (a text) and its ``rank``, ``sigma2``, ``shown``, ``sign`` (★, ● or none),
        ``is_deep`` (white is read better on its colour), ``current``, ``gen``.
    """
    text = [NONE if pd.isna(value) else str(value) for value in points["cutoff"]]
    now = NONE if cutoff is None else str(cutoff)
    low, high = points["error"].min(), points["error"].max()
    sign = points["near_best"].map({True: "●", False: ""}).mask(points["best"], "★")
    return pd.DataFrame(
        {
            "cutoff": text,
            "rank": pd.factorize(pd.Series(text))[0],
            "sigma2": points["sigma2"],
            "shown": 1 - points["error"] if quality else points["error"],
            "sign": sign.astype(str),
            "is_deep": points["error"] <= low + 0.55 * (high - low),
            "current": (points["sigma2"] == sigma2) & (pd.Series(text) == now),
            "gen": gen,
        }
    )


def draw_heat_map(
    points: pd.DataFrame, sigma2: float, cutoff: int | None, gen: int = 0, quality: str = ""
) -> alt.LayerChart:
    """Draw the dev errors, or the quality, of a grid of sigma^2 and cut-off, as wide as its place.

    Cells as good as the best have a dot and an outline, the best a star, the present one a
    ring; cells that are not fitted are empty. A click gives ``GRID_PICK``. Parameters are
    those of ``heat_map_table``.
    """
    table = heat_map_table(points, sigma2, cutoff, gen, quality)
    cutoffs = list(dict.fromkeys(table["cutoff"]))
    layers = _layers(cutoffs, sorted(set(table["sigma2"])), quality)
    height = 28 * len(cutoffs) + _AROUND
    chart = layers.properties(name="heat_map", data=table)
    return looks.finish(chart, looks.begin(f"{quality or 'errors'} on the dev text"), height=height)


def _layers(cutoffs, sigma2s, quality):
    decades = [s for s in sigma2s if f"{s:e}".startswith("1.000000e")]
    across = alt.Axis(  # with ``values`` a tick may go when the chart is made wider
        labelExpr=f"indexof({decades}, datum.value) < 0 ? '' : format(datum.value, '~g')",
        labelAngle=0, title=["σ² (log scale)", *KEY],
        ticks=True, domain=False, **_CENTRED, **looks.QUIET_AXIS,
    )  # fmt: skip
    down = alt.Axis(title="cut-off", **_CENTRED, **looks.NAME_AXIS)
    base = alt.Chart().encode(
        alt.X("sigma2:O", axis=across, scale=alt.Scale(domain=sigma2s, padding=0)),
        alt.Y("cutoff:N", axis=down, scale=alt.Scale(domain=cutoffs, padding=0)),
    )
    return alt.layer(_cells(base, quality), _outlines(base), _signs(base), *_rings(base))


def _cells(base, quality):
    """Return the cells, the better the deeper, with their tip and the click that picks one."""
    legend = alt.Legend(
        title=quality or "errors", format=".1%" if quality else ".2%", orient="top",
        labelFontSize=13, titleFontSize=13,
        gradientLength=180, gradientThickness=12, tickCount=3, offset=6,
    )  # fmt: skip
    colors = [_PALE, looks.DEEP_TEAL] if quality else [looks.DEEP_TEAL, _PALE]
    ramp = alt.Scale(range=colors, interpolate="rgb", zero=False)
    pick = alt.selection_point(
        name=GRID_PICK, on="click", fields=["sigma2", "cutoff", "gen"], toggle=False, empty=False
    )
    tip = [
        alt.Tooltip("sigma2:Q", title="σ²", format="~g"),
        alt.Tooltip("cutoff:N", title="cut-off"),
        alt.Tooltip("shown:Q", title=f"dev {quality or 'errors'}", format=".2%"),
    ]
    fill = alt.condition("isValid(datum.shown)", alt.Color("shown:Q", scale=ramp, legend=legend),
                         alt.value("transparent"))  # fmt: skip
    cells = base.mark_rect(stroke=looks.QUIET, strokeWidth=0.4, cursor="pointer")
    return cells.encode(color=fill, tooltip=tip).add_params(pick).properties(name="cells")


def _outlines(base):
    near = base.mark_rect(filled=False, stroke=_DARK_INK, strokeWidth=1.2)
    return near.transform_filter("datum.sign !== ''").properties(name="near_best")


def _signs(base):
    ink = alt.condition("datum.is_deep", alt.value(_LIGHT_INK), alt.value(_DARK_INK))
    signs = base.mark_text(fontSize=13, fontWeight=700).encode(alt.Text("sign:N"), color=ink)
    return signs.properties(name=f"{looks.INSIDE}_signs")


def _rings(base):
    """Return a dark ring in a light one, visible on cells of any colour."""
    now = base.transform_filter("datum.current")
    return [
        now.mark_point(
            shape="circle", size=330, filled=False, strokeWidth=width, color=ink
        ).properties(name=name)
        for name, width, ink in (("present_halo", 6, _LIGHT_INK), ("present", 2.5, _DARK_INK))
    ]


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
    long = _grid_cells(table, rows, columns)
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


def _grid_cells(table, rows, columns):
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


_KINDS = ("inherited", "new")
_TICKS = [0, *(10**power for power in range(1, 8))]


def draw_counts(counts: pd.DataFrame) -> alt.Chart:
    """Draw how many weights moved how far; ``counts`` as ``count_moves`` gives them."""
    bins = [_name(row) for row in counts.itertuples()]
    table = counts.assign(bin=bins).melt("bin", list(_KINDS), "features", "weights")
    color, *_ = looks.series_channels("features", _KINDS)
    tip = [alt.Tooltip("features:N"), alt.Tooltip("bin:N", title="moved by, nats"),
           alt.Tooltip("weights:Q", format=",")]  # fmt: skip
    bars = (
        alt.Chart(table)
        .mark_bar()
        .encode(
            alt.Y("bin:N", sort=bins, title="moved by, nats",
                  axis=alt.Axis(labelOverlap=False, **looks.NAME_AXIS)),
            alt.X("weights:Q", title="weights", scale=alt.Scale(type="symlog"),
                  axis=alt.Axis(values=_TICKS, format=",d", **looks.QUIET_AXIS)),
            color,
            alt.YOffset("features:N", sort=list(_KINDS)),
            tooltip=tip,
        )
    )  # fmt: skip
    size = looks.rows_of(26, len(bins))
    return looks.finish(bars, "How far the weights moved", width="container", **size)


def _name(row):
    low, high = f"{row[1]:g}", row.to
    return f"over {low}" if high == float("inf") else f"{low} to {high:g}"


def describe_counts(counts: pd.DataFrame) -> str:
    """Return in a sentence how far the weights of inherited and of new features moved."""
    parts = []
    for kind in _KINDS:
        total, far = counts[kind].sum(), counts.loc[counts["from"] >= 0.1, kind].sum()
        parts.append(f"{far:,} of {total:,} {kind} ones")
    return f"More than 0.1 nats from the background moved {' and '.join(parts)}."
