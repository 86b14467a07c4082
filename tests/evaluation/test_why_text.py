"""Reasons in plain words: sentences, numbers, predicates."""

import pytest

from workbench.evaluation.explanation import describe_predicate, tell_gap
from workbench.evaluation.number_words import probability_in_words, signed
from workbench.features.templates import TEMPLATES

SIDES = {
    "before": {"tag": "LOC", "form": "streamlit", "p": 0.98},
    "after": {"tag": "CAP", "form": "Streamlit", "p": 0.75},
}
WORDS = {
    "currentword=gene": "the word itself",
    "previousword=the": "the word before it (the)",
    "nextword=*bdw*": "the word after it (end of sentence)",
    "t-1=CAP": "the tag before it (CAP)",
    "t-1,2=CAP,*bdw*": "the two tags before it (start of sentence, CAP)",
    "t-1,2=CAP,LOC": "the two tags before it (LOC, CAP)",
    "currentword,nextword=1,000,*bdw*": "itself and the word after it (1, 000, end of sentence)",
    "word-2=*bdw*": "two words before it (start of sentence)",
    "word+2=*bdw*": "two words after it (end of sentence)",
    "t+1=LOC": "the tag after it (LOC)",
    "prefix3=str": "prefix str-",
    "suffix2=it": "suffix -it",
    "previousprefix1=a": "prefix a- of the word before it",
    "nextsuffix3=ing": "suffix -ing of the word after it",
    "pos+1=NN": "part of speech of the word after it (NN)",
    "pos-1,pos0=DT,NN": "part of speech of the word before it and the word itself (DT, NN)",
    "currentword==": "the word itself",
    "previousword=,": "the word before it (\u201c,\u201d)",
    "nextword=(": "the word after it (\u201c(\u201d)",
    "nextword=u.s.": "the word after it (u.s.)",
    "previousword,currentword=,,it": "the word before it and itself (\u201c,\u201d, it)",
    "currentword,nextword=it,,": "itself and the word after it (it, \u201c,\u201d)",
    "prefix1=(": "prefix \u201c(\u201d-",
    "capital=yes": "a capital in it",
    "predicted=CAP": "predicted (CAP)",
    "unpunctuated,currentword=it": "the word itself, without punctuation",
    "unpunctuated,currentword,nextword=it,is": (
        "itself and the word after it (it, is), without punctuation"
    ),
}


def gap_of(*changes):
    rows = [{"words": w, "change": c, "new": n} for w, c, n in changes]
    return {"from": "LOC", "to": "CAP", "background": -1.0, "adapted": 1.5, "rows": rows}


def test_a_sentence_says_what_moved_the_decision_if_anything_did():
    gap = gap_of(("prefix str-", 1.82, False), ("the word itself", 1.45, True), ("x", -3, False))
    assert tell_gap(**SIDES, gap=gap, written="Streamlit") == (
        "The background wrote \u201cstreamlit\u201d (98 % sure), the adapted model writes "
        "\u201cStreamlit\u201d (75 %). What changed most: prefix str-, the word itself (new); "
        "the other way: x."
    )
    weaker = gap_of(("prefix str-", 1.82, False), ("x", -1, False))
    assert tell_gap(**SIDES, gap=weaker, written="Streamlit").endswith(
        "(75 %). What changed most: prefix str-."
    )
    assert tell_gap(**SIDES, gap=gap_of(("x", -3, False)), written="Streamlit").endswith("(75 %).")
    alike = {side: each | {"form": "("} for side, each in SIDES.items()}
    assert tell_gap(**alike, gap=gap_of(), written="(") == (
        "The background wrote \u201c(\u201d as LOC (98 % sure), the adapted model writes "
        "\u201c(\u201d as CAP (75 %)."
    )
    same = {side: SIDES["after"] for side in SIDES}
    assert tell_gap(**same, gap=gap_of(), written="Streamlit") == (
        "Both models write \u201cStreamlit\u201d, each 75 % sure."
    )
    sides = {"before": SIDES["after"] | {"p": 0.6}, "after": SIDES["after"]}
    text = tell_gap(**sides, gap=gap_of(("prefix str-", 1.82, False)), written="Streamlit")
    assert text == (
        "Both models write \u201cStreamlit\u201d: the background was 60 % sure, "
        "the adapted model is 75 %. What changed most: prefix str-."
    )
    text = tell_gap(**sides, gap=gap_of(("x", 1, False)), written="STREAMLIT")
    assert text.endswith("is 75 %. The text has \u201cSTREAMLIT\u201d. What changed most: x.")
    small = [("d", -0.2, False)] * 3
    fell = gap_of(("a", -0.6, False), ("b", 1.06, True), ("c", -1.4, False), *small)
    text = tell_gap(**sides, gap=fell | {"background": 3.0}, written="Streamlit")
    assert text.endswith("What changed most: c, a, d; the other way: b.")


def test_numbers_have_a_true_minus():
    assert [signed(x) for x in (1.818, -0.5)] == ["+1.82", "\u22120.50"]


@pytest.mark.parametrize(
    ("p", "text"),
    [(0, "0 %"), (0.004, "under 1 %"), (0.01, "1 %"), (0.5, "50 %"), (0.99, "99 %"),
     (0.996, "over 99 %"), (1, "100 %")],
)  # fmt: skip
def test_probabilities_are_told_as_people_read_them(p, text):
    assert probability_in_words(p) == text


@pytest.mark.parametrize("predicate", WORDS)
def test_predicates_are_said_in_words(predicate):
    assert describe_predicate(predicate) == WORDS[predicate]


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_has_words_of_its_own(name):
    words = describe_predicate(f"{name}=a,b")
    assert not words.startswith(f"{name} (")  # as a template without words is said
    assert not any(mark in words for mark in ("=", "+", "None"))
    if not any(part in name for part in ("fix", "ngram")):  # values tell their lengths apart
        others = [describe_predicate(f"{t}=a,b") for t in TEMPLATES if t != name]
        assert words not in others
