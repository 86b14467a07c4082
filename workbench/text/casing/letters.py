"""Letters one by one: lower case, capitals, and which have case at all.

Single letters become single letters, so a text never changes its length, and only where that can
be undone: ``İ`` has no lower-case letter of its own and stays as it is, ``ß`` becomes ``ẞ``.
Cherokee has two cases in Unicode and is written in one: its letters are as those without case.
"""

import re
from functools import partial

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
        letter = chr(code)
        self[code] = letter if _CHEROKEE.match(letter) else self.convert(letter)
        return self[code]


_CHEROKEE = re.compile("[\u13a0-\u13ff\uab70-\uabbf]")
_CAPITALS = {"ß": "ẞ", "ς": "Σ"}  # where str.upper lengthens or cannot be undone


def _capital_of(letter, convert):
    """Return the capital of a letter if its lower case is the letter again, else the letter."""
    capital = convert(letter)
    undone = len(capital) == 1 and capital.lower() == letter and letter.isalpha()
    return _CAPITALS.get(letter) or (capital if undone else letter)


def _lower(letter):
    low = letter.lower()
    capitals = (_capital_of(low, convert) for convert in (str.upper, str.title))
    return low if len(low) == 1 and letter in capitals else letter


_FINAL_SIGMA = re.compile(r"(?<=[^\W\d_])Σ(?![^\W\d_])")  # ΟΔΟΣ οδος, but Σ σ
_LOWER = _CaseMap(_lower)
_UPPER, _TITLE = (_CaseMap(partial(_capital_of, convert=way)) for way in (str.upper, str.title))


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


def is_cased_letter(letter: str) -> bool:
    """Return whether a letter has case."""
    has_case = letter.isupper() or letter.islower() or letter.istitle()
    return has_case and letter.isalpha() and not _CHEROKEE.match(letter)


def is_cased(word: str) -> bool:
    """Return whether a word has a letter that has case."""
    return any(map(is_cased_letter, word))


def capitalize(word: str) -> str:
    """Return a word with its first cased letter a capital."""
    for i, letter in enumerate(word):
        if is_cased_letter(letter):
            return word[:i] + letter.translate(_TITLE) + word[i + 1 :]
    return word


def raise_case(word: str) -> str:
    """Return a word in capitals, letter by letter; wiping gives it back."""
    return word.translate(_UPPER)
