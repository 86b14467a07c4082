"""Tables 2 and 4, figures 2 and 3 of Zhang, Qiu, Huang & Wu (2008): adapted CRFs.

The paper adapts from the WSJ to Brown (chunking) and to AP (capitalization). Accuracy is
that of words there and here; for chunks there is F1, too.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from workbench.adaptation.adaptation import Adaptation
from workbench.evaluation.error_rates import score_chunks
from workbench.evaluation.significance import standard_error
from workbench.experiments.compare import METHODS
from workbench.experiments.method_rows import correct, learn
from workbench.experiments.papers.study import Study, compare_errors
from workbench.experiments.papers.tables import PRINTED, make_spec
from workbench.models.crf import CRF
from workbench.text.tasks import TaskName

IN, OUT, FEW = "in domain", "out of domain", "adapted to two sentences"
ADAPTED, COMBINED = "adapted", "both texts combined"
SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
N_DRAWS = 10  # of two sentences
SIGMA2_MS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


def _adapt_to(study, domain, n_sentences=None):
    """Return the CRF adapted to a domain's first sentences, or all, two variances tuned on dev."""
    method = replace(METHODS["map-two-variances"], exhaustive=False)
    first = None if n_sentences is None else np.arange(n_sentences)
    adapt = partial(_learn, study, domain, method, first)
    return study.cached(("two variances", domain, n_sentences), adapt, f"adapting to {domain}")


def _learn(study, domain, method, sentences=None):
    """Return what a method learns of some sentences of a domain, by number; None takes all."""
    train, dev = (study.domains[domain][part] for part in ("train", "dev"))
    if sentences is not None:
        train = train.take(sentences[sentences < train.n_sentences])
    return learn(method, study.sources(train, dev, CRF), dev)


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
    test, rows, wrong = study.domains[domain]["test"], [], {}
    for system, model, variances in _systems(study, domain, with_few):
        wrong[system] = model.tag(test) != test.tags
        row = {"system": system, "tested_on": domain, **_score(model, test)}
        if system != OUT:
            row |= compare_errors(test, wrong[OUT], wrong[system])
        rows.append(row | variances | _paper(task, system))
    if COMBINED in wrong:
        pair = compare_errors(test, wrong[COMBINED], wrong[ADAPTED])
        rows[1] |= {"p_combined": pair["p"], "says_combined": pair["says"]}
    return rows


def _systems(study, domain, with_few):
    """Yield the name, model and chosen variances of each system, all tuned on dev."""
    yield OUT, study.crf(), {}
    amounts: dict = {FEW: 2} if with_few else {}
    for system, n_sentences in (amounts | {ADAPTED: None}).items():
        learned = _adapt_to(study, domain, n_sentences)
        chosen = learned.hyper_parameters
        yield system, learned.model, {key: chosen[key] for key in ("sigma2_m", "sigma2_a")}
    if not with_few:
        study.report(f"{COMBINED}, {domain}")
        learned = _learn(study, domain, METHODS["all"])
        yield COMBINED, learned.model, {"sigma2": learned.hyper_parameters["sigma2"]}


def _score(model, corpus):
    wrong = (tags := model.tag(corpus)) != corpus.tags
    scores = {"accuracy": 1 - float(wrong.mean())}
    scores["error_of_it"] = standard_error(wrong, corpus.sentence_ids)
    is_chunks = corpus.task is TaskName.CHUNKS
    return scores | ({"f1": score_chunks(corpus, tags)[0].f1} if is_chunks else {})


def _paper(task, system):
    printed = PRINTED["CRF08"][task].get(system, {})
    return {"paper": printed.get("accuracy"), "paper_change": printed.get("change")}


# --- figures 2 and 3 ----------------------------------------------------------------------


def make_shares(study: Study) -> list[dict]:
    """Return accuracy on both texts by amount of the first domain's adaptation data.

    Two sentences are drawn at random ten times; all other amounts are first sentences.
    """
    domain = next(iter(study.domains))
    n = study.domains[domain]["train"].n_sentences
    amounts = sorted({min(2, n), *(max(2, round(share * n)) for share in SHARES)})
    coarse = {"sigma2": replace(METHODS["map"].axes["sigma2"], refinements=0)}
    method, rng = replace(METHODS["map"], axes=coarse), np.random.default_rng(0)
    few = [np.sort(rng.choice(n, amounts[0], replace=False)) for _ in range(N_DRAWS)]
    rows = [_share_row(study, domain, [study.crf()], [np.arange(0)])]
    for n_sentences in amounts:
        draws = few if n_sentences == amounts[0] < n else [np.arange(n_sentences)]
        study.report(f"{n_sentences:,} sentences of {domain}")
        models = [_learn(study, domain, method, drawn).model for drawn in draws]
        rows.append(_share_row(study, domain, models, draws))
    return rows


def _share_row(study, domain, models, draws):
    """Return the mean of models of as many draws, and their range where there are several."""
    parts = study.domains[domain]
    test, sizes = parts["test"], np.diff(parts["train"].starts)
    row = {"sentences": len(draws[0]), "tested_on": domain, "draws": len(draws)}
    row["words"] = round(float(np.mean([sizes[drawn].sum() for drawn in draws])))
    wrong = [model.tag(test) != test.tags for model in models]
    accuracies = [1 - float(own.mean()) for own in wrong]
    row["accuracy"] = float(np.mean(accuracies))
    if study.in_domain is not None:
        row["in_domain"] = float(np.mean([_score(m, study.in_domain)["accuracy"] for m in models]))
    if not len(draws[0]):
        return row
    background = study.crf().tag(test) != test.tags
    pairs = [compare_errors(test, background, own) for own in wrong]
    if len(models) == 1:
        return row | pairs[0] | {"sigma2": models[0].info["sigma2"]}
    correct(pairs, {"p": "says"})
    says = [pair["says"] for pair in pairs]
    counts = {key: says.count(f"{key} is significant") for key in ("gain", "loss")}
    return row | {
        "low": min(accuracies), "high": max(accuracies), **counts,
        "change": float(np.mean([pair["change"] for pair in pairs])),
    }  # fmt: skip


def make_variances(study: Study) -> list[dict]:
    """Return accuracy by sigma2_m, at the best sigma2_a."""
    domain = next(iter(study.domains))
    parts, chosen = study.domains[domain], _adapt_to(study, domain).hyper_parameters
    problem, rows = Adaptation(study.crf(), parts["train"]), []
    for sigma2_m in SIGMA2_MS:
        study.report(f"sigma2_m {sigma2_m:g}")
        values = {"sigma2_m": sigma2_m, "sigma2_a": chosen["sigma2_a"]}
        model, row = problem.learn(**values), values | {"tested_on": domain}
        scores = {part: _score(model, parts[part]) for part in ("dev", "test")}
        row["error_of_it"] = scores["dev"]["error_of_it"]
        rows.append(row | {part: own["accuracy"] for part, own in scores.items()})
    return rows


_SYSTEMS = (
    ("system", "system"), ("tested_on", "tested on"), ("accuracy", "accuracy", "rate"),
    ("error_of_it", "standard error", "rate"), ("f1", "F1", "rate"),
    ("change", "error", "change"), ("says", "against out of domain"),
    ("p", "p (McNemar, Holm)", "chance"), ("p_combined", "p, against combined", "chance"),
    ("sigma2_m", "σ²m", "number"), ("sigma2_a", "σ²a", "number"), ("sigma2", "σ²", "number"),
    ("paper", "paper", "rate"), ("paper_change", "paper, error", "change"),
)  # fmt: skip
TABLE_SPECS = (
    make_spec(
        "crf08-2", "CRF08", "table 2", "chunking: in domain, out of domain, adapted",
        make_chunking, *_SYSTEMS,
    ),
    make_spec(
        "crf08-4", "CRF08", "table 4", "capitalization: in and out of domain, adapted, combined",
        make_capitalization, *_SYSTEMS,
    ),
    make_spec(
        "crf08-figure2", "CRF08", "figure 2", "accuracy by amount of adaptation data",
        make_shares,
        ("tested_on", "domain"), ("sentences", "sentences", "count"), ("words", "words", "count"),
        ("draws", "draws", "count"), ("sigma2", "σ²", "number"), ("accuracy", "accuracy", "rate"),
        ("low", "lowest", "rate"), ("high", "highest", "rate"),
        ("gain", "significant gains", "count"), ("loss", "losses", "count"),
        ("change", "error", "change"), ("says", "against none"),
        ("p", "p (McNemar, Holm)", "chance"), ("in_domain", "in domain", "rate"),
    ),
    make_spec(
        "crf08-figure3", "CRF08", "figure 3", "accuracy by σ²m",
        make_variances,
        ("tested_on", "domain"), ("sigma2_m", "σ²m", "number"), ("sigma2_a", "σ²a", "number"),
        ("dev", "dev", "rate"), ("error_of_it", "standard error of it", "rate"),
        ("test", "test", "rate"),
    ),
)  # fmt: skip
