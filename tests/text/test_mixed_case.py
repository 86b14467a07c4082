"""Mixed case of words never seen: the patterns, and what holds for any word."""

import pytest
from hypothesis import given, strategies

from workbench.text.casing import Tag, guess_mixed, recase_word, tag_of, wipe_case

WRITTEN = """
McCain MacArthur DeVries DiStefano FitzGerald O'Brien D'Amato
anti-Semitism non-Hispanic pre-Christmas al-Qaeda pro-China
African-American Sun-Times Spider-Man David_Speers Commander-in-Chief Pas-de-Calais
US-based URL-encoded NASA-funded TNF-beta SGS-Thomson NF-kappa
APIs CEOs NGOs VCRs PhD PhDs GHz kWh pH iPhone iPads iTunes eBay eBooks
J.M.Hardwick Ph.D. U.S.-Honduran
""".split()


@pytest.mark.parametrize("word", WRITTEN)
def test_words_are_guessed_as_they_are_written(word):
    assert guess_mixed(wipe_case(word)) == word
    assert tag_of(word) == Tag.MXC


@pytest.mark.parametrize(
    "word", ["http://t.co/mcynwpzhmt", "www.example.com/foo", "john.smith@ibm.com", "cnnheroes.com"]
)
def test_an_address_gets_no_capital(word):
    assert guess_mixed(word) == word


@pytest.mark.parametrize(("word", "form"), [("grolmik", "Grolmik"), ("mackerel", "MacKerel")])
def test_a_word_of_one_part_gets_one_capital_unless_it_begins_like_a_name(word, form):
    assert guess_mixed(word) == form


def test_a_form_that_was_seen_comes_before_the_patterns():
    assert recase_word("anti-semitism", Tag.MXC, "AntiSemitism") == "AntiSemitism"
    assert recase_word("anti-semitism", Tag.MXC) == "anti-Semitism"


@given(strategies.text(min_size=1))
def test_a_guess_changes_case_alone(text):
    for word in map(wipe_case, text.split()):
        assert wipe_case(guess_mixed(word)) == word
