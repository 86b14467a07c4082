"""Figure 1 of CA04: errors, and log-likelihood of the adaptation data, against sigma^2."""

import altair as alt
import numpy as np
import pandas as pd

from workbench.charts import looks

_GUTTER = 46  # pixels of a vertical axis, fixed so that stacked charts share their horizontal one


def curve_table(curve: pd.DataFrame, models: list[dict], sigma2: float) -> pd.DataFrame:
    """Lay out figure 1 of CA04: one row a point of a line, and one a rule.

    ``curve`` is what ``Session.curve`` gives, fractions; the error rates in ``models``, as in
    ``Snapshot.models``, become the rules.

    Returns
    -------
    table : DataFrame
        ``kind`` ("line" or "rule"), ``series``, ``sigma2``, ``error``, ``current`` and ``best``
        (of the dev text), the columns of ``curve`` for a tip but for those of the test text.
    """
    best = curve["dev_error_rate"].idxmin()
    lines = [
        curve.assign(
            kind="line",
            series=text,
            error=curve[f"{name}_error_rate"],
            current=np.isclose(curve["sigma2"], sigma2),
            best=(curve.index == best) & (name == "dev"),
        )
        for name, text in zip(("train", "dev"), looks.TEXTS, strict=False)
    ]
    rules = pd.DataFrame([
        {"current": False, "best": False, "kind": "rule", "series": _rule_text(row),
         "error": row["error_rate"]}
        for row in models if row["name"] != looks.MODELS[-1]
    ])  # fmt: skip
    table = pd.concat([*lines, rules], ignore_index=True)
    return table.drop(columns=["cutoff", "converged", "seconds", "test_error_rate"])


def _rule_text(row):
    return f"{row['name']} {100 * row['error_rate']:.2f}\u00a0%"


def best_sigma2(curve: pd.DataFrame) -> float:
    """Return the sigma^2 of a curve with the fewest errors on dev; the smaller on a tie."""
    ordered = curve.sort_values("sigma2")
    return float(ordered["sigma2"].iloc[ordered["dev_error_rate"].argmin()])


def _sigma2_axis():
    return alt.X(
        "sigma2:Q",
        scale=alt.Scale(type="log", domain=[0.01, 100], nice=False),
        axis=alt.Axis(values=[0.01, 0.1, 1, 10, 100], format="~g", grid=False),
        title="σ² (log scale)",
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
    """Return the layers of a pointer: a rule at the nearest point, and its tooltips."""
    hover = alt.selection_point(
        name="hover", on="pointerover", clear="pointerout", nearest=True, fields=["sigma2"],
        empty=False,
    )  # fmt: skip
    targets = (
        alt.Chart(name="targets")
        .mark_point(size=260, opacity=0)
        .encode(x, alt.Y("target:Q"), tooltip=_TIP)
        .add_params(hover)
    )
    rule = (
        alt.Chart(name="pointer")
        .mark_rule(color=looks.QUIET, strokeDash=[3, 3])
        .encode(x, opacity=alt.condition(hover, alt.value(1), alt.value(0)))
    )
    return targets, rule


def _marker(x):
    """Return the rule at the present sigma^2."""
    return (
        alt.Chart(name="present")
        .mark_rule(color=looks.MODEL_COLORS[2], strokeWidth=1.5)
        .encode(x)
        .transform_filter("datum.current")
    )


def _series(channel, values):
    """Return the channel of colour, dash or shape of adaptation and dev text."""
    legend = alt.Legend(title=None, orient="top", symbolSize=90, symbolStrokeWidth=0, offset=6)
    names = list(looks.TEXTS[:2])
    return looks.named_channel(channel, "series", names, values, legend=legend, sort=names)


def curve_layers() -> looks.Layers:
    """Return errors of adaptation and dev text, the rules of fixed models, and a pointer."""
    x = _sigma2_axis()
    y = alt.Y("error:Q", axis=_axis(format=".1~%"), title="words with a wrong tag")
    color = _series(alt.Color, looks.TEXT_COLORS)
    base = alt.Chart().transform_filter("datum.kind == 'line'").encode(x, y, color)
    dash = _series(alt.StrokeDash, looks.TEXT_DASHES)
    shape = _series(alt.Shape, looks.TEXT_SHAPES)
    lines = base.mark_line(strokeWidth=looks.LINE).encode(dash).properties(name="lines")
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
        alt.Chart(name="best")
        .mark_text(text="best", dy=16, fontWeight=600)
        .encode(x, y)
        .transform_filter("datum.kind == 'line' && datum.best")
    )
    targets, pointer = _pointing(x)
    targets = targets.transform_filter("datum.series == 'dev text'").transform_calculate(
        target="datum.error"
    )
    return alt.layer(*_rules(y), pointer, _marker(x), lines, points, rings, best, targets)


def _rules(y):
    """Return rules at the errors of the models that do not depend on sigma^2, with their names."""
    base = alt.Chart().transform_filter("datum.kind == 'rule'").encode(y)
    is_background = "indexof(datum.series, 'background') === 0"
    quiet, blue = map(alt.value, looks.MODEL_COLORS[:2])
    color = alt.condition(is_background, blue, quiet)
    dash = alt.condition(is_background, alt.value([8, 4]), alt.value([2, 3]))
    rule = base.mark_rule(strokeWidth=1.5).encode(color=color, strokeDash=dash)
    text = base.mark_text(align="right", baseline="bottom", dy=-3, fontWeight=600)
    text = text.encode(x=alt.value("width"), text="series:N")
    return rule.properties(name="rules"), text.properties(name="rule_names")


def likelihood_layers() -> looks.Layers:
    """Return the log-likelihood of the adaptation text, and a pointer."""
    x = _sigma2_axis()
    y = alt.Y(
        "log_likelihood:Q",
        axis=_axis(format=",.0f"), scale=alt.Scale(zero=False), title="nats",
    )  # fmt: skip
    base = alt.Chart().transform_filter("datum.series == 'adaptation text'").encode(x, y)
    color, shape = looks.TEXT_COLORS[0], looks.TEXT_SHAPES[0]
    line = base.mark_line(color=color, strokeWidth=looks.LINE, strokeDash=looks.TEXT_DASHES[0])
    points = base.mark_point(color=color, filled=True, size=34, opacity=1, shape=shape)
    ring = base.mark_point(color=color, size=170, strokeWidth=2.5, shape=shape)
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
