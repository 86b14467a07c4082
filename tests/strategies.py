"""Hypothesis strategies for texts and words, and one profile for all properties."""

import sys

from hypothesis import settings
from hypothesis import strategies as st

# The same examples on every run; bounded, so that a file of tests takes a second or two.
steady = settings(derandomize=True, max_examples=150, deadline=None, database=None)

ANY_LETTER = st.characters(exclude_categories=["Cs"])  # all of Unicode but surrogates
# What case mapping is known to stumble on.
TRICKY = "İıßẞΣσςǅǄǆﬁŉǰΐᾳᾼåÅKſĲᲐაА́e\u0301\u0345ªⓐⓁⅣ中हि٣"
_MARKS = "..,,!?'’\"“”()[]-_*`…—$%:;/#@ \t\n0123456789"

texts = st.text(ANY_LETTER, max_size=40)
_fragments = st.sampled_from(
    ["U.S.", "n't", "'s", "Mr.", "no.", "No. 5", "etc.", "http://X.org/a--B", ".PERIOD", ",comma",
     "cannot", "'em", "...", "--", "``", "''", "e.g.", "Foo(bar)", "'80S", " ", " ", "\n"]
)  # fmt: skip
messy_texts = st.lists(
    st.one_of(_fragments, st.text(TRICKY + _MARKS + "aBcTs", max_size=6), texts), max_size=8
).map("".join)

letters = st.one_of(ANY_LETTER, st.sampled_from(TRICKY), st.sampled_from("aBcDΣς.'-1"))
words = st.text(letters, min_size=1, max_size=8).filter(
    lambda word: not any(map(str.isspace, word))
)


def all_code_points():
    """Every character there is, surrogates left out."""
    return [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
