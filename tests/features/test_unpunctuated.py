"""Text without punctuation and sentence ends: made, told apart, learnt from and measured on."""

import json

import numpy as np
import pytest
from model_files import rewrite
from test_contexts import unpack

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.evaluation.error_rates import score
from workbench.features.events import pack_events
from workbench.features.packing import pack_contexts
from workbench.features.templates import TEMPLATE_SETS, find_templates, predicates_of
from workbench.features.unpunctuated import (
    check_share,
    find_unpunctuated,
    is_unpunctuated,
    learn_twice,
    split_unpunctuated,
)
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.casing import Tag
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus

READ = find_templates("ca04 unpunctuated")


def sentences_of(corpus):
    return [corpus.sentence(i) for i in range(corpus.n_sentences)]


def without_marks(corpus, sentences):
    """The words of some sentences that are not punctuation, one after another."""
    places = np.flatnonzero(np.isin(corpus.sentence_ids, sentences) & (corpus.tags != Tag.PNC))
    return [corpus.forms[form] for form in corpus.form_ids[places]]


@pytest.fixture(scope="module")
def twice(background_corpus):
    return learn_twice(background_corpus, 1)


@pytest.fixture(scope="module")
def taught(background_corpus):
    """A model that learnt its text a second time, without boundaries."""
    return MEMM.fit(background_corpus, cutoff=0, drop_boundaries=1)


# --- the text -----------------------------------------------------------------------------


def test_a_text_is_followed_by_itself_in_runs_of_twenty_sentences(background_corpus, twice):
    n = background_corpus.n_sentences
    assert sentences_of(twice)[:n] == sentences_of(background_corpus)
    runs = [range(first, min(first + 20, n)) for first in range(0, n, 20)]
    assert sentences_of(twice)[n:] == [without_marks(background_corpus, list(r)) for r in runs]
    assert [twice.words[w] for w in twice.word_ids] == [
        form.lower() for i in range(twice.n_sentences) for form in twice.sentence(i)
    ]


def test_labelled_words_keep_their_punctuation(tmp_path):
    (tmp_path / "a.tag").write_text("He PRP\nran VBD\n. .\n")
    corpus = read_corpus(tmp_path / "a.tag")
    for refused in (lambda: learn_twice(corpus, 1), lambda: split_unpunctuated(corpus, 9)):
        with pytest.raises(InputError, match="without punctuation"):
            refused()


def test_a_share_is_some_of_the_runs_and_always_the_same_ones(background_corpus):
    many = background_corpus.take(np.arange(1000) % background_corpus.n_sentences)
    again = [learn_twice(many, 0.3) for _ in range(2)]
    assert again[0].fingerprint == again[1].fingerprint
    drawn = sentences_of(again[0])[1000:]
    assert 5 <= len(drawn) <= 25  # of 50
    runs = [without_marks(many, list(range(first, first + 20))) for first in range(0, 1000, 20)]
    assert all(sentence in runs for sentence in drawn)


def test_a_text_is_cut_after_so_many_words_or_none_and_its_sentences_are_known(background_corpus):
    cut = split_unpunctuated(background_corpus, 7)
    words = without_marks(background_corpus, range(background_corpus.n_sentences))
    assert sentences_of(cut) == [words[i : i + 7] for i in range(0, len(words), 7)]
    firsts = [
        next(w for w in background_corpus.sentence(i) if any(map(str.isalnum, w)))
        for i in range(background_corpus.n_sentences)
    ]
    assert [cut.forms[f] for f in cut.form_ids[cut.began_sentence]] == firsts
    cut, n = split_unpunctuated(background_corpus, 0), background_corpus.n_sentences
    assert sentences_of(cut) == [without_marks(background_corpus, [i]) for i in range(n)]
    assert np.array_equal(cut.began_sentence, cut.is_initial)


def test_words_are_not_initial_by_the_sentences_as_written(background_corpus):
    cut = split_unpunctuated(background_corpus, 7)
    tags = np.full(len(cut), Tag.LOC, np.int8)
    later = [w for i in range(background_corpus.n_sentences)
             for w in without_marks(background_corpus, [i])[1:]]  # fmt: skip
    expected = np.mean([word != word.lower() for word in later])
    assert score(cut, tags, {}).error_rate_not_initial == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("share", [0, 1e-12])
def test_where_no_run_is_drawn_the_text_stays_as_it_is(background_corpus, share):
    assert learn_twice(background_corpus, share).fingerprint == background_corpus.fingerprint


def test_a_text_of_punctuation_alone_is_refused():
    with pytest.raises(InputError, match="t: nothing but punctuation"):
        split_unpunctuated(Corpus.from_sentences([[".", "!"]], "t"), 9)


def test_a_crf_learns_it_too(background_corpus):
    model = CRF.fit(background_corpus, cutoff=0, drop_boundaries=1)
    cut = split_unpunctuated(background_corpus, 100)
    assert (model.tag(cut) != cut.tags).mean() < 0.02


@pytest.mark.parametrize("share", ["half", None, -0.1, 1.1, float("nan"), True])
def test_what_is_no_share_is_refused(share):
    with pytest.raises(InputError, match="a share from 0 to 1 is allowed"):
        check_share(share)


# --- templates ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["a"] * 51, True), (["a"] * 50, False), (["a"] * 51 + ["."], False), (["5"] * 51, True)],
)
def test_only_a_long_sentence_without_a_mark_is_taken_for_such_text(words, expected):
    assert is_unpunctuated(words) is expected
    assert find_unpunctuated(Corpus.from_sentences([["A"], words])).tolist() == [
        False, *[expected] * len(words),
    ]  # fmt: skip


def test_templates_of_such_text_fire_there_alone():
    words = ["it", "rose", *["then"] * 50]
    names = [f"unpunctuated,{name}" for name in (
        "currentword=rose", "previousword=it", "nextword=then",
        "previousword,currentword=it,rose", "currentword,nextword=rose,then",
    )]  # fmt: skip
    assert predicates_of(find_templates("unpunctuated"), words, 1, ("CAP",)) == names
    assert predicates_of(find_templates("unpunctuated"), [*words, "."], 1, ("CAP",)) == []
    edge = predicates_of(find_templates("unpunctuated"), words, 0, ())
    assert not any("previousword" in predicate for predicate in edge)


@pytest.mark.parametrize("pack", [pack_contexts, pack_events])
def test_contexts_are_packed_as_a_plain_loop_finds_them(twice, pack):
    plain, tags = [], [twice.tag_names[tag] for tag in twice.tags]
    for a, b in zip(twice.starts, twice.starts[1:], strict=False):
        words = [twice.words[i] for i in twice.word_ids[a:b]]
        for i in range(b - a):
            last = tags[max(a, a + i - 2) : a + i][::-1]
            plain.append(tuple(sorted(predicates_of(READ, words, i, last))))
    packed = [(predicates, count) for _, count, predicates in unpack(pack(twice, READ))]
    assert {predicates for predicates, _ in packed} == set(plain)
    assert sum(count for _, count in packed) == len(plain)
    assert sum("unpunctuated,currentword" in p for row in plain for p in row) > 100


# --- models -------------------------------------------------------------------------------


def test_what_learnt_such_text_finds_hidden_starts_and_loses_nothing_else(
    background_corpus, background, taught
):
    cut = split_unpunctuated(background_corpus, 100)

    def errors(model, text):
        wrong = model.tag(text) != text.tags
        return wrong[text.began_sentence].sum(), wrong[~text.began_sentence].sum()

    assert errors(taught, cut)[0] < 0.2 * errors(background, cut)[0]
    assert errors(taught, background_corpus) == (0, 0)


def test_an_ordinary_model_has_nothing_of_it(background):
    assert "drop_boundaries" not in background.info
    assert not {t.name for t in background.templates} & set(TEMPLATE_SETS["unpunctuated"])


def test_adaptation_learns_as_the_background_did(taught, adaptation_corpus):
    adapted = adapt(taught, adaptation_corpus, sigma2=1.0)
    assert adapted.info["drop_boundaries"] == 1
    assert adapted.info["text"] == adaptation_corpus.fingerprint
    plain = MEMM(taught.templates, taught.features, taught.weights, {}, {"name": "plain"})
    expected = adapt(plain, learn_twice(adaptation_corpus, 1), sigma2=1.0)
    assert adapted.features.names() == expected.features.names()
    assert adapted.weights == pytest.approx(expected.weights, abs=1e-6)


def test_a_sentence_that_is_learnt_twice_is_not_left_out_in_part(taught, adaptation_corpus):
    with pytest.raises(InputError, match="learnt twice, once without boundaries"):
        Adaptation(taught, adaptation_corpus).without([0])


def test_the_share_is_in_the_file_and_checked(taught, background_corpus, tmp_path):
    path = tmp_path / "a.model"
    taught.save(path)
    loaded = load_model(path)
    assert loaded.drop_boundaries == 1
    cut = split_unpunctuated(background_corpus, 100)
    assert np.array_equal(loaded.tag(cut), taught.tag(cut))
    rewrite(path, lambda header: header["info"].update(drop_boundaries="all"))
    with pytest.raises(InputError, match="a share that is not from 0 to 1"):
        load_model(path)


# --- files and commands -------------------------------------------------------------------


def test_commands_train_adapt_and_measure(run, place, output):
    options = ("--drop-boundaries", "1", "--cutoff", "0")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    assert "drop_boundaries" in run("inspect", output)[1]
    adapted = output.with_name("talk.model")
    assert run("adapt", output, place / "talk", "-o", adapted, "--sigma2", "1")[0] == 0
    measured = ("--test", place / "news.txt", "--unpunctuated", "100", "--json")
    result = json.loads(run("evaluate", place / "news.model", adapted, *measured)[1])
    before, after = (row["error_rate"] for row in result["models"])
    assert result["words"] < 500
    assert after < 0.5 * before


@pytest.mark.parametrize(
    ("options", "why"),
    [(("--drop-boundaries", "2"), "drop boundaries 2: a share from 0 to 1"),
     (("--drop-boundaries", "1", "--model", "1gram"), "--drop-boundaries 1: a 1gram has no")],
)  # fmt: skip
def test_what_cannot_be_trained_is_refused(refuse, place, output, options, why):
    assert why in refuse("train", place / "news.txt", "-o", output, *options)


def test_a_number_of_words_below_zero_is_refused(refuse, place):
    text = ("--test", place / "news.txt")
    message = refuse("evaluate", place / "news.model", *text, "--unpunctuated", "-1")
    assert "unpunctuated -1: a number of words, 0 or more" in message
