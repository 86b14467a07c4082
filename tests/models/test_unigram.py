"""The 1-gram capitalizer."""

import numpy as np
import oracles
import pytest

from workbench.models.unigram import Unigram
from workbench.text.casing import Tag, tag_of
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


def corpus_of(*lines):
    return Corpus.from_sentences([line.split() for line in lines])


TRAINING = corpus_of(
    "The bank on ABC and the bank on PrimeTime , said Diane",
    "The the Bank may May May , Primetime PrimeTime 5th A a a .PERIOD",
)


@pytest.fixture(scope="module")
def model():
    return Unigram.fit(TRAINING)


def tag_names(model, line):
    corpus = corpus_of(line)
    return [corpus.tag_names[tag] for tag in model.tag(corpus)]


def test_each_word_known_has_the_most_frequent_tag_of_the_text_and_the_first_of_equals(
    background_corpus,
):
    known = Unigram.fit(background_corpus).tag_of_word
    assert known == oracles.most_frequent_tags(background_corpus)
    assert set(Unigram.fit(TRAINING, size=1).tag_of_word) == {"the"}
    part = TRAINING.take(np.array([1]))
    assert "diane" in part.words
    assert "diane" not in Unigram.fit(part).tag_of_word
    assert Unigram.fit(corpus_of("A Rome rome")).tag_of_word["rome"] == Tag.LOC


@pytest.mark.parametrize(
    ("word", "tag"),
    [("bank", "LOC"), ("may", "CAP"), ("abc", "AUC"), ("primetime", "MXC"), (",", "PNC"),
     (".PERIOD", "PNC"), ("a", "LOC"), ("5th", "LOC")],
)  # fmt: skip
def test_a_word_within_a_sentence_has_its_most_frequent_tag(model, word, tag):
    assert tag_names(model, f"said {word}")[1] == tag


@pytest.mark.parametrize(
    ("word", "tag"),
    [("bank", "CAP"), ("abc", "CAP"), ("primetime", "CAP"), ("a", "CAP"), ("unseen", "CAP"),
     (",", "PNC"), (".PERIOD", "PNC"), ("``", "PNC"), ("1996", "LOC"), ("日本", "LOC")],
)  # fmt: skip
def test_the_first_word_of_a_sentence_is_cap_if_it_has_a_capital(model, word, tag):
    assert tag_names(model, f"{word} said")[0] == tag


@pytest.mark.parametrize(
    ("unseen", "word", "tag"),
    [("loc", "rome", "LOC"), ("cap", "rome", "CAP"), ("loc", "1996", "LOC"), ("cap", "1996", "LOC"),
     ("loc", "?", "PNC"), ("cap", "?", "PNC"), ("cap", "?QUESTION-MARK", "PNC"),
     ("cap", "said", "LOC")],
)  # fmt: skip
def test_the_rule_for_unseen_words_decides(unseen, word, tag):
    assert tag_names(Unigram.fit(TRAINING, unseen=unseen), f"said {word}")[1] == tag


@pytest.mark.parametrize("unseen", ["", "LOC", "most frequent"])
def test_an_unknown_rule_is_refused_with_those_allowed(unseen):
    with pytest.raises(InputError, match="allowed are loc, cap"):
        Unigram.fit(TRAINING, unseen=unseen)


@pytest.mark.parametrize("line", ["all in lower case .", "ALL IN CAPITALS ."])
def test_text_without_natural_case_is_refused(line):
    with pytest.raises(InputError, match="natural case"):
        Unigram.fit(corpus_of(line))


def test_tags_of_a_text_are_never_looked_at_and_words_get_their_most_frequent_forms(model):
    shouted, whispered = corpus_of("THE BANK ON ABC"), corpus_of("the bank on abc")
    assert np.array_equal(model.tag(shouted), model.tag(whispered))
    corpus = corpus_of("Diane said primetime on abc .PERIOD")
    assert model.recase_words(corpus) == "Diane said PrimeTime on ABC .PERIOD".split()
    words = "1996 ? 日本".split()
    assert tag_names(model, "said " + " ".join(words))[1:] == [tag_of(word).name for word in words]
