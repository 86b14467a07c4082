"""The table of rows as Markdown, and the machine that it was made on."""

import os
import platform
import statistics
from collections.abc import Sequence

import numpy as np

from benchmarks.measure import Row

_VERDICTS = {True: "met", False: "NOT met", None: "–"}
_HEAD = ("row", "ours", "rival", "rival's", "figure", "target", "", "runs")


def machine() -> dict:
    """Return the cores and load of the machine, and versions."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else (float("nan"),)
    return {
        "cores": os.cpu_count(), "load": round(load[0], 2), "processor": platform.machine(),
        "python": platform.python_version(), "numpy": np.__version__,
    }  # fmt: skip


def render(rows: Sequence[Row]) -> str:
    """Return the table of some rows, their notes below it."""
    cells = [_HEAD, *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [_line(row, widths) for row in cells]
    lines.insert(1, _line(["-" * width for width in widths], widths))
    notes = [f"- {row.name}: {row.note}" for row in rows if row.note]
    return "\n".join([*lines, "", *notes])


def _line(cells, widths):
    return "| " + " | ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)) + " |"


def _cells(row):
    target = row.target
    figure = "–" if row.figure != row.figure else f"{number(row.figure)} {target.unit}"
    bound = f"{'≥' if target.sense == '>=' else '≤'} {target.bound:g} {target.unit}"
    sides = _spread(row.ours, row.unit), row.rival or "–", _spread(row.theirs, row.unit)
    return row.name, *sides, figure, bound, _VERDICTS[row.is_met], str(len(row.ours))


def _spread(values, unit):
    """Return the median, and least to greatest of several."""
    if not values:
        return "–"
    middle = f"{number(statistics.median(values))} {unit}"
    return middle if len(values) < 2 else f"{middle} ({number(min(values))}–{number(max(values))})"


def number(value: float) -> str:
    """Return a number to three digits, and whole from a hundred on.

    >>> number(0.01234), number(12.34), number(123456.7)
    ('0.0123', '12.3', '123,457')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
