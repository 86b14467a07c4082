"""Which answer to a question is right: by the value of a figure, or by a paired test."""

from collections.abc import Sequence

import numpy as np

from workbench.evaluation.number_words import chance_in_words
from workbench.evaluation.report import paired_row
from workbench.evaluation.significance import LEVEL
from workbench.experiments.method_rows import verdict
from workbench.text.corpus import Corpus

# Answers to "fewer, as many, or more errors?", by what a paired test says.
FEWER, AS_MANY, MORE = "1", "2", "3"
_ANSWERS = {"gain is significant": FEWER, "loss is significant": MORE}
_NO_DIFFERENCE = "No difference at all: both models make as many errors."
_NO_TELLING = "This text cannot tell {models} apart (paired test, {p}{but})."
_REAL = "{models} differ by more than chance (paired test, {p})."
_BUT = "; resampled sentences do not agree"
ADAPTED, LOOSE = "background and adapted model", "background and model at σ²\u00a0=\u00a0100"


def rank(value: float, bounds: Sequence[float]) -> str:
    """Return the number of the answer that a value belongs to; below the first bound it is 1."""
    return str(1 + int(np.searchsorted(bounds, value, "right")))


def judge(
    text: Corpus, before: np.ndarray, after: np.ndarray, models: str = ADAPTED
) -> tuple[str, str]:  # fmt: skip
    """Return whether a second model has fewer, as many or more errors on a text, and a sentence.

    The first is the number of the answer, by the paired test of the papers' tables. ``before`` and
    ``after``: which words each model gets wrong; bool, shape (N,). ``models`` names the two.
    """
    if before.sum() == after.sum():
        return AS_MANY, _NO_DIFFERENCE
    row = paired_row(text, "before", before, "after", after)
    answer, p = _ANSWERS.get(verdict(row), AS_MANY), chance_in_words(row["p_value"])
    p = (f"p {p}" if p.startswith("<") else f"p = {p}").replace(" ", "\u00a0")
    but = _BUT if row["p_value"] < LEVEL else ""
    if answer == AS_MANY:
        return answer, _NO_TELLING.format(models=models, p=p, but=but)
    return answer, _REAL.format(models=models[0].upper() + models[1:], p=p)
