"""Errors on dev at every sigma^2 and cut-off: a grid of cells, of which a click picks one."""

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
KEY = ("★ best\u2003● no clear difference from it (p ≥ 0.05)", "◯ now")


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
