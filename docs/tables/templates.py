"""The table of what the templates of a set are worth."""

import time
from typing import NamedTuple

import numpy as np

from tables.shared import print_table, rate
from workbench.adaptation.adaptation import adapt
from workbench.evaluation.significance import mcnemar
from workbench.experiments.method_rows import LEVEL
from workbench.models.memm import MEMM
from workbench.text.sets.registry import load

_AFFIXES = [f"{place}{affix}{n}" for place in ("previous", "next")
            for affix in ("prefix", "suffix") for n in (1, 2, 3)]  # fmt: skip
CHANGES = {
    "as it is": "",
    "without strings of 3 and 4 letters": "-ngram3 -ngram4",
    "without casing of neighbours":
        "-casing-2 -casing-1 -casing+1 -casing+2 -casing-1,casing -casing,casing+1 "
        "-casing-1,casing,casing+1 -casing,t-1 -casing+1,t-1 "
        "-currentword,casing-1 -currentword,casing+1",
    "without words two away, pairs of words":
        "-word-2 -word+2 -previousword,currentword -currentword,nextword",
    "with affixes of neighbours": " ".join(f"+{name}" for name in _AFFIXES),
}  # fmt: skip
ABLATED_DOMAINS, ABLATED_WORDS = ("bn-cnn", "ap1988", "techdocs"), 500_000


class _Ablated(NamedTuple):
    """What a set of templates is worth."""

    features: int  # of the background
    seconds: float  # of processor time, of its training
    wrong: dict[str, tuple[np.ndarray, np.ndarray]]  # by domain, on dev: background, adapted


def print_ablation() -> None:
    """Print errors on dev text with other templates than those of `best`, and what they cost."""
    text = load("reuters1987")
    text = text.take(np.arange(np.searchsorted(text.starts, ABLATED_WORDS)))
    MEMM.fit(text.take(np.arange(100)), "best")  # compile
    base = _ablated(text, "")
    headings = "`best`", "features", "time of training", *ABLATED_DOMAINS
    print_table(headings, (
        _ablation_cells(name, base, _ablated(text, change) if change else base)
        for name, change in CHANGES.items()
    ))  # fmt: skip


def _ablated(text, change):
    """Train and adapt a model of `best` with a change of its templates."""
    templates = f"best {change}"
    began = time.process_time()
    model = MEMM.fit(text, templates)
    seconds, wrong = time.process_time() - began, {}
    for domain in ABLATED_DOMAINS:
        models, dev = (model, adapt(model, load(domain), 1.0)), load(domain, "dev")
        wrong[domain] = tuple(each.tag(dev) != dev.tags for each in models)
    return _Ablated(model.info["features"], seconds, wrong)


def marked_rate(before: np.ndarray, wrong: np.ndarray) -> str:
    """Return an error, with ▲ where it is significantly more than that before, ▼ less."""
    fixed, broken, p = mcnemar(before, wrong)
    mark = "" if p >= LEVEL else " ▲" if broken > fixed else " ▼"
    return rate(wrong.mean()) + mark


def _ablation_cells(name, base, found):
    """Return a row; its errors are marked beside the base's."""
    both = (zip(base.wrong[d], found.wrong[d], strict=True) for d in ABLATED_DOMAINS)
    errors = (" / ".join(marked_rate(*pair) for pair in pairs) for pairs in both)
    return name, f"{found.features:,}", f"{100 * found.seconds / base.seconds:.0f} %", *errors
