"""What templates read of words: functions from strings to the value of a predicate, or to several.

None says that the predicate does not fire.
"""

from collections.abc import Callable
from itertools import groupby

from workbench.text.corpus import BOUNDARY

Value = Callable[[str], str | None]
_LONGEST = 30  # letters of a word that n-grams are taken of


def same(word: str) -> str:
    """Return the word itself."""
    return word


def joined(*read: str) -> str:
    """Return strings joined by commas."""
    return ",".join(read)


def inside(*read: str) -> str | None:
    """Return strings joined; None where one of them is beyond the sentence."""
    return None if BOUNDARY in read else ",".join(read)


def prefix(length: int) -> Value:
    """Return what finds the first letters of a word, so many; None of a shorter one."""
    return lambda word: word[:length] if len(word) >= length else None


def suffix(length: int) -> Value:
    """Return what finds the last letters of a word, so many; None of a shorter one."""
    return lambda word: word[-length:] if len(word) >= length else None


def letter_ngrams(length: int) -> Callable[[str], list[str]]:
    """Return what finds all strings of so many letters in a word, each once.

    Of a long word in its start.
    """
    return lambda word: list(
        dict.fromkeys(word[i : i + length] for i in range(min(len(word), _LONGEST) - length + 1))
    )


def shape(word: str) -> str:
    """Return a word with letters as a, digits as 0, runs shortened: u.s. is a.a., 1990s 0a."""
    kinds = ("a" if c.isalpha() else "0" if c.isdigit() else c for c in word)
    return "".join(kind for kind, _ in groupby(kinds))


def position_of(before_last: str, last: str, following: str) -> str:
    """Return where in its sentence a word stands, from its neighbours."""
    if last == BOUNDARY:
        return "single" if following == BOUNDARY else "first"
    if following == BOUNDARY:
        return "last"
    return "second" if before_last == BOUNDARY else "middle"


def cased_shape(word: str) -> str:
    """Return the shape of a word, capitals as A."""
    kinds = (
        "A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in word
    )
    return "".join(kind for kind, _ in groupby(kinds))
