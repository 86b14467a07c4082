"""Glossaries: forms found in texts, against a loop; what they do to spans; mistakes in them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from workbench.recasing.glossary import MOST_WORDS, Glossary
from workbench.recasing.recaser import Recaser
from workbench.text.casing import Tag, tag_of, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

phrases = st.lists(st.sampled_from("aBc x Y".split()), min_size=1, max_size=4)


def longest_matches(forms, words):
    """Starts and words of what matches, from left to right, the longest first."""
    found, i = [], 0
    while i < len(words):
        fitting = [f for f in forms if list(map(str.lower, f)) == words[i : i + len(f)]]
        best = max(fitting, key=len, default=None)
        if best:
            found.append((i, tuple(best)))
        i += len(best or "1")
    return found


@steady
@given(st.lists(phrases, max_size=5), st.lists(st.sampled_from("abc x y z".split()), min_size=1))
def test_the_longest_forms_are_found(forms, words):
    glossary = Glossary(map(" ".join, forms))
    found = [tuple(match) for match in glossary.find(Corpus.from_sentences([words]))]
    assert found == longest_matches(forms, words)


def test_forms_have_their_letters_in_any_case_and_layout_but_within_spans(random_model):
    recaser = Recaser(random_model, glossary=["eBay", "adidas", "", "AT&T's New york"])
    out = recaser.recase("EBAY, Adidas (ebay)\nat&t's NEW YORK and at&t 's new york .")
    assert out.startswith("eBay, adidas (eBay)\nAT&T's New york ")
    assert out.endswith(" AT&T 's New york .")
    recaser = Recaser(random_model, glossary=["GitHub.com", "FOO", "Ab"])
    text = "see github.com and http://x.org/foo and `the foo` and ab"
    out = recaser.recase(text)
    assert "GitHub.com" in out
    assert "http://x.org/foo" in out
    assert "`the foo`" in out
    assert out.endswith("Ab")


def test_neighbours_see_the_tags_of_a_form(random_model):
    n_moved, rng = 0, np.random.default_rng(3)
    for _ in range(20):
        words = rng.choice(
            "the oil fell in new york after it said prices rose on monday".split(), 6
        ).tolist()
        words[2] = "grolmik"
        corpus, allowed = Corpus.from_sentences([words]), np.ones((6, len(Tag)), bool)
        allowed[2] = np.arange(len(Tag)) == Tag.AUC
        tags, free = random_model.tag(corpus, allowed), random_model.tag(corpus)
        out = Recaser(random_model, glossary=["GROLMIK"]).recase(" ".join(words)).split()
        assert out == random_model.recase_words(corpus, tags)
        n_moved += np.delete(tags != free, 2).sum()
    assert n_moved > 0  # else the test could not fail


def test_a_phrase_ends_with_its_line(background):
    text = "in new\nyork"
    assert Recaser(background, glossary=["nEW yORK"]).recase(text).endswith("New\nYork")
    wrapped = Recaser(background, glossary=["nEW yORK"], layout="wrapped")
    assert wrapped.recase(text).endswith("nEW\nyORK")


def test_matches_are_counted_once_a_phrase(background):
    recased = Recaser(background, glossary=["New York", "iPhone"]).recase_block(
        "new york iphone\nNEW york new x"
    )
    assert recased.n_matches == 3


def test_the_tag_of_a_form_is_that_of_its_letters(background):
    recaser, text = Recaser(background, glossary=["yORK"]), "new york"
    assert recaser.recase(text).split()[1] == "yORK"
    assert tag_of("yORK").name == "MXC"


@pytest.mark.parametrize(
    ("forms", "message"),
    [
        (["iPhone", "Iphone"], "glossary, line 2: 'Iphone' has other letters in line 1"),
        (["ok", "", "1996"], "glossary, line 3: '1996' has no letter"),
        (["a\x07b"], "glossary, line 1: a control character"),
        (["a " * (MOST_WORDS + 1)], "glossary, line 1: 51 words; 50 are allowed"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(forms, message):
    with pytest.raises(InputError, match=message):
        Glossary(forms)


def test_a_file_is_read_and_named(tmp_path):
    path = tmp_path / "forms.txt"
    path.write_bytes("\ufeffiPhone\r\nNew York\r\niPhone\r\n".encode())
    assert len(Glossary.read(path)) == 2
    path.write_bytes(b"iPhone\nbad \xff\n")
    with pytest.raises(InputError, match=r"forms.txt: not UTF-8 \(byte 0xff in line 2"):
        Glossary.read(path)


@given(st.lists(st.text(max_size=12), max_size=4), st.text(max_size=30))
@steady
def test_any_glossary_changes_nothing_but_case(random_model, forms, text):
    try:
        recaser = Recaser(random_model, glossary=forms)
    except InputError:
        return
    assert wipe_case(recaser.recase(text)) == wipe_case(text)
