"""Tables 2 and 4, figures 2 and 3 of Zhang, Qiu, Huang & Wu (2008): adapted CRFs.

The paper adapts from the WSJ to Brown (chunking) and to AP (capitalization). Accuracy is
that of words there and here; for chunks there is F1, too.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from workbench.adaptation.methods.map import TwoVariances
from workbench.evaluation.chunks import score_chunks
from workbench.evaluation.report import paired_row
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import learn, verdict
from workbench.experiments.papers.study import Study, as_in_paper, change, make_spec
from workbench.models.crf import CRF
from workbench.text.tasks import TaskName

SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
SIGMA2_MS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
IN, OUT, FEW = "in domain", "out of domain", "adapted to two sentences"
ADAPTED, COMBINED = "adapted", "both texts combined"
PAPER = {
    "chunking": {IN: 0.962, OUT: 0.884, FEW: 0.919, ADAPTED: 0.950},
    "capitalization": {COMBINED: 0.947},
}  # what we know of tables 2 and 4
PAPER_CHANGES = {"chunking": {FEW: -0.302, ADAPTED: -0.569}, "capitalization": {ADAPTED: -0.296}}


def _adapt_to(study, domain, n_sentences=None):
    """Return the CRF adapted to a domain's first sentences, or all, two variances tuned on dev."""
    method = replace(METHODS["map-two-variances"], exhaustive=False)
    adapt = partial(_learn, study, domain, method, n_sentences)
    return study.cached(("two variances", domain, n_sentences), adapt, f"adapting to {domain}")


def _learn(study, domain, method, n_sentences=None):
    return learn(method, _sources(study, domain, n_sentences), study.domains[domain]["dev"])


def _sources(study, domain, n_sentences=None):
    train, dev = (study.domains[domain][part] for part in ("train", "dev"))
    if n_sentences is not None:
        train = train.take(np.arange(min(n_sentences, train.n_sentences)))
    return study.sources(train, dev, CRF)


# --- tables 2 and 4 -----------------------------------------------------------------------


def make_chunking(study: Study) -> list[dict]:
    """Return accuracy and F1 of the background on both texts, and of the adapted models."""
    return [] if study.text.task is TaskName.CASE else _make_systems(study, "chunking", True)


def make_capitalization(study: Study) -> list[dict]:
    """Return accuracy of the background on both texts, adapted, and of a CRF of both texts."""
    return _make_systems(study, "capitalization") if study.text.task is TaskName.CASE else []


def _make_systems(study, task, with_few=False):
    rows = [row for domain in study.domains for row in _rows_of(study, domain, task, with_few)]
    if study.in_domain is not None:
        row = {"system": IN, "tested_on": study.text.name}
        rows.insert(0, row | _score(study.crf(), study.in_domain) | _paper(task, IN))
    return rows


def _rows_of(study, domain, task, with_few):
    """Return the systems of one domain, each compared with the background."""
    test, rows, background = study.domains[domain]["test"], [], None
    for system, model, variances in _systems(study, domain, with_few):
        wrong = model.tag(test) != test.tags
        background = wrong if background is None else background
        row = {"system": system, "tested_on": domain, **_score(model, test)}
        if system != OUT:
            row["change"] = change(float(background.mean()), float(wrong.mean()))
            row["says"] = verdict(paired_row(test, OUT, background, system, wrong))
        rows.append(row | variances | _paper(task, system))
    return rows


def _systems(study, domain, with_few):
    """Yield the name, model and chosen variances of each system."""
    yield OUT, study.crf(), {}
    amounts: dict = {FEW: 2} if with_few else {}
    for system, n_sentences in (amounts | {ADAPTED: None}).items():
        learned = _adapt_to(study, domain, n_sentences)
        chosen = learned.hyper_parameters
        yield system, learned.model, {key: chosen[key] for key in ("sigma2_m", "sigma2_a")}
    if not with_few:
        study.report(f"{COMBINED}, {domain}")
        yield COMBINED, METHODS["all"].prepare(_sources(study, domain)).learn(), {}


def _score(model, corpus):
    tags = model.tag(corpus)
    scores = {"accuracy": float((tags == corpus.tags).mean())}
    is_chunks = corpus.task is TaskName.CHUNKS
    return scores | ({"f1": score_chunks(corpus, tags)[0].f1} if is_chunks else {})


def _paper(task, system):
    return {"paper": PAPER[task].get(system), "paper_change": PAPER_CHANGES[task].get(system)}


def judge_chunking(rows: list[dict]) -> str:
    """Compare what adaptation gains with all the text and with two sentences."""
    if not rows:
        return "This table is of chunks or other labels; the labels here are of case."
    falls, two = _gains(rows, ADAPTED), _gains(rows, FEW)
    of_all, of_two = (_percent(_changes(rows, system)) for system in (ADAPTED, FEW))
    return (
        f"{as_in_paper(falls)}, the error of words {'falls' if falls else 'does not fall'} "
        f"significantly with all the text: {of_all} (paper: -56.9 %). {as_in_paper(two)}, two "
        f"sentences {'lower' if two else 'do not lower'} it: {of_two} (paper: -30.2 %)."
    )


def _gains(rows, system):
    """Whether a system's gain is significant on every domain."""
    return all(row["says"] == "gain is significant" for row in rows if row["system"] == system)


def judge_capitalization(rows: list[dict]) -> str:
    """Compare adaptation with a CRF of both texts."""
    if not rows:
        return "This table is of capitalization; the labels here are others."
    gains, both = _changes(rows, ADAPTED), _changes(rows, COMBINED)
    sides = "below" if np.mean(gains) < np.mean(both) else "not below"
    return (
        f"{as_in_paper(max(gains) < 0)}, adaptation changes the error: {_percent(gains)} "
        f"(paper: -29.6 %). That is {sides} the error of both texts combined, {_percent(both)}."
    )


def _changes(rows, system):
    return [row["change"] or 0.0 for row in rows if row["system"] == system]


def _percent(changes):
    return ", ".join(f"{value:+.1%}".replace("%", " %") for value in changes)


# --- figures 2 and 3 ----------------------------------------------------------------------


def make_shares(study: Study) -> list[dict]:
    """Return accuracy on both texts by share of the first domain's adaptation data."""
    domain = next(iter(study.domains))
    n = study.domains[domain]["train"].n_sentences
    amounts = sorted({min(2, n), *(max(2, round(share * n)) for share in SHARES)})
    coarse = {"sigma2": replace(METHODS["map"].axes["sigma2"], refinements=0)}
    rows = [_share_row(study, study.crf(), domain, 0)]
    for n_sentences in amounts:
        study.report(f"{n_sentences:,} sentences of {domain}")
        model = _learn(study, domain, replace(METHODS["map"], axes=coarse), n_sentences).model
        rows.append(_share_row(study, model, domain, n_sentences))
    return rows


def _share_row(study, model, domain, n_sentences):
    parts = study.domains[domain]
    words = int(parts["train"].starts[: n_sentences + 1][-1])
    row = {"sentences": n_sentences, "words": words, "tested_on": domain}
    row["accuracy"] = _score(model, parts["test"])["accuracy"]
    if study.in_domain is not None:
        row["in_domain"] = _score(model, study.in_domain)["accuracy"]
    return row | ({"sigma2": model.info["sigma2"]} if n_sentences else {})


def make_variances(study: Study) -> list[dict]:
    """Return accuracy by sigma2_m, at the best sigma2_a."""
    domain = next(iter(study.domains))
    parts, chosen = study.domains[domain], _adapt_to(study, domain).hyper_parameters
    problem, rows = TwoVariances(study.crf(), parts["train"]), []
    for sigma2_m in SIGMA2_MS:
        study.report(f"sigma2_m {sigma2_m:g}")
        values = {"sigma2_m": sigma2_m, "sigma2_a": chosen["sigma2_a"]}
        model, row = problem.learn(**values), values | {"tested_on": domain}
        rows.append(row | {p: _score(model, parts[p])["accuracy"] for p in ("dev", "test")})
    return rows


def judge_shares(rows: list[dict]) -> str:
    """Compare the gain of the first sentences and of all, and the loss on the background's text."""
    first, few, last = rows[0], rows[1], rows[-1]
    gains = min(few["accuracy"], last["accuracy"]) > first["accuracy"]
    sentence = (
        f"{as_in_paper(gains)}, {few['sentences']} sentences {_rise(first, few)} and all "
        f"{last['sentences']:,} {_rise(first, last)}."
    )
    if "in_domain" not in first:
        return sentence
    lost = first["in_domain"] - last["in_domain"]
    return f"{sentence} On its own text the background loses {100 * lost:.2f} points."


def _rise(before, after):
    points = 100 * (after["accuracy"] - before["accuracy"])
    return f"change accuracy by {points:+.2f} points"


def judge_variances(rows: list[dict]) -> str:
    """Compare where accuracy on dev is best, and how flat it is around that point."""
    best = max(rows, key=lambda row: row["dev"])
    inside = best["sigma2_m"] not in (rows[0]["sigma2_m"], rows[-1]["sigma2_m"])
    flat = [row["sigma2_m"] for row in rows if row["dev"] > best["dev"] - 0.001]
    where = "inside" if inside else "at an end of"
    says = f"from {min(flat):g} to {max(flat):g} accuracy on dev changes by less than 0.1 points"
    if len(flat) == 1:
        says = "at every other accuracy on dev is lower by 0.1 points or more"
    return (
        f"{as_in_paper(inside)}, the best sigma2_m lies {where} the range, at "
        f"{best['sigma2_m']:g}; {says}."
    )


_SYSTEMS = (
    ("system", "system"), ("tested_on", "tested on"), ("accuracy", "accuracy", "rate"),
    ("f1", "F1", "rate"), ("change", "error", "change"), ("says", "against out of domain"),
    ("sigma2_m", "σ²m", "number"), ("sigma2_a", "σ²a", "number"), ("paper", "paper", "rate"),
    ("paper_change", "paper, error", "change"),
)  # fmt: skip
TABLE_SPECS = (
    make_spec(
        "crf08-2", "CRF08", "table 2", "chunking: in domain, out of domain, adapted",
        make_chunking, judge_chunking, *_SYSTEMS,
    ),
    make_spec(
        "crf08-4", "CRF08", "table 4", "capitalization: in and out of domain, adapted, combined",
        make_capitalization, judge_capitalization, *_SYSTEMS,
    ),
    make_spec(
        "crf08-figure2", "CRF08", "figure 2", "accuracy by amount of adaptation data",
        make_shares, judge_shares,
        ("tested_on", "domain"), ("sentences", "sentences", "count"), ("words", "words", "count"),
        ("sigma2", "σ²", "number"), ("accuracy", "accuracy", "rate"),
        ("in_domain", "in domain", "rate"),
    ),
    make_spec(
        "crf08-figure3", "CRF08", "figure 3", "accuracy by σ²m", make_variances, judge_variances,
        ("tested_on", "domain"), ("sigma2_m", "σ²m", "number"), ("sigma2_a", "σ²a", "number"),
        ("dev", "dev", "rate"), ("test", "test", "rate"),
    ),
)  # fmt: skip
