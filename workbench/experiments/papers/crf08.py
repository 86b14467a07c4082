"""Tables 2 and 4, figures 2 and 3 of Zhang, Qiu, Huang & Wu (2008): adapted CRFs.

The paper adapts from the WSJ to Brown (chunking) and to AP (capitalization). Accuracy is
that of words there and here; for chunks there is F1, too.
"""

from dataclasses import replace

import numpy as np

from workbench.adaptation.methods.map import TwoVariances
from workbench.evaluation.chunks import score_chunks
from workbench.evaluation.report import paired_row
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import learn, verdict
from workbench.experiments.papers import crf08_paper
from workbench.experiments.papers.study import Column, Study, TableSpec, change
from workbench.models.crf import CRF
from workbench.text.tasks import TaskName

SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
SIGMA2_MS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


def _adapt_to(study, domain, n_sentences=None):
    """Return the CRF adapted to a domain's first sentences, or all, two variances tuned on dev."""

    def adapt():
        parts = study.domains[domain]
        train = _first_sentences(parts["train"], n_sentences)
        sources = study.sources(train, parts["dev"], CRF)
        return learn(replace(METHODS["map-two-variances"], exhaustive=False), sources, parts["dev"])

    return study.cached(("two variances", domain, n_sentences), adapt, f"adapting to {domain}")


def _first_sentences(corpus, n):
    return corpus if n is None else corpus.take(np.arange(min(n, corpus.n_sentences)))


# --- tables 2 and 4 -----------------------------------------------------------------------


def make_chunking(study: Study) -> list[dict]:
    """Return accuracy and F1 of the background on both texts, and of the adapted models."""
    is_case = study.text.task is TaskName.CASE
    return [] if is_case else _make_systems(study, "chunking", with_few=True)


def make_capitalization(study: Study) -> list[dict]:
    """Return accuracy of the background on both texts, adapted, and of a CRF of both texts."""
    is_case = study.text.task is TaskName.CASE
    return _make_systems(study, "capitalization") if is_case else []


def _make_systems(study, task, with_few=False):
    rows = [row for domain in study.domains for row in _rows_of(study, domain, task, with_few)]
    if study.in_domain is None:
        return rows
    in_domain = {"system": crf08_paper.IN, "tested_on": study.text.name}
    in_domain |= _score(study.crf(), study.in_domain) | _paper(task, crf08_paper.IN)
    return [in_domain, *rows]


def _rows_of(study, domain, task, with_few):
    """Return the systems of one domain, each compared with the background."""
    test, rows, background = study.domains[domain]["test"], [], None
    for system, model, variances in _systems(study, domain, with_few):
        wrong = model.tag(test) != test.tags
        background = wrong if background is None else background
        row = {"system": system, "tested_on": domain, **_score(model, test)}
        if system != crf08_paper.OUT:
            row["change"] = change(float(background.mean()), float(wrong.mean()))
            row["says"] = verdict(paired_row(test, crf08_paper.OUT, background, system, wrong))
        rows.append(row | variances | _paper(task, system))
    return rows


def _systems(study, domain, with_few):
    """Yield the name, model and chosen variances of each system."""
    yield crf08_paper.OUT, study.crf(), {}
    amounts: dict = {crf08_paper.FEW: 2} if with_few else {}
    for system, n_sentences in (amounts | {crf08_paper.ADAPTED: None}).items():
        learned = _adapt_to(study, domain, n_sentences)
        chosen = learned.hyper_parameters
        yield system, learned.model, {key: chosen[key] for key in ("sigma2_m", "sigma2_a")}
    if not with_few:
        parts = study.domains[domain]
        study.report(f"{crf08_paper.COMBINED}, {domain}")
        problem = METHODS["all"].prepare(study.sources(parts["train"], parts["dev"], CRF))
        yield crf08_paper.COMBINED, problem.learn(), {}


def _score(model, corpus):
    tags = model.tag(corpus)
    scores = {"accuracy": float((tags == corpus.tags).mean())}
    if corpus.task is TaskName.CHUNKS:
        scores["f1"] = score_chunks(corpus, tags)[0].f1
    return scores


def _paper(task, system):
    known = crf08_paper.PAPER[task].get(system), crf08_paper.PAPER_CHANGES[task].get(system)
    return dict(zip(("paper", "paper_change"), known, strict=True))


# --- figures 2 and 3 ----------------------------------------------------------------------


def make_shares(study: Study) -> list[dict]:
    """Return accuracy on both texts by share of the first domain's adaptation data."""
    domain = next(iter(study.domains))
    parts, rows = study.domains[domain], []
    n = parts["train"].n_sentences
    amounts = sorted({min(2, n), *(max(2, round(share * n)) for share in SHARES)})
    rows.append(_share_row(study, study.crf(), domain, 0, 0))
    for n_sentences in amounts:
        study.report(f"{n_sentences:,} sentences of {domain}")
        train = _first_sentences(parts["train"], n_sentences)
        method = METHODS["map"]
        coarse = {"sigma2": replace(method.axes["sigma2"], refinements=0)}
        sources = study.sources(train, parts["dev"], CRF)
        model = learn(replace(method, axes=coarse), sources, parts["dev"]).model
        rows.append(_share_row(study, model, domain, n_sentences, len(train)))
    return rows


def _share_row(study, model, domain, n_sentences, words):
    test = study.domains[domain]["test"]
    row = {"sentences": n_sentences, "words": words, "tested_on": domain}
    row["accuracy"] = _score(model, test)["accuracy"]
    if study.in_domain is not None:
        row["in_domain"] = _score(model, study.in_domain)["accuracy"]
    return row | ({"sigma2": model.info["sigma2"]} if n_sentences else {})


def make_variances(study: Study) -> list[dict]:
    """Return accuracy by sigma2_m, at the best sigma2_a."""
    domain = next(iter(study.domains))
    parts, chosen = study.domains[domain], _adapt_to(study, domain).hyper_parameters
    problem = TwoVariances(study.crf(), parts["train"])
    rows = []
    for sigma2_m in SIGMA2_MS:
        study.report(f"sigma2_m {sigma2_m:g}")
        model = problem.learn(sigma2_m=sigma2_m, sigma2_a=chosen["sigma2_a"])
        row = {"sigma2_m": sigma2_m, "sigma2_a": chosen["sigma2_a"], "tested_on": domain}
        rows.append(row | {p: _score(model, parts[p])["accuracy"] for p in ("dev", "test")})
    return rows


_SYSTEMS = (
    Column("system", "system"), Column("tested_on", "tested on"),
    Column("accuracy", "accuracy", "rate"), Column("f1", "F1", "rate"),
    Column("change", "error", "change"), Column("says", "against out of domain"),
    Column("sigma2_m", "σ²m", "number"), Column("sigma2_a", "σ²a", "number"),
    Column("paper", "paper", "rate"), Column("paper_change", "paper, error", "change"),
)  # fmt: skip
TABLE_SPECS = (
    TableSpec(
        "crf08-2", "CRF08", "table 2", "chunking: in domain, out of domain, adapted",
        _SYSTEMS, make_chunking, crf08_paper.judge_chunking,
    ),
    TableSpec(
        "crf08-4", "CRF08", "table 4", "capitalization: in and out of domain, adapted, combined",
        _SYSTEMS, make_capitalization, crf08_paper.judge_capitalization,
    ),
    TableSpec(
        "crf08-figure2", "CRF08", "figure 2", "accuracy by amount of adaptation data",
        (
            Column("tested_on", "domain"), Column("sentences", "sentences", "count"),
            Column("words", "words", "count"), Column("sigma2", "σ²", "number"),
            Column("accuracy", "accuracy", "rate"), Column("in_domain", "in domain", "rate"),
        ),
        make_shares, crf08_paper.judge_shares,
    ),
    TableSpec(
        "crf08-figure3", "CRF08", "figure 3", "accuracy by σ²m",
        (
            Column("tested_on", "domain"), Column("sigma2_m", "σ²m", "number"),
            Column("sigma2_a", "σ²a", "number"), Column("dev", "dev", "rate"),
            Column("test", "test", "rate"),
        ),
        make_variances, crf08_paper.judge_variances,
    ),
)  # fmt: skip
