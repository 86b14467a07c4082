"""Interpolation of two MEMMs: exact decoding, files, and what is refused."""

import math
from itertools import product

import numpy as np
import oracles
import pytest

from workbench.models.interpolation import Interpolation
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.casing import TAGS, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError


@pytest.fixture(scope="module")
def models(adaptation_corpus, background_corpus):
    """One with all templates, one that reads words with tags: scores of both shapes."""
    inside = MEMM.fit(adaptation_corpus, ["currentword", "suffix1", "currentword,t-1"], 0, 1.0)
    return inside, MEMM.fit(background_corpus, "ca04", 0, 5.0)


@pytest.fixture(params=[0.0, 0.3, 0.8, 1.0])
def mixture(request, models):
    return Interpolation(*models, request.param, {"iphone": "iPhone"}, {"name": "both"})


def best_by_enumeration(model, words):
    """The best of all K^T tag sequences and its probability, each word mixed by hand."""
    sides = [(m.templates, oracles.weights_of(m)) for m in (model.inside, model.outside)]
    known = {}

    def local(i, last):
        if (i, last) not in known:
            names = [TAGS[tag] for tag in last]
            p, q = (
                np.exp(oracles.log_probabilities(w, oracles.predicates_of(t, words, i, names)))
                for t, w in sides
            )
            known[i, last] = model.share * p + (1 - model.share) * q
        return known[i, last]

    def probability(tags):
        return math.prod(local(i, tags[max(i - 2, 0) : i][::-1])[tag] for i, tag in enumerate(tags))

    return max(product(range(5), repeat=len(words)), key=probability), probability


@pytest.mark.parametrize(
    "sentence", ["May", "Apple said", "The Bush family left", "now , from New York"]
)
def test_decoding_is_exact(mixture, sentence):
    corpus = Corpus.from_sentences([sentence.split()])
    best, probability = best_by_enumeration(mixture, [wipe_case(w) for w in sentence.split()])
    found = tuple(mixture.tag(corpus).tolist())
    assert probability(found) == pytest.approx(probability(best), rel=1e-9)


def test_sentences_are_decoded_apart_packed_or_not(mixture, adaptation_corpus, models):
    parts = [
        mixture.tag(adaptation_corpus.take(np.array([i])))
        for i in range(adaptation_corpus.n_sentences)
    ]
    assert mixture.tag(adaptation_corpus).tolist() == np.concatenate(parts).tolist()
    packed = mixture.pack(adaptation_corpus)
    assert np.array_equal(mixture.tag(packed), mixture.tag(adaptation_corpus))
    other = Interpolation(models[1], models[0], 0.5, {}, {}).pack(adaptation_corpus)
    assert np.array_equal(mixture.tag(other), mixture.tag(adaptation_corpus))


def test_a_file_keeps_an_interpolation(mixture, adaptation_corpus, tmp_path):
    mixture.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert isinstance(loaded, Interpolation)
    assert (loaded.share, loaded.info, loaded.mixed_forms) == (
        mixture.share, mixture.info, mixture.mixed_forms,
    )  # fmt: skip
    assert loaded.inside.mixed_forms == mixture.inside.mixed_forms
    assert np.array_equal(loaded.tag(adaptation_corpus), mixture.tag(adaptation_corpus))


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_beyond_0_and_1_is_refused(models, share):
    with pytest.raises(InputError, match="share"):
        Interpolation(*models, share, {}, {})
