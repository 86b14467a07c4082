"""The gap between the scores of two tags, predicate by predicate, in two models at once.

The score of a tag is a sum of weights, so what sets two tags apart is a sum, too::

    s(to | x) - s(from | x) = sum over the predicates p of x of w(p, to) - w(p, from)

In an MEMM that is log p(to | x) - log p(from | x). In a chain x has the tag after the word as
well, whose transition counts, and the sum is the log of the odds of the two tags if all other
tags stay as they are.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.evaluation.explain import predicates_after
from workbench.evaluation.number_words import probability_in_words, signed
from workbench.evaluation.predicate_words import NEXT_TAG, describe_predicate
from workbench.models.crf import CRF
from workbench.models.log_linear import LogLinear
from workbench.scoring.row_scores import find_weights
from workbench.text.corpus import Corpus

_MOST_NAMED = 3  # predicates in a sentence


class Term(NamedTuple):
    """What one predicate adds to a gap: the weight of one cell less that of another."""

    predicate: str
    plus: tuple[str, str]  # predicate and tag
    minus: tuple[str, str]


def gap_terms(
    model: LogLinear, alone: Corpus, place: int, tags: np.ndarray, between: tuple[str, str]
) -> list[Term]:
    """Return the terms of the gap between two tags, from and to, of a word of a sentence.

    ``tags``, int, shape (T,), are those of the sentence's words; the neighbours' count.
    """
    start, end = between
    predicates = predicates_after(model, alone, place, tags)
    terms = [Term(p, (p, end), (p, start)) for p in predicates]
    reads_last = any(template.name == "t-1" for template in model.templates)
    if isinstance(model, CRF) and reads_last and place + 1 < len(alone):
        following = model.tag_names[tags[place + 1]]
        cells = [(f"t-1={tag}", following) for tag in (end, start)]
        terms.append(Term(f"{NEXT_TAG}={following}", *cells))
    return terms


def gap_rows(background: LogLinear, adapted: LogLinear, terms: Sequence[Term]) -> list[dict]:
    """Return the value of each term in two models with the same tags, the largest change first.

    Each has ``predicate``, ``words`` (``describe_predicate``), ``background``, ``adapted`` and
    ``change`` in nats; whether the predicate has a feature of either tag ``in_background`` and
    ``in_adapted``, without which it counts as 0; and ``new``, if in the adapted model alone.
    Predicates that neither model has are left out: they are 0 in both.
    """
    before, in_background = _values(background, terms)
    after, in_adapted = _values(adapted, terms)
    rows = [
        {
            "predicate": term.predicate, "words": describe_predicate(term.predicate),
            "background": float(before[i]), "adapted": float(after[i]),
            "change": float(after[i] - before[i]), "in_background": bool(in_background[i]),
            "in_adapted": bool(in_adapted[i]), "new": bool(in_adapted[i] and not in_background[i]),
        }
        for i, term in enumerate(terms) if in_background[i] or in_adapted[i]
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -abs(row["change"]))


def _values(model, terms):
    """Return the value of each term in a model, and whether it has a feature of it."""
    sides = []
    for cells in ([term.plus for term in terms], [term.minus for term in terms]):
        weights = find_weights(model.features, model.weights, [p for p, _ in cells])
        sides.append(weights[np.arange(len(cells)), [model.tag_names.index(y) for _, y in cells]])
    plus, minus = sides
    exists = ~np.isnan(plus) | ~np.isnan(minus)
    return np.nan_to_num(plus) - np.nan_to_num(minus), exists


def tell_gap(before: dict, after: dict, gap: dict) -> str:
    """Return one sentence on a decision: what each model says, and what moved it; plain text.

    ``before`` and ``after`` have ``tag``, ``form`` and ``p``; ``gap`` has ``from``, ``to``, its
    value in both models, and ``rows`` as in ``gap_rows``.
    """
    said = [
        f"\u201c{each['form']}\u201d {probability_in_words(each['p'])}" for each in (before, after)
    ]
    if before["tag"] != after["tag"]:
        text = f"Background said {said[0]}; adapted says {said[1]}"
    else:
        change = signed(gap["adapted"] - gap["background"])
        text = (
            f"Both say {said[0]} to {probability_in_words(after['p'])}; "
            f"its lead over {gap['from']} changed by {change}"
        )
    moved = [row for row in gap["rows"] if row["change"] > 0.005][:_MOST_NAMED]
    old = ", ".join(_name(row) for row in moved if not row["new"])
    new = ", ".join(_name(row) for row in moved if row["new"])
    reasons = [old, f"new from adaptation: {new}" if new else ""]
    told = "; ".join(filter(None, reasons))
    return f"{text}: {told}." if told else f"{text}."


def _name(row):
    return f"{row['words']} {signed(row['change'])}"
