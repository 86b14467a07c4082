"""Predicates in words: prefix3=str is "prefix str-", t-1=CAP "the tag before it (CAP)"."""

from workbench.features.predicates import UNKNOWN, UNKNOWN_MARK, UNKNOWN_UNCASED
from workbench.text.corpus import BOUNDARY

NEXT_TAG = "t+1"  # in a chain what the tag after a word says of it; no template, but a transition
_OF = {"previous": " of the word before it", "next": " of the word after it", "": ""}
_PLACES = {
    -2: "two words before it", -1: "the word before it", 0: "the word itself",
    1: "the word after it", 2: "two words after it",
}  # fmt: skip
_READS = {
    "currentword": "the word itself",
    "previousword": _PLACES[-1],
    "nextword": _PLACES[1],
    "word-2": _PLACES[-2],
    "word+2": _PLACES[2],
    "t-1": "the tag before it",
    "t-1,2": "the two tags before it",
    NEXT_TAG: "the tag after it",
    "shape": "its shape",
    "casedshape": "its shape with capitals",
    "lowercase": "the word in lower case",
    "capital": "a capital in it",
    "digit": "a digit in it",
    "hyphen": "a hyphen in it",
    "position": "its place in the sentence",
    "previousword,currentword": "the word before it and itself",
    "currentword,nextword": "itself and the word after it",
    "currentword,t-1": "the word itself and the tag before it",
    "previousword,t-1": "the word and the tag before it",
}
_UNKNOWN = {
    UNKNOWN: "a word that is not known",
    UNKNOWN_MARK: "a punctuation mark that is not known",
    UNKNOWN_UNCASED: "a number, or a word without case, that is not known",
}
_UNPUNCTUATED = "unpunctuated,"  # begins the templates of sentences without punctuation
_SILENT = {"currentword", "capital", "digit", "hyphen"}  # their values say nothing new


def describe_predicate(predicate: str) -> str:
    """Return a predicate, ``template=value``, in words; plain text, the value as it is.

    Values that are words stand in brackets; beyond a sentence there is "none".
    """
    if predicate.startswith(_UNPUNCTUATED):
        return f"{describe_predicate(predicate.removeprefix(_UNPUNCTUATED))}, without punctuation"
    template, value = predicate.split("=", 1)
    if value in _UNKNOWN:
        return _UNKNOWN[value]
    if template in _SILENT:
        return _READS[template]
    if template in _READS:
        return f"{_READS[template]} ({_say(value, template)})"
    if template == "casingrate":
        return f"how the background writes the word itself ({value})"
    if "casing" in template:
        return _describe_casing(template, value)
    if template.startswith("ngram"):
        return f"{value} in it"
    if template.startswith("pos"):
        places = [_PLACES[int(part.removeprefix("pos"))] for part in template.split(",")]
        return f"part of speech of {_join(places)} ({_say(value, template)})"
    return _describe_affix(template, value)


def _describe_casing(template, value):
    """Say how the background writes words, and what else is read with it."""
    parts = template.split(",")
    written = [_PLACES[int(p.removeprefix("casing") or 0)] for p in parts if "casing" in p]
    others = [_READS[p] for p in parts if "casing" not in p]
    read = _join([*others, f"how the background writes {_join(written)}"])
    return f"{read} ({_say(value, template)})"


def _describe_affix(template, value):
    """Say what a prefix or a suffix is, of this word or of a neighbour."""
    side = "prefix" if "prefix" in template else "suffix"
    whose = template.split(side)[0]
    if whose not in _OF:
        return f"{template} ({_say(value, template)})"
    affix = f"{value}-" if side == "prefix" else f"-{value}"
    return f"{side} {affix}{_OF[whose]}"


def _say(value, template):
    """Return the values read, "none" for those beyond the sentence."""
    value = value.replace(BOUNDARY, "none")
    return value.replace(",", ", ") if "," in template else value


def _join(places):
    *others, last = places
    return f"{', '.join(others)} and {last}" if others else last
