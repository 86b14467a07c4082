"""The MEMM: training, exact decoding and probabilities, against enumeration."""

from dataclasses import replace

import numpy as np
import oracles
import pytest

from workbench.features import templates as template_table
from workbench.features.events import pack_events
from workbench.features.selection import Features, select_features
from workbench.features.templates import Template, find_templates
from workbench.inference.memm import scores
from workbench.inference.memm.decoding import fill_best_paths
from workbench.inference.memm.greedy import tag_greedily
from workbench.inference.memm.scores import Spans, mix
from workbench.models.memm import MEMM, PackedText
from workbench.text.casing import TAGS, Tag
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

CLOSE = 1e-9  # exponentials of sums of some ten weights, in another order
WORDS = "Rain . IBM PrimeTime and of new York mines ,COMMA may 12".split()
PAIR = Template("pair-1", (-1, 0), 0, lambda a, b: f"{a},{b}")
WITH_TAG = Template("word,t-1", (0,), 1, lambda word, tag: f"{word},{tag}")
TEMPLATE_SETS = {
    "ca04": find_templates("ca04"),
    "no history": find_templates(["currentword", "prefix1"]),
    "one tag back": find_templates(["currentword", "t-1"]),
    "two tags back alone": find_templates(["t-1,2"]),
    "words with the last tag": (*find_templates("ca04"), WITH_TAG),
    "word pairs": (*find_templates(["currentword", "t-1,2"]), PAIR),
}


def sentences_of(rng, lengths):
    return [[WORDS[i] for i in rng.integers(0, len(WORDS), n)] for n in lengths]


@pytest.fixture
def text(rng):
    """Sentences of one to five words, some of them unknown to the model."""
    return Corpus.from_sentences([*sentences_of(rng, [1, 2, 5, 1, 4, 3]), ["Quux", "quuux"]])


@pytest.fixture(params=TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
def random_model(request, background_corpus, rng):
    """A model with random weights, under which every history matters."""
    fitted = _fit_nothing(background_corpus, request.param)
    weights = 2 * rng.normal(size=fitted.weights.shape) * fitted.features.exists
    return replace(fitted, weights=weights)


def _fit_nothing(corpus, templates):
    features = select_features(pack_events(corpus, templates), 0)
    return MEMM(templates, features, np.zeros(features.exists.shape), {})


def each_sentence(model, corpus):
    """Yield place and enumerated sequences of every sentence."""
    weights = oracles.weights_of(model)
    for a, b in zip(corpus.starts, corpus.starts[1:], strict=False):
        words = [corpus.words[i] for i in corpus.word_ids[a:b]]
        yield slice(a, b), oracles.enumerate_sequences(weights, model.templates, words)


def test_tags_and_probabilities_are_those_of_all_sequences(random_model, text):
    totals = [sum(sequences.values()) for _, sequences in each_sentence(random_model, text)]
    assert totals == pytest.approx([1.0] * text.n_sentences)
    tags = random_model.tag(text)
    for place, sequences in each_sentence(random_model, text):
        best = max(sequences.values())
        assert sequences[tuple(tags[place].tolist())] == pytest.approx(best, rel=CLOSE)
    probabilities = random_model.probabilities(text)
    for place, sequences in each_sentence(random_model, text):
        summed = oracles.tag_marginals(sequences, place.stop - place.start)
        assert probabilities[place] == pytest.approx(summed, rel=CLOSE, abs=1e-15)


def test_a_word_has_no_more_paths_than_tags(random_model):
    paths = random_model.best_paths(Corpus.from_sentences([["May"], ["new", "York"]]), 7)
    assert sorted(paths.tags[:5, 0]) == sorted(Tag)
    assert (paths.tags[5:, 0] == -1).all()
    assert (paths.log_probabilities[5:, 0] == -np.inf).all()
    assert np.isfinite(paths.log_probabilities[:, 1]).all()


# --- sentences that leave no doubt --------------------------------------------------------


def certain_tags(model, corpus):
    """What ``tag_greedily`` does alone: tags, and which sentences are left."""
    tags, spans = np.full(len(corpus), -1, np.int8), spans_of(corpus)
    return tags, tag_greedily(mixture_of(model, corpus), (0.0,) * 5, spans, tags)


def mixture_of(model, corpus):
    return mix([model.pack(corpus).scores(model.weights)])


def spans_of(corpus):
    return Spans(corpus.starts[:-1], np.diff(corpus.starts))


@pytest.mark.parametrize("size", [0.3, 1.0, 4.0])
def test_sentences_said_to_be_certain_have_their_best_tags(random_model, rng, size):
    model = replace(random_model, weights=size * random_model.weights)
    text = Corpus.from_sentences(sentences_of(rng, [1, 2, 3, 4, 5] * 8))
    tags, is_left = certain_tags(model, text)
    assert 0 < is_left.sum() < len(is_left)
    sequences = [(place, found) for place, found in each_sentence(model, text)]
    for place, found in np.array(sequences, object)[~is_left]:
        assert found[tuple(tags[place].tolist())] == pytest.approx(max(found.values()), rel=CLOSE)


def test_most_real_sentences_are_certain_and_have_the_tags_of_viterbi(
    background, adaptation_corpus
):
    tags, is_left = certain_tags(background, adaptation_corpus)
    settled = np.repeat(~is_left, np.diff(adaptation_corpus.starts))
    assert 0.5 < (~is_left).mean() < 1
    starts, lengths = spans_of(adaptation_corpus)
    order, every = np.argsort(-lengths, kind="stable"), np.empty((1, len(tags)), np.int8)
    spans = Spans(starts[order], lengths[order])
    fill_best_paths(mixture_of(background, adaptation_corpus), spans, every)
    assert np.array_equal(tags[settled], every[0, settled])


def test_where_tags_are_equally_probable_no_sentence_is_certain(background, text):
    blank = replace(background, weights=np.zeros_like(background.weights))
    assert certain_tags(blank, text)[1].all()


def test_a_tag_that_leads_astray_is_not_certain_and_a_path_of_next_to_no_probability_not_lost(
    background_corpus,
):
    fitted = _fit_nothing(background_corpus, find_templates(["currentword", "t-1"]))
    names, weights = fitted.features.names(), np.zeros(fitted.weights.shape)
    weights[names.index("currentword=new"), Tag.CAP] = 1.0
    weights[names.index("t-1=LOC"), Tag.LOC] = 8.0  # what comes after CAP is anybody's guess
    model, corpus = replace(fitted, weights=weights), Corpus.from_sentences([["new", "xyz"]])
    assert certain_tags(model, corpus)[1].all()
    assert model.tag(corpus).tolist() == [Tag.LOC, Tag.LOC]
    weights[names.index("currentword=new"), Tag.CAP] = 600  # nats: e**-600 is below the floor
    weights[names.index("t-1=CAP"), Tag.LOC] = 300
    model = replace(fitted, weights=weights)
    assert model.tag(Corpus.from_sentences([["new", "new"]])).tolist() == [Tag.CAP, Tag.CAP]


# --- the k best ---------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 9])
def test_best_paths_are_the_best_of_all_sequences(random_model, text, k):
    paths = random_model.best_paths(text, k)
    for s, (place, sequences) in enumerate(each_sentence(random_model, text)):
        best, n = sorted(sequences.values(), reverse=True)[:k], min(k, len(sequences))
        found = [tuple(tags) for tags in paths.tags[:n, place].tolist()]
        assert len(set(found)) == n
        assert [sequences[tags] for tags in found] == pytest.approx(best, rel=CLOSE)
        assert np.exp(paths.log_probabilities[:n, s]) == pytest.approx(best, rel=CLOSE)


def test_the_best_path_of_a_real_text_is_that_of_viterbi(background, adaptation_corpus):
    paths = background.best_paths(adaptation_corpus, 3)
    assert np.array_equal(paths.tags[0], background.tag(adaptation_corpus))
    assert (np.diff(paths.log_probabilities, axis=0) <= 0).all()


def test_long_sentences_and_unknown_words_are_tagged(background, background_corpus):
    words = [form for i in range(40) for form in background_corpus.sentence(i)]
    paths = background.best_paths(Corpus.from_sentences([words]), 200)
    assert len(np.unique(paths.tags, axis=0)) == 200
    assert (np.diff(paths.log_probabilities[:, 0]) <= CLOSE).all()
    words = [form for i in range(40) for form in background_corpus.sentence(i)] * 30
    tags = background.tag(Corpus.from_sentences([words]))
    assert len(tags) == len(words)
    assert tags.max() < len(TAGS)
    tags = background.tag(Corpus.from_sentences([["Ωμέγα"], ["ლარი", "日本"]]))
    assert len(tags) == 3


# --- probabilities ------------------------------------------------------------------------


@pytest.mark.parametrize("size", [50.0, 2000.0, 1e5])
def test_huge_weights_still_give_probabilities(background, adaptation_corpus, size):
    huge = replace(background, weights=size * background.weights)
    sums = huge.probabilities(adaptation_corpus).sum(axis=1)
    assert sums == pytest.approx(np.ones(len(adaptation_corpus)), rel=CLOSE)


def test_a_packed_text_gets_the_same_tags_sentence_by_sentence(background, adaptation_corpus):
    alone = [
        background.tag(adaptation_corpus.take(np.array([i])))
        for i in range(adaptation_corpus.n_sentences)
    ]
    assert np.array_equal(np.concatenate(alone), background.tag(adaptation_corpus))
    wrong = replace(adaptation_corpus, tags=np.full_like(adaptation_corpus.tags, Tag.MXC))
    assert np.array_equal(background.tag(wrong), background.tag(adaptation_corpus))
    packed = background.pack(adaptation_corpus)
    assert np.array_equal(background.tag(packed), background.tag(adaptation_corpus))
    assert np.array_equal(
        background.probabilities(packed), background.probabilities(adaptation_corpus)
    )
    other = _fit_nothing(adaptation_corpus, background.templates)
    packed = PackedText.of(adaptation_corpus, other.templates, other.features, other.tag_names)
    assert np.array_equal(background.tag(packed), background.tag(adaptation_corpus))


def test_probabilities_of_a_word_sum_to_one_and_tags_are_the_best_of_all_sequences(
    background, adaptation_corpus, text
):
    sums = background.probabilities(adaptation_corpus).sum(axis=1)
    assert sums == pytest.approx(np.ones(len(adaptation_corpus)), rel=CLOSE)
    tags = background.tag(text)
    for place, sequences in each_sentence(background, text):
        assert tuple(tags[place].tolist()) == max(sequences, key=sequences.get)


def test_fitted_weights_are_those_of_scipy(few_sentences):
    model = MEMM.fit(few_sentences, cutoff=2, sigma2=2.0, tolerance=1e-13)
    events = oracles.count_events(few_sentences, model.templates)
    pairs = oracles.feature_pairs(model.features)
    best = oracles.fit_scipy(oracles.PlainProblem(events, pairs), np.zeros(len(pairs)), 2.0)
    # Within 1e-10 nats; with curvature 1/sigma2 = 0.5 that is 2e-5 in a weight.
    assert model.weights[model.features.exists] == pytest.approx(best, abs=2e-5)


def test_texts_of_some_tags_and_of_one_word_sentences_are_learned():
    corpus = Corpus.from_sentences([["Rain", "fell"], ["Snow", "fell"]])
    assert MEMM.fit(corpus, cutoff=0).tag(corpus).tolist() == [Tag.CAP, Tag.LOC] * 2
    corpus = Corpus.from_sentences([["Rain"], ["NASA"], ["."]] * 3)
    assert np.array_equal(MEMM.fit(corpus, cutoff=0).tag(corpus), corpus.tags)


def test_a_model_without_features_tags_all_tags_alike(background_corpus, adaptation_corpus):
    empty = MEMM.fit(background_corpus, cutoff=10**6)
    probabilities = empty.probabilities(adaptation_corpus)
    assert probabilities == pytest.approx(np.full(probabilities.shape, 0.2))
    model = MEMM(find_templates("ca04"), Features((), np.zeros((0, 5), bool)), np.zeros((0, 5)), {})
    assert len(model.tag(adaptation_corpus)) == len(adaptation_corpus)


def test_the_log_likelihood_told_is_that_of_the_training_tags_which_are_known_by_heart(
    background, background_corpus
):
    events = oracles.count_events(background_corpus, background.templates)
    looped = oracles.log_likelihood(oracles.weights_of(background), events)
    assert background.info["log_likelihood"] == pytest.approx(looped, rel=CLOSE)
    wrong = background.tag(background_corpus) != background_corpus.tags
    assert wrong.mean() < 0.01  # with all features and a wide prior it is known by heart


def test_weights_have_features_and_are_smaller_with_a_smaller_sigma2(background_corpus):
    model = MEMM.fit(background_corpus, cutoff=3)
    assert not model.weights[~model.features.exists].any()
    sizes = [np.abs(MEMM.fit(background_corpus, "ca04", 0, s).weights).sum() for s in (0.1, 1)]
    assert sizes == sorted(sizes)


def test_steps_of_training_are_told(background_corpus):
    seen = []
    MEMM.fit(background_corpus, on_step=seen.append)
    assert [step.iteration for step in seen] == list(range(len(seen)))
    assert len(seen) > 1


@pytest.mark.parametrize(("cutoff", "sigma2"), [(0, 1.0), (2, 0.1)])
def test_the_model_tells_how_it_was_made(background_corpus, cutoff, sigma2):
    info = MEMM.fit(background_corpus, cutoff=cutoff, sigma2=sigma2).info
    record = {
        name: info[name] for name in ("name", "words", "text", "cutoff", "sigma2", "converged")
    }
    assert record == {
        "name": "newswire", "words": len(background_corpus), "text": background_corpus.fingerprint,
        "cutoff": cutoff, "sigma2": sigma2, "converged": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cutoff": -1}, "cutoff -1"), ({"cutoff": np.nan}, "cutoff nan"),
        ({"sigma2": 0}, "sigma2 0"), ({"sigma2": -2}, "sigma2 -2"),
        ({"sigma2": np.nan}, "sigma2 nan"), ({"sigma2": "much"}, "sigma2 much"),
        ({"templates": "ca05"}, "ca05"), ({"templates": ["colour"]}, "colour"),
    ],
)  # fmt: skip
def test_a_bad_option_is_named(background_corpus, options, message):
    with pytest.raises(InputError, match=message):
        MEMM.fit(background_corpus, **options)


@pytest.mark.parametrize("text", ["all in lower case .", "ALL IN CAPITALS ."])
def test_text_without_natural_case_is_refused(text):
    with pytest.raises(InputError, match="natural case"):
        MEMM.fit(Corpus.from_sentences([text.split()]))


def test_a_new_template_set_is_all_a_new_model_needs(monkeypatch, background_corpus):
    monkeypatch.setitem(template_table.TEMPLATES, PAIR.name, PAIR)
    model = MEMM.fit(background_corpus, ["currentword", PAIR.name, "t-1,2"], cutoff=0)
    assert "pair-1=new,york" in model.features.names()


def test_threads_decode_what_one_thread_decodes(random_model, text, monkeypatch):
    alone, probabilities = random_model.tag(text), random_model.probabilities(text)
    monkeypatch.setattr(scores, "_SMALL", 0)
    monkeypatch.setattr(scores, "thread_count", lambda: 3)
    np.testing.assert_array_equal(random_model.tag(text), alone)
    np.testing.assert_array_equal(random_model.probabilities(text), probabilities)
