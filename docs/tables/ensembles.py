"""The table of models that read sentences forward, backward and both ways, and of ensembles."""

import numpy as np

from tables.shared import print_table, rate
from tables.templates import ABLATED_WORDS, marked_rate
from workbench.adaptation.adaptation import adapt
from workbench.models.ensemble import BidirectionalMEMM, Ensemble
from workbench.text.sets.registry import load

DOMAINS = "bn-cnn", "bn-abc", "ap1988", "techdocs", "ted", "bio", "twitter"
_HEADINGS = "forward", "backward", "both", "ensemble"


def print_ensembles() -> None:
    """Print errors on dev text of one, two and four models of `best`, before and after adapting."""
    text = load("reuters1987")
    text = text.take(np.arange(np.searchsorted(text.starts, ABLATED_WORDS)))
    both, four = BidirectionalMEMM.fit(text, "best"), Ensemble.fit(text, "best")
    adapted = (f"adapted: {_HEADINGS[0]}", *_HEADINGS[1:])
    rows = (_row(both, four, domain) for domain in DOMAINS)
    print_table(("domain", *_HEADINGS, *adapted), rows)


def _row(both, four, domain):
    corpus, dev = load(domain), load(domain, "dev")
    adapted = adapt(both, corpus, 1.0), adapt(four, corpus, 1.0)
    return domain, *_cells(both, four, dev), *_cells(*adapted, dev)


def _cells(both, four, dev):
    """Return errors: backward and both marked beside forward, the ensemble beside both."""
    forward, backward, two, more = (
        model.tag(dev) != dev.tags for model in (*both.members, both, four)
    )
    marked = (forward, backward), (forward, two), (two, more)
    return rate(forward.mean()), *(marked_rate(*pair) for pair in marked)
