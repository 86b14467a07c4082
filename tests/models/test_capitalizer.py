"""Recasing of text: everything but letter case stays."""

import numpy as np
import pytest
from hypothesis import given
from strategies import messy_texts, steady

from workbench.models.mixed_forms import count_mixed_forms
from workbench.text.casing import TAGS, Tag, wipe_case
from workbench.text.corpus import Corpus


@pytest.fixture(params=["memm", "1gram", "random"])
def model(request, background, unigram, random_model):
    return {"memm": background, "1gram": unigram, "random": random_model}[request.param]


def uniform(text):
    """Letters without their case: one character for each."""
    return [wipe_case(character).replace("ς", "σ") for character in text]


@steady
@given(text=messy_texts)
def test_any_text_keeps_its_characters_but_for_case_and_recasing_again_changes_nothing(
    background, text, random_model, unigram
):
    assert uniform(background.recase(text)) == uniform(text)
    assert uniform(random_model.recase(text)) == uniform(text)
    assert uniform(unigram.recase(text)) == uniform(text)
    once = background.recase(text)
    assert background.recase(once) == once


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\n", "\t", "oil\r\nprices\r\n", "  oil prices  ", "oil\u00a0prices",
     "oil\x00prices", "\ufeffoil prices", "oil\n\n\n\nprices", "...", "日本", "a" * 5000],
)  # fmt: skip
def test_odd_text_keeps_every_character_but_its_case(model, text):
    assert uniform(model.recase(text)) == uniform(text)


def test_a_sentence_of_the_training_text_is_recased(background):
    assert background.recase("oil prices fell after the opec meeting .") == (
        "Oil prices fell after the OPEC meeting ."
    )


def test_mixed_words_have_the_form_known_from_training_or_capitals(background):
    assert "DuPont" in background.recase("dupont raised its dividend to 85 cents .")
    corpus = Corpus.from_sentences([["anglo-saxon"]])
    assert background.recase_words(corpus, np.array([Tag.MXC])) == ["Anglo-Saxon"]


def test_gold_tags_give_the_text_back(background, background_corpus):
    forms = [background_corpus.forms[i] for i in background_corpus.form_ids]
    assert background.recase_words(background_corpus, background_corpus.tags) == forms


def test_only_whole_words_that_are_mixed_have_mixed_forms():
    assert count_mixed_forms(Corpus.from_sentences(["ABC Diane said .".split()])) == {}
    whole = Corpus.from_sentences([["PrimeTime"], ["eBay"]])
    assert count_mixed_forms(whole.take(np.array([1]))) == {"ebay": "eBay"}


def test_given_case_does_not_matter_and_tags_are_the_models_own(model, adaptation_corpus):
    whispered = "oil prices fell after the opec meeting ."
    assert model.recase(whispered.upper()) == model.recase(whispered)
    tags = model.tag(adaptation_corpus)
    assert model.recase_words(adaptation_corpus) == model.recase_words(adaptation_corpus, tags)
    assert tags.dtype == np.int8
    assert 0 <= tags.min() <= tags.max() < len(TAGS)


@pytest.mark.parametrize(
    ("tag", "form"), [("LOC", "dupont"), ("CAP", "Dupont"), ("MXC", "DuPont"), ("AUC", "DUPONT")]
)
def test_the_tag_decides_the_form(background, tag, form):
    corpus = Corpus.from_sentences([["dupont"]])
    assert background.recase_words(corpus, np.array([Tag[tag]])) == [form]


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("PrimeTime", "PrimeTime"), ("PrimeTime PRimetime PRimetime", "PRimetime"),
        ("PrimeTime PRimetime", "PrimeTime"), ("PRimetime PrimeTime", "PRimetime"),
        ("Primetime Primetime PrimeTime", "PrimeTime"),
    ],
)  # fmt: skip
def test_the_most_frequent_mixed_form_wins_and_the_first_on_a_tie(words, form):
    assert count_mixed_forms(Corpus.from_sentences([words.split()])) == {"primetime": form}
