"""How words are written where their tag alone does not say it: 5th, isn't, AT&T.

``recase_word`` gives any word the capitals of a tag, so that ``tag_of`` finds the tag again. An
editor has rules besides: no capital in ``5th``, in a clitic, in a stutter or in masked letters, and
capitals in ``AT&T`` and ``R&D``.
"""

import re

from workbench.text.casing import Tag, is_cased_letter, raise_case, recase_word, tag_of
from workbench.text.characters import SPELLED

_SMALL = re.compile(rf"n?['’]t|['’](?:s|re|ve|ll|d|m)|[ap]{SPELLED}m")  # also isn 't; nine a m
_LETTERS = re.compile(r"(?:[^\W\d_]\.){3,}")  # n.a.s.a.
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|s)(?![^\W_])")  # 5th, 20th-century, 747s
_AND = re.compile(r"[^\W\d_]{1,2}&[^\W\d_]{1,2}")  # AT&T, R&D
# h**l and b*tch, but M*A*S*H
_MASKED = re.compile(r"(?!(?:\w[*#@$])+\w$).*[^\W\d_][*#@$]+[^\W\d_]")


def write_word(word: str, tag: int, mixed: str | None = None) -> str:
    """Return a wiped word as an editor writes it with a tag; only letter case changes.

    ``mixed`` is the form of an MXC word where one is known; it comes before the rules.

    >>> [write_word(word, Tag.CAP) for word in ("diane", "5th", "'s")]
    ['Diane', '5th', "'s"]
    """
    if tag == Tag.MXC and mixed:
        return mixed
    form = recase_word(word, tag)
    if word.isascii() and word.isalpha():  # most words
        return form
    if _SMALL.fullmatch(word):
        return word
    is_spelled = SPELLED in word or (tag == Tag.CAP and _LETTERS.fullmatch(word))
    if is_spelled or _AND.fullmatch(word):
        return raise_case(word)
    if tag != Tag.CAP and (_MASKED.match(word) or is_stutter(word) or _lacks_capital(form, tag)):
        return word
    for ending in _ORDINAL.finditer(word):
        form = form[: ending.start()] + ending.group() + form[ending.end() :]
    return form


def begin_sentence(form: str) -> str:
    """Return a form as it begins a sentence: Non-European for non-European, but iPhone.

    A first part in small letters, up to a hyphen, gets a capital.
    """
    first, hyphen, rest = form.partition("-")
    return write_word(first, Tag.CAP) + hyphen + rest if tag_of(first or "-") == Tag.LOC else form


def is_stutter(word: str) -> bool:
    """Return whether a word is stuttered, as w-what and s-s-stop are."""
    *pieces, whole = word.split("-")
    return bool(pieces) and all(0 < len(p) < len(whole) and whole.startswith(p) for p in pieces)


def _lacks_capital(form, tag):
    """Return whether a form in capitals has a small letter left, such as ﬁ, without a capital."""
    return tag == Tag.AUC and any(map(str.islower, filter(is_cased_letter, form)))
