"""The five tags of Chelba & Acero (2004), section 2, and the case of words and of single letters.

Single letters become single letters, so a text never changes its length, and only where that can
be undone: ``İ`` has no lower-case letter of its own and stays as it is, ``ß`` becomes ``ẞ``.
Cherokee has two cases in Unicode and is written in one: its letters are as those without case.

A model says that a word is MXC, but not which of its letters are capitals. Where the training
text has no form of the word, patterns guess one. A word of one part that no pattern knows gets one
capital; an address gets none.
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


# --- tags and words ------------------------------------------------------------------------


def recase_word(word: str, tag: int, mixed: str | None = None) -> str:
    """Return a wiped word in the case of a tag; only letter case changes.

    ``mixed`` is the form of an MXC word where one is known; without it ``guess_mixed`` gives one.

    >>> recase_word("diane", Tag.CAP)
    'Diane'
    """
    if tag == Tag.CAP:
        return capitalize(word)
    if tag == Tag.AUC:
        return raise_case(word)
    if tag == Tag.MXC:
        return mixed or guess_mixed(word)
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
    is_lower = [letter.islower() for letter in filter(is_cased_letter, word)]
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


# --- letters one by one --------------------------------------------------------------------

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


# --- mixed case, guessed -------------------------------------------------------------------

_WHOLE = {
    form.lower(): form
    for form in (
        "PhD PhDs BSc MSc pH dB kHz MHz GHz THz kB MB GB TB kW MW GW kWh MWh GWh TWh kV keV MeV "
        "GeV kDa mRNA mRNAs tRNA cDNA iOS eBay"
    ).split()
}
_BEGINNINGS = (  # what follows begins with a capital
    (re.compile(r"mc(?=\w{2})"), "Mc"),
    (re.compile(r"mac(?!hi|ro)(?=\w{4})"), "Mac"),
    (re.compile(r"de(?=[b-df-hj-np-tv-z]\w{3})"), "De"),
    (re.compile(r"di(?=[b-df-hj-np-tv-z]\w{3})"), "Di"),
    (re.compile(r"fitz(?=\w{3})"), "Fitz"),
    (re.compile(r"i(?=(?:phone|pad|pod|player|tunes|mac|cloud|book|message|watch)s?$)"), "i"),
    (re.compile(r"e(?=(?:book|commerce|health|learning|reader|sport|trade)s?$)"), "e"),
)
_PLURAL_ACRONYM = re.compile(r"[^\W\d_]{2,4}s")  # APIs, CEOs
_NO_VOWEL = re.compile(r"(?!(?:[djms]r|st|ft|mt|ph|mrs)$)[b-df-hj-np-tv-xz]{2,4}")  # CNN-Time
_PREFIXES = frozenset(
    "al all anti cross mid near neo non pan post pre pro sub super then un".split()
)
_PARTICLES = frozenset(
    "and at da de del der des di du for from in la le les of on over the to van von".split()
)
_GREEK = frozenset("alpha beta gamma delta epsilon kappa lambda sigma omega".split())
# URL-encoded, US-based: with no acronym before it, the word would be CAP.
_AFTER_ACRONYM = re.compile(r"\w{2,}(?:ed|ing)|born|free|like|only|owned|run|style|type|wide")
_ADDRESS = re.compile(r"://|@.|^www\.|(?<!^\w)(?<!\.\w)\.[a-z]{2,}(?:[/:]|$)")
_CLITICS = frozenset("re ve ll".split())
_PART = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*")


def guess_mixed(word: str) -> str:
    """Return a wiped word in mixed case, as words that look like it are written.

    >>> [guess_mixed(w) for w in ("mccain", "anti-semitism", "ceos", "o'brien", "us-based")]
    ['McCain', 'anti-Semitism', 'CEOs', "O'Brien", 'US-based']
    """
    if word in _WHOLE:
        return _WHOLE[word]
    if _ADDRESS.search(word):
        return word
    begins = any(pattern.match(word) for pattern, _ in _BEGINNINGS)
    if _PLURAL_ACRONYM.fullmatch(word) and not begins:
        return raise_case(word[:-1]) + "s"
    parts = list(_PART.finditer(word))
    is_acronym = len(parts) == 2 and len(parts[0][0]) < 5 and _ends_low(word, parts[1])
    form = list(word)
    for place, part in enumerate(parts):
        is_last = place == len(parts) - 1
        guess = raise_case if is_acronym and not place else _guess_part
        if not (len(parts) > 1 and _is_low(word, part, place == 0, is_last)):
            form[part.start() : part.end()] = guess(part[0])
    return "".join(form)


def _guess_part(part):
    """Return one run of letters with its capitals."""
    for pattern, beginning in _BEGINNINGS:
        if pattern.match(part):
            return beginning + capitalize(part[len(beginning) :])
    return raise_case(part) if _NO_VOWEL.fullmatch(part) else capitalize(part)


def _is_low(word, part, is_first, is_last):
    """Return whether a run of letters, one of several, has no capital."""
    before, after = word[part.start() - 1 : part.start()], word[part.end() : part.end() + 1]
    if is_first:
        return after == "-" and part[0] in _PREFIXES
    if before in ("'", "’"):  # M.E.'s, they're, rock'n'roll
        return len(part[0]) < 2 or (is_last and part[0] in _CLITICS)
    if part[0] in _GREEK:
        return True
    return _ends_low(word, part) if is_last else before == after == "-" and part[0] in _PARTICLES


def _ends_low(word, part):
    """Return whether a run of letters is a last one that is written small after an acronym."""
    first = word.split("-", 1)[0]
    is_second = word[part.start() - 1 : part.start()] == "-" and part.end() == len(word)
    return is_second and first not in _PREFIXES and bool(_AFTER_ACRONYM.fullmatch(part[0]))
