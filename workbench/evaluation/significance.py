"""Significance of the difference between two models: McNemar's test and a paired bootstrap.

Both take the errors of two models on the same words, bool, shape (N,).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr

LEVEL = 0.05  # of significance
_DEVIATES = 1.96  # standard deviations of a normal distribution, two-sided, at that level
FEWEST_SENTENCES = 10  # that tell an interval: of fewer it would be too narrow
TOO_FEW = "too few to tell"  # the verdict there
_N_SAMPLES = 1000  # resampled corpora of the bootstrap
NO_VERDICT = "no verdict"  # on text that was learnt from


class Paired(NamedTuple):
    """Words on which only one of two models is wrong, and how likely that is by chance."""

    fixed: int  # b right where a is wrong
    broken: int  # b wrong where a is right
    p_value: float


class Interval(NamedTuple):
    """Bounds of a confidence interval; nan where it is undefined."""

    low: float
    high: float


NO_INTERVAL = Interval(math.nan, math.nan)


def is_significant(verdict: str) -> bool:
    """Return whether a verdict in words is that of a significant difference."""
    return verdict.endswith("is significant")


def judge_difference(
    gain: float, interval: Sequence[float | None] | None, p_value: float
) -> str:  # fmt: skip
    """Say in words what the difference of two models shows: a gain or a loss, significant or not.

    It is significant if its p-value, corrected where there are several tests, is below 5 % and its
    95 % interval on one side of 0. Where the interval is None the p-value alone says so; where its
    bounds are, there is too little text to say anything.

    >>> judge_difference(-3, (-0.2, -0.1), 0.01)
    'loss is significant'
    """
    low, high = interval or (gain, gain)
    if low is None or high is None:
        return TOO_FEW
    is_real = p_value < LEVEL and (low > 0 or high < 0)
    return f"{'gain' if gain >= 0 else 'loss'} is {'' if is_real else 'not '}significant"


def mcnemar(wrong_a: np.ndarray, wrong_b: np.ndarray) -> Paired:
    """Test whether two models have equal error rates: McNemar's test, exact and two-sided.

    Source
    ------
    McNemar (1947), with the binomial distribution in place of chi-squared. At
    probability 1/2 the two tails are alike, so twice the smaller one is exact.
    """
    fixed = int(np.count_nonzero(wrong_a & ~wrong_b))
    broken = int(np.count_nonzero(wrong_b & ~wrong_a))
    if fixed == broken:
        return Paired(fixed, broken, 1.0)
    tail = bdtr(min(fixed, broken), fixed + broken, 0.5)
    return Paired(fixed, broken, min(1.0, 2 * float(tail)))


def text_needed(pair: Paired) -> float:
    """Return how many times as much text would make a difference significant; inf if there is none.

    That is at p = 0.05 by the normal approximation of McNemar's test, if the shares of fixed and
    broken words stay as they are.

    >>> round(text_needed(Paired(60, 40, 0.057)), 2)
    0.96
    """
    fixed, broken, _ = pair
    return _DEVIATES**2 * (fixed + broken) / (fixed - broken) ** 2 if fixed != broken else math.inf


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of several tests, each corrected for the number of them.

    If those at or below 5 % are called significant, the chance of any false finding is at most 5 %.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]

    Source
    ------
    Holm (1979), the sequentially rejective procedure.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


def relative_change(wrong_a: np.ndarray, wrong_b: np.ndarray) -> float:
    """Return the change of the error from a to b as a fraction of a's; nan if a has none.

    >>> relative_change(np.array([True, True, False]), np.array([True, False, False]))
    -0.5
    """
    base = np.count_nonzero(wrong_a)
    return float((np.count_nonzero(wrong_b) - base) / base) if base else math.nan


def standard_error(wrong: np.ndarray, sentence_ids: np.ndarray) -> float:
    """Return the standard error of one model's error rate, a fraction; nan without a word.

    Sentences, not words, are taken for independent; ``sentence_ids`` as in ``bootstrap``, whose
    spread over resampled corpora this is, without resampling.
    """
    return float(
        np.linalg.norm(_residuals(np.bincount(sentence_ids, wrong), np.bincount(sentence_ids)))
    )


def difference_error(one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> float:
    """Return the standard error of the difference of two models' rates on the same sentences.

    Parameters
    ----------
    one, other : two of ndarray, shape (S,)
        What each sentence adds to the numerator of a model's rate, such as errors, and to the
        denominator. What both models find hard alike does not count.

    Source
    ------
    Cochran (1977), section 6.3: the variance of a ratio over sentences drawn.
    """
    return float(np.linalg.norm(_residuals(*one) - _residuals(*other)))


def _residuals(above, below):
    """Return by how much each sentence moves a ratio of sums, shape (S,); nan if undefined."""
    if not (total := below.sum()):
        return np.array([math.nan])
    return (above - above.sum() / total * below) / total


def error_interval(wrong: np.ndarray, sentence_ids: np.ndarray) -> Interval:
    """Return the normal 95 % interval of one model's error rate; see ``standard_error``.

    nan where fewer than ``FEWEST_SENTENCES`` sentences have an error.
    """
    if np.count_nonzero(np.bincount(sentence_ids, wrong)) < FEWEST_SENTENCES:
        return NO_INTERVAL
    rate, half = float(wrong.mean()), 1.96 * standard_error(wrong, sentence_ids)
    return Interval(max(0.0, rate - half), min(1.0, rate + half))


def bootstrap(wrong_a: np.ndarray, wrong_b: np.ndarray, sentence_ids: np.ndarray) -> Interval:
    """Return the interval that holds 95 % of the relative changes of resampled corpora.

    Sentences are drawn, not words, because errors within a sentence depend on one another; both
    models are scored on the same draws. ``sentence_ids``, int, shape (N,), has the sentence of
    each word. Draws in which a has no error are left out; nan where a has none at all, and where
    fewer than ``FEWEST_SENTENCES`` sentences have an error of either.

    Source
    ------
    Efron & Tibshirani (1993), percentile method. Sentences with equal errors are
    interchangeable, so the number drawn of each sort is multinomial: the same
    distribution as drawing them one by one, at a cost that does not grow with them.
    """
    errors, n_sentences = _sorts_of_sentences(wrong_a, wrong_b, sentence_ids)
    if n_sentences[errors.any(axis=1)].sum() < FEWEST_SENTENCES or not errors[:, 0].any():
        return NO_INTERVAL
    rng, total = np.random.default_rng(0), n_sentences.sum()
    drawn = rng.multinomial(total, n_sentences / total, size=_N_SAMPLES)  # (samples, sorts)
    base, other = (drawn @ errors).T
    defined = base > 0
    changes = (other[defined] - base[defined]) / base[defined]
    return Interval(*np.quantile(changes, (0.025, 0.975)).tolist())


def _sorts_of_sentences(wrong_a, wrong_b, sentence_ids):
    """Distinct (errors of a, errors of b), shape (sorts, 2), and the sentences of each sort."""
    present = np.bincount(sentence_ids) > 0
    a, b = (np.bincount(sentence_ids, wrong)[present].astype(int) for wrong in (wrong_a, wrong_b))
    radix = b.max(initial=0) + 1
    sorts, n_sentences = np.unique(a * radix + b, return_counts=True)
    return np.stack(np.divmod(sorts, radix), axis=1), n_sentences
