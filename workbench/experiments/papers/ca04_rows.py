"""The rows of the tables and of figure 1 of Chelba & Acero (2004), made on any texts.

With the paper's figures where we know them: its background is 2 to 20 million words
of WSJ, its domains are broadcast news of CNN and of ABC.
"""

from collections.abc import Iterable

from workbench.evaluation.report import paired_row
from workbench.experiments.hyperparameters import COARSE
from workbench.experiments.method_rows import verdict
from workbench.experiments.papers import ca04_paper
from workbench.experiments.papers.study import Study, change
from workbench.experiments.sweep import describe_point

CUTOFFS = (None, 5, 0)
SIGMA2S = (0.01, 0.1, 1.0, 10.0)


def stand_ins(domains: Iterable[str]) -> dict[str, str]:
    """Return the domain of the paper that each name stands for: by its name, else by its place."""
    free = ["BN-CNN", "BN-ABC"]
    named = {n: p for n in domains for p in free if p[3:].lower() in n.lower().split("-")}
    rest = [paper for paper in free if paper not in named.values()]
    return named | dict(zip([n for n in domains if n not in named], rest, strict=False))


def _cutoff(cutoff):
    return "none" if cutoff is None else str(cutoff)


# --- tables 1 and 2 -----------------------------------------------------------------------


def make_sizes(study: Study) -> list[dict]:
    """Return how many words each text has, a row a text."""
    corpora = {"train": study.text} | ({"test": study.in_domain} if study.in_domain else {})
    rows = [_size_row(study.text.name, "background", "WSJ", corpora)]
    papers = stand_ins(study.domains)
    for name, parts in study.domains.items():
        rows.append(_size_row(name, "domain", papers.get(name), parts))
    return rows


def _size_row(name, role, paper, corpora):
    words = {part: len(corpora[part]) for part in ("train", "dev", "test") if part in corpora}
    train, test = ca04_paper.PAPER_SIZES.get(paper, (None, None))
    papers = {"paper": paper, "paper_train": train, "paper_test": test}
    return {"text": name, "role": role, **words, **papers}


def make_model_sizes(study: Study) -> list[dict]:
    """Return the number of parameters by amount of background data."""
    rows = []
    for i, corpus in enumerate(study.parts):
        sizes = {"1-gram": len(study.unigram(i).tag_of_word), "MEMM": len(study.memm(i).features)}
        for kind, n in sizes.items():
            words, is_papers = len(corpus), corpus is study.text and kind == "MEMM"
            row = {"model": kind, "words": words, "parameters": n, "a_thousand": 1000 * n / words}
            row["paper_words"] = ca04_paper.PAPER_WORDS if is_papers else None
            row["paper_parameters"] = ca04_paper.PAPER_FEATURES if is_papers else None
            rows.append(row)
    return rows


# --- table 3 ------------------------------------------------------------------------------


def make_amounts(study: Study) -> list[dict]:
    """Return errors by amount of background data: in domain, and on the domains' dev text."""
    rows = []
    for i, corpus in enumerate(study.parts):
        is_last = corpus is study.text
        for kind, model in (("1-gram", study.unigram(i)), ("MEMM", study.memm(i))):
            name = f"{kind} {len(corpus)}"
            row = {"model": kind, "words": len(corpus)}
            row["in_domain"] = study.error(name, model, study.in_domain)
            row["paper"] = ca04_paper.PAPER_IN_DOMAIN[kind] if is_last else None
            dev = [
                (float(study.wrong(name, model, domain["dev"]).sum()), len(domain["dev"]))
                for domain in study.domains.values()
            ]
            row["out_of_domain"] = sum(w for w, _ in dev) / sum(n for _, n in dev)
            rows.append(row)
    return rows


# --- tables 4 and 5, figure 1 -------------------------------------------------------------


def make_cutoffs(study: Study) -> list[dict]:
    """Return the number of features by the cut-off of those of the adaptation data."""
    rows, papers = [], stand_ins(study.domains)
    for domain in study.domains:
        for cutoff in CUTOFFS:
            problem = study.tuning(domain, cutoff).problem
            row = {"domain": domain, "cutoff": _cutoff(cutoff), "features": problem.n_features}
            row |= {"new": problem.n_new, "background": len(problem.background.features)}
            if papers.get(domain) == "BN-CNN":
                new = ca04_paper.PAPER_NEW[cutoff]
                row |= {"paper": ca04_paper.PAPER_FEATURES + new, "paper_new": new}
            rows.append(row)
    return rows


def make_likelihoods(study: Study) -> list[dict]:
    """Return log-likelihood of the adaptation data and accuracy on dev, by cut-off and sigma^2."""
    domain, rows = next(iter(study.domains)), []
    for cutoff in CUTOFFS:
        best = study.best(domain, cutoff).sigma2
        tuning = study.tuning(domain, cutoff)
        for sigma2 in sorted({*SIGMA2S, best}):
            point = describe_point(tuning, tuning.at(sigma2))
            is_best = sigma2 == best
            rows.append(
                {
                    "cutoff": _cutoff(cutoff), "sigma2": sigma2, "best": "best" if is_best else "",
                    "log_likelihood": point["log_likelihood"],
                    "a_word": point["log_likelihood"] / len(study.domains[domain]["train"]),
                    "accuracy": 1 - point["dev_error_rate"],
                    "paper": ca04_paper.PAPER_ACCURACY[cutoff] if is_best else None,
                }
            )  # fmt: skip
    return rows


def make_curve(study: Study) -> list[dict]:
    """Return log-likelihood and errors by sigma^2, with all features of the adaptation data."""
    domain = next(iter(study.domains))
    best = study.best(domain).sigma2
    tuning = study.tuning(domain)
    points = [describe_point(tuning, tuning.at(s)) for s in sorted({*COARSE, 100.0, best})]
    keys = "sigma2", "log_likelihood", "train_error_rate", "dev_error_rate"
    error = study.error("background", study.memm(), study.domains[domain]["dev"])
    return [{key: point[key] for key in keys} | {"background": error} for point in points]


# --- table 6 ------------------------------------------------------------------------------


def make_matrix(study: Study) -> list[dict]:
    """Return the errors of the models of each domain on each domain."""
    papers = stand_ins(study.domains)
    models = {"1-gram": study.unigram(), "background": study.memm()}
    models |= {domain: study.best(domain).model for domain in study.domains}
    return [
        _cell(study, models, name, domain, papers) for domain in study.domains for name in models
    ]


def _cell(study, models, name, domain, papers):
    """Return one model's errors on one domain's test text, and their change from another's."""
    test, paper = study.domains[domain]["test"], papers.get(domain)
    wrong = study.wrong(name, models[name], test)
    before = {"1-gram": None, "background": "1-gram"}.get(name, "background")
    row = {"trained_on": name, "tested_on": domain, "error": float(wrong.mean())}
    row["paper"] = ca04_paper.PAPER_MATRIX.get((papers.get(name, name), paper))
    row["paper_change"] = change(ca04_paper.PAPER_MATRIX.get((before, paper)), row["paper"])
    if before is None:
        return row
    base = study.wrong(before, models[before], test)
    pair = paired_row(test, before, base, name, wrong)
    return row | {"change": pair["relative_change"], "p": pair["p_value"], "says": _say(pair)}


def _say(pair):
    """Return the verdict, negative transfer where adaptation is worse than the background."""
    says = verdict(pair)
    is_transfer = pair["a"] == "background" and says == "loss is significant"
    return "negative transfer" if is_transfer else says
