"""Numbers as people read them: one rule for tables, cards, sentences and the command line."""

MINUS, NOTHING = "−", "–"
_SMALLEST_CHANCE = 0.001


def with_minus(text: str) -> str:
    """Return the text of a number with the sign of print in place of a hyphen."""
    return text.replace("-", MINUS)


def change_in_words(fraction: float | None) -> str:
    """Return a relative change in whole per cent; a dash where it is undefined.

    >>> change_in_words(-0.436), change_in_words(0.002), change_in_words(None)
    ('−44 %', 'no change', '–')
    """
    if fraction is None:
        return NOTHING
    percent = round(100 * fraction)
    return with_minus(f"{percent:+d} %") if percent else "no change"


def chance_in_words(p_value: float | None) -> str:
    """Return the p-value of a test to three digits after the point, a very small one as a bound.

    >>> chance_in_words(2.9e-45), chance_in_words(0.0421), chance_in_words(None)
    ('< 0.001', '0.042', '–')
    """
    if p_value is None:
        return NOTHING
    return f"< {_SMALLEST_CHANCE}" if p_value < _SMALLEST_CHANCE else f"{p_value:.3f}"
