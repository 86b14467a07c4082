"""How far the weights moved: a histogram of inherited and of new features."""

import altair as alt
import pandas as pd

from workbench.charts import looks

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
