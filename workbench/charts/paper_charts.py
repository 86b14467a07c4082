"""The papers' figures: one chart or two for each of their tables that has a figure."""

from pathlib import Path

import altair as alt
import pandas as pd

from workbench.charts import looks
from workbench.evaluation.number_words import change_in_words, with_minus
from workbench.evaluation.significance import TOO_FEW
from workbench.text.errors import InputError

_HEIGHT = 340  # with title, legend and axis


def draw_paper(name: str, rows: list[dict]) -> list[alt.LayerChart]:
    """Return the charts of one of the papers' tables, by its name; none for some."""
    return _CHARTS[name](pd.DataFrame(rows)) if rows and name in _CHARTS else []


def save_charts(name: str, charts: list[alt.LayerChart], folder: Path) -> list[Path]:
    """Write the charts of a table into a folder, as SVG, named after it; return their files.

    Raises
    ------
    InputError
        If what makes pictures is not installed, or the folder takes none.
    """
    files = []
    for number, chart in enumerate(charts, 1):
        files.append(folder / (f"{name}.svg" if number == 1 else f"{name}-{number}.svg"))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            chart.save(files[-1])
        except ImportError as error:
            how = "pip install vl-convert-python"
            raise InputError(f"pictures {folder}: needs vl-convert ({how})") from error
        except OSError as error:
            raise InputError(f"pictures {folder}: {error.strerror}") from error
    return files


def _lines(table, x, y, series, heading, format=".1~%"):
    """Draw lines against x, on a logarithmic scale; ``series`` is the column that names them."""
    names = list(dict.fromkeys(table[series]))
    color, dash, shape = looks.series_channels(series, names, symbolSize=90, offset=8, columns=2)
    form = {"sigma2": "~g", "sigma2_m": "~g", "share": "~%"}.get(x[0], "~s")
    places = (
        alt.X(f"{x[0]}:Q", title=x[1], scale=alt.Scale(type="log", nice=False),
              axis=alt.Axis(format=form, tickCount=5, grid=False,
                            titleFontWeight="normal", titlePadding=8)),
        alt.Y(f"{y[0]}:Q", title=y[1], scale=alt.Scale(zero=False),
              axis=alt.Axis(format=format, tickCount=5, **looks.QUIET_AXIS)),
    )  # fmt: skip
    tip = [alt.Tooltip(f"{series}:N"), alt.Tooltip(f"{x[0]}:Q", title=x[1], format=",~g"),
           alt.Tooltip(f"{y[0]}:Q", title=y[1], format=format.replace(".1", ".2"))]  # fmt: skip
    base = alt.Chart(table).encode(*places, color, tooltip=tip)
    line = base.mark_line(strokeWidth=looks.LINE).encode(dash)
    points = base.mark_point(filled=True, size=50, opacity=1).encode(shape)
    return looks.finish(alt.layer(line, points), heading, height=_HEIGHT)


def _sizes(table):
    x, y = ("words", "words of background"), ("parameters", "parameters")
    return [_lines(table, x, y, "model", "Parameters by words of background", format="~s")]


def _amounts(table):
    where = table["tested_on"].iloc[0]
    x, y = ("words", "words of background"), ("error", "words with a wrong tag")
    of_one = table[table["tested_on"] == where]
    return [_lines(of_one, x, y, "model", f"Errors by words of background: {where}")]


def _accuracies(table):
    labelled = table.assign(cutoff="cut-off " + table["cutoff"])
    x, y = ("sigma2", "σ² (log scale)"), ("dev_accuracy", "dev words with the right tag")
    return [_lines(labelled, x, y, "cutoff", "Accuracy on dev by cut-off and σ²")]


def _curve(table):
    texts = {"dev_error_rate": "dev text", "train_error_rate": "adaptation text",
             "background": "background"}  # fmt: skip
    long = table.melt("sigma2", list(texts), "text", "error").replace({"text": texts})
    x = "sigma2", "σ² (log scale)"
    errors = _lines(long, x, ("error", "words with a wrong tag"), "text", "Errors against σ²")
    nats = table.assign(text="adaptation text")
    y = "log_likelihood", "nats"
    return [errors, _lines(nats, x, y, "text", "Log-likelihood against σ²", format=",.0f")]


def _matrix(table):
    heading = "Errors, and their change: adapted from the background, background from the 1-gram"
    return [draw_matrix(table, heading)]


def draw_matrix(table: pd.DataFrame, heading: str, **size: int) -> alt.LayerChart:
    """Draw errors by training and test text, and by colour and sign their ``change``."""
    trained, tested = (list(dict.fromkeys(table[key])) for key in ("trained_on", "tested_on"))
    table = table.assign(
        effect=table["says"].map(_effect),
        above=table["error"].map(lambda error: _percent(error, ".2f")),
        below=[_change(row) for row in table.to_dict("records")],
    )
    axis = looks.NAME_AXIS | {"labelLimit": 170, "labelFlush": False}
    band = alt.Scale(paddingInner=0.06, paddingOuter=0)
    x = alt.X("tested_on:N", sort=tested, title="tested on", scale=band,
              axis=alt.Axis(labelAngle=0, orient="top", **axis))  # fmt: skip
    y = alt.Y("trained_on:N", sort=trained, title="trained on", scale=band, axis=alt.Axis(**axis))
    legend = alt.Legend(title=None, orient="bottom", symbolType="square", symbolSize=120, columns=1)
    effects = [effect for effect in looks.EFFECT_COLORS if effect in set(table["effect"])]
    colors = [looks.EFFECT_COLORS[effect] for effect in effects]
    color = looks.named_channel(alt.Color, "effect", effects, colors, legend=legend)
    base = alt.Chart(table).encode(x, y)
    cells = base.mark_rect(cornerRadius=3).encode(color)
    errors = base.mark_text(fontSize=15, fontWeight=600, dy=-8, color="white")
    changes = base.mark_text(dy=11, color="white")
    named = [
        mark.encode(text=f"{field}:N").properties(name=f"{looks.INSIDE}_{field}")
        for mark, field in ((errors, "above"), (changes, "below"))
    ]
    chart = alt.layer(cells, *named)
    return looks.finish(chart, heading, height=54 * len(trained) + 190, **size)


def _effect(says):
    if not isinstance(says, str):
        return "the first model"
    if says in ("no change", TOO_FEW) or "not significant" in says:
        return "no clear difference"
    return "significantly better" if says.startswith("gain") else "▲ significantly worse"


def _change(row):
    mark = "▲ " if row["says"] == "loss is significant" else ""
    return mark + ("" if pd.isna(row["change"]) else change_in_words(row["change"]))


def _percent(value, form):
    return "" if pd.isna(value) else with_minus(f"{100 * value:{form}} %")


def _systems(table):
    names = list(dict.fromkeys(table["tested_on"]))
    legend = alt.Legend(title=None, orient="top", symbolSize=90, offset=4)
    axis = alt.Axis(format=".1~%", tickCount=6, title="accuracy on the held-out folds",
                    **looks.QUIET_AXIS)  # fmt: skip
    of_names = alt.Axis(**looks.NAME_AXIS, grid=True, gridOpacity=0.6, labelLimit=170)
    points = alt.Chart(table).encode(
        alt.Y("system:N", sort=None, title=None, axis=of_names),
        alt.X("accuracy:Q", scale=alt.Scale(zero=False, padding=14), axis=axis),
        looks.named_channel(alt.Color, "tested_on", names, looks.SERIES_COLORS, legend=legend),
        looks.named_channel(alt.Shape, "tested_on", names, looks.SERIES_SHAPES, legend=legend),
        tooltip=["system:N", "tested_on:N", alt.Tooltip("accuracy:Q", format=".2%")],
    )
    chart = points.mark_point(filled=True, size=110, opacity=1)
    return [
        looks.finish(
            chart, "Accuracy of the systems", **looks.rows_of(30, table["system"].nunique())
        )
    ]


def _shares(table):
    systems = {
        "background": "out-of-domain alone",
        "target": "in-domain alone",
        "auxiliary": "auxiliary distribution",
        "model-combination": "model combination",
        "equal-weights": "equal weights",
    }
    long = table.melt("share", list(systems), "system", "accuracy").replace({"system": systems})
    x, y = ("share", "share of the in-domain data"), ("accuracy", "accuracy on the held-out fold")
    return [_lines(long, x, y, "system", "Accuracy by share of in-domain data, 5-fold")]


def _sentences(table):
    """Draw accuracy on the domain and, where known, on the background's own text; not at 0."""
    names = {"accuracy": "on the domain", "in_domain": "on the background's text"}
    shown = {key: name for key, name in names.items() if key in table}
    some = table[table["sentences"] > 0]
    long = some.melt("sentences", list(shown), "text", "share").replace({"text": shown})
    x, y = ("sentences", "sentences of adaptation data"), ("share", "words with the right label")
    return [_lines(long, x, y, "text", "Accuracy by amount of adaptation data")]


def _variances(table):
    long = table.melt("sigma2_m", ["dev", "test"], "text", "share")
    x, y = ("sigma2_m", "σ²m, of inherited features"), ("share", "words with the right label")
    return [_lines(long, x, y, "text", "Accuracy by variance of inherited features")]


_CHARTS = {
    "2": _sizes, "3": _amounts, "5": _accuracies, "6": _matrix, "figure1": _curve,
    "pn08-1": _systems, "pn08-figure1": _shares,
    "crf08-figure2": _sentences, "crf08-figure3": _variances,
}  # fmt: skip
