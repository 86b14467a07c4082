"""The table of models that read sentences forward, backward or both ways."""

import numpy as np

from tables.shared import print_table, rate
from tables.templates import ABLATED_WORDS, marked_rate
from workbench.adaptation.methods.map import adapt
from workbench.models.ensembles.bidirectional import BidirectionalMEMM
from workbench.text.sets.registry import load

DOMAINS = "bn-cnn", "bn-abc", "ap1988", "techdocs", "ted", "bio", "twitter"


def print_directions() -> None:
    """Print errors on dev text of `best`, forward, backward and both, before and after adapting."""
    text = load("reuters1987")
    text = text.take(np.arange(np.searchsorted(text.starts, ABLATED_WORDS)))
    background = BidirectionalMEMM.fit(text, "best")
    headings = ("domain", "forward", "backward", "both",
                "adapted: forward", "backward", "both")  # fmt: skip
    print_table(headings, (_directions_row(background, domain) for domain in DOMAINS))


def _directions_row(background, domain):
    dev, cells = load(domain, "dev"), []
    for both in (background, adapt(background, load(domain), 1.0)):
        forward, *others = (m.tag(dev) != dev.tags for m in (*both.members, both))
        cells += [rate(forward.mean()), *(marked_rate(forward, wrong) for wrong in others)]
    return domain, *cells
