"""Case of letters: tags of words, wiping, recasing.

The five tags are those of Chelba & Acero (2004), section 2. Wiping and
recasing map single letters to single letters, so a text never changes its
length, and only where the mapping can be undone: ``İ`` has no lower-case
letter of its own and stays as it is, ``ß`` becomes ``ẞ``.
"""

import re
from enum import IntEnum
from functools import partial


class Tag(IntEnum):
    """Capitalization of a word (Chelba & Acero 2004, section 2)."""

    LOC = 0  # lower case, or without a cased letter: primetime, 1996
    CAP = 1  # first cased letter upper, the rest lower: Diane, A
    MXC = 2  # mixed case: PrimeTime
    AUC = 3  # all upper, two or more cased letters: ABC
    PNC = 4  # punctuation, no letter and no digit: ,


TAGS = tuple(tag.name for tag in Tag)

# Punctuation spelled out by the newswire readers of the WSJ corpus: .PERIOD ,COMMA
_VERBALIZED = re.compile(
    r"(?<!\S)(?:\.(?:PERIOD|POINT|DOT|DECIMAL|FULL-STOP)|\.\.\.ELLIPSIS|,COMMA|:COLON|;SEMI-?COLON"
    r"|\?QUESTION-?MARK|!EXCLAMATION-?(?:POINT|MARK)|--?(?:DASH|HYPHEN)|&AMPERSAND|%PERCENT"
    r"|/SLASH|\$DOLLAR-?SIGN|¢CENT-?SIGN|£POUND-?SIGN|\#SHARP-?SIGN"
    r"|[\"'`](?:(?:DOUBLE|SINGLE|BEGIN|END|CLOSE|OPEN|INNER|END-INNER|END-OF|IN)-|UN)?QUOTES?"
    r"|[({\[](?:(?:LEFT|OPEN|BEGIN|IN)-?)?(?:PARENS?|PARENTHESES|BRACE|BRACKET)"
    r"|[)}\]](?:(?:RIGHT|CLOSE|END|END-THE|UN)-?)?(?:PARENS?|PARENTHESES|BRACE|BRACKET))(?!\S)",
    re.IGNORECASE,
)


def is_verbalized(word: str) -> bool:
    """Return whether a word is spelled-out punctuation such as ``,COMMA``."""
    return not word[0].isalnum() and _VERBALIZED.fullmatch(word) is not None


class _CaseMap(dict):
    """Case mapping of code points for ``str.translate``, filled as letters are met."""

    def __init__(self, convert):
        super().__init__()
        self.convert = convert

    def __missing__(self, code):
        self[code] = self.convert(chr(code))
        return self[code]


_CAPITALS = {"ß": "ẞ", "ς": "Σ"}  # where str.upper lengthens or cannot be undone


def _capital(letter, convert):
    """Return the capital of a letter if its lower case is the letter again, else the letter."""
    capital = convert(letter)
    undone = len(capital) == 1 and capital.lower() == letter and letter.isalpha()
    return _CAPITALS.get(letter) or (capital if undone else letter)


def _lower(letter):
    low = letter.lower()
    capitals = (_capital(low, convert) for convert in (str.upper, str.title))
    return low if len(low) == 1 and letter in capitals else letter


_FINAL_SIGMA = re.compile(r"(?<=[^\W\d_])Σ(?![^\W\d_])")  # ΟΔΟΣ οδος, but Σ σ
_LETTERS = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*")
_LOWER = _CaseMap(_lower)
_UPPER, _TITLE = (_CaseMap(partial(_capital, convert=way)) for way in (str.upper, str.title))


def wipe_case(text: str) -> str:
    """Return the text in lower case, letter by letter; spelled-out punctuation stays.

    >>> wipe_case("PrimeTime continues on ABC .PERIOD")
    'primetime continues on abc .PERIOD'
    """
    if text.isascii() and text.isalpha():  # most words: no punctuation, no special letter
        return text.lower()
    low = _FINAL_SIGMA.sub("ς", text).translate(_LOWER) if "Σ" in text else text.translate(_LOWER)
    if low == text:
        return text
    for mark in _VERBALIZED.finditer(text):
        low = low[: mark.start()] + mark.group() + low[mark.end() :]
    return low


def _is_cased(letter):
    return letter.isalpha() and (letter.isupper() or letter.islower() or letter.istitle())


def is_cased(word: str) -> bool:
    """Return whether a word has a letter that has case."""
    return any(map(_is_cased, word))


def _capitalize(word):
    for i, letter in enumerate(word):
        if _is_cased(letter):
            return word[:i] + letter.translate(_TITLE) + word[i + 1 :]
    return word


def recase_word(word: str, tag: int, mixed: str | None = None) -> str:
    """Return a wiped word in the case of a tag; only letter case changes.

    ``mixed`` is the form of an MXC word where one is known; without it every
    run of letters is capitalized (anglo-saxon: Anglo-Saxon).

    >>> recase_word("diane", Tag.CAP)
    'Diane'
    """
    if tag == Tag.CAP:
        return _capitalize(word)
    if tag == Tag.AUC:
        return word.translate(_UPPER)
    if tag == Tag.MXC:
        return mixed or _LETTERS.sub(lambda run: _capitalize(run.group()), word)
    return word


def tag_of(word: str) -> Tag:
    """Return the tag of a naturally cased word.

    Where two tags could be meant (a single capital) the first in the order
    CAP, AUC whose recasing gives the word back is taken; MXC when none does.

    >>> [tag_of(w).name for w in ("PrimeTime", "continues", "on", "ABC", ",COMMA")]
    ['MXC', 'LOC', 'LOC', 'AUC', 'PNC']
    """
    if word[0].isalnum() and word.isascii() and word.islower():  # most words
        return Tag.LOC
    if not any(map(str.isalnum, word)) or is_verbalized(word):
        return Tag.PNC
    is_lower = [letter.islower() for letter in filter(_is_cased, word)]
    if all(is_lower):
        possible: tuple[Tag, ...] = (Tag.LOC,)
    elif is_lower[0]:
        return Tag.MXC
    else:
        possible = (Tag.CAP,) if any(is_lower) else (Tag.CAP, Tag.AUC)
    wiped = wipe_case(word)
    for tag in possible:
        if recase_word(wiped, tag) == word:
            return tag
    return Tag.MXC
