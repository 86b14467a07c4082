"""Methods side by side: their errors, with intervals, and what each gains."""

import altair as alt

from workbench.charts.looks import MODEL_COLORS, OPEN, QUIET, QUIET_AXIS, TEXT_COLORS, title
from workbench.charts.plain import method_table

_ORANGE, _TEAL, _ = TEXT_COLORS
_ITSELF = "the background itself"
GAINS = {
    "fewer errors": (_TEAL, "circle"),
    "no clear difference": (QUIET, "diamond"),
    "more errors": (_ORANGE, "triangle-down"),
    _ITSELF: (MODEL_COLORS[1], "square"),
    "not compared": (_TEAL, "circle"),
}


def draw_bench(rows):
    """Draw the test errors of methods with their 95 % intervals, the best first.

    Parameters
    ----------
    rows : list of dict
        Rows of ``compare``.

    Returns
    -------
    chart : alt.LayerChart
        As wide as its place; a rule stands where the background is.
    """
    table = method_table(rows)
    gains = table["beside the background"].where(table["method"] != "background", _ITSELF)
    table["beside the background"] = gains
    axis = alt.Axis(
        ticks=False, domain=False, labelPadding=8, labelLimit=170, labelFontSize=12,
        labelFlush=False,
    )  # fmt: skip
    y = alt.Y("method:N", sort=table["method"].tolist(), title=None, axis=axis)
    x = alt.X(
        "low:Q",
        scale=alt.Scale(zero=False, padding=44, nice=False),
        axis=alt.Axis(
            format=".1~%", tickCount=6, title="test words with a wrong tag", **QUIET_AXIS
        ),
    )
    base = alt.Chart(table)
    color, shape = gain_looks([gain for gain in GAINS if gain in set(gains)])
    interval = base.mark_rule(strokeWidth=4, opacity=0.4).encode(y, x, alt.X2("high:Q"), color)
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        y, alt.X("error:Q"), color, shape, tooltip=_bench_tip()
    )
    text = base.mark_text(dx=6, align="left", fontSize=12, fontWeight=600).encode(
        y, alt.X("high:Q"), color, alt.Text("error:Q", format=".2%")
    )
    before = (
        base.mark_rule(color=MODEL_COLORS[1], strokeDash=[8, 4], strokeWidth=1.5)
        .encode(alt.X("error:Q"))
        .transform_filter("datum.method == 'background'")
    )
    heading = title("Errors on the test text, with 95 % intervals")
    chart = alt.layer(interval, before, points, text)
    return chart.properties(height=alt.Step(32), title=heading, view=OPEN)


def gain_looks(names, field="beside the background"):
    """Return the channels of colour and shape for a column that names some of ``GAINS``."""
    legend = alt.Legend(
        orient="top", title=field, titleFontWeight="normal", symbolSize=90,
        symbolOpacity=1, offset=8, columns=2,
    )  # fmt: skip
    colors, shapes = zip(*(GAINS[name] for name in names), strict=True)
    field = f"{field}:N"
    return (
        alt.Color(field, scale=alt.Scale(domain=names, range=list(colors)), legend=legend),
        alt.Shape(field, scale=alt.Scale(domain=names, range=list(shapes)), legend=legend),
    )


def _bench_tip():
    return [
        alt.Tooltip("method:N"),
        alt.Tooltip("error:Q", format=".2%"),
        alt.Tooltip("low:Q", title="95 % interval from", format=".2%"),
        alt.Tooltip("high:Q", title="to", format=".2%"),
    ]
