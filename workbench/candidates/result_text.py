"""Results on candidate sets as lines of text, as the command line shows them to people."""

from collections.abc import Mapping

from workbench.candidates.report import BASELINES
from workbench.cli.result_text import lay_out, per_cent
from workbench.evaluation.number_words import chance_in_words, interval_in_words

_HEADING = ("%", "kind", "quality", "95 % interval", "best chosen", "dependencies", "of reducible")


def describe_selections(report: Mapping) -> list[str]:
    """Return what ``report_selections`` or ``compare_on_candidates`` made as lines of text."""
    size = f"{report['sentences']:,} sentences, {report['candidates']:,} candidates"
    rows = [[*_HEADING, *_extra_titles(report["models"])]]
    for name in BASELINES:
        dependencies = per_cent(report["dependencies"][name])
        blanks = [""] * (len(rows[0]) - len(_HEADING))
        rows.append([name, "", per_cent(report[name]), "", "", dependencies, "", *blanks])
    rows += [_model_cells(row) for row in report["models"]]
    lines = [size, "", *lay_out(rows, 2)]
    return [*lines, "", *_pair_lines(report["paired"])] if report["paired"] else lines


def _extra_titles(rows):
    is_comparison = rows and "fit_seconds" in rows[0]
    return ["features", "seconds", "chosen, given, estimated"] if is_comparison else []


def _model_cells(row):
    interval = interval_in_words(row["quality_interval"], per_cent)
    cells = [row["name"], row["kind"], per_cent(row["quality"]), interval]
    cells += [per_cent(row[key]) for key in ("accuracy", "dependency_accuracy", "reducible")]
    if "fit_seconds" not in row:
        return cells
    values = row["hyper_parameters"] | row["estimated"]
    chosen = ", ".join(f"{name} {_short(value)}" for name, value in values.items())
    return [*cells, f"{row['features']:,}", f"{row['fit_seconds']:.1f}", chosen or "-"]


def _short(value):
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _pair_lines(pairs):
    rows = [["from", "to", "better", "worse", "p (sign test)", "quality, points", "95 % interval",
             "dependencies, points", "95 % interval"]]  # fmt: skip
    for pair in pairs:
        cells = [f"{pair['better']:,}", f"{pair['worse']:,}", chance_in_words(pair["p_value"])]
        for prefix in ("", "dependency_"):
            interval = interval_in_words(pair[f"{prefix}interval"], _points)
            cells += [_points(pair[f"{prefix}difference"]), interval]
        rows.append([pair["a"], pair["b"], *cells])
    return lay_out(rows, 2)


def _points(fraction):
    return per_cent(fraction, "+.2f")


def describe_selection_changes(rows: Mapping[str, Mapping]) -> list[str]:
    """Return what an adaptation changed as lines of a table; rows by what each text is."""
    table = [["%", "sentences", "background", "adapted", "points", "95 % interval", "better",
              "worse", "p (sign test)", "verdict"]]  # fmt: skip
    for what, row in rows.items():
        table.append([
            f"{what}: {row['text']}", f"{row['sentences']:,}", per_cent(row["before"]),
            per_cent(row["after"]), _points(row["difference"]),
            interval_in_words(row["interval"], _points),
            f"{row['better']:,}", f"{row['worse']:,}", chance_in_words(row["p_value"]),
            row["verdict"],
        ])  # fmt: skip
    return lay_out(table)
