"""Tags that are allowed word by word: decoding and probabilities, against enumeration."""

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import oracles
import pytest
from test_interpolation import best_by_enumeration

from workbench.features.events import pack_events
from workbench.features.selection import select_features
from workbench.features.templates import Template, find_templates
from workbench.models.crf import CRF
from workbench.models.interpolation import Interpolation
from workbench.models.memm import MEMM
from workbench.models.prediction import PredictionTraining
from workbench.models.unigram import Unigram
from workbench.text.casing import TAGS, Tag
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

WORDS = "Rain . IBM PrimeTime and of new York mines ,COMMA may 12 quux".split()
WITH_TAG = Template("word,t-1", (0,), 1, lambda word, tag: f"{word},{tag}")
KINDS = {
    "memm": (MEMM, find_templates("ca04")),
    "memm, words with tags": (MEMM, (*find_templates("ca04"), WITH_TAG)),
    "crf": (CRF, CRF.usable_templates(find_templates("ca04"))),
}


def random_model(kind, templates, corpus, rng, size=2.0):
    features = select_features(pack_events(corpus, templates), 0)
    weights = size * rng.normal(size=features.exists.shape) * features.exists
    return kind(templates, features, weights, {})


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def model(request, background_corpus, rng):
    """A model with random weights, under which every history matters."""
    return random_model(*request.param, background_corpus, rng)


@pytest.fixture
def interpolation(background_corpus, rng):
    sides = [random_model(*KINDS[kind], background_corpus, rng) for kind in list(KINDS)[:2]]
    return Interpolation(*sides, 0.4, {})


@pytest.fixture
def text(rng):
    """Sentences of one to five words."""
    sentences = [[WORDS[i] for i in rng.integers(0, len(WORDS), n)] for n in (1, 5, 2, 4, 3, 1)]
    return Corpus.from_sentences(sentences)


def draw_allowed(rng, n_words, share=0.5):
    """Some tags of each word, at least one."""
    allowed = rng.random((n_words, len(TAGS))) < share
    allowed[np.arange(n_words), rng.integers(0, len(TAGS), n_words)] = True
    return allowed


def force(tags):
    return np.asarray(tags)[:, None] == np.arange(len(TAGS))


def each_sentence(model, corpus, allowed):
    """Yield place and enumerated sequences, of allowed tags alone, of every sentence."""
    is_chain = isinstance(model, CRF)
    enumerate_all = oracles.chain_probabilities if is_chain else oracles.enumerate_sequences
    for a, b in pairwise(corpus.starts.tolist()):
        words = [corpus.words[i] for i in corpus.word_ids[a:b]]
        sequences = enumerate_all(oracles.weights_of(model), model.templates, words)
        yield slice(a, b), oracles.keep_allowed(sequences, allowed[a:b])


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_tags_and_probabilities_are_those_of_all_sequences_that_are_allowed(
    model, text, rng, share
):
    allowed = draw_allowed(rng, len(text), share)
    tags = model.tag(text, allowed)
    for place, sequences in each_sentence(model, text, allowed):
        found = sequences[tuple(tags[place].tolist())]  # a KeyError if they are not allowed
        assert found == pytest.approx(max(sequences.values()), rel=1e-9)
    probabilities = model.probabilities(text, allowed)
    assert not probabilities[~allowed].any()
    for place, sequences in each_sentence(model, text, allowed):
        summed = oracles.tag_marginals(sequences, place.stop - place.start)
        np.testing.assert_allclose(probabilities[place], summed, rtol=1e-9, atol=1e-14)


def test_a_word_that_is_bound_changes_those_around_it(model, text):
    """No word is normalized again alone: what is allowed later counts for those before, too."""
    free = model.probabilities(text)
    second = text.starts[1] + 1  # of a sentence of five words
    allowed = np.ones_like(free, bool)
    allowed[second] = np.arange(len(TAGS)) == free[second].argmin()
    bound = model.probabilities(text, allowed)
    changed = np.flatnonzero(~np.isclose(free, bound, rtol=1e-6).all(axis=1))
    assert {second - 1, second, second + 1} <= set(changed.tolist())
    assert changed[0] >= text.starts[1]
    assert changed[-1] < text.starts[2]


def test_where_all_is_allowed_nothing_changes(model, interpolation, adaptation_corpus):
    everything = np.ones((len(adaptation_corpus), len(TAGS)), bool)
    for each in (model, interpolation):
        tags = each.tag(adaptation_corpus, everything)
        assert np.array_equal(tags, each.tag(adaptation_corpus))
    plain = model.probabilities(adaptation_corpus)
    assert np.array_equal(model.probabilities(adaptation_corpus, everything), plain)


def test_sentences_without_a_bound_word_are_tagged_as_ever(model, adaptation_corpus, rng):
    is_bound = adaptation_corpus.sentence_ids % 2 == 0
    allowed = draw_allowed(rng, len(is_bound)) | ~is_bound[:, None]
    tags = model.tag(adaptation_corpus, allowed)
    assert np.array_equal(tags[~is_bound], model.tag(adaptation_corpus)[~is_bound])
    assert allowed[np.arange(len(tags)), tags].all()


def test_a_long_sentence_keeps_to_what_is_allowed(model, adaptation_corpus, rng):
    words = [form for i in range(20) for form in adaptation_corpus.sentence(i)] * 5
    long, allowed = Corpus.from_sentences([words]), draw_allowed(rng, len(words), 0.1)
    tags = model.tag(long, allowed)
    assert allowed[np.arange(len(words)), tags].all()
    sums = model.probabilities(long, allowed).sum(axis=1)
    np.testing.assert_allclose(sums, 1, rtol=1e-9)


@pytest.mark.parametrize("size", [1.0, 1e5])
def test_one_tag_a_word_is_what_it_has(model, interpolation, adaptation_corpus, rng, size):
    """However improbable it is: of 1e5 times the weights most have no probability at all."""
    model = replace(model, weights=size * model.weights)
    tags = rng.integers(0, len(TAGS), len(adaptation_corpus))
    assert np.array_equal(model.tag(adaptation_corpus, force(tags)), tags)
    probabilities = model.probabilities(adaptation_corpus, force(tags))
    np.testing.assert_allclose(probabilities, force(tags), atol=1e-12)
    assert np.array_equal(interpolation.tag(adaptation_corpus, force(tags)), tags)


def test_models_and_interpolations_have_the_best_sequence_that_is_allowed(
    background, text, rng, interpolation
):
    allowed = draw_allowed(rng, len(text), 0.7)
    tags = background.tag(text, allowed)
    for place, sequences in each_sentence(background, text, allowed):
        assert tuple(tags[place].tolist()) == max(sequences, key=sequences.get)
    allowed = draw_allowed(rng, len(text), 0.4)
    tags = interpolation.tag(text, allowed)
    for a, b in pairwise(text.starts.tolist()):
        _, probability = best_by_enumeration(
            interpolation, [text.words[i] for i in text.word_ids[a:b]]
        )
        best = max(map(probability, product(*map(np.flatnonzero, allowed[a:b]))))
        assert allowed[np.arange(a, b), tags[a:b]].all()
        assert probability(tuple(tags[a:b].tolist())) == pytest.approx(best, rel=1e-9)


def test_a_model_of_predictions_takes_what_is_allowed(background, rng, adaptation_corpus):
    problem = PredictionTraining(background, adaptation_corpus)
    model = problem.model(rng.normal(size=len(problem.mean)))
    tags = rng.integers(0, len(TAGS), len(adaptation_corpus))
    assert np.array_equal(model.tag(adaptation_corpus, force(tags)), tags)
    assert not np.array_equal(model.tag(adaptation_corpus), tags)


def test_a_unigram_keeps_its_tags_where_they_are_allowed(background_corpus, adaptation_corpus):
    model = Unigram.fit(background_corpus)
    plain = model.tag(adaptation_corpus)
    everything = np.ones((len(plain), len(TAGS)), bool)
    assert np.array_equal(model.tag(adaptation_corpus, everything), plain)
    not_lower = everything & (np.arange(len(TAGS)) != Tag.LOC)
    expected = np.where(plain == Tag.LOC, Tag.CAP, plain)  # the first that is left
    assert np.array_equal(model.tag(adaptation_corpus, not_lower), expected)


@pytest.mark.parametrize("kind", ["tag", "probabilities"])
def test_a_word_without_an_allowed_tag_is_named(model, text, kind):
    allowed = np.ones((len(text), len(TAGS)), bool)
    allowed[2] = False
    word = text.words[text.word_ids[2]]
    with pytest.raises(InputError, match=f"word 3, '{word}', has no allowed tag") as caught:
        getattr(model, kind)(text, allowed)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fit", [Unigram.fit, lambda corpus: MEMM.fit(corpus, cutoff=3)])
@pytest.mark.parametrize("wrong", [np.ones((3, 5)), np.ones((3, 4), bool), np.ones(5, bool)])
def test_another_array_is_refused(background_corpus, fit, wrong):
    model, corpus = fit(background_corpus), Corpus.from_sentences([["he", "left", "Boston"]])
    with pytest.raises(InputError, match=r"array of bool of shape \(3, 5\)"):
        model.tag(corpus, wrong)
