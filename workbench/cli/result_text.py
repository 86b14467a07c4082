"""Results as lines of text, as the command line shows them to people."""

from collections.abc import Mapping, Sequence

from workbench.evaluation.number_words import chance_in_words, interval_in_words
from workbench.evaluation.task import WordTask, task_of_row
from workbench.experiments.method_rows import join_classes, standing

Rows = Sequence[dict]
_FACTS = {"text": "hash of the text", "sha256": "hash of the weights"}
_COUNTS = ("fixed", "broken", "misspelled")
_OF_MISSPELLED = (
    "Fixed and broken are tags, as McNemar's test counts them; misspelled are those of the fixed "
    "that are written wrong all the same."
)
_VERDICTS = ("against the background", "against the best")


def lay_out(rows: Sequence[Sequence[str]], n_left: int = 1) -> list[str]:
    """Return the lines of a table of strings: ``n_left`` columns flush left, the rest right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, widths, strict=True)
        aligned = [c.ljust(w) if i < n_left else c.rjust(w) for i, (c, w) in enumerate(cells)]
        lines.append("  ".join(aligned).rstrip())
    return lines


def per_cent(fraction: float | None, form: str = ".2f") -> str:
    """Return a fraction in per cent; a dash where it is undefined."""
    return "-" if fraction is None else f"{100 * fraction:{form}}"


def describe_report(report: dict) -> list[str]:
    """Return what ``evaluation.report.report`` made as lines of text."""
    models = report["models"]
    task = task_of_row(models[0])
    tables = [_score_lines(models, task)]
    if task.breakdown:
        tables.append(_f1_lines(models, *task.breakdown))
    kept = f", {report['untouched']:,} of them in spans kept" if "untouched" in report else ""
    lines = [f"{report['words']:,} words{kept}"]
    lines += [line for table in tables for line in ["", *table]]
    lines += ["", *_pair_lines(report["paired"])] if report["paired"] else []
    return [*lines, "", *report["shared"]] if report.get("shared") else lines


def _score_lines(models: Rows, task: WordTask) -> list[str]:
    headings = [column.heading for column in task.columns]
    rows = [[task.title, "kind", *headings, *_extra_titles(models[0])]]
    for row in models:
        scores = [per_cent(column.value(row)) for column in task.columns]
        rows.append([row["name"], row["kind"], *scores, *_extras(row)])
    return lay_out(rows, 2)


def _extra_titles(row: dict) -> list[str]:
    if "fit_seconds" not in row:
        return []
    return ["95 % interval", "features", "seconds", *_VERDICTS, "chosen, given, estimated"]


def _extras(row: dict) -> list[str]:
    if "fit_seconds" not in row:
        return []
    interval = interval_in_words(row["error_interval"], per_cent)
    features = "-" if row["features"] is None else f"{row['features']:,}"
    gains = [row["gain"]["from_background"] or "-", standing(row)]
    values = join_classes(row["hyper_parameters"] | row["estimated"])
    chosen = ", ".join(f"{name} {_short(x)}" for name, x in values.items())
    return [interval, features, f"{row['fit_seconds']:.1f}", *gains, chosen or "-"]


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _f1_lines(models: Rows, key: str, unit: str) -> list[str]:
    """Return F1 by tag or by kind of chunk; a dash for one that a model does not know."""
    support = {tag: scores["support"] for row in models for tag, scores in row[key].items()}
    rows = [["F1, %", *support]]
    for row in models:
        f1 = [row[key][tag]["f1"] if tag in row[key] else None for tag in support]
        rows.append([row["name"], *(per_cent(rate, ".1f") for rate in f1)])
    return lay_out([*rows, [unit, *(f"{n:,}" for n in support.values())]])


def _pair_lines(pairs: Rows) -> list[str]:
    counts = [name for name in _COUNTS if name in pairs[0]]
    rows = [["from", "to", *counts, "change, %", "95 % interval", "p (McNemar)"]]
    for pair in pairs:
        numbers = [*(f"{pair[name]:,}" for name in counts), *_change_cells(pair)]
        rows.append([pair["a"], pair["b"], *numbers, chance_in_words(pair["p_value"])])
    return [*lay_out(rows, 2), *_explain_misspelled(pairs)]


def _explain_misspelled(rows):
    is_needed = any(row and row.get("misspelled") for row in rows)
    return ["", _OF_MISSPELLED] if is_needed else []


def _change_cells(pair: dict) -> list[str]:
    """Return a relative change and its interval."""
    interval = interval_in_words(pair["interval"], lambda bound: per_cent(bound, "+.1f"))
    return [per_cent(pair["relative_change"], "+.1f"), interval]


def describe_changes(rows: Mapping[str, dict | None], missing: Mapping[str, str]) -> list[str]:
    """Return what an adaptation changed on some texts, as lines of a table.

    ``rows`` are of ``experiments.judgement.change_row``, by what each text is; ``missing`` says
    why one is None.
    """
    counts = [name for name in _COUNTS if any(row and name in row for row in rows.values())]
    heading = ["", "words", "background, %", "95 % interval", "adapted, %", "95 % interval",
               *counts, "p (McNemar)", "verdict"]  # fmt: skip
    table = [heading]
    for what, row in rows.items():
        if row is None:
            table.append([what, *["-"] * (len(heading) - 2), missing[what]])
            continue
        cells = [f"{what}: {row['text']}", f"{row['words']:,}"]
        for side in ("before", "after"):
            cells += [per_cent(row[side]), interval_in_words(row[f"{side}_interval"], per_cent)]
        cells += [f"{row[name]:,}" for name in counts]
        table.append([*cells, chance_in_words(row["p_value"]), row["verdict"]])
    shared = (line for row in rows.values() if row for line in row.get("shared", ()))
    return [*lay_out(table), *_explain_misspelled(rows.values()), *dict.fromkeys(shared)]


def describe_sweep(points: Rows, background: dict[str, float]) -> list[str]:
    """Return a sweep as lines of text, the best point named in the last.

    Points are as ``AdaptedFit.describe`` gives them; the background's error rates have the same
    keys.
    """
    texts = {key: key.removesuffix("_error_rate") for key in background}
    rows = [
        ["cutoff", "sigma2", "new features", "log-likelihood", *(f"{t} %" for t in texts.values())]
    ]
    rows.append(["background", "-", "-", "-", *(per_cent(background[key]) for key in texts)])
    for point in points:
        cutoff = "none" if point["cutoff"] is None else str(point["cutoff"])
        size = [f"{point['new_features']:,}", f"{point['log_likelihood']:,.1f}"]
        rows.append([cutoff, f"{point['sigma2']:g}", *size, *(per_cent(point[k]) for k in texts)])
    best = min(range(len(points)), key=lambda i: points[i]["dev_error_rate"])
    cutoff, sigma2, *_, dev, test = rows[2 + best]
    best_of_all = f"cutoff {cutoff}, sigma2 {sigma2}; dev {dev} %, test {test} %."
    return [*lay_out(rows, 0), "", f"Fewest errors on dev: {best_of_all}"]


def describe_ablation(ablation: dict) -> list[str]:
    """Return what ``experiments.ablation.ablate`` made as lines of text."""
    heading = ["templates", "features", "background %", "adapted %", "change, %", "95 % interval",
               "p (McNemar)", "train, s", "adapt, s", "verdict"]  # fmt: skip
    rows = [heading, *(_ablation_cells(row) for row in ablation["rows"])]
    title = f"{ablation['words']:,} words of dev, sigma2 {ablation['sigma2']:g}"
    return [title, "", *lay_out(rows)]


def _ablation_cells(row: dict) -> list[str]:
    change = [*_change_cells(row), chance_in_words(row["p_value"])] if "says" in row else ["-"] * 3
    rates = [per_cent(row[key]) for key in ("background_error_rate", "error_rate")]
    times = [f"{row[key]:.1f}" for key in ("train_seconds", "adapt_seconds")]
    says = row.get("says") or "-"
    return [row["name"], f"{row['features']:,}", *rates, *change, *times, says]


def describe_data_sets(data_sets: Rows, obstacles: Mapping[str, str]) -> list[str]:
    """Return the registry's list, each a dict, as lines of text.

    ``obstacles`` say by name why a set cannot be chosen, or not as a domain.
    """
    rows = [["name", "kind", "here", "parts", "size", "what it is"]]
    for row in data_sets:
        here = "yes" if row["here"] else "no"
        size = "-" if row["bytes"] is None else f"{row['bytes'] / 1e6:.1f} MB"
        rows.append([row["name"], row["kind"], here, " ".join(row["parts"]), size, row["note"]])
    why = [[name, obstacle] for name, obstacle in obstacles.items() if obstacle]
    if why:
        why = [["", ""], ["cannot be chosen", "because"], *why]
    own = "Folders of your own are listed from data/ and from the folder that WORKBENCH_DATA names."
    return [*lay_out(rows, 6), *(lay_out(why, 2) if why else ()), "", own]


def describe_file(model: Mapping) -> list[str]:
    """Return what a model file says of itself as lines of text, its name first.

    Unprintable characters, which only a strange file has, are escaped.
    """
    describe = {
        "background": _describe_place, "forms": _describe_forms, "members": _describe_members,
    }  # fmt: skip
    rows = [
        [_FACTS.get(key, key), describe.get(key, _shown)(value)]
        for key, value in model.items()
        if value is not None and key not in ("file", "card")
    ]
    card = _describe_card(model.get("card", {}))
    return [_shown(model["file"]), *(f"  {line}" for line in (*lay_out(rows, 2), *card))]


def _describe_place(background):
    place = background["file"] or "not found; --background says where to look"
    return f"{_shown(background['name'])}, {_shown(background['sha256'])}: {_shown(place)}"


def _describe_card(card):
    """Return the lines of a model card: a text a line, or a table."""
    for title, says in card.items():
        if isinstance(says, Mapping):
            yield f"{_shown(title)}:"
            yield from (
                f"  {row}" for row in lay_out([[*map(_shown, row)] for row in says.items()], 2)
            )
        else:
            yield f"{_shown(title)}: {_shown(says)}"


def _describe_members(members):
    counts = {
        name: f" ({len(own.split())} templates)" if own else "" for name, own in members.items()
    }
    return ", ".join(f"{_shown(name)}{count}" for name, count in counts.items())


def _describe_forms(forms):
    shown = [
        f"{_shown(each['form'])} (domain {each['domain']:,}, background {each['background']:,})"
        for each in forms
    ]
    return ", ".join(shown) or "none in mixed case was seen"


def _shown(value):
    if isinstance(value, str):
        return value if value.isprintable() else ascii(value)
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:g}"
