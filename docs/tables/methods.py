"""Tables of adaptation methods side by side."""

from functools import reduce

import numpy as np

from tables.shared import (
    DOMAINS,
    FEW_WORDS,
    N_DRAWS,
    PAIRS,
    chance,
    describe_gain,
    draw,
    print_table,
    rate,
    split_of,
    thirds,
)
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods import METHODS
from workbench.evaluation.report import paired_row
from workbench.experiments.backgrounds import background_of_split
from workbench.experiments.compare import compare
from workbench.experiments.method_rows import LEVEL, join_classes, measure, verdict
from workbench.models.crf import CRF
from workbench.models.memm import MEMM
from workbench.settings import BACKGROUND
from workbench.text.corpus import join
from workbench.text.sets.registry import load


def print_methods() -> None:
    """Print the errors of all methods on three backgrounds and two domains, and their seconds."""
    found = [compare(split_of(*pair), load(pair[1], "test")) for pair in PAIRS]
    rows = [{row["name"]: row for row in each["models"]} for each in found]
    headings = ["method", *(f"{a} → {b}" for a, b in PAIRS)]
    means = {name: np.mean([own[name]["error_rate"] for own in rows]) for name in rows[0]}
    names = sorted(means, key=means.__getitem__)
    marks = [_marks(each["paired"]) for each in found]
    print_table(headings, (
        (name, *(f"{100 * own[name]['error_rate']:.2f}{mark.get(name, '')}"
                 for own, mark in zip(rows, marks, strict=True))) for name in names
    ))  # fmt: skip
    print("\nSeconds of all fits of a method, its search on dev included, without the background's "
          "training:\n")  # fmt: skip
    print_table(headings, (
        (name, *(f"{own[name]['fit_seconds']:.1f}" for own in rows)) for name in names
    ))  # fmt: skip


def _marks(paired):
    """Return a sign for each method that is significantly better or worse than map."""
    signs = {}
    for pair in paired:
        low, high = pair["interval"]
        is_real = pair["p_value"] < LEVEL and low is not None and (low > 0 or high < 0)
        if pair["a"] == "map" and is_real:
            signs[pair["b"]] = " +" if pair["relative_change"] < 0 else " −"
    return signs


def print_both_texts() -> None:
    """Print what training on both texts gains over map on five domains."""
    names = "background", "map", "weighted", "all"
    rows = (_both_row(domain, names) for domain in DOMAINS)
    headings = ("domain", *names, "`weighted` against `map`", "`all` against `map`",
                "fit, s: `map`, `weighted`, `all`")  # fmt: skip
    print_table(headings, rows, len(headings))


def _both_row(domain, names):
    result = compare(split_of("reuters1987", domain), load(domain, "test"), names)
    rows = {row["name"]: row for row in result["models"]}
    signs = _marks(result["paired"])
    pairs = {pair["b"]: pair for pair in result["paired"] if pair["a"] == "map"}
    words = {" +": "better", " −": "worse", "": "no difference"}
    says = (f"{words[signs.get(n, '')]} (p {pairs[n]['p_value']:.2g})" for n in names[2:])
    seconds = ", ".join(f"{rows[n]['fit_seconds']:.0f}" for n in names[1:])
    return domain, *(rate(rows[n]["error_rate"]) for n in names), *says, seconds


SOURCES = (
    "reuters1987 reuters9697 wsj ap1988 bn-abc bn-cnn science-abc speeches brown-fiction ted bio "
    "techdocs twitter wiki-truecase"
).split()
FEW_OF_SOURCE = 30_000  # words of each, where a domain has little text
LEARNERS = "background", "map", "weighted", "hierarchy"


def print_sources() -> None:
    """Print methods that learn from thirteen other texts, and what the hierarchy gains."""
    names = *LEARNERS[:-1], "chain", "hierarchy"
    headings = ("domain", *names, "`hierarchy` against", "fixed / broken", "p (McNemar)",
                "weight; σ²: general, new features, texts, domain")  # fmt: skip
    domains = "bn-cnn", "bn-abc", "ted", "twitter", "techdocs"
    print_table(headings, (_sources_row(domain, names) for domain in domains))


def _sources_row(domain, names):
    texts = [load(name) for name in SOURCES if name != domain]
    dev, test = load(domain, "dev"), load(domain, "test")
    sources = _sources_of(texts, load(domain), dev)
    found = {name: measure(METHODS[name], sources, dev, test) for name in names}
    rival = min(("map", "weighted"), key=lambda name: found[name][1].sum())
    pair = paired_row(test, rival, found[rival][1], "hierarchy", found["hierarchy"][1])
    chosen = join_classes(found["hierarchy"][0]["hyper_parameters"])
    sigma2s = ", ".join(f"{chosen[f'sigma2_{level}']:.2g}" for level in "gast")
    return (
        domain,
        *(rate(each.mean()) for _, each in found.values()),
        f"`{rival}`",
        f"{pair['fixed']} / {pair['broken']}",
        chance(pair),
        f"{chosen['weight']:.2g}; {sigma2s}",
    )


def _sources_of(texts, own, dev):
    """Return the sources of a domain's text and of several others, which are one background."""
    begins = tuple(np.cumsum([text.n_sentences for text in texts[:-1]]).tolist())
    return Sources(Split(reduce(join, texts), own, dev, BACKGROUND, begins=begins),
                   background_of_split)  # fmt: skip


def print_sources_of_few_words() -> None:
    """Print mean errors on test with 5,000 labelled words of a domain, dev among them."""
    domains = "bn-cnn", "bn-abc", "ted", "twitter", "techdocs"
    headings = ("domain", *LEARNERS, *(f"`hierarchy` less `{name}`" for name in LEARNERS[1:3]))
    print_table(headings, map(_few_words_row, domains))


def _few_words_row(domain):
    texts = [draw(load(name), FEW_OF_SOURCE, 0).compact() for name in SOURCES if name != domain]
    train, test = load(domain), load(domain, "test")
    errors, verdicts = [], []
    for number in range(N_DRAWS):
        own, dev = thirds(draw(train, FEW_WORDS, number))
        sources = _sources_of(texts, own, dev)
        wrong = {name: measure(METHODS[name], sources, dev, test)[1] for name in LEARNERS}
        errors.append([each.mean() for each in wrong.values()])
        verdicts.append([
            verdict(paired_row(test, name, wrong[name], "hierarchy", wrong["hierarchy"]))
            for name in LEARNERS[1:3]
        ])  # fmt: skip
    rates, says = np.array(errors), np.array(verdicts)
    gains = (describe_gain(rates[:, 3] - rates[:, i + 1], says[:, i]) for i in range(2))
    return domain, *map(rate, rates.mean(axis=0)), *gains


def print_models() -> None:
    """Print MEMM and CRF side by side on five domains."""
    headings = ("domain", "MEMM background", "MEMM `map`", "CRF background", "CRF `map`",
                "fit of `map`, s: MEMM, CRF", "train, s: MEMM, CRF")  # fmt: skip
    print_table(headings, map(_models_row, DOMAINS), len(headings))


def _models_row(domain):
    errors, seconds = [], []
    for kind in (MEMM, CRF):
        split = split_of("reuters1987", domain, kind)
        rows = compare(split, load(domain, "test"), ("background", "map"))["models"]
        errors += [rate(row["error_rate"]) for row in rows]
        seconds.append([f"{row['fit_seconds']:.0f}" for row in rows])
    train, fit = (", ".join(own) for own in zip(*seconds, strict=True))
    return domain, *errors, fit, train
