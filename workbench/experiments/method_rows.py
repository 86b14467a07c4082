"""One method's row of a comparison: learned, tuned on dev, measured, compared; in words, as CSV."""

import csv
import io
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.adaptation.method import Axis, Method, Sources
from workbench.evaluation.error_rates import to_json
from workbench.evaluation.number_words import interval_in_words
from workbench.evaluation.report import model_row, paired_row
from workbench.evaluation.significance import (
    LEVEL,
    NO_VERDICT,
    TOO_FEW,
    error_interval,
    holm,
    is_significant,
    judge_difference,
)
from workbench.experiments.gradient_search import search_by_gradient
from workbench.experiments.search import ErrorCounter, search
from workbench.models.capitalizer import Capitalizer
from workbench.text.corpus import Corpus
from workbench.text.sets.overlap import Shared, why_no_verdict

_BASELINES = ("background", "map")  # with which every method is paired
_CSV = (
    "name", "low", "high", "from_background", "to_best", "features", "tried",
    "fit_seconds", "hyper_parameters", "estimated",
)  # fmt: skip
OnTry = Callable[[dict], object] | None


@dataclass(frozen=True, eq=False)
class Learned:
    """What a method has learned: its model, and its hyper-parameters, given and chosen.

    ``dev_wrong`` are the errors on the development data, None where nothing was to be chosen;
    ``n_tried`` combinations of hyper-parameters were tried; ``seconds`` are those of all fits and
    tries, without the background's training, which methods share.
    """

    model: Capitalizer
    hyper_parameters: dict
    dev_wrong: float | None
    n_tried: int
    seconds: float


def learn(
    method: Method, sources: Sources, dev: Any, on_try: OnTry = None,
    axes: Mapping[str, Axis] | None = None,
) -> Learned:  # fmt: skip
    """Return what a method learns, its hyper-parameters tuned on development data alone.

    Their values are tried along the method's own axes, unless others are given.
    ``on_try`` is called with them before each is tried; an exception from it is passed on.
    """
    began, shared = time.perf_counter(), sources.background_seconds
    problem = method.prepare(sources)
    if method.by_gradient:
        model, chosen, dev_wrong, n_tried = _tune_by_gradient(problem, dev, on_try)
    else:
        axes = method.axes_of(sources.model) if axes is None else axes
        tuned = _tune(problem, dev, on_try, axes, method.exhaustive)
        model, chosen, dev_wrong, n_tried = tuned
    seconds = time.perf_counter() - began - (sources.background_seconds - shared)
    return Learned(model, getattr(problem, "given", {}) | chosen, dev_wrong, n_tried, seconds)


def _tune(problem, dev, on_try, axes, is_exhaustive):
    """Return the model, its hyper-parameters, their errors on dev, and how many were tried."""
    chosen: dict[str, float] = {}
    tried: dict[tuple, float] = {}
    if axes:
        chosen, tried = search(ErrorCounter(problem, dev, on_try), axes, is_exhaustive)
    return problem.learn(**chosen), chosen, tried.get(tuple(chosen.values())), len(tried)


def _tune_by_gradient(problem, dev, on_try):
    best = search_by_gradient([(problem, dev)], on_try=on_try)
    (fit,) = best.fits
    return problem.model(fit, **best.values), best.values, best.n_wrong, best.n_tried


def measure(
    method: Method, sources: Sources, dev: Corpus, test: Corpus, on_try: OnTry = None
) -> tuple[dict, np.ndarray]:
    """Return a method's ``method_row``, and which test words it has wrong, bool, shape (N,)."""
    learned = learn(method, sources, dev, on_try)
    tags = learned.model.tag(test)
    return method_row(test, method, learned, tags, sources), tags != test.tags


def method_row(
    test: Corpus, method: Method, learned: Learned, tags: np.ndarray, sources: Sources
) -> dict:
    """Return one method's row.

    It is ``model_row`` with ``error_interval`` (95 %, fractions); ``hyper_parameters``;
    ``estimated``, weights that the method reports; ``features`` of the model, None for the
    1-gram; ``tried``, combinations of hyper-parameters; ``dev_wrong``, errors on dev;
    ``fit_seconds`` (beyond the training of the background, which the methods share); and
    ``gain``, filled in by ``judge``.
    """
    model, info = learned.model, learned.model.info
    is_background = method.name == "background"
    return model_row(test, method.name, model, tags) | {
        "error_interval": to_json(error_interval(tags != test.tags, test.sentence_ids)),
        "hyper_parameters": learned.hyper_parameters, "estimated": info.get("estimated", {}),
        "features": info.get("features"), "tried": learned.n_tried, "dev_wrong": learned.dev_wrong,
        "fit_seconds": learned.seconds + (sources.background_seconds if is_background else 0),
        "gain": None,
    }  # fmt: skip


def judge(
    test: Corpus, rows: list[dict], wrong: Mapping[str, np.ndarray], shared: Sequence[Shared] = ()
) -> list[dict]:  # fmt: skip
    """Return the paired tests with the background, map and the best; rows get joint verdicts."""
    if why_no_verdict(shared):
        for row in rows:
            row["gain"] = dict.fromkeys(("from_background", "to_best"), NO_VERDICT)
        return []
    best = min(wrong, key=lambda name: wrong[name].sum())
    baselines = [name for name in _BASELINES if name in wrong]
    pairs = [(base, name) for base in baselines for name in wrong if name != "background"]
    pairs += [(name, best) for name in wrong]
    pairs = [pair for pair in dict.fromkeys(pairs) if pair[0] != pair[1]]
    judged = {(a, b): paired_row(test, a, wrong[a], b, wrong[b]) for a, b in pairs}
    shown = {key: pair for key, pair in judged.items() if key[0] == "background" or key[1] == best}
    says = judge_together(shown, verdict)
    for row in rows:
        keys = {"from_background": ("background", row["name"]), "to_best": (row["name"], best)}
        row["gain"] = {of: says.get(pair) for of, pair in keys.items()}
    return [pair for (a, b), pair in judged.items() if a in baselines or b not in baselines]


def verdict(pair: Mapping) -> str:
    """Say in words what a ``paired_row`` shows: McNemar's test and the bootstrap agree."""
    return judge_difference(pair["fixed"] - pair["broken"], pair["interval"], pair["p_value"])


def correct(rows: Iterable[dict], says: Mapping[str, str]) -> None:
    """Correct the p-values of rows for their number, by Holm; ``says`` has their verdicts' keys."""
    found = [(row, key) for row in rows for key in says if row.get(key) is not None]
    for (row, key), p in zip(found, holm([row[key] for row, key in found]), strict=True):
        row[key] = p
        if p >= LEVEL and says[key] in row:
            row[says[key]] = row[says[key]].replace("is significant", "is not significant")


def judge_together(pairs: Mapping, say: Callable) -> dict:
    """Return the verdicts of paired rows by name, corrected for their number."""
    told = {key: {"p": pair["p_value"], "says": say(pair)} for key, pair in pairs.items()}
    correct(told.values(), {"p": "says"})
    return {key: row["says"] for key, row in told.items()}


def describe_change(change: float | None, interval: Sequence, form: str = "+.0%") -> str:
    """Return a change and its 95 % interval in words: -40% (95 %: -43% to -36%)."""
    tell = f"{{:{form}}}".format
    says = "undefined" if change is None else tell(change)
    return f"{says} (95 %: {interval_in_words(interval, tell)})"


def standing(row: Mapping) -> str:
    """Say in words how far a judged row is from the method with the fewest errors."""
    says = row["gain"]["to_best"]
    if says in (None, TOO_FEW, NO_VERDICT):
        return says or "the best"
    return "worse" if is_significant(says) else "not clearly worse"


def summarize_comparison(comparison: Mapping, n_methods: int | None = None) -> str:
    """Return in words which method is the best, and whether its lead is significant.

    If more methods are to come, ``n_methods`` in all, it says that this is not final.
    """
    rows = best_first(comparison)
    if not rows or rows[0]["gain"]["to_best"] == NO_VERDICT:
        return ""
    if n_methods and len(rows) < n_methods:
        return _summarize_so_far(rows, n_methods, comparison)
    best, others = rows[0], rows[1:]
    text = f"{best['name']} {_leads(best, comparison)}"
    text += " of the test words" if "error_rate" in best else " on the test text"
    level = [row["name"] for row in others if _order(row) == _order(best)]
    text += f", as {'does' if len(level) == 1 else 'do'} {', '.join(level)}." if level else "."
    if gain := best["gain"]["from_background"]:
        names = "background", best["name"]
        pair = next(pair for pair in comparison["paired"] if (pair["a"], pair["b"]) == names)
        key, form = ("relative_change", "+.0%") if "fixed" in pair else ("difference", "+.2%")
        told = gain if gain == TOO_FEW else describe_change(pair[key], pair["interval"], form)
        said = gain.replace(TOO_FEW, "gain").replace("gain", "gain over the background")
        text += f" Its {said}: {told}."
    worse = [row for row in others if row["name"] not in level]
    alike = [row["name"] for row in worse if not is_significant(row["gain"]["to_best"])]
    if alike:
        text += f" Not significantly worse: {', '.join(alike)}."
    elif worse:
        which = "All others are" if len(worse) > 1 else f"{worse[0]['name']} is"
        text += f" {which} significantly worse."
    judged = [row for row in rows if row["gain"]["from_background"]]
    useless = [row["name"] for row in judged if not is_significant(row["gain"]["from_background"])]
    if useless:
        text += f" No significant difference from the background: {', '.join(useless)}."
    return text


def best_first(comparison: Mapping) -> list[dict]:
    """Return the rows of a comparison, those with the fewest errors or highest quality first."""
    return sorted(comparison["models"], key=_order)


def _order(row):
    return row.get("error_rate", -row.get("quality", 0))


def _leads(row, comparison, so_far=""):
    if "error_rate" in row:
        then = f"{so_far}," if so_far else ":"
        return f"makes the fewest errors{then} {row['error_rate']:.2%}"
    return f"is the best{so_far}: {comparison['measure']} {row['quality']:.2%}"


def _summarize_so_far(rows, n_methods, comparison):
    best = f"{rows[0]['name']} {_leads(rows[0], comparison, ' so far')}"
    return f"After {len(rows)} of {n_methods} methods: {best}. The rest is still being measured."


def to_csv(comparison: Mapping) -> str:
    """Return the rows of a comparison as CSV text; fractions."""
    rows = comparison["models"]
    figure = "quality" if rows and "quality" in rows[0] else "error_rate"
    file = io.StringIO()
    writer = csv.DictWriter(file, (_CSV[0], figure, *_CSV[1:]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        low, high = row[figure.replace("_rate", "") + "_interval"]
        values = {key: _describe(row[key]) for key in ("hyper_parameters", "estimated")}
        plain = {key: row[key] for key in (*_CSV, figure) if key in row}
        writer.writerow({**plain, "low": low, "high": high, **row["gain"], **values})
    return file.getvalue()


def describe_values(row: Mapping) -> str:
    """Return the hyper-parameters of a row in words: given, chosen and estimated ones."""
    return _describe(join_classes(row["hyper_parameters"] | row["estimated"]))


def join_classes(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by name; the geometric mean of "a.x", "a.y" and so on instead of each."""
    joined: dict[str, list] = {}
    for name, value in values.items():
        joined.setdefault(name.split(".")[0], []).append(value)
    return {
        name: found[0] if len(found) == 1 else float(np.exp(np.mean(np.log(found))))
        for name, found in joined.items()
    }


def _describe(values):
    return ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in values.items()
    )
