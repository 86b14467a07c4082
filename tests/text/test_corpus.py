"""Packing of tagged sentences into arrays, and choosing among them."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady, words

from workbench.text.corpus import BOUNDARY, Corpus, CorpusBuilder
from workbench.text.errors import InputError

SENTENCES = [
    "Diane Sawyer left ABC .".split(),
    "On PrimeTime , diane left .".split(),
    "ABC".split(),
]
some_sentences = st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=5)


@pytest.fixture
def corpus():
    return Corpus.from_sentences(SENTENCES, "news")


def all_sentences(corpus):
    return [corpus.sentence(i) for i in range(corpus.n_sentences)]


def test_a_corpus_is_arrays_of_its_words_and_sentences(corpus):
    assert len(corpus) == 12
    assert all_sentences(corpus) == SENTENCES
    assert corpus.words[0] == BOUNDARY
    assert corpus.word_ids.min() == 1  # the boundary is no word of the text
    assert corpus.word_ids[0] == corpus.word_ids[8]  # in uniform case
    assert len(set(corpus.words)) == len(corpus.words)
    assert [corpus.words[i] for i in corpus.word_ids[:3]] == ["diane", "sawyer", "left"]
    assert [corpus.tag_names[t] for t in corpus.tags[5:8]] == ["CAP", "MXC", "PNC"]
    assert np.bincount(corpus.tags).tolist() == [3, 3, 1, 2, 3]  # in the order of tags
    assert corpus.starts.tolist() == [0, 5, 11, 12]
    assert np.flatnonzero(corpus.is_initial).tolist() == [0, 5, 11]
    assert corpus.sentence_ids.tolist() == [0] * 5 + [1] * 6 + [2]
    kinds = {
        "word_ids": "int32", "form_ids": "int32", "tags": "int8", "starts": "int64",
        "sentence_ids": "int64", "is_initial": "bool",
    }  # fmt: skip
    for name, kind in kinds.items():
        assert getattr(corpus, name).dtype == getattr(corpus.take([2, 1]), name).dtype == kind


@steady
@given(some_sentences)
def test_any_sentences_come_back_as_written(sentences):
    assert all_sentences(Corpus.from_sentences(sentences)) == sentences


@pytest.mark.parametrize("sentences", [[], [[]], [[], []]])
def test_a_corpus_without_words_is_refused(sentences):
    with pytest.raises(InputError, match="news: no words in it"):
        Corpus.from_sentences(sentences, "news")


def test_text_added_in_pieces_makes_the_same_corpus(corpus):
    builder = CorpusBuilder()
    for sentence in SENTENCES:
        builder.add(sentence, [len(sentence)])
    assert builder.build("pieces").fingerprint == corpus.fingerprint


def test_sentences_taken_keep_their_tags_and_the_fingerprint_depends_on_them_alone(corpus):
    assert Corpus.from_sentences([[], ["a"], []]).n_sentences == 1
    taken = corpus.take([1])
    assert taken.tags.tolist() == corpus.tags[5:11].tolist()
    assert taken.words is corpus.words
    assert re.fullmatch(r"[0-9a-f]{12}", corpus.fingerprint)
    assert Corpus.from_sentences(SENTENCES, "other").fingerprint == corpus.fingerprint
    assert corpus.take([1, 2]).fingerprint == Corpus.from_sentences(SENTENCES[1:]).fingerprint


def test_text_in_its_case_or_half_of_it_may_be_learned_from(corpus):
    assert corpus.require_cased() is corpus
    assert Corpus.from_sentences(["HE LEFT , she stayed".split()]).require_cased()


@pytest.mark.parametrize(
    "chosen", [[0], [2, 0], [1, 1], [], np.array([0, 2]), np.array([True, False, True])], ids=str
)
def test_taking_sentences_gives_them_in_the_order_asked(corpus, chosen):
    places = np.arange(3)[np.asarray(chosen, bool if len(chosen) == 3 else int)]
    assert all_sentences(corpus.take(chosen)) == [SENTENCES[i] for i in places]


@pytest.mark.parametrize(
    "sentences",
    [SENTENCES[:2], SENTENCES[::-1], [SENTENCES[0] + SENTENCES[1], SENTENCES[2]],
     [[word.lower() for word in sentence] for sentence in SENTENCES]],
    ids=["fewer", "in another order", "joined", "in lower case"],
)  # fmt: skip
def test_other_content_has_another_fingerprint(corpus, sentences):
    assert Corpus.from_sentences(sentences).fingerprint != corpus.fingerprint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("he left .", "news: no capital letter in 3 words; text in its natural case is needed"),
        ("5 , 6", "news: no capital letter in 3 words; text in its natural case is needed"),
        (
            "我们 去 北京 。",
            "news: its script has no upper and lower case, so there is nothing to restore",
        ),
        ("HE LEFT .", "news: 2 of 3 words are ALL CAPS; text in its natural case is needed"),
        ("I LEFT " + "ABC DEF " * 9, "news: 19 of 20 words are ALL CAPS; text in its natural case"),
    ],
)
def test_text_without_its_case_is_refused_in_a_line(text, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Corpus.from_sentences([text.split()], "news").require_cased()


@pytest.mark.parametrize("n_words", [1, 20, 100, 10**6])
def test_a_stretch_is_of_neighbouring_sentences_and_at_least_so_many_words(
    adaptation_corpus, rng, n_words
):
    corpus, places = adaptation_corpus, set()
    whole = [corpus.sentence(i) for i in range(corpus.n_sentences)]
    for _ in range(40):
        drawn = corpus.draw_stretch(n_words, rng)
        own = [drawn.sentence(i) for i in range(drawn.n_sentences)]
        first = whole.index(own[0])
        assert own == whole[first : first + len(own)]
        assert len(drawn) >= min(n_words, len(corpus))
        assert len(drawn) - len(own[-1]) < n_words
        places.add(first)
    assert len(places) > 3 or n_words > len(corpus)
