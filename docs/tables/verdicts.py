"""The table of how often a verdict by folds is true of other text of the domain."""

from typing import NamedTuple

import numpy as np

from tables.shared import draw, print_table, rate
from workbench.adaptation.adaptation import Adaptation
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.evaluation.significance import mcnemar
from workbench.experiments.backgrounds import background_of
from workbench.experiments.judgement import is_gain, measure_by_folds
from workbench.experiments.method_rows import LEVEL
from workbench.experiments.search import choose_sigma2
from workbench.settings import BACKGROUND
from workbench.text.sets.registry import load

DOMAINS = (
    "bn-cnn", "bn-abc", "ap1988", "science-abc", "speeches", "ted", "brown-fiction", "bio",
    "techdocs", "twitter",
)  # fmt: skip
AMOUNTS = 2_000, 5_000  # words of each stretch
_N_DRAWS = 20  # of each amount
_GAIN, _LOSS = "gain", "loss"


class _Outcome(NamedTuple):
    """Whether a gain is claimed by folds, what is true on test, and both errors there."""

    is_claimed: bool
    says: str
    before: float
    after: float


def print_verdicts() -> None:
    """Print what adaptation to stretches of a text claims by folds, and what is true on test."""
    text = load("reuters1987")
    background = learn_unknown_words(background_of(text, BACKGROUND), text)
    found = {(d, n): _judge(background, d, n) for n in AMOUNTS for d in DOMAINS}
    headings = ("words, domain", "background", "adapted, mean", "claimed", "gain on test", "loss",
                "not claimed", "gain on test", "loss")  # fmt: skip
    print_table(headings, (_row(*key, by_rule) for key, (by_rule, _) in found.items()))
    for rule, outcomes in zip(
        ("As `adapt` chooses", "By the fewest errors"), zip(*found.values(), strict=True),
        strict=True,
    ):  # fmt: skip
        print(f"\n{rule}: {_summarize([each for own in outcomes for each in own])}")


def _judge(background, domain, n_words):
    """Return each draw's outcome with sigma^2 as ``adapt`` chooses it, and by the fewest errors."""
    train, test = load(domain), load(domain, "test")
    before = background.tag(test) != test.tags
    by_rule, by_fewest = list[_Outcome](), list[_Outcome]()
    for number in range(_N_DRAWS):
        own = draw(train, n_words, number)
        chosen, tried = choose_sigma2(background, own)
        adaptation = Adaptation(background, own)
        for outcomes, sigma2 in ((by_rule, chosen), (by_fewest, min(tried, key=tried.__getitem__))):
            claimed = is_gain(measure_by_folds(background, adaptation, {"sigma2": sigma2}))
            after = adaptation.learn(sigma2=sigma2).tag(test) != test.tags
            outcomes.append(_Outcome(claimed, _tell(before, after), before.mean(), after.mean()))
    return by_rule, by_fewest


def _tell(before, after):
    """Return what McNemar's test of the errors on a text tells, at 5 %."""
    pair = mcnemar(before, after)
    if pair.p_value >= LEVEL:
        return "no difference"
    return _GAIN if pair.fixed > pair.broken else _LOSS


def _row(domain, n_words, outcomes):
    cells = []
    for claimed in (True, False):
        says = [each.says for each in outcomes if each.is_claimed == claimed]
        cells += [len(says), says.count(_GAIN), says.count(_LOSS)]
    before, after = (
        np.mean([getattr(each, side) for each in outcomes]) for side in ("before", "after")
    )
    return f"{n_words:,} of {domain}", rate(before), rate(after), *cells


def _summarize(outcomes):
    claims = [each.says for each in outcomes if each.is_claimed]
    gains = [each.is_claimed for each in outcomes if each.says == _GAIN]
    change = np.mean([each.after / each.before - 1 for each in outcomes])
    return (
        f"of {len(outcomes)} draws {len(claims)} are claimed, of which {_share(claims, _LOSS)} are "
        "a significant loss on test; of the draws with a significant gain on test "
        f"{_share(gains, True)} are claimed; errors on test change by {change:+.1%} in the mean."
    )


def _share(found, wanted):
    """Return a share of what was found with its 95 % interval (Wilson, 1927), as text."""
    n, z = len(found), 1.96
    p = found.count(wanted) / n
    middle, half = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2)
    low, high = (100 * (middle + side * half) / (1 + z * z / n) for side in (-1, 1))
    return f"{found.count(wanted)} ({100 * p:.0f} %, {low:.1f} to {high:.1f})"
