"""The figures of the page and the notebooks, as specifications, charts and pictures."""

from collections.abc import Callable
from functools import cache, partial
from io import BytesIO

import altair as alt
import pandas as pd
from altair.utils.mimebundle import spec_to_mimebundle
from PIL import Image

from workbench.charts import looks
from workbench.charts.error_chart import error_layers, error_table, tag_layers, tag_table
from workbench.charts.figure1 import curve_layers, curve_table, likelihood_layers
from workbench.charts.looks import MODELS

FIGURES: dict[str, tuple[Callable[[], looks.Layers], int, str]] = {
    "errors dev": (partial(curve_layers, 2), 300, "Errors against σ²"),
    "errors test": (partial(curve_layers, 3), 300, "Errors against σ²"),
    "likelihood": (likelihood_layers, 215, "Log-likelihood of the adaptation text"),
    "models": (error_layers, 175, "Errors, with 95 % intervals"),
    "models without 1-gram": (error_layers, 130, "Errors, with 95 % intervals"),
    "tags": (tag_layers, 340, "Wrong words by tag"),
    "tags without 1-gram": (
        partial(tag_layers, MODELS[1:]), 340, "Wrong words by tag",
    ),
}  # fmt: skip


def _figure(name, **properties):
    layers, height, title = FIGURES[name]
    name = name.replace(" ", "_")
    figure = layers().properties(name=name, height=height, title=looks.title(title), **properties)
    return figure.configure(**looks.config())


def figure_of(name: str, models: list[dict]) -> str:
    """Return the name of the figure, "models" or "tags", that fits the models."""
    has_unigram = any(row["name"] == MODELS[0] for row in models)
    return name if has_unigram else f"{name} without {MODELS[0]}"


@cache
def spec(name: str) -> dict:
    """Return the specification, without data, of one of ``FIGURES``; read it, never write to it."""
    drawn = _figure(name).to_dict(validate=False)
    del drawn["datasets"]  # altair's stand-in for data that are not there: one empty row
    for layer in drawn["layer"]:
        del layer["data"]
    return drawn


def filled(name: str, table: pd.DataFrame) -> dict:
    """Return ``spec`` with its data, for a page.

    The data have a name there: Streamlit draws a chart before it sends it data without a name,
    and the browser's console then has a warning about each empty scale.
    """
    return spec(name) | {"data": {"name": "table"}, "datasets": {"table": table}}


def draw_figure1(
    curve: pd.DataFrame, models: list[dict], sigma2: float, part: str = "dev", width: int = 560
) -> tuple[alt.LayerChart, alt.LayerChart]:
    """Draw figure 1 of CA04: errors, and log-likelihood of the adaptation data, against sigma^2."""
    table = curve_table(curve, models, sigma2, part)
    errors = _figure(f"errors {part}", data=table, width=width)
    return errors, _figure("likelihood", data=table, width=width)


def draw_errors(models: list[dict], width: int = 400) -> alt.LayerChart:
    """Draw the models' error rates with 95 % intervals of their change from the background."""
    return _figure(figure_of("models", models), data=error_table(models), width=width)


def draw_errors_by_tag(models: list[dict], width: int = 400) -> alt.LayerChart:
    """Draw how many words of each reference tag the models get wrong."""
    return _figure(figure_of("tags", models), data=tag_table(models), width=width)


def keep_pictures() -> None:
    """Let a notebook store charts as PNG, which every page shows, whether scripts run there or not.

    Needs vl-convert-python, as all of altair's pictures do.
    """
    alt.renderers.register("small picture", _picture)
    alt.renderers.enable("small picture")


def _picture(spec, **options):
    """Return the PNG of a chart with 128 colours: an eighth of the size, as good to see."""
    bundle, size = spec_to_mimebundle(spec, "png", "vega-lite", scale_factor=2, **options)
    small = BytesIO()
    Image.open(BytesIO(bundle["image/png"])).convert("RGB").quantize(128).save(small, "PNG")
    return {"image/png": small.getvalue()}, size
