"""Methods on one bench, one after the other, so that each can be drawn as it comes."""

import csv
import io
from dataclasses import replace

from workbench.adaptation.method import Sources
from workbench.experiments.backgrounds import background_of
from workbench.experiments.compare import find_methods, judge, measure

DEFAULT = ("1-gram", "background", "target", "map", "weighted")
_CSV = (
    "name", "error_rate", "low", "high", "from_background", "to_best", "features", "tried",
    "fit_seconds", "hyper_parameters", "estimated",
)  # fmt: skip


class Bench:
    """Methods on one split; what has been learned is kept, so that more can join.

    Parameters
    ----------
    split : Split
    test : Corpus
    """

    def __init__(self, split, test):
        self.split, self.test = split, test.require_cased()
        self._sources, self._known = Sources(split), {}

    def _find(self, names):
        return find_methods(names, self.split.model, self.split.background.task)

    def missing(self, names):
        """Return the methods, of those named, that are not learned yet."""
        return [method.name for method in self._find(names) if method.name not in self._known]

    def comparison(self, names):
        """Return the ``comparison`` of the named methods that are learned; see ``compare``."""
        known = [m.name for m in self._find(names) if m.name in self._known]
        rows = [dict(self._known[name][0]) for name in known]
        wrong = {name: self._known[name][1] for name in known}
        paired = judge(self.test, rows, wrong) if rows else []
        return {"words": len(self.test), "models": rows, "paired": paired}

    def run(self, names, on_method=None, on_try=None, on_step=None):
        """Learn what is missing; yield the comparison after each method.

        Parameters
        ----------
        names : sequence of str
            As for ``find_methods``.
        on_method : callable, optional
            Called with the name of each method when its turn comes.
        on_try : callable, optional
            Called with the hyper-parameters before each is tried; an exception from it
            ends the run, and what was learned before stays.
        on_step : callable, optional
            Called with each ``Step`` of the background's training.
        """
        for method in self._find(self.missing(names)) if self.missing(names) else ():
            if on_method:
                on_method(method.name)
            self._find_background(on_step)
            self._known[method.name] = self._learn(method, on_try)
            yield self.comparison(names)

    def _find_background(self, on_step):
        if "background" not in vars(self._sources):  # trained once, and kept on disk
            split = self.split
            self._sources.background = background_of(
                split.background, split.options, on_step, split.model
            )

    def _learn(self, method, on_try):
        watched = replace(method, prepare=lambda sources: _Watched(method.prepare(sources), on_try))
        return measure(watched, self._sources, self.split.dev, self.test)


class _Watched:
    """A problem that tells what it is about to learn."""

    def __init__(self, problem, on_try):
        self._problem, self._on_try = problem, on_try
        self.given = getattr(problem, "given", {})

    def learn(self, **values):
        """Tell, then learn."""
        if self._on_try:
            self._on_try(values)
        return self._problem.learn(**values)


# --- in words, and to take away -----------------------------------------------------------


def summarize(comparison):
    """Say in words which method is the best, and what its lead is worth."""
    rows = sorted(comparison["models"], key=lambda row: row["error_rate"])
    if not rows:
        return ""
    best, others = rows[0], rows[1:]
    told = f"The fewest errors has {best['name']}: {best['error_rate']:.2%} of the test words."
    if gain := best["gain"]["from_background"]:
        told += f" Its {gain.replace('gain', 'gain on the background')}."
    level = [row["name"] for row in others if "not" in (row["gain"]["to_best"] or "")]
    if level:
        told += f" Not significantly behind: {', '.join(level)}."
    elif others:
        told += " All others are significantly behind."
    useless = [row["name"] for row in rows if "not" in (row["gain"]["from_background"] or "")]
    if useless:
        told += f" No significant gain on the background: {', '.join(useless)}."
    return told


def to_csv(comparison):
    """Return the rows of a comparison as CSV text; fractions."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _CSV, lineterminator="\n")
    writer.writeheader()
    for row in comparison["models"]:
        low, high = row["error_interval"]
        values = {key: _told(row[key]) for key in ("hyper_parameters", "estimated")}
        plain = {key: row[key] for key in _CSV if key in row}
        writer.writerow({**plain, "low": low, "high": high, **row["gain"], **values})
    return text.getvalue()


def told_values(row):
    """Return what was given, chosen and estimated of a row, in words."""
    return _told(row["hyper_parameters"] | row["estimated"])


def _told(values):
    return ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in values.items()
    )
