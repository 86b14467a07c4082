"""Numbers as people read them: one rule for tables, cards, sentences and the command line."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from workbench.evaluation.significance import TOO_FEW

MINUS, NOTHING = "−", "–"
_SMALLEST_CHANCE = 0.001


def with_minus(text: str) -> str:
    """Return the text of a number with a minus sign in place of a hyphen."""
    return text.replace("-", MINUS)


def counted(n: int, units: str) -> str:
    """Return a number of things, whose name is a plural in s.

    >>> counted(1, "sentences"), counted(65804, "words")
    ('1 sentence', '65,804 words')
    """
    return f"{n:,} {units.removesuffix('s') if n == 1 else units}"


def times(n: int) -> str:
    """Return how often something happened.

    >>> times(1), times(1200)
    ('once', '1,200 times')
    """
    return "once" if n == 1 else f"{n:,} times"


def signed(number: float) -> str:
    """Return a number with its sign and two digits after the point.

    >>> signed(1.818), signed(-0.5)
    ('+1.82', '−0.50')
    """
    return with_minus(f"{number:+.2f}")


def nats(number: float) -> str:
    """Return a log-likelihood to a tenth of a nat.

    >>> nats(-4258.58)
    '−4,258.6'
    """
    return with_minus(f"{number:,.1f}")


def per_cent(fraction: float | None, digits: int = 2) -> str:
    r"""Return a rate in per cent; a dash where it is undefined.

    >>> per_cent(0.01234), per_cent(0.7, 0), per_cent(None)
    ('1.23\xa0%', '70\xa0%', '–')
    """
    if fraction is None or math.isnan(fraction):
        return NOTHING
    return f"{100 * fraction:.{digits}f}\u00a0%"


def change_in_words(fraction: float | None, zero: str = "no change") -> str:
    """Return a relative change in whole per cent; a dash where it is undefined.

    >>> change_in_words(-0.436), change_in_words(0.002), change_in_words(None)
    ('−44 %', 'no change', '–')
    """
    if fraction is None or math.isnan(fraction):
        return NOTHING
    percent = round(100 * fraction)
    return with_minus(f"{percent:+d} %") if percent else zero


def interval_in_words(interval: Sequence[Any], tell: Callable[..., str]) -> str:
    """Return an interval, its bounds told by a function; of too little text, that it is.

    >>> [interval_in_words(own, change_in_words) for own in ((-0.4, 0.05), (None, None))]
    ['−40 % to +5 %', 'too few to tell']
    """
    low, high = interval
    return TOO_FEW if low is None or math.isnan(low) else f"{tell(low)} to {tell(high)}"


def probability_in_words(p: float) -> str:
    """Return a probability in whole per cent; only certainty is told as 0 % or 100 %.

    >>> probability_in_words(0.98), probability_in_words(0.004), probability_in_words(0.996)
    ('98 %', 'under 1 %', 'over 99 %')
    """
    if 0 < p < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < p < 1 else f"{100 * p:.0f} %"


def chance_in_words(p_value: float | None) -> str:
    """Return the p-value of a test to three digits after the point, a very small one as a bound.

    >>> chance_in_words(2.9e-45), chance_in_words(0.0421), chance_in_words(None)
    ('< 0.001', '0.042', '–')
    """
    if p_value is None:
        return NOTHING
    return f"< {_SMALLEST_CHANCE}" if p_value < _SMALLEST_CHANCE else f"{p_value:.3f}"
