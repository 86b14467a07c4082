"""Tables 1 to 6 and figure 1 of Chelba & Acero (2004), made on any texts.

The paper's background is 2 to 20 million words of WSJ, its domains are broadcast news of CNN and of
ABC.
"""

from collections.abc import Iterable

from workbench.experiments.papers.study import Study, change, compare_errors
from workbench.experiments.papers.tables import PRINTED, make_spec
from workbench.experiments.search import COARSE

CUTOFFS = (None, 5, 0)
SIGMA2S = (0.01, 0.1, 1.0, 10.0)
_PAPER = PRINTED["CA04"]


def stand_ins(domains: Iterable[str]) -> dict[str, str]:
    """Return the domain of the paper that each name stands for: by its name, else by its place."""
    free = ["BN-CNN", "BN-ABC"]
    named = {n: p for n in domains for p in free if p[3:].lower() in n.lower().split("-")}
    rest = [paper for paper in free if paper not in named.values()]
    return named | dict(zip([n for n in domains if n not in named], rest, strict=False))


def amount_of_paper(words: int) -> int | None:
    """Return which of the paper's amounts of background is within 10 % of some words, if any.

    >>> amount_of_paper(21_000_326)
    2
    """
    amounts = enumerate(_PAPER["amounts"])
    return next((i for i, amount in amounts if abs(words - amount) <= 0.1 * amount), None)


def _cutoff(cutoff):
    return "none" if cutoff is None else str(cutoff)


# --- tables 1 and 2 -----------------------------------------------------------------------


def make_sizes(study: Study) -> list[dict]:
    """Return how many words each text has, a row for each text."""
    corpora = {"train": study.text} | ({"test": study.in_domain} if study.in_domain else {})
    background = _size_row(study.text.name, "background", "WSJ", corpora)
    names = stand_ins(study.domains)
    domains = study.domains.items()
    return [background, *(_size_row(n, "domain", names.get(n), parts) for n, parts in domains)]


def _size_row(name, role, paper, corpora):
    words = {part: len(corpora[part]) for part in ("train", "dev", "test") if part in corpora}
    printed = _PAPER["sizes"].get(paper, {})
    papers = {f"paper_{part}": printed.get(part) for part in ("train", "test")}
    return {"text": name, "role": role, **words, "paper": paper, **papers}


def make_model_sizes(study: Study) -> list[dict]:
    """Return the number of parameters by amount of background data."""
    rows = []
    for i, corpus in enumerate(study.parts):
        sizes = {"1-gram": len(study.unigram(i).tag_of_word), "MEMM": len(study.memm(i).features)}
        for kind, n in sizes.items():
            words = len(corpus)
            row = {"model": kind, "words": words, "parameters": n, "a_thousand": 1000 * n / words}
            if (amount := amount_of_paper(words)) is not None:
                row["paper_words"] = _PAPER["amounts"][amount]
                row["paper_parameters"] = _PAPER["parameters"][kind][amount]
            rows.append(row)
    return rows


# --- table 3 ------------------------------------------------------------------------------


def make_amounts(study: Study) -> list[dict]:
    """Return errors by amount of background data: in domain, and on each domain's dev text."""
    papers = stand_ins(study.domains)
    texts = [(f"{n}, dev", parts["dev"], papers.get(n)) for n, parts in study.domains.items()]
    if study.in_domain is not None:
        texts.insert(0, ("in domain, test", study.in_domain, "WSJ"))
    return [row for text in texts for row in _rows_of_amounts(study, *text)]


def _rows_of_amounts(study, name, corpus, paper):
    """Yield the errors on one text: each MEMM's compared with the 1-gram and with less data."""
    printed = _PAPER["errors"].get(paper)
    before = None
    for i, part in enumerate(study.parts):
        wrong = [study.wrong(f"{kind} {len(part)}", model, corpus) for kind, model in
                 (("1-gram", study.unigram(i)), ("MEMM", study.memm(i)))]  # fmt: skip
        pairs: list[dict] = [{}, compare_errors(corpus, *wrong)]
        if before is not None:
            less = compare_errors(corpus, before, wrong[1])
            pairs[1] |= {f"{key}_less": value for key, value in less.items()}
        before = wrong[1]
        for kind, own, pair in zip(("1-gram", "MEMM"), wrong, pairs, strict=True):
            row = {"tested_on": name, "model": kind, "words": len(part)}
            amount = amount_of_paper(len(part))
            error = printed[kind][amount] if printed and amount is not None else None
            yield row | {"error": float(own.mean()), "paper": error} | pair


# --- tables 4 and 5, figure 1 -------------------------------------------------------------


def make_cutoffs(study: Study) -> list[dict]:
    """Return the number of features by the cut-off of those of the adaptation data."""
    rows, papers = [], stand_ins(study.domains)
    for domain in study.domains:
        for cutoff in CUTOFFS:
            problem = study.adaptation(domain, cutoff).problem
            row = {"domain": domain, "cutoff": _cutoff(cutoff), "features": problem.n_features}
            row |= {"new": problem.n_new, "background": len(problem.background.features)}
            if papers.get(domain) == "BN-CNN":
                row["paper"] = _PAPER["cutoffs"][_cutoff(cutoff)]["features"]
                row["paper_new"] = row["paper"] - _PAPER["cutoffs"]["none"]["features"]
            rows.append(row)
    return rows


def make_likelihoods(study: Study) -> list[dict]:
    """Return log-likelihood and accuracies by cut-off and sigma^2, the same for every cut-off.

    The best of each cut-off is compared on test with no new features at the same sigma^2.
    """
    domain = next(iter(study.domains))
    bests = {cutoff: study.best(domain, cutoff) for cutoff in CUTOFFS}
    sigma2s = sorted({*SIGMA2S, *(best.sigma2 for best in bests.values())})
    return [_likelihood_row(study, domain, bests, cutoff, sigma2)
            for cutoff in CUTOFFS for sigma2 in sigma2s]  # fmt: skip


def _likelihood_row(study, domain, bests, cutoff, sigma2):
    is_best = sigma2 == bests[cutoff].sigma2
    point = study.adaptation(domain, cutoff).at(sigma2).describe()
    row = {"cutoff": _cutoff(cutoff), "sigma2": sigma2, "best": "best" if is_best else ""}
    row["log_likelihood"] = point["log_likelihood"]
    row["a_word"] = point["log_likelihood"] / len(study.domains[domain]["train"])
    row |= {f"{part}_accuracy": 1 - point[f"{part}_error_rate"] for part in ("train", "dev")}
    row["paper"] = _PAPER["cutoffs"][row["cutoff"]]["accuracy"] if is_best else None
    if is_best and cutoff is not None:
        test = study.domains[domain]["test"]
        pair = (study.adaptation(domain, key).at(sigma2).model for key in (None, cutoff))
        row |= compare_errors(test, *(model.tag(test) != test.tags for model in pair))
    return row


def make_curve(study: Study) -> list[dict]:
    """Return log-likelihood and errors by sigma^2, with all features of the adaptation data."""
    domain = next(iter(study.domains))
    dev, best = study.domains[domain]["dev"], study.best(domain)
    background, rows = study.error("background", study.memm(), dev), []
    keys = "sigma2", "log_likelihood", "train_error_rate", "dev_error_rate"
    for sigma2 in sorted({*COARSE, 100.0, best.sigma2}):
        tuned = study.adaptation(domain).at(sigma2)
        point = tuned.describe()
        pair = compare_errors(dev, *(each.tags["dev"] != dev.tags for each in (best, tuned)))
        row = {key: point[key] for key in keys} | {"background": background}
        rows.append(row if tuned is best else row | pair)
    return rows


# --- table 6 ------------------------------------------------------------------------------


def make_matrix(study: Study) -> list[dict]:
    """Return the errors of the models of each domain on each domain."""
    papers = stand_ins(study.domains)
    models = {"1-gram": study.unigram(), "background": study.memm()}
    models |= {domain: study.best(domain).model for domain in study.domains}
    names = [(name, domain) for domain in study.domains for name in models]
    return [_cell(study, models, *pair, papers) for pair in names]


def _cell(study, models, name, domain, papers):
    """Return one model's errors on one domain's test text, and their change from another's."""
    test, paper = study.domains[domain]["test"], papers.get(domain)
    wrong = study.wrong(name, models[name], test)
    before = {"1-gram": None, "background": "1-gram"}.get(name, "background")
    row = {"trained_on": name, "tested_on": domain, "paper_text": paper}
    row |= {"error": float(wrong.mean())}
    row["paper"] = _printed(papers.get(name, name), paper)
    row["paper_change"] = change(_printed(before, paper), row["paper"])
    if before is None:
        return row
    base, first = (study.wrong(key, models[key], test) for key in (before, "1-gram"))
    row |= compare_errors(test, base, wrong)
    if before != "1-gram":
        over = compare_errors(test, first, wrong)
        row |= {f"{key}_unigram": value for key, value in over.items()}
        row["paper_from_unigram"] = change(_printed("1-gram", paper), row["paper"])
    return row


def _printed(trained_on, tested_on):
    """Return the paper's error of a model on a text, by its names; None for others."""
    return _PAPER["matrix"].get(trained_on, {}).get(tested_on)


# --- all of them -------------------------------------------------------------------------

_WORDS = ("words", "words of background", "count")
_PAPER_RATE = ("paper", "paper", "rate")
TABLE_SPECS = (
    make_spec(
        "1", "CA04", "table 1", "sizes of the data, in words", make_sizes,
        ("text", "text"), ("role", "role"), ("train", "train", "count"),
        ("paper_train", "paper, train", "count"), ("dev", "dev", "count"),
        ("test", "test", "count"), ("paper_test", "paper, test", "count"),
        ("paper", "stands for"), is_of_test=False,
    ),
    make_spec(
        "2", "CA04", "table 2", "model sizes by amount of background data",
        make_model_sizes,
        ("model", "model"), _WORDS, ("parameters", "parameters", "count"),
        ("a_thousand", "a thousand words", "nats"), ("paper_words", "paper, words", "count"),
        ("paper_parameters", "paper, parameters", "count"), is_of_test=False,
    ),
    make_spec(
        "3", "CA04", "table 3", "errors by amount of background data",
        make_amounts,
        ("tested_on", "tested on"), ("model", "model"), _WORDS, ("error", "error", "rate"),
        _PAPER_RATE, ("change", "against the 1-gram", "change"),
        ("p", "p (McNemar, Holm)", "chance"), ("p_less", "p, against less text", "chance"),
    ),
    make_spec(
        "4", "CA04", "table 4", "size by cut-off of the adaptation features",
        make_cutoffs,
        ("domain", "adapted to"), ("cutoff", "cut-off"), ("features", "features", "count"),
        ("paper", "paper", "count"), ("new", "new", "count"), ("paper_new", "paper, new", "count"),
        is_of_test=False,
    ),
    make_spec(
        "5", "CA04", "table 5", "log-likelihood and accuracy by cut-off and sigma2",
        make_likelihoods,
        ("cutoff", "cut-off"), ("sigma2", "sigma2", "number"), ("best", "on dev"),
        ("log_likelihood", "log-likelihood, nats", "nats"),
        ("train_accuracy", "accuracy on the adaptation text", "rate"),
        ("dev_accuracy", "dev accuracy", "rate"), _PAPER_RATE,
        ("p", "p on test, against none", "chance"),
    ),
    make_spec(
        "6", "CA04", "table 6", "trained on, tested on", make_matrix,
        ("tested_on", "tested on"), ("trained_on", "trained on"), ("error", "error", "rate"),
        ("paper_text", "paper's text"), _PAPER_RATE,
        ("change", "change", "change"), ("paper_change", "paper, change", "change"),
        ("p", "p (McNemar, Holm)", "chance"), ("says", "verdict"),
        ("change_unigram", "against the 1-gram", "change"),
        ("paper_from_unigram", "paper, against it", "change"),
        ("p_unigram", "p, against the 1-gram", "chance"),
    ),
    make_spec(
        "figure1", "CA04", "figure 1", "log-likelihood and errors against sigma2",
        make_curve,
        ("sigma2", "sigma2", "number"), ("log_likelihood", "log-likelihood, nats", "nats"),
        ("train_error_rate", "adaptation text", "rate"), ("dev_error_rate", "dev", "rate"),
        ("p", "p on dev, against the best", "chance"), is_of_test=False,
    ),
)  # fmt: skip
