"""The CRF: decoding and marginals by enumeration, training, files, recasing."""

from itertools import pairwise

import numpy as np
import oracles
import pytest

from workbench.adaptation.adaptation import adapt
from workbench.features.templates import find_templates
from workbench.inference.chain import batches
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

SENTENCES = [["rain", "in", "new", "york"], ["nasa"], ["the", "ipod", "rose"]]


@pytest.fixture
def random_crf(crf, rng):
    weights = np.where(crf.features.exists, rng.normal(size=crf.weights.shape), 0.0)
    return CRF(crf.templates, crf.features, weights, crf.mixed_forms)


@pytest.fixture
def text():
    return Corpus.from_sentences(SENTENCES)


def chances_of(model, words):
    return oracles.chain_probabilities(oracles.weights_of(model), model.templates, words)


def test_tags_paths_and_probabilities_are_those_of_all_sequences(
    random_crf, text, crf, background_corpus
):
    best = [max((c := chances_of(random_crf, s)), key=c.get) for s in SENTENCES]
    assert random_crf.tag(text).tolist() == [tag for tags in best for tag in tags]
    summed = [oracles.tag_marginals(chances_of(random_crf, s), len(s)) for s in SENTENCES]
    np.testing.assert_allclose(random_crf.probabilities(text), np.concatenate(summed), atol=1e-12)
    blank = CRF(crf.templates, crf.features, np.zeros_like(crf.weights), {})
    assert not blank.tag(text).any()
    enumerated = [chances_of(random_crf, sentence) for sentence in SENTENCES]
    for k in (1, 2, 7, 30):
        check_best_paths(random_crf.best_paths(text, k), k, text, enumerated)
    paths = random_crf.best_paths(background_corpus, 4)
    np.testing.assert_array_equal(paths.tags[0], random_crf.tag(background_corpus))
    alone = random_crf.best_paths(background_corpus, 1)
    np.testing.assert_array_equal(paths.tags[:1], alone.tags)
    np.testing.assert_allclose(paths.log_probabilities[:1], alone.log_probabilities)
    ranked = paths.log_probabilities
    assert (ranked[1:] <= ranked[:-1]).all()


def check_best_paths(paths, k, text, enumerated):
    assert paths.tags.shape == (k, len(text))
    for s, (a, b) in enumerate(pairwise(text.starts.tolist())):
        chances = enumerated[s]
        n, ranked = min(k, len(chances)), sorted(chances, key=chances.get, reverse=True)
        assert [tuple(path) for path in paths.tags[:n, a:b].tolist()] == ranked[:n]
        known = np.log([chances[path] for path in ranked[:n]])
        np.testing.assert_allclose(paths.log_probabilities[:n, s], known, atol=1e-9)
        assert np.isneginf(paths.log_probabilities[n:, s]).all()  # one word has five sequences
        assert (paths.tags[n:, a:b] == -1).all()


def test_training_ends_where_the_gradient_is_the_pull_of_the_prior():
    corpus = Corpus.from_sentences([["Rain", "in", "New", "York"], ["NASA", "said", "."]] * 2)
    model = CRF.fit(corpus, ["currentword", "t-1"], cutoff=0, sigma2=0.7, tolerance=1e-14)
    weights = model.weights[model.features.exists]
    sentences = corpus.take(np.arange(4))
    value, expected = oracles.enumerate_chain(model.templates, model.features, weights, sentences)
    events = oracles.count_features(oracles.count_events(corpus, model.templates))
    observed = [events[pair] for pair in oracles.feature_pairs(model.features)]
    assert model.info["log_likelihood"] == pytest.approx(value)
    np.testing.assert_allclose(observed - expected, weights / 0.7, atol=1e-5)


def test_on_one_word_sentences_a_crf_is_a_memm():
    corpus = Corpus.from_sentences([["Rain"], ["NASA"], ["snow"], ["rain"], ["iPod"], ["."]] * 2)
    options = {"templates": ["currentword", "suffix1", "t-1"], "cutoff": 0, "tolerance": 1e-13}
    memm, crf = MEMM.fit(corpus, **options), CRF.fit(corpus, **options)
    np.testing.assert_allclose(crf.weights, memm.weights, atol=1e-5)
    np.testing.assert_allclose(crf.probabilities(corpus), memm.probabilities(corpus), atol=1e-6)


def test_a_crf_without_features_knows_nothing_and_can_learn(background_corpus):
    empty = CRF.fit(background_corpus, cutoff=10**6)
    assert empty.info["features"] == 0
    np.testing.assert_allclose(empty.probabilities(background_corpus), 0.2)
    model = adapt(empty, background_corpus, 10.0)
    assert (model.tag(background_corpus) == background_corpus.tags).mean() > 0.99


def test_templates_of_longer_histories_are_left_out_but_none_at_all_is_refused(
    crf, background_corpus, text
):
    names = [template.name for template in crf.templates]
    assert names == [t.name for t in find_templates("ca04") if t.name != "t-1,2"]
    assert not any(name.startswith("t-1,2=") for name in crf.features.names())
    assert any(name == "t-1=CAP" for name in crf.features.names())
    model = CRF.fit(background_corpus, ["currentword"], cutoff=0)
    assert len(model.tag(text)) == len(text)
    with pytest.raises(InputError, match="reads words, or t-1"):
        CRF.fit(background_corpus, ["t-1,2", "currentword,t-1"])


def test_transitions_are_cut_off_like_all_features(background_corpus):
    kept = [CRF.fit(background_corpus, cutoff=n).features for n in (0, 20)]
    of_labels = [sum(name.startswith("t-1=") for name in f.names()) for f in kept]
    assert of_labels[0] > of_labels[1] > 0


def test_a_crf_knows_what_it_learned_looks_at_no_labels_and_is_kept_in_a_file(
    crf, background_corpus, text, tmp_path
):
    assert (crf.tag(background_corpus) == background_corpus.tags).mean() > 0.99
    assert crf.info["converged"]
    assert len(crf.tag(Corpus.from_sentences([["zzyzx"], ["q", "öö"]]))) == 3
    packed = crf.pack(text)
    np.testing.assert_array_equal(crf.tag(packed), crf.tag(text))
    np.testing.assert_array_equal(crf.probabilities(packed), crf.probabilities(text))
    blind = Corpus.from_sentences(
        [[w.lower() for w in background_corpus.sentence(i)] for i in range(40)]
    )
    seen = background_corpus.take(np.arange(40))
    np.testing.assert_array_equal(crf.tag(blind), crf.tag(seen))
    assert crf.recase("oil prices fell in new york .") == "Oil prices fell in New York ."
    crf.save(tmp_path / "a.model")
    model = load_model(tmp_path / "a.model")
    assert isinstance(model, CRF)
    assert model.info == crf.info
    np.testing.assert_array_equal(model.weights, crf.weights)
    np.testing.assert_array_equal(model.tag(text), crf.tag(text))


def test_threads_decode_what_one_thread_decodes(random_crf, background_corpus, monkeypatch):
    alone = random_crf.tag(background_corpus), random_crf.probabilities(background_corpus)
    monkeypatch.setattr(batches, "_SMALL", 0)
    monkeypatch.setattr(batches, "thread_count", lambda: 3)
    np.testing.assert_array_equal(random_crf.tag(background_corpus), alone[0])
    shared = random_crf.probabilities(background_corpus)
    np.testing.assert_allclose(shared, alone[1], rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("length", [1, 10_000])
def test_long_sentences_are_tagged_as_the_oracle_does(random_crf, length, rng):
    words = rng.choice(["rain", "new", "york", "nasa", "said"], length).tolist()
    large = CRF(random_crf.templates, random_crf.features, 300 * random_crf.weights, {})
    corpus = Corpus.from_sentences([words])
    tags = large.tag(corpus)
    assert np.isfinite(large.probabilities(corpus)).all()
    # With weights this large the most probable sequence has all the probability there is.
    np.testing.assert_array_equal(large.probabilities(corpus).argmax(axis=1), tags)
