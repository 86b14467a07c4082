"""A comparison of methods in words, and as CSV."""

import csv
import io
from collections.abc import Mapping

_CSV = (
    "name", "error_rate", "low", "high", "from_background", "to_best", "features", "tried",
    "fit_seconds", "hyper_parameters", "estimated",
)  # fmt: skip


def summarize_comparison(comparison: Mapping) -> str:
    """Return in words which method is the best, and what its lead is worth."""
    rows = sorted(comparison["models"], key=lambda row: row["error_rate"])
    if not rows:
        return ""
    best, others = rows[0], rows[1:]
    text = f"The fewest errors has {best['name']}: {best['error_rate']:.2%} of the test words."
    if gain := best["gain"]["from_background"]:
        text += f" Its {gain.replace('gain', 'gain on the background')}."
    level = [row["name"] for row in others if "not" in (row["gain"]["to_best"] or "")]
    if level:
        text += f" Not significantly behind: {', '.join(level)}."
    elif others:
        text += " All others are significantly behind."
    useless = [row["name"] for row in rows if "not" in (row["gain"]["from_background"] or "")]
    if useless:
        text += f" No significant gain on the background: {', '.join(useless)}."
    return text


def to_csv(comparison: Mapping) -> str:
    """Return the rows of a comparison as CSV text; fractions."""
    file = io.StringIO()
    writer = csv.DictWriter(file, _CSV, lineterminator="\n")
    writer.writeheader()
    for row in comparison["models"]:
        low, high = row["error_interval"]
        values = {key: _describe(row[key]) for key in ("hyper_parameters", "estimated")}
        plain = {key: row[key] for key in _CSV if key in row}
        writer.writerow({**plain, "low": low, "high": high, **row["gain"], **values})
    return file.getvalue()


def describe_values(row: Mapping) -> str:
    """Return what was given, chosen and estimated of a row, in words."""
    return _describe(row["hyper_parameters"] | row["estimated"])


def _describe(values):
    return ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in values.items()
    )
