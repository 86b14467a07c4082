"""Error rates and per-tag scores, against counting word by word."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady, words

from workbench.evaluation.error_rates import (
    count_confusions,
    find_misspelled,
    score,
    surface_errors,
    to_json,
)
from workbench.recasing.spans import find_untouched
from workbench.text.casing import Tag
from workbench.text.corpus import Corpus
from workbench.text.written_forms import write_word

SENTENCES = [line.split() for line in ("Diane left ABC .", "On PrimeTime , diane left A .")]
MIXED = {"primetime": "PrimeTime"}


@pytest.fixture
def corpus():
    return Corpus.from_sentences(SENTENCES)


def retag(corpus, **changes):
    """Gold tags but for some places: w3="CAP" gives word 3 the tag CAP."""
    tags = corpus.tags.copy()
    for place, tag in changes.items():
        tags[int(place[1:])] = Tag[tag]
    return tags


def count_surface_errors(corpus, tags, mixed_forms):
    """Spell out every word that is in no span."""
    forms = [corpus.forms[f] for f in corpus.form_ids]
    low = [corpus.words[w] for w in corpus.word_ids]
    return [
        (word if untouched else write_word(word, tag, mixed_forms.get(word))) != form
        for word, tag, form, untouched in zip(
            low, tags, forms, find_untouched(corpus).words, strict=True
        )
    ]


def test_error_rates_are_fractions_of_words_and_undefined_without_any(corpus):
    scores = score(corpus, corpus.tags, MIXED)
    rates = scores.error_rate, scores.error_rate_no_punctuation, scores.error_rate_not_initial
    assert (*rates, scores.surface_error_rate) == (0, 0, 0, 0)
    assert score(corpus, retag(corpus, w0="LOC", w3="LOC"), MIXED).error_rate == 2 / 11
    scores = score(corpus, retag(corpus, w0="LOC", w3="LOC"), MIXED)
    assert (scores.words, scores.wrong) == (11, 2)
    assert scores.error_rate_no_punctuation == 1 / 8
    scores = score(corpus, retag(corpus, w0="PNC"), MIXED)
    assert scores.error_rate_no_punctuation == 1 / 8
    scores = score(corpus, retag(corpus, w0="LOC", w4="LOC", w5="LOC"), MIXED)
    assert scores.error_rate_not_initial == 1 / 9
    scores = score(corpus.take([]), np.empty(0, np.int8), {})
    assert np.isnan([scores.error_rate, scores.surface_error_rate, scores.letters_error_rate]).all()


def test_a_mixed_word_of_unknown_form_is_wrong_on_the_surface_alone(corpus):
    scores = score(corpus, corpus.tags, {})
    assert (scores.error_rate, scores.surface_error_rate) == (0, 1 / 11)
    assert scores.letters_error_rate == 1 / 11


def test_a_single_capital_tagged_auc_is_right_on_the_surface(corpus):
    scores = score(corpus, retag(corpus, w9="AUC"), MIXED)
    assert (scores.wrong, scores.surface_error_rate) == (1, 0)
    assert scores.letters_error_rate == 0


def test_surface_errors_of_a_part_share_the_vocabulary_of_the_whole(corpus):
    part = corpus.take([1])
    assert surface_errors(part, retag(part, w0="LOC"), MIXED).tolist() == [True] + [False] * 6


def test_a_word_that_an_editor_writes_otherwise_is_misspelled_with_its_own_tag():
    corpus = Corpus.from_sentences(["5Th 'S W-WHAT 3D AT&T USA exAct PrimeTime , .".split()])
    expected = count_surface_errors(corpus, corpus.tags, MIXED)
    assert expected == [True] * 3 + [False] * 3 + [True] + [False] * 3
    assert surface_errors(corpus, corpus.tags, MIXED).tolist() == expected
    assert find_misspelled(corpus, corpus.tags, MIXED).tolist() == expected


@steady
@given(st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=4), st.randoms())
def test_surface_errors_are_those_of_spelling_out_every_word(sentences, random):
    corpus = Corpus.from_sentences(sentences)
    tags = np.array([random.choice([gold, *Tag]) for gold in corpus.tags.tolist()], np.int8)
    expected = count_surface_errors(corpus, tags, MIXED)
    assert surface_errors(corpus, tags, MIXED).tolist() == expected


def test_confusions_count_gold_by_given(corpus):
    counts = count_confusions(corpus, retag(corpus, w0="LOC"))
    assert (counts[Tag.CAP, Tag.LOC], counts[Tag.CAP, Tag.CAP], counts.sum()) == (1, 2, 11)


def test_f1_is_the_harmonic_mean_and_scores_survive_json(corpus):
    found = score(corpus, retag(corpus, w0="LOC", w1="CAP", w2="CAP"), MIXED).per_tag["CAP"]
    assert found.f1 == pytest.approx(2 / (1 / found.precision + 1 / found.recall), rel=1e-15)
    plain = score(corpus, retag(corpus, w0="LOC"), MIXED).to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


@pytest.mark.parametrize("tag", list(Tag))
def test_scores_of_a_tag_are_those_of_counting_words(corpus, tag):
    given_tags = retag(corpus, w0="LOC", w2="CAP", w3="LOC", w7="AUC")
    pairs = list(zip(corpus.tags.tolist(), given_tags.tolist(), strict=True))
    both = pairs.count((tag, tag))
    predicted, support = (sum(pair[i] == tag for pair in pairs) for i in (1, 0))
    found = score(corpus, given_tags, MIXED).per_tag[tag.name]
    expected = both / predicted, both / support, 2 * both / (predicted + support), support
    assert (found.precision, found.recall, found.f1, found.support) == expected


def test_what_is_undefined_is_null(corpus):
    found = score(corpus, retag(corpus, w5="LOC"), MIXED).per_tag["MXC"]
    assert (math.isnan(found.precision), found.recall, found.f1) == (True, 0, 0)
    corpus = Corpus.from_sentences([["Diane", "left"]])
    found = score(corpus, corpus.tags, {}).per_tag["AUC"]
    assert np.isnan([found.precision, found.recall, found.f1]).all()
    corpus = Corpus.from_sentences([["Diane"], ["left"]])
    assert math.isnan(score(corpus, corpus.tags, {}).error_rate_not_initial)
    corpus = Corpus.from_sentences([[".", ","]])
    assert math.isnan(score(corpus, corpus.tags, {}).error_rate_no_punctuation)
    corpus = Corpus.from_sentences([["Diane"], ["left"]])
    plain = score(corpus, corpus.tags, {}).to_json()
    assert plain["error_rate_not_initial"] is None
    assert plain["per_tag"]["MXC"] == {"precision": None, "recall": None, "f1": None, "support": 0}


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64("nan"), None),
        (float("-inf"), None),
        (np.int64(3), 3),
        ((1, [np.float32(0.5)]), [1, [0.5]]),
        ({"a": {"b": math.nan}}, {"a": {"b": None}}),
        ("nan", "nan"),
        (True, True),
        (None, None),
    ],
)
def test_values_become_plain(value, plain):
    assert to_json(value) == plain
    json.dumps(to_json(value), allow_nan=False)
