"""How charts look: colours, shapes and dashes by role, and the parts that all charts share.

Models and texts differ by shape and dash as well as by colour. The colour of a mark has a
contrast of 3 to 1 or more with the light page and with the dark one; no colour has 4.5 with
both, so text has ink of its own on each.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt

from workbench.settings import BROKEN as BROKEN_STATUS
from workbench.settings import ROLE_COLORS

Layers = alt.LayerChart | alt.FacetChart  # as altair annotates what ``alt.layer`` returns
MODELS = ("1-gram", "background", "adapted")
MODEL_COLORS = tuple(map(ROLE_COLORS.__getitem__, MODELS))
MODEL_SHAPES = ("diamond", "square", "circle")
TEXTS = ("adaptation text", "dev text", "test text")
TEXT_COLORS = ORANGE, TEAL, VIOLET = tuple(map(ROLE_COLORS.__getitem__, TEXTS))
TEXT_DASHES = ([6, 3], [1, 0], [2, 2])
TEXT_SHAPES = ("square", "circle", "triangle-up")
QUIET, BLUE, LINE = ROLE_COLORS["1-gram"], "#4a83c4", 2
BROKEN = ROLE_COLORS[BROKEN_STATUS]
# Backgrounds of the pages; ink of titles and text among marks; of labels at axes and in legends.
PAGES = {"light": "#fdfcfa", "dark": "#14171c"}
INK = {"light": "#20242c", "dark": "#e8e4dc"}
LABEL_INK = {"light": "#565c66", "dark": "#b9bcc3"}
INSIDE = "inside"  # how the names of text marks begin that stand on a coloured ground
FONT_SIZE, TITLE_SIZE = 13, 14
# As on the page: a space before the per cent sign that no line breaks at.
_NUMBERS = {
    "decimal": ".", "thousands": ",", "grouping": [3], "currency": ["$", ""], "percent": "\u00a0%"
}  # fmt: skip
_AROUND = 190  # pixels of title, legend and axis
QUIET_AXIS: dict[str, Any] = {"gridOpacity": 0.6, "titleFontWeight": "normal", "titlePadding": 8}
NAME_AXIS: dict[str, Any] = {
    "ticks": False, "domain": False, "labelPadding": 8, "titleFontWeight": "normal"
}  # fmt: skip
SERIES_COLORS = (TEAL, ORANGE, VIOLET, QUIET, BLUE)
SERIES_DASHES = ([1, 0], [6, 3], [2, 2], [8, 4], [10, 3, 2, 3])
SERIES_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
# White text is read on all of them, on a light page and on a dark one.
DEEP_TEAL = "#0b6b62"
EFFECT_COLORS = {
    "significantly better": "#0e7a70", "no clear difference": "#6b717b",
    "▲ significantly worse": "#a3581a", "the first model": "#3f5f8a",
}  # fmt: skip


def role_colors() -> dict[str, str]:
    """Return the colour of each role, "#rrggbb": of models, of words' statuses, of texts."""
    return dict(ROLE_COLORS)


def config(theme: str = "light") -> dict[str, Any]:
    """Return how all text of a chart looks on a light or a dark page: sizes, ink, numbers."""
    labels = {f"{part}{key}": value for part in ("label", "title")
              for key, value in (("FontSize", FONT_SIZE), ("Color", LABEL_INK[theme]))}  # fmt: skip
    return {
        "axis": labels, "legend": labels, "header": labels,
        "title": {"fontSize": TITLE_SIZE, "color": INK[theme]},
        "text": {"fontSize": FONT_SIZE, "color": INK[theme]},
        "locale": {"number": _NUMBERS},
    }  # fmt: skip


def title(text: str) -> alt.Title:
    """Return the title of a figure."""
    return alt.Title(text, anchor="start", frame="bounds", fontWeight=600, offset=8)


def begin(heading: str) -> str:
    """Return a heading with a capital at its beginning; the rest stays as it is."""
    return heading[:1].upper() + heading[1:]


def finish(chart: Any, heading: str, **size: Any) -> Any:
    """Return a chart with its title and size, its text in ``config``, and no frame."""
    drawn = chart.properties(title=title(heading), view={"stroke": None}, **size)
    return drawn.configure(**config())


def rows_of(height: int, n_rows: int) -> dict[str, Any]:
    """Return the size of a chart with so many rows of so many pixels; its place gives the width.

    Title, legend and axis are part of the height, as Streamlit has it in any case.
    """
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    return {"height": height * n_rows + _AROUND, "autosize": fit}


def named_channel(
    channel: type, field: str, names: Sequence[str], values: Sequence, **options: Any
) -> Any:
    """Return a channel of colour, dash or shape: the names in a field mapped to values."""
    scale = alt.Scale(domain=list(names), range=list(values[: len(names)]))
    return channel(f"{field}:N", scale=scale, **options)


def model_channels(names: Sequence[str] = MODELS, **options: Any) -> list[Any]:
    """Return the colour and shape of some models."""
    looks = {alt.Color: MODEL_COLORS, alt.Shape: MODEL_SHAPES}
    by_channel = {c: dict(zip(MODELS, values, strict=True)) for c, values in looks.items()}
    return [
        named_channel(channel, "model", names, [of[name] for name in names], **options)
        for channel, of in by_channel.items()
    ]


def series_channels(field: str, names: Sequence[str], **legend: Any) -> tuple:
    """Return the colour, dash and shape of up to four series, with a legend if there are two.

    A series with the name of a role has that role's colour.
    """
    options = {"title": None, "orient": "top", "symbolStrokeWidth": 0} | legend
    shown = alt.Legend(**options) if len(names) > 1 else None
    named = zip(names, SERIES_COLORS, strict=False)
    colors = [ROLE_COLORS.get(name, color) for name, color in named]
    looks = {alt.Color: colors, alt.StrokeDash: SERIES_DASHES, alt.Shape: SERIES_SHAPES}
    return tuple(named_channel(c, field, names, v, legend=shown) for c, v in looks.items())


def interval_tooltips(format: str = ".2%") -> list[alt.Tooltip]:
    """Return the tooltips of the ends, ``low`` and ``high``, of a 95 % interval."""
    ends = {"low:Q": "95 % interval from", "high:Q": "to"}
    return [alt.Tooltip(end, title=heading, format=format) for end, heading in ends.items()]
