"""Table 1 and figure 1 of Plank & van Noord (2008), with capitalizers in place of their parsers."""

from dataclasses import replace
from typing import Any

import numpy as np

from workbench.adaptation.method import Method, fold
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import learn
from workbench.experiments.papers.study import Study, as_in_paper, compare_errors, make_spec

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
SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
LEARNERS = ("target", "auxiliary", "model-combination")
_FEWEST = 25  # sentences that are worth learning from


# --- table 1 ------------------------------------------------------------------------------


def make_methods(study: Study) -> list[dict]:
    """Return the accuracy of each system on each domain, by 5-fold cross-validation."""
    return [row for domain in study.domains for row in _domain_rows(study, domain)]


def _domain_rows(study, domain):
    """Return the systems of one domain, each compared with both baselines."""
    text, rows, wrong = study.domains[domain]["train"], [], {}
    for name, system in SYSTEMS.items():
        study.report(f"{system} on {domain}")
        wrong[name] = cross_validate(study, domain, name)
        row = {"tested_on": domain, "method": name, "system": system}
        row["accuracy"] = 1 - float(wrong[name].mean())
        for base in BASELINES:
            if base in wrong and base != name:
                pair = compare_errors(text, wrong[base], wrong[name])
                row |= {f"says_{base}": pair["says"], f"p_{base}": pair["p"]}
        rows.append(row | {f"paper_{year}": x for year, x in zip(YEARS, PAPER[name], strict=True)})
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
    losers = sum(_is(table["background"], "loss") for table in ours)
    best = " and ".join(dict.fromkeys(max(t.values(), key=_accuracy)["system"] for t in ours))
    return (
        f"{as_in_paper(losers == len(ours))}, where out-of-domain alone is below in-domain alone "
        f"in 5 of 5, it is significantly below it in {losers} of {len(ours)}. The highest accuracy "
        f"has {best} (paper: equal weights, most often). Against in-domain alone, significantly "
        f"better and worse: {'; '.join(_beats(ours, name) for name in _MIXED)}."
    )


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


# --- figure 1 -----------------------------------------------------------------------------


def make_shares(study: Study) -> list[dict]:
    """Return accuracy by share of the in-domain data, 5-fold, on the first domain."""
    domain = next(iter(study.domains))
    train, dev = (study.domains[domain][part] for part in ("train", "dev"))
    folds = list(fold(train))
    outside = [float((study.memm().tag(held) == held.tags).mean()) for _, held in folds]
    rows = []
    for share in SHARES:
        kept = [_draw(rest, share, seed) for seed, (rest, _) in enumerate(folds)]
        if kept[0].n_sentences < _FEWEST:
            continue
        row = {"share": share, "words": round(float(np.mean([len(k) for k in kept])))}
        for name in LEARNERS:
            study.report(f"{SYSTEMS[name]}, {share:.0%} of {domain}")
            row[name] = _cross_validate(study, name, kept, folds, dev)
        rows.append(row | {"background": float(np.mean(outside))})
    return rows


def _draw(corpus, share, seed):
    """Draw a share of the sentences; a smaller share is part of a larger one."""
    order = np.random.default_rng(seed).permutation(corpus.n_sentences)
    n = max(1, round(share * corpus.n_sentences))
    return corpus.take(np.sort(order[:n]))


def _cross_validate(study, name, kept, folds, dev):
    """Return the mean accuracy on held-out folds; tuned on dev, with the first fold."""
    method, values, accuracies = METHODS[name], None, []
    coarse = {axis: replace(values, refinements=0) for axis, values in method.axes.items()}
    for corpus, (_, held) in zip(kept, folds, strict=True):
        sources = study.sources(corpus, dev)
        if values is None:
            learned = learn(replace(method, axes=coarse), sources, dev)
            model = learned.model
            values = {axis: learned.hyper_parameters[axis] for axis in coarse}
        else:
            model = method.prepare(sources).learn(**values)
        accuracies.append(float((model.tag(held) == held.tags).mean()))
    return float(np.mean(accuracies))


def judge_shares(rows: list[dict]) -> str:
    """Compare the systems on very little in-domain data."""
    if not rows:
        return "There is too little text of the domain for shares of it."
    first, last = rows[0], rows[-1]
    below = first["auxiliary"] < first["background"]
    never = all(row["model-combination"] >= row["background"] for row in rows)
    best = max(LEARNERS, key=lambda name: last[name])
    return (
        f"{as_in_paper(below)}, at {first['share']:.0%} of the data ({first['words']:,} words) the "
        f"auxiliary distribution is {'below' if below else 'above'} out-of-domain alone "
        f"({first['auxiliary']:.2%}, {first['background']:.2%}); {as_in_paper(never).lower()}, "
        f"model combination {'never' if never else 'somewhere'} falls below it. With all of it the "
        f"best is {SYSTEMS[best]}, {last[best]:.2%}."
    )


TABLE_SPECS = (
    make_spec(
        "pn08-1", "PN08", "table 1", "accuracy of the methods, 5-fold",
        make_methods, judge_methods,
        ("tested_on", "tested on"), ("system", "system"), ("accuracy", "accuracy", "rate"),
        ("says_target", "against in-domain alone"), ("p_target", "p", "chance"),
        ("says_background", "against out-of-domain alone"), ("p_background", "p", "chance"),
        *((f"paper_{year}", f"paper {year}", "rate") for year in YEARS),
    ),
    make_spec(
        "pn08-figure1", "PN08", "figure 1", "accuracy by share of in-domain data, 5-fold",
        make_shares, judge_shares,
        ("share", "share", "rate"), ("words", "words", "count"),
        *((name, SYSTEMS[name], "rate") for name in ("background", *LEARNERS)),
    ),
)  # fmt: skip
