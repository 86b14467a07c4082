"""Where spaces stand when separate words are written as running text."""

import re
from collections.abc import Sequence

_CLOSES = re.compile(r"[.,;:?!%)\]}»”’]+|''|…|'|(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_OPENS = re.compile(r"[(\[{«“‘$£€]|``?")


def spaces_before(words: Sequence[str]) -> list[bool]:
    """Return whether a space stands before each word of a sentence.

    None before the first word, before marks and clitics that close a phrase, or after marks
    that open one; straight double quotes open and close in turn.
    """
    gaps, glued, in_quotes = list[bool](), True, False
    for word in words:
        is_quote = word == '"'
        closes = in_quotes if is_quote else bool(_CLOSES.fullmatch(word))
        gaps.append(not (glued or closes))
        in_quotes ^= is_quote
        glued = in_quotes if is_quote else bool(_OPENS.fullmatch(word))
    return gaps


def join_words(words: Sequence[str]) -> str:
    """Return the words of a sentence as running text.

    >>> join_words("He said , `` it is n't ( yet ) over . ''".split())
    "He said, ``it isn't (yet) over.''"
    """
    return "".join(" " * gap + word for gap, word in zip(spaces_before(words), words, strict=True))
