"""Letters of mixed-case words that were never seen: a guess by patterns.

A model says that a word is MXC, but not which of its letters are capitals. Where the training
text has no form of the word, these patterns give one. A word of one part that no pattern knows
gets one capital; an address gets none.
"""

import re

from workbench.text.casing.letters import capitalize, raise_case

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
