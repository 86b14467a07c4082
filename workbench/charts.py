"""Charts: data frame in, altair chart out; the same figures in a notebook and in the app.

What changes from one sigma^2 to the next stands in the data, never in the
specification, so a page may keep the drawing and exchange its data: ``spec``
gives a specification without data, made once.

Models and texts differ by shape and dash as well as by colour, and every
colour has a contrast of 3 to 1 or more with white and with the dark page.
"""

from functools import cache, partial

import altair as alt
import numpy as np
import pandas as pd

MODELS = ("1-gram", "background", "adapted")
MODEL_COLORS = ("#858b95", "#4a83cf", "#12978a")
MODEL_SHAPES = ("diamond", "square", "circle")
TEXTS = ("adaptation text", "dev text", "test text")
_TEXT_COLORS = ("#c47f22", "#12978a", "#a56bd6")
_TEXT_DASHES = ([6, 3], [1, 0], [2, 2])
_TEXT_SHAPES = ("square", "circle", "triangle-up")
_QUIET, _LINE = "#858b95", 2
PICK = "pick"  # parameter of a click: its values are sigma2 and gen
_GUTTER = 46  # pixels of a vertical axis, fixed so that stacked charts share their horizontal one


# --- from results to tables ---------------------------------------------------------------


def curve_table(curve, models, sigma2, part="dev", gen=0):
    """Lay out figure 1 of CA04: one row a point of a line, and one a rule.

    Parameters
    ----------
    curve : DataFrame
        What ``Session.curve`` gives; fractions.
    models : list of dict
        ``Snapshot.models``: their error rates on ``part`` become the rules.
    sigma2 : float
        The present one.
    part : {"dev", "test"}
        The line of the test text is left out unless this is "test".
    gen : int
        Goes back with a click, so that two clicks on one point differ.

    Returns
    -------
    table : DataFrame
        ``kind`` ("line" or "rule"), ``series``, ``sigma2``, ``error``, ``current`` and
        ``best`` (of the dev text), the columns of ``curve`` for a tip, and ``gen``.
    """
    parts = ("train", "dev", "test") if part == "test" else ("train", "dev")
    best = curve["dev_error_rate"].idxmin()
    lines = [
        curve.assign(
            kind="line",
            series=text,
            error=curve[f"{name}_error_rate"],
            current=np.isclose(curve["sigma2"], sigma2),
            best=(curve.index == best) & (name == "dev"),
        )
        for name, text in zip(("train", "dev", "test"), TEXTS, strict=True)
        if name in parts
    ]
    rules = pd.DataFrame(
        {
            "kind": "rule",
            "series": [_rule_text(row) for row in models[:2]],
            "error": [row["error_rate"] for row in models[:2]],
            "current": False,
            "best": False,
        }
    )
    table = pd.concat([*lines, rules], ignore_index=True).assign(gen=gen)
    return table.drop(columns=["cutoff", "converged", "seconds"])


def _rule_text(row):
    return f"{row['name']} {row['error_rate']:.2%}"


def best_sigma2(curve):
    """Return the sigma^2 of a curve with the fewest errors on dev; the smaller on a tie."""
    ordered = curve.sort_values("sigma2")
    return float(ordered.loc[ordered["dev_error_rate"].idxmin(), "sigma2"])


def error_table(models):
    """Lay out the models' errors with the 95 % interval of their change from the background."""
    base = next(row["error_rate"] for row in models if row["name"] == "background")
    rows = []
    for row in models:
        interval = row.get("versus", {}).get("interval") or (None, None)
        low, high = (np.nan if x is None else base * (1 + x) for x in interval)
        rows.append((row["name"], row["error_rate"], row["wrong"], low, high))
    return pd.DataFrame(rows, columns=["model", "error", "wrong", "low", "high"])


def tag_table(models):
    """Lay out the wrong words of each model by the tag they should have had."""
    rows = [
        (tag, row["name"], round((1 - scores["recall"]) * scores["support"]), scores["support"])
        for row in models
        for tag, scores in row["per_tag"].items()
        if scores["support"]
    ]
    table = pd.DataFrame(rows, columns=["tag", "model", "wrong", "support"])
    return table[table.groupby("tag")["wrong"].transform("max") > 0].reset_index(drop=True)


def describe_curve(curve, sigma2, part):
    """Say in a sentence what figure 1 shows; for those who do not see it."""
    best = curve.loc[curve["dev_error_rate"].idxmin()]
    now = curve.loc[(curve["sigma2"] - sigma2).abs().idxmin()]
    return (
        f"Errors against σ². At σ² = {now['sigma2']:g}: {now[f'{part}_error_rate']:.2%} of the "
        f"{part} text and {now['train_error_rate']:.2%} of the adaptation text. "
        f"Fewest errors on dev: {best['dev_error_rate']:.2%} at σ² = {best['sigma2']:g}."
    )


def describe_models(models):
    """Say in a sentence what the chart of the models' errors shows."""
    errors = ", ".join(f"{row['name']} {row['error_rate']:.2%}" for row in models)
    return f"Share of words with a wrong tag: {errors}."


# --- figure 1 -----------------------------------------------------------------------------


def _sigma2_axis(labelled):
    return alt.X(
        "sigma2:Q",
        scale=alt.Scale(type="log", domain=[0.01, 100], nice=False),
        axis=alt.Axis(
            values=[0.01, 0.1, 1, 10, 100], format="~g", grid=False, labels=labelled, ticks=labelled
        ),
        title="σ² (log scale)" if labelled else None,
    )


def _axis(**options):
    return alt.Axis(minExtent=_GUTTER, maxExtent=_GUTTER, tickCount=5, gridOpacity=0.6, **options)


_TIP = [
    alt.Tooltip("sigma2:Q", title="σ²", format="~g"),
    alt.Tooltip("dev_error_rate:Q", title="dev errors", format=".2%"),
    alt.Tooltip("train_error_rate:Q", title="adaptation errors", format=".2%"),
    alt.Tooltip("log_likelihood:Q", title="log-likelihood, nats", format=",.0f"),
]


def _pointing(x):
    """Give the layers of a pointer: what it is near, told in a tip, and the click that picks it."""
    hover = alt.selection_point(
        name="hover", on="pointerover", clear="pointerout", nearest=True, fields=["sigma2"],
        empty=False,
    )  # fmt: skip
    pick = alt.selection_point(
        name=PICK, on="click", nearest=True, fields=["sigma2", "gen"], toggle=False, empty=False
    )
    targets = (
        alt.Chart(name="targets")
        .mark_point(size=260, opacity=0, cursor="pointer")
        .encode(x, alt.Y("target:Q"), tooltip=_TIP)
        .add_params(hover, pick)
    )
    rule = (
        alt.Chart(name="pointer")
        .mark_rule(color=_QUIET, strokeDash=[3, 3])
        .encode(x, opacity=alt.condition(hover, alt.value(1), alt.value(0)))
    )
    return targets, rule


def _marker(x):
    """Rule at the present sigma^2."""
    return (
        alt.Chart(name="present")
        .mark_rule(color=MODEL_COLORS[2], strokeWidth=1.5)
        .encode(x)
        .transform_filter("datum.current")
    )


def _series(channel, n_texts, looks):
    """One scale and legend for colour, dash and shape of the first so many texts."""
    legend = alt.Legend(title=None, orient="top", symbolSize=90, symbolStrokeWidth=0, offset=6)
    names = list(TEXTS[:n_texts])
    scale = alt.Scale(domain=names, range=list(looks[:n_texts]))
    return channel("series:N", scale=scale, legend=legend, sort=names)


def _curve_layers(n_texts):
    x = _sigma2_axis(labelled=False)
    y = alt.Y("error:Q", axis=_axis(format=".1~%"), title="words with a wrong tag")
    color = _series(alt.Color, n_texts, _TEXT_COLORS)
    base = alt.Chart().transform_filter("datum.kind == 'line'").encode(x, y, color)
    dash = _series(alt.StrokeDash, n_texts, _TEXT_DASHES)
    shape = _series(alt.Shape, n_texts, _TEXT_SHAPES)
    lines = base.mark_line(strokeWidth=_LINE).encode(dash).properties(name="lines")
    points = (
        base.mark_point(filled=True, size=34, opacity=1).encode(shape).properties(name="points")
    )
    rings = (
        base.mark_point(size=170, strokeWidth=2.5, filled=False)
        .encode(shape)
        .transform_filter("datum.current")
        .properties(name="rings")
    )
    best = (
        base.mark_text(text="best", dy=16, fontWeight=600, fontSize=11)
        .transform_filter("datum.best")
        .properties(name="best")
    )
    targets, pointer = _pointing(x)
    targets = targets.transform_filter("datum.series == 'dev text'").transform_calculate(
        target="datum.error"
    )
    return alt.layer(*_rules(y), pointer, _marker(x), lines, points, rings, best, targets)


def _rules(y):
    """Errors of the models that no sigma^2 moves, named on their rules."""
    base = alt.Chart().transform_filter("datum.kind == 'rule'").encode(y)
    is_background = "indexof(datum.series, 'background') === 0"
    color = alt.condition(is_background, alt.value(MODEL_COLORS[1]), alt.value(MODEL_COLORS[0]))
    dash = alt.condition(is_background, alt.value([8, 4]), alt.value([2, 3]))
    rule = base.mark_rule(strokeWidth=1.5).encode(color=color, strokeDash=dash)
    text = base.mark_text(align="right", baseline="bottom", dy=-3, fontSize=11, fontWeight=600)
    text = text.encode(x=alt.value("width"), text="series:N", color=color)
    return rule.properties(name="rules"), text.properties(name="rule_names")


def _likelihood_layers():
    x = _sigma2_axis(labelled=True)
    y = alt.Y(
        "log_likelihood:Q",
        axis=_axis(format=",.0f"), scale=alt.Scale(zero=False), title="nats",
    )  # fmt: skip
    base = alt.Chart().transform_filter("datum.series == 'adaptation text'").encode(x, y)
    color = _TEXT_COLORS[0]
    line = base.mark_line(color=color, strokeWidth=_LINE, strokeDash=_TEXT_DASHES[0])
    points = base.mark_point(color=color, filled=True, size=34, opacity=1, shape=_TEXT_SHAPES[0])
    ring = base.mark_point(color=color, size=170, strokeWidth=2.5, shape=_TEXT_SHAPES[0])
    targets, pointer = _pointing(x)
    targets = targets.transform_filter("datum.series == 'adaptation text'").transform_calculate(
        target="datum.log_likelihood"
    )
    return alt.layer(
        pointer,
        _marker(x),
        line.properties(name="line"),
        points.properties(name="points"),
        ring.transform_filter("datum.current").properties(name="ring"),
        targets,
    )


# --- the three models ---------------------------------------------------------------------


def _model(channel, legend=None, **options):
    scale = alt.Scale(domain=list(MODELS), **options)
    return channel("model:N", scale=scale, legend=legend, sort=list(MODELS))


def _error_layers():
    y = alt.Y("model:N", sort=list(MODELS), title=None, axis=alt.Axis(minExtent=72, ticks=False))
    color = _model(alt.Color, range=list(MODEL_COLORS))
    shape = _model(alt.Shape, range=list(MODEL_SHAPES))
    axis = alt.Axis(format=".1~%", tickCount=5, gridOpacity=0.6)
    error = alt.X("error:Q", axis=axis, title=None, scale=alt.Scale(zero=True))
    tip = [
        alt.Tooltip("model:N"),
        alt.Tooltip("error:Q", format=".2%"),
        alt.Tooltip("wrong:Q", title="wrong words", format=","),
        alt.Tooltip("low:Q", title="95 % interval from", format=".2%"),
        alt.Tooltip("high:Q", title="to", format=".2%"),
    ]
    base = alt.Chart().encode(y, color)
    interval = base.mark_rule(strokeWidth=4, opacity=0.45).encode(
        alt.X("low:Q", axis=axis, title=None), alt.X2("high:Q")
    )
    points = base.mark_point(filled=True, size=130, opacity=1).encode(error, shape, tooltip=tip)
    before = (
        alt.Chart(name="before")
        .mark_rule(color=MODEL_COLORS[1], strokeDash=[8, 4])
        .encode(error)
        .transform_filter("datum.model == 'background'")
    )
    return alt.layer(
        before, interval.properties(name="intervals"), points.properties(name="models")
    )


def _tag_layers():
    y = alt.Y("tag:N", title=None, sort=None, axis=alt.Axis(minExtent=72, ticks=False))
    x = alt.X(
        "wrong:Q", title="wrong words", axis=alt.Axis(tickCount=5, gridOpacity=0.6, format="~s")
    )
    legend = alt.Legend(title=None, orient="top", symbolSize=90, offset=6)
    color = _model(alt.Color, legend, range=list(MODEL_COLORS))
    shape = _model(alt.Shape, legend, range=list(MODEL_SHAPES))
    tip = [
        alt.Tooltip("model:N"),
        alt.Tooltip("tag:N", title="reference tag"),
        alt.Tooltip("wrong:Q", title="wrong words", format=","),
        alt.Tooltip("support:Q", title="of", format=","),
    ]
    base = alt.Chart().encode(y, x)
    move = (
        base.mark_line(color=_QUIET, strokeWidth=3, opacity=0.4)
        .encode(detail="tag:N")
        .transform_filter("datum.model != '1-gram'")
        .properties(name="moves")
    )
    points = base.mark_point(filled=True, size=110, opacity=1).encode(color, shape, tooltip=tip)
    return alt.layer(move, points.properties(name="models"))


# --- charts for a notebook, specifications for a page -------------------------------------

FIGURES = {
    "errors dev": (partial(_curve_layers, 2), 300, "Errors against σ²"),
    "errors test": (partial(_curve_layers, 3), 300, "Errors against σ²"),
    "likelihood": (_likelihood_layers, 215, "Log-likelihood of the adaptation text"),
    "models": (_error_layers, 175, "Errors, with the 95 % interval of the change"),
    "tags": (_tag_layers, 340, "Wrong words by the tag they should have"),
}


def _figure(name, **properties):
    layers, height, title = FIGURES[name]
    title = alt.Title(title, anchor="start", frame="group", fontSize=13, fontWeight=600, offset=8)
    return layers().properties(
        name=name.replace(" ", "_"), height=height, title=title, **properties
    )


@cache
def spec(name):
    """Return the specification, without data, of one of ``FIGURES``; read it, never write to it."""
    drawn = _figure(name).to_dict(validate=False)
    del drawn["datasets"]  # altair's stand-in for data that are not there: one empty row
    for layer in drawn["layer"]:
        del layer["data"]
    return drawn


def draw_figure1(curve, models, sigma2, part="dev", width=560):
    """Draw figure 1 of CA04: errors, and log-likelihood of the adaptation data, against sigma^2."""
    table = curve_table(curve, models, sigma2, part)
    figures = f"errors {part}", "likelihood"
    return tuple(_figure(figure, data=table, width=width) for figure in figures)


def draw_errors(models, width=400):
    """Draw the models' error rates with 95 % intervals of their change from the background."""
    return _figure("models", data=error_table(models), width=width)


def draw_errors_by_tag(models, width=400):
    """Draw how many words of each reference tag the models get wrong."""
    return _figure("tags", data=tag_table(models), width=width)
