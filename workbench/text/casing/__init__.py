"""Case of words: the five tags, wiping, recasing.

The tags are those of Chelba & Acero (2004), section 2.
"""

from enum import IntEnum

from workbench.text.casing.letters import capitalize, is_cased_letter, is_verbalized, raise_case
from workbench.text.casing.letters import is_cased as is_cased
from workbench.text.casing.letters import wipe_case as wipe_case
from workbench.text.casing.mixed import guess_mixed


class Tag(IntEnum):
    """Capitalization of a word (Chelba & Acero 2004, section 2)."""

    LOC = 0  # lower case, or without a cased letter: primetime, 1996
    CAP = 1  # first cased letter upper, the rest lower: Diane, A
    MXC = 2  # mixed case: PrimeTime
    AUC = 3  # all upper, two or more cased letters: ABC
    PNC = 4  # punctuation, no letter and no digit: ,


TAGS = tuple(tag.name for tag in Tag)


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
