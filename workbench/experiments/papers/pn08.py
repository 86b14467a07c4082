"""Tables 1 to 4 and figure 1 of Plank & van Noord (2008), with capitalizers for their parsers.

What goes by amount of data is made of any ``Study``, an annex's, too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from workbench.adaptation.method import Method, fold
from workbench.adaptation.methods.auxiliary import TiedAuxiliary
from workbench.evaluation.significance import judge_difference, mcnemar
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import learn
from workbench.experiments.papers.study import Study, compare_errors
from workbench.experiments.papers.tables import PRINTED, make_spec

SYSTEMS = {
    "target": "in-domain alone", "background": "out-of-domain alone", "all": "data combination",
    "auxiliary": "auxiliary distribution", "model-combination": "model combination",
    "equal-weights": "equal weights",
}  # fmt: skip
_PAPER = PRINTED["PN08"]
BASELINES = "target", "background"  # with which every system is paired
SHARES = (0.01, 0.05, 0.25, 1.0)
N_DRAWS = 10  # of each share: two of each of five folds
LEARNERS = ("target", "auxiliary", "model-combination", "equal-weights")
PRIORS = {
    "a wide one of its own": METHODS["auxiliary"],
    "that of all features": replace(METHODS["auxiliary"], prepare=TiedAuxiliary),
}
_FEWEST = 10  # sentences that are worth learning from


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
        printed = _PAPER["accuracy"].get(name, ()) if comparison is ALL else ()
        papers = zip(_PAPER["years"], printed, strict=False)
        rows.append(row | {f"paper_{year}": accuracy for year, accuracy in papers})
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
        self._method, axes = method, method.axes_of(study.kind)
        self._axes = {name: replace(axis, refinements=0) for name, axis in axes.items()}

    def learn(self, corpus: Any) -> Any:
        """Return the model of a text."""
        sources = self._study.sources(corpus, self._dev)
        if self._values is None:
            learned = learn(self._method, sources, self._dev, axes=self._axes)
            self._values = {axis: learned.hyper_parameters[axis] for axis in self._axes}
            return learned.model
        return self._method.prepare(sources).learn(**self._values)


_SAYS = tuple(
    column for base in BASELINES
    for column in ((f"says_{base}", f"against {SYSTEMS[base]}"), (f"p_{base}", "p", "chance"))
)  # fmt: skip
_SYSTEM = (("tested_on", "tested on"), ("system", "system"), ("accuracy", "accuracy", "rate"))
METHOD_SPECS = (
    make_spec(
        "pn08-1", "PN08", "table 1", "accuracy of the methods, 5-fold", make_methods,
        *_SYSTEM, *_SAYS, *((f"paper_{year}", f"paper {year}", "rate") for year in _PAPER["years"]),
    ),
    make_spec(
        "pn08-2", "PN08", "table 2", "auxiliary features, one for all and one a class, 5-fold",
        partial(make_methods, comparison=CLASSES), *_SYSTEM, *_SAYS[:2],
        ("says_auxiliary", "against one for all"), ("p_auxiliary", "p", "chance"),
    ),
    make_spec(
        "pn08-4", "PN08", "table 4", "the auxiliary distribution on each domain, 5-fold",
        partial(make_methods, comparison=SUB_DOMAINS), *_SYSTEM, *_SAYS,
    ),
)  # fmt: skip


# --- table 3 and figure 1 -----------------------------------------------------------------


def draw(corpus: Any, share: float, seed: int) -> Any:
    """Draw a share of the sentences; a smaller share is part of a larger one."""
    order = np.random.default_rng(seed).permutation(corpus.n_sentences)
    n = max(1, round(share * corpus.n_sentences))
    return corpus.take(np.sort(order[:n]))


def _draws(study, share):
    """Return (some of the other folds, dev, held-out fold) of each draw; none if too few."""
    folds = study.folds(next(iter(study.domains)))
    fewest = min(rest.n_sentences for rest, _, _ in folds)
    if round(share * fewest) < _FEWEST:
        return []
    n_draws = N_DRAWS if share < 1 else len(folds)  # all is all: one of each fold
    cases = ((seed, *folds[seed % len(folds)]) for seed in range(n_draws))
    return [(draw(rest, share, seed), dev, held) for seed, rest, dev, held in cases]


def _learn(study: Any, method: Method, draws: list[tuple], score: Callable) -> np.ndarray:
    """Return what ``score`` makes of each draw's model and held-out fold."""
    learners = Learners(study, method, draws[0][1])
    return np.array([score(learners.learn(some), held) for some, _, held in draws])


def make_shares(study: Any) -> Iterator[dict]:
    """Yield accuracy by share of the in-domain data, drawn at random, on the first domain."""
    for share in SHARES:
        if not (draws := _draws(study, share)):
            continue
        outside = np.array([study.accuracy(study.background(), held) for _, _, held in draws])
        row: dict[str, Any] = _describe_draws(study, share, draws)
        row["background"] = float(outside.mean())
        for name in LEARNERS:
            study.report(f"{SYSTEMS[name]}, {share:.0%} of the in-domain data")
            own = _learn(study, METHODS[name], draws, study.accuracy)
            row |= {name: float(own.mean()), f"{name}_spread": float(own.std(ddof=1))}
            row |= {f"{name}_{key}": value for key, value in _compare(outside, own).items()}
        yield row


def _describe_draws(study, share, draws):
    sizes = [study.n_units(some) for some, _, _ in draws]
    return {"share": share, "draws": len(draws), "words": round(float(np.mean(sizes)))}


def _compare(outside, own):
    """Return in how many draws a system is above the background, with the sign test of it."""
    above, below, p = mcnemar(own > outside, own < outside)  # the sign test, of who is above
    return {"above": above, "p": p, "says": judge_difference(above - below, None, p)}


# --- the auxiliary weight -----------------------------------------------------------------


def make_weights(study: Any) -> Iterator[dict]:
    """Yield the size of the auxiliary weight by amount of data and by the prior on it.

    Where one variance serves all features, the auxiliary one too, its weight is drawn to 0.
    """
    for share in SHARES:
        draws = _draws(study, share)
        outside = [study.accuracy(study.background(), held) for _, _, held in draws]
        for prior, method in PRIORS.items() if draws else ():
            study.report(f"auxiliary weight, prior {prior}, {share:.0%} of the data")
            found = _learn(study, method, draws, lambda model, held: (
                study.accuracy(model, held), model.info["estimated"]["auxiliary"],
            ))  # fmt: skip
            row = _describe_draws(study, share, draws) | {"prior": prior}
            row |= {"weight": float(found[:, 1].mean()), "spread": float(found[:, 1].std(ddof=1))}
            row["gain"] = 100 * float((found[:, 0] - outside).mean())
            yield row | _compare(np.array(outside), found[:, 0])


_AMOUNT = (("share", "share", "rate"), ("draws", "draws", "count"))
AMOUNT_SPECS = (
    make_spec(
        "pn08-figure1", "PN08", "table 3 and figure 1",
        "accuracy by share of in-domain data, drawn at random", make_shares,
        *_AMOUNT, ("words", "words or sentences", "count"),
        ("background", SYSTEMS["background"], "rate"),
        *(column for name in LEARNERS for column in (
            (name, SYSTEMS[name], "rate"), (f"{name}_spread", "deviation", "rate"),
            (f"{name}_above", "draws above out-of-domain", "count"), (f"{name}_p", "p", "chance"),
        )),
    ),
    make_spec(
        "pn08-weight", "PN08", "beside table 3", "the auxiliary weight by amount of data and prior",
        make_weights,
        *_AMOUNT, ("words", "words or sentences", "count"), ("prior", "prior on the weight"),
        ("weight", "weight", "signed"), ("spread", "deviation", "signed"),
        ("gain", "points over out-of-domain alone", "signed"),
        ("above", "draws above it", "count"), ("p", "p (signs)", "chance"),
    ),
)  # fmt: skip
TABLE_SPECS = (*METHOD_SPECS, *AMOUNT_SPECS)
