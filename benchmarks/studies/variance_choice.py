"""How to choose sigma^2 without a large dev set: by evidence and by folds, beside dev's choice."""

from typing import Any

from benchmarks.studies.evidence import choose_by_evidence
from workbench.adaptation.adaptation import Adaptation
from workbench.experiments.papers.pn08 import draw
from workbench.experiments.papers.study import Study, compare_errors
from workbench.experiments.papers.tables import make_spec
from workbench.experiments.search import choose_sigma2

SHARES = (0.01, 0.05, 0.25, 1.0)
WAYS = "dev", "5 folds", "evidence"
_FEWEST = 10  # sentences


def make_choices(study: Study) -> list[dict]:
    """Return the sigma^2 that each way chooses and its errors on test, by share of the data."""
    return [row for domain in study.domains for share in SHARES
            for row in _rows_of(study, domain, share)]  # fmt: skip


def _rows_of(study, domain, share):
    parts = study.domains[domain]
    some, test, of_dev = draw(parts["train"], share, seed=0), parts["test"], None
    if some.n_sentences < _FEWEST:
        return
    study.report(f"sigma2 for {share:.0%} of {domain}")
    adaptation = Adaptation(study.memm(), some, texts={"dev": parts["dev"], "test": test})
    background = study.error("background", study.memm(), test)
    for way, sigma2 in _choose(study, adaptation, some, parts["dev"]).items():
        tuned = adaptation.at(sigma2)
        wrong = tuned.tags["test"] != test.tags
        row = {"tested_on": domain, "share": share, "words": len(some), "way": way}
        row |= {"sigma2": sigma2, "background": background, "error": float(wrong.mean())}
        pair: dict[str, Any] = {} if of_dev is None else compare_errors(test, of_dev, wrong)
        of_dev = wrong if of_dev is None else of_dev
        yield row | pair


def _choose(study, adaptation, some, dev):
    """Return the sigma^2 of each way, by its name."""
    found = choose_sigma2(study.memm(), some, dev), choose_sigma2(study.memm(), some), (
        choose_by_evidence(adaptation)
    )  # fmt: skip
    return {way: sigma2 for way, (sigma2, _) in zip(WAYS, found, strict=True)}


SPEC = make_spec(
    "sigma2", "CA04", "beside section 5.2", "sigma2 by dev, by folds and by evidence",
    make_choices,
    ("tested_on", "domain"), ("share", "share", "rate"), ("words", "words", "count"),
    ("way", "chosen by"), ("sigma2", "sigma2", "number"),
    ("background", "background, test", "rate"), ("error", "adapted, test", "rate"),
    ("change", "against dev", "change"), ("p", "p (McNemar)", "chance"),
)  # fmt: skip
