"""The characters of a text as flags, for loops without Python, and spaces in running text.

Flags come from a table of the first code points; what lies beyond is taken for a letter.
"""

import re
from collections.abc import Sequence

import numpy as np

SPACE, WORD, COMMA, STOP, SIGN, FEED, RETURN = 1, 2, 4, 8, 16, 32, 64  # COMMA: any of , ? !
LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]+")  # with its end, if it has one
SPELLED = "·"  # joins letters that were spelled one by one, as n a s a
_SIGNS = "@#/\\&_:=%{(."  # what a span such as an address has inside
_TABLE_SIZE = 0x3002  # U+3000 is the last white space


def _flags_of(character):
    return (
        SPACE * character.isspace()
        | WORD * (character.isalnum() or character == "_")
        | COMMA * (character in ",?!")
        | STOP * (character == ".")
        | SIGN * (character in _SIGNS)
        | FEED * (character == "\n")
        | RETURN * (character == "\r")
    )


_TABLE = np.array([_flags_of(chr(code)) for code in range(_TABLE_SIZE)], np.uint8)
_TABLE[-1] = WORD
_LATIN = _TABLE[:256].tobytes()


def codes_of(text: str) -> np.ndarray:
    """Return the code points of a text; uint32, shape (characters,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def flag_characters(text: str) -> np.ndarray:
    """Return the flags of each character of a text; uint8, shape (characters,)."""
    try:
        return np.frombuffer(text.encode("latin-1").translate(_LATIN), np.uint8)
    except UnicodeEncodeError:
        return _TABLE[np.minimum(codes_of(text), _TABLE_SIZE - 1)]


def find_line_ends(flags: np.ndarray) -> np.ndarray:
    """Return the last place of each line end: a line feed, a carriage return or both; int64."""
    places = find_flagged(flags, FEED | RETURN)
    after = np.append(flags, np.uint8(0))[places + 1]
    is_half = (flags[places] & RETURN).astype(bool) & (after & FEED).astype(bool)
    return places[~is_half]


def count_line_ends(text: str, end: int | None = None) -> int:
    """Return how many lines end in a text, before a place in it if one is given."""
    feeds, returns, both = (text.count(mark, 0, end) for mark in ("\n", "\r", "\r\n"))
    return feeds + returns - both


def find_flagged(flags: np.ndarray, flag: int) -> np.ndarray:
    """Return the places of the characters that have a flag; int64."""
    return np.flatnonzero((flags & flag).astype(bool))


_CLOSES = re.compile(r"[.,;:?!%)\]}»”’]+|''|…|'|(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_OPENS = re.compile(r"[(\[{«“‘$£€]|``?")


def spaces_before(words: Sequence[str]) -> list[bool]:
    """Return whether a space stands before each word of a sentence.

    None before the first word, before marks and clitics that close a phrase, or after marks
    that open one. Straight double quotes open and close in turn, and so do single ones where
    there is an even number of them; a lone one is an apostrophe, which closes.
    """
    gaps, glued, opened = list[bool](), True, set[str]()
    in_turn = {'"'} if list(words).count("'") % 2 else {'"', "'"}
    for word in words:
        is_quote = word in in_turn
        closes = word in opened if is_quote else bool(_CLOSES.fullmatch(word))
        gaps.append(not (glued or closes))
        if is_quote:
            opened ^= {word}
        glued = word in opened if is_quote else bool(_OPENS.fullmatch(word))
    return gaps


def join_words(words: Sequence[str]) -> str:
    """Return the words of a sentence as running text.

    >>> join_words("He said , `` it is n't ( yet ) over . ''".split())
    "He said, ``it isn't (yet) over.''"
    """
    return "".join(spaced(words))


def spaced(words: Sequence[str]) -> list[str]:
    """Return the words of a sentence, each with the space that stands before it, if any."""
    return [" " * gap + word for gap, word in zip(spaces_before(words), words, strict=True)]
