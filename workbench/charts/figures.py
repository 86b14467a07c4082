"""The figures of the notebooks, as charts and pictures."""

from collections.abc import Callable
from functools import partial
from io import BytesIO

import altair as alt
import pandas as pd
from altair.utils.mimebundle import spec_to_mimebundle
from PIL import Image

from workbench.charts import looks
from workbench.charts.bars import error_layers, error_table, tag_layers, tag_table
from workbench.charts.curves import curve_layers, curve_table, likelihood_layers
from workbench.charts.looks import MODELS

_DOTS = 2  # of a picture, for each pixel of its place: sharp on fine screens
_FIGURES: dict[str, tuple[Callable[[], looks.Layers], int, str]] = {
    "errors dev": (curve_layers, 300, "Errors against σ²"),
    "likelihood": (likelihood_layers, 215, "Log-likelihood of the adaptation text"),
    "models": (error_layers, 175, "Errors, with 95 % intervals"),
    "models without 1-gram": (error_layers, 130, "Errors, with 95 % intervals"),
    "tags": (tag_layers, 340, "Wrong words by tag"),
    "tags without 1-gram": (
        partial(tag_layers, MODELS[1:]), 340, "Wrong words by tag",
    ),
}  # fmt: skip


def _figure(name, **properties):
    layers, height, title = _FIGURES[name]
    name = name.replace(" ", "_")
    figure = layers().properties(name=name, height=height, title=looks.title(title), **properties)
    return figure.configure(**looks.config())


def _figure_of(name: str, models: list[dict]) -> str:
    """Return the name of the figure, "models" or "tags", that fits the models."""
    has_unigram = any(row["name"] == MODELS[0] for row in models)
    return name if has_unigram else f"{name} without {MODELS[0]}"


def draw_figure1(
    curve: pd.DataFrame, models: list[dict], sigma2: float
) -> tuple[alt.LayerChart, alt.LayerChart]:
    """Draw figure 1 of CA04: errors, and log-likelihood of the adaptation data, against sigma^2."""
    table = curve_table(curve, models, sigma2)
    return tuple(_figure(name, data=table, width=560) for name in ("errors dev", "likelihood"))


def draw_errors(models: list[dict]) -> alt.LayerChart:
    """Draw the models' error rates with 95 % intervals of their change from the background."""
    return _figure(_figure_of("models", models), data=error_table(models), width=400)


def draw_errors_by_tag(models: list[dict]) -> alt.LayerChart:
    """Draw how many words of each reference tag the models get wrong."""
    return _figure(_figure_of("tags", models), data=tag_table(models), width=400)


def keep_pictures() -> None:
    """Let a notebook store charts as PNG, which are shown even where no script runs.

    Needs vl-convert-python, as all of altair's pictures do.
    """
    alt.renderers.register("small picture", _picture)
    alt.renderers.enable("small picture")


def _picture(spec, **options):
    """Return the PNG of a chart with 64 colours: a tenth of the bytes, with no visible loss.

    It has two dots for each pixel of its place, so its text is as large as on the page.
    """
    bundle, size = spec_to_mimebundle(spec, "png", "vega-lite", scale_factor=_DOTS, **options)
    small, picture = BytesIO(), Image.open(BytesIO(bundle["image/png"])).convert("RGB")
    picture.quantize(64).save(small, "PNG", optimize=True)
    place = {side: dots / _DOTS for side, dots in size["image/png"].items()}
    return {"image/png": small.getvalue()}, {"image/png": place}
