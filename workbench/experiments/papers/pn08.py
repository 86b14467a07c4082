"""Tables 1, 2, 4 of Plank & van Noord (2008), with capitalizers in place of their parsers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from workbench.adaptation.method import Method, fold
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import learn
from workbench.experiments.papers.study import Study, beside_paper, compare_errors
from workbench.experiments.papers.table_spec import make_spec

SYSTEMS = {
    "target": "in-domain alone", "background": "out-of-domain alone", "all": "data combination",
    "auxiliary": "auxiliary distribution", "model-combination": "model combination",
    "equal-weights": "equal weights",
}  # fmt: skip
BASELINES = "target", "background"  # with which every system is paired
YEARS = (2003, 2004, 2005, 2006, 2007)
PAPER = {
    "target": (0.9701, 0.9660, 0.9765, 0.9706, 0.9620),
    "background": (0.9402, 0.8988, 0.8798, 0.8892, 0.9248),
    "all": (0.9721, 0.9514, 0.9362, 0.9516, 0.9730),
    "auxiliary": (0.9701, 0.9660, 0.9772, 0.9706, 0.9633),
    "model-combination": (0.9714, 0.9712, 0.9799, 0.9700, 0.9633),
    "equal-weights": (0.9746, 0.9723, 0.9819, 0.9645, 0.9646),
}  # concept accuracy on CLEF questions


# --- table 1 ------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """Methods by name, each with the name of its system, and those that others are paired with."""

    systems: Mapping[str, str]
    baselines: Sequence[str]


ALL = Comparison(SYSTEMS, BASELINES)
CLASSES = Comparison(
    {name: SYSTEMS[name] for name in ("target", "auxiliary")}
    | {"auxiliary-classes": "an auxiliary distribution for each class of features"},
    ("target", "auxiliary"),
)
SUB_DOMAINS = Comparison(
    {name: SYSTEMS[name] for name in ("target", "background", "auxiliary")}, BASELINES
)


def make_methods(study: Study, comparison: Comparison = ALL) -> list[dict]:
    """Return the accuracy of each system on each domain, by 5-fold cross-validation."""
    return [row for domain in study.domains for row in _domain_rows(study, domain, comparison)]


def _domain_rows(study, domain, comparison):
    """Return the systems of one domain, each compared with the baselines."""
    text, rows, wrong = study.domains[domain]["train"], [], {}
    for name, system in comparison.systems.items():
        study.report(f"{system} on {domain}")
        of_fold = partial(cross_validate, study, domain, name)
        wrong[name] = study.cached(("folds", domain, name), of_fold)
        row = {"tested_on": domain, "method": name, "system": system}
        row["accuracy"] = 1 - float(wrong[name].mean())
        for base in comparison.baselines:
            if base in wrong and base != name:
                pair = compare_errors(text, wrong[base], wrong[name])
                row |= {f"says_{base}": pair["says"], f"p_{base}": pair["p"]}
        papers = zip(YEARS, PAPER.get(name, ()), strict=False) if comparison is ALL else ()
        rows.append(row | {f"paper_{year}": x for year, x in papers})
    return rows


def cross_validate(study: Study, domain: str, name: str) -> np.ndarray:
    """Return which words of a domain's adaptation text a method has wrong, bool, shape (N,).

    Each fold is tagged by what the method learns from the others; its hyper-parameters are chosen
    on the domain's dev text, with the first fold.
    """
    train, dev = (study.domains[domain][part] for part in ("train", "dev"))
    learners = Learners(study, METHODS[name], dev)
    return np.concatenate(
        [learners.learn(rest).tag(held) != held.tags for rest, held in fold(train)]
    )


class Learners:
    """What a method learns from several texts, with the hyper-parameters chosen for the first."""

    def __init__(self, study: Any, method: Method, dev: Any):
        self._study, self._dev = study, dev
        self._values: dict | None = None
        axes = method.axes_of(study.kind)
        coarse = {name: replace(axis, refinements=0) for name, axis in axes.items()}
        self._method, self._axes = replace(method, axes=coarse, candidate_axes={}), coarse

    def learn(self, corpus: Any) -> Any:
        """Return the model of a text."""
        sources = self._study.sources(corpus, self._dev)
        if self._values is None:
            learned = learn(self._method, sources, self._dev)
            self._values = {axis: learned.hyper_parameters[axis] for axis in self._axes}
            return learned.model
        return self._method.prepare(sources).learn(**self._values)


def judge_methods(rows: list[dict]) -> str:
    """Compare which system is worst and best, and which beat in-domain data alone."""
    ours = [
        {row["method"]: row for row in rows if row["tested_on"] == domain}
        for domain in dict.fromkeys(row["tested_on"] for row in rows)
    ]
    losers, winners = (sum(_is(t["background"], what) for t in ours) for what in ("loss", "gain"))
    agrees = False if winners else losers == len(ours) or None
    best = " and ".join(dict.fromkeys(max(t.values(), key=_accuracy)["system"] for t in ours))
    return beside_paper(
        agrees, "where out-of-domain alone is below in-domain alone in 5 of 5, it is significantly "
        f"below it in {losers} of {len(ours)}, above it in {winners}. The highest accuracy has "
        f"{best} (paper: equal weights, most often). Against in-domain alone, significantly better "
        f"and worse: {'; '.join(_beats(ours, name) for name in _MIXED)}.",
    )  # fmt: skip


_MIXED = "all", "auxiliary", "model-combination", "equal-weights"


def _accuracy(row):
    return row["accuracy"]


def _is(row, what):
    return row["says_target"] == f"{what} is significant"


def _beats(tables, name):
    """Say how often a system is better and worse than in-domain data alone, here and there."""
    better, worse = (sum(_is(table[name], what) for table in tables) for what in ("gain", "loss"))
    paper = sum(a > b for a, b in zip(PAPER[name], PAPER["target"], strict=True))
    return (
        f"{SYSTEMS[name]} {better} and {worse} of {len(tables)} "
        f"(paper: higher in {paper} of {len(YEARS)})"
    )


# --- tables 2 and 4 -----------------------------------------------------------------------


def judge_classes(rows: list[dict]) -> str:
    """Compare an auxiliary feature for each class of features with one for all."""
    each = [row for row in rows if row["method"] == "auxiliary-classes"]
    better, worse = (_count(each, "auxiliary", what) for what in ("gain", "loss"))
    return (
        f"Against one auxiliary feature for all, one for each class of features is significantly "
        f"better on {better} and worse on {worse} of {len(each)}; against in-domain alone better "
        f"on {_count(each, 'target', 'gain')}, worse on {_count(each, 'target', 'loss')}. The "
        "paper's classes are 21 and its figures not at hand."
    )


def judge_sub_domains(rows: list[dict]) -> str:
    """Say on how many domains the auxiliary distribution beats each baseline."""
    own = [row for row in rows if row["method"] == "auxiliary"]
    says = "; ".join(
        f"against {SYSTEMS[base]} significantly better on {_count(own, base, 'gain')}, worse on "
        f"{_count(own, base, 'loss')} of {len(own)}" for base in BASELINES
    )  # fmt: skip
    return f"The auxiliary distribution, {says}. The paper's figures are not at hand."


def _count(rows, base, what):
    return sum(row[f"says_{base}"] == f"{what} is significant" for row in rows)


_SAYS = tuple(
    column for base in BASELINES
    for column in ((f"says_{base}", f"against {SYSTEMS[base]}"), (f"p_{base}", "p", "chance"))
)  # fmt: skip
_SYSTEM = (("tested_on", "tested on"), ("system", "system"), ("accuracy", "accuracy", "rate"))
TABLE_SPECS = (
    make_spec(
        "pn08-1", "PN08", "table 1", "accuracy of the methods, 5-fold", make_methods, judge_methods,
        *_SYSTEM, *_SAYS, *((f"paper_{year}", f"paper {year}", "rate") for year in YEARS),
    ),
    make_spec(
        "pn08-2", "PN08", "table 2", "auxiliary features, one for all and one a class, 5-fold",
        partial(make_methods, comparison=CLASSES), judge_classes, *_SYSTEM, *_SAYS[:2],
        ("says_auxiliary", "against one for all"), ("p_auxiliary", "p", "chance"),
    ),
    make_spec(
        "pn08-4", "PN08", "table 4", "the auxiliary distribution on each domain, 5-fold",
        partial(make_methods, comparison=SUB_DOMAINS), judge_sub_domains, *_SYSTEM, *_SAYS,
    ),
)  # fmt: skip
