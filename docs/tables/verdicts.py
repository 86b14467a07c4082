"""The table of how often a verdict by folds is true of other text of the domain."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from tables.shared import N_DRAWS, draw, print_table, rate
from workbench.adaptation.methods.map import MapAdaptation
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.evaluation.report import paired_row
from workbench.experiments.backgrounds import background_of
from workbench.experiments.judgement import is_gain, measure_by_folds
from workbench.experiments.method_rows import verdict
from workbench.experiments.searches.adaptation_search import choose_sigma2
from workbench.settings import BACKGROUND
from workbench.text.sets.registry import load

DOMAINS = (
    "bn-cnn", "bn-abc", "ap1988", "science-abc", "speeches", "ted", "brown-fiction", "bio",
    "techdocs", "twitter",
)  # fmt: skip
AMOUNTS = 2_000, 5_000  # words of each stretch
_GAIN, _LOSS = "gain is significant", "loss is significant"


def print_verdicts() -> None:
    """Print what adaptation to stretches of a text claims by folds, and what is true on test."""
    text = load("reuters1987")
    background = learn_unknown_words(background_of(text, BACKGROUND), text)
    found = {(d, n): list(_judge(background, d, n)) for n in AMOUNTS for d in DOMAINS}
    headings = ("words, domain", "background", "adapted, mean", "claimed", "gain on test", "loss",
                "not claimed", "gain on test", "loss")  # fmt: skip
    print_table(headings, (_row(*key, rows) for key, rows in found.items()))
    pairs = [(claimed, says) for rows in found.values() for claimed, says, *_ in rows]
    claims = [says for claimed, says in pairs if claimed]
    gains = [claimed for claimed, says in pairs if says == _GAIN]
    print(
        f"\nOf {len(pairs)} draws {len(claims)} are claimed, of which {_share(claims, _LOSS)} are "
        "a significant loss on test. Of the draws with a significant gain on test "
        f"{_share(gains, True)} are claimed."
    )


def _judge(background, domain, n_words) -> Iterator[tuple]:
    """Yield of each draw whether a gain is claimed, what is true on test, and both errors there."""
    train, test = load(domain), load(domain, "test")
    before = background.tag(test) != test.tags
    for number in range(N_DRAWS):
        own = draw(train, n_words, number)
        sigma2, _ = choose_sigma2(background, own)
        adaptation = MapAdaptation(background, own)
        claimed = is_gain(measure_by_folds(background, adaptation, {"sigma2": sigma2}))
        after = adaptation.learn(sigma2=sigma2).tag(test) != test.tags
        says = verdict(paired_row(test, "background", before, "adapted", after))
        yield claimed, says, before.mean(), after.mean()


def _row(domain, n_words, rows):
    counts = Counter((claimed, says) for claimed, says, *_ in rows)
    cells = []
    for claimed in (True, False):
        n = sum(number for key, number in counts.items() if key[0] == claimed)
        cells += [n, counts[claimed, _GAIN], counts[claimed, _LOSS]]
    before, after = (np.mean([row[i] for row in rows]) for i in (2, 3))
    return f"{n_words:,} of {domain}", rate(before), rate(after), *cells


def _share(found, wanted):
    """Return a share of what was found with its 95 % interval (Wilson, 1927), as text."""
    n, z = len(found), 1.96
    p = found.count(wanted) / n
    middle, half = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2)
    low, high = (100 * (middle + side * half) / (1 + z * z / n) for side in (-1, 1))
    return f"{found.count(wanted)} ({100 * p:.0f} %, {low:.1f} to {high:.1f})"
