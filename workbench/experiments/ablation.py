"""Ablation of templates: errors without each template of a set, or with each added to ca04."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import Split
from workbench.evaluation.report import paired_row
from workbench.evaluation.significance import NO_VERDICT
from workbench.experiments.method_rows import correct, verdict
from workbench.experiments.search import choose_sigma2
from workbench.features.templates import TEMPLATE_SETS, find_templates
from workbench.text.errors import InputError
from workbench.text.sets.overlap import why_no_verdict

EACH = ("without", "added")


def plan(templates: str | Sequence[str], each: str = "without") -> dict[str, list[str]]:
    """Return the template names of each set to be measured, by the set's name; the base first.

    Each of the templates, named as for ``find_templates``, is removed from all of them
    ("without") or added to those of ca04 ("added").

    Raises
    ------
    InputError
        If there are too few templates to compare.
    """
    if each not in EACH:
        raise InputError(f"each {each!r}: {' or '.join(EACH)} is allowed")
    names = [template.name for template in find_templates(templates)]
    if each == "without" and len(names) > 1:
        return {"all": names} | {f"-{name}": [n for n in names if n != name] for name in names}
    base = list(TEMPLATE_SETS["ca04"])
    further = [name for name in names if name not in base]
    if each == "without" or not further:
        what = "two or more are needed" if each == "without" else "one besides ca04's is needed"
        raise InputError(f"templates {', '.join(names)}: {what} to measure what each gains")
    return {"ca04": base} | {f"+{name}": [*base, name] for name in further}


class Ablation:
    """Backgrounds and adapted models of many sets of templates, measured on development data.

    Parameters
    ----------
    split : Split
        ``templates`` of its options are those to be measured.
    each : {"without", "added"}
        As in ``plan``.
    sigma2 : float, optional
        Variance of the prior around the background, the same for all; without one it is
        searched on the development data, once, for the base.

    Raises
    ------
    InputError
        As in ``plan``, or if a text has no capitals.
    """

    def __init__(self, split: Split, each: str = "without", sigma2: float | None = None):
        self.plan = plan(split.options["templates"], each)
        split.adaptation.require_cased()
        split.dev.require_cased()
        self.split, self.each, self.sigma2 = split, each, sigma2
        self._rows: dict[str, dict] = {}
        self._shared = split.find_shared()
        self._base_wrong = np.empty(0, bool)  # the words that the base has wrong

    @property
    def rows(self) -> list[dict]:
        """The rows measured so far, the base first; see ``run``."""
        rows = [dict(self._rows[name]) for name in self.plan if name in self._rows]
        correct(rows, {"p_value": "says"})
        return rows

    @property
    def missing(self) -> list[str]:
        """Names of the sets not measured yet, such as ``-shape``."""
        return [name for name in self.plan if name not in self._rows]

    def run(
        self, on_name: Callable | None = None, on_step: Callable | None = None
    ) -> Iterator[list[dict]]:
        """Measure the missing sets; yield the rows after each.

        ``on_name`` is called with the name of the set measured next, ``on_step`` with each
        ``Step`` of a fit; an exception from it ends the run, and the rows so far stay.

        A row has ``name`` and ``features``, of the adapted model; ``background_error_rate``
        and ``error_rate``, fractions of the development words; ``train_seconds`` and
        ``adapt_seconds``; and but for the base the ``paired_row`` of the base's errors and
        its own, with its verdict ``says``, p-values corrected for the number of rows.
        """
        for name in self.missing:
            if on_name:
                on_name(name)
            measured = measure_set(self.split, self.plan[name], self.sigma2, on_step)
            self.add(name, measured._asdict())
            yield self.rows

    def to_json(self) -> dict:
        """Return ``words`` of the development data, ``each``, ``sigma2``, ``rows``, ``shared``."""
        settings = {"words": len(self.split.dev), "each": self.each, "sigma2": self.sigma2}
        return settings | {"rows": self.rows, "shared": [each.line for each in self._shared]}

    def add(self, name: str, measured: Mapping) -> None:
        """Add a set that was measured, the base first; ``measured`` is a ``MeasuredSet``'s dict."""
        base, wrong = next(iter(self.plan)), measured["wrong"]
        row = {"name": name} | measured["row"]
        if name == base:
            self._base_wrong, self.sigma2 = wrong, measured["sigma2"]
        else:
            pair = paired_row(self.split.dev, base, self._base_wrong, name, wrong)
            row |= pair | {"says": NO_VERDICT if why_no_verdict(self._shared) else verdict(pair)}
        self._rows[name] = row


class MeasuredSet(NamedTuple):
    """What a set of templates is worth."""

    row: dict  # of ``Ablation.run``, without what compares it with the base
    wrong: np.ndarray  # bool, shape (N,): which development words the adapted model has wrong
    sigma2: float  # of the adaptation


def measure_set(
    split: Split, templates: list[str], sigma2: float | None, on_step: Callable | None = None
) -> MeasuredSet:
    """Train a background with some templates, adapt it, and measure both."""
    began = time.perf_counter()
    options = split.options | {"templates": templates}
    background = split.model.fit(split.background, **options, on_step=on_step)
    trained = time.perf_counter() - began
    if sigma2 is None:
        sigma2 = choose_sigma2(background, split.adaptation, split.dev)[0]
    began = time.perf_counter()
    model = adapt(background, split.adaptation, sigma2, on_step=on_step)
    adapted = time.perf_counter() - began
    before, wrong = (m.tag(split.dev) != split.dev.tags for m in (background, model))
    row = {
        "features": model.info["features"], "background_error_rate": float(before.mean()),
        "error_rate": float(wrong.mean()), "train_seconds": trained, "adapt_seconds": adapted,
    }  # fmt: skip
    return MeasuredSet(row, wrong, sigma2)


def summarize(rows: Sequence[dict], n_sets: int | None = None) -> str:
    """Say in words which templates change the errors significantly.

    If more sets are to come, ``n_sets`` in all, it says that this is not final.
    """
    if len(rows) < 2 or rows[1]["says"] == NO_VERDICT:
        return ""
    significant = {
        what: [row["name"][1:] for row in rows[1:] if row["says"] == f"{what} is significant"]
        for what in ("gain", "loss")
    }
    named = {what: ", ".join(names) or "none" for what, names in significant.items()}
    if rows[1]["name"].startswith("-"):
        says = f"Errors rise without it: {named['loss']}. Errors fall without it: {named['gain']}."
    else:
        says = f"Errors fall with it: {named['gain']}. Errors rise with it: {named['loss']}."
    n_level = len(rows) - 1 - sum(map(len, significant.values()))
    says = f"{says} No significant difference: {n_level} of {len(rows) - 1}."
    if n_sets and len(rows) < n_sets:
        return f"After {len(rows)} of {n_sets} sets of templates: {says[0].lower()}{says[1:]}"
    return says
