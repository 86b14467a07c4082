"""An MEMM that reads another model's tags."""

from dataclasses import replace

import numpy as np
import pytest

from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods.target import Prediction
from workbench.features.firing import firing_matrix
from workbench.features.packing import add_column, pack_contexts
from workbench.features.selection import select_features
from workbench.features.templates import find_templates
from workbench.models.kinds import load_model
from workbench.models.prediction import PredictionMEMM, pack_with_predictions
from workbench.text.casing import TAGS

TEMPLATES = find_templates(["currentword", "t-1"])


@pytest.fixture(scope="module")
def model(background_corpus, adaptation_corpus):
    options = {"templates": "ca04", "cutoff": 0, "sigma2": 5.0}
    split = Split(background_corpus, adaptation_corpus, adaptation_corpus, options)
    return Prediction(Sources(split)).learn(sigma2=1.0)


def fired(contexts):
    """Predicates of each context; a list of sets."""
    features = select_features(contexts, 0)
    names = np.array(features.names())
    matrix = firing_matrix(contexts, features.values, features.n_predicates).toarray() > 0
    return [set(names[matrix[rows].any(axis=0)]) for rows in contexts.rows]


def test_the_tags_of_three_words_are_read(few_sentences):
    tags = few_sentences.tags
    for i, names in enumerate(fired(pack_with_predictions(few_sentences, TEMPLATES, tags))):
        first, last = i in few_sentences.starts, i + 1 in few_sentences.starts
        assert f"predicted={TAGS[tags[i]]}" in names
        assert f"predicted-1={'*bdw*' if first else TAGS[tags[i - 1]]}" in names
        assert f"predicted+1={'*bdw*' if last else TAGS[tags[i + 1]]}" in names


def test_a_column_leaves_the_other_predicates_as_they_were(few_sentences, rng):
    contexts = pack_contexts(few_sentences, TEMPLATES)
    places = rng.integers(2, size=len(few_sentences))
    both = fired(add_column(contexts, "colour", ["red", "blue"], places))
    expected = [
        names | {f"colour={('red', 'blue')[place]}"}
        for names, place in zip(fired(contexts), places.tolist(), strict=True)
    ]
    assert both == expected


def test_the_source_and_never_gold_tags_decide_what_is_read(model, adaptation_corpus):
    other = replace(adaptation_corpus, tags=np.zeros_like(adaptation_corpus.tags))
    assert np.array_equal(model.tag(other), model.tag(adaptation_corpus))
    packed = model.pack(adaptation_corpus)
    assert np.array_equal(model.tag(packed), model.tag(adaptation_corpus))
    assert model.probabilities(adaptation_corpus).sum(axis=1) == pytest.approx(1)
    before = model.tag(adaptation_corpus)
    weights = model.source.weights
    model.source.weights = np.zeros_like(weights)
    try:
        assert not np.array_equal(model.tag(adaptation_corpus), before)
    finally:
        model.source.weights = weights


def test_a_file_keeps_a_model_of_predictions(model, adaptation_corpus, tmp_path):
    model.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert isinstance(loaded, PredictionMEMM)
    assert (loaded.info, loaded.mixed_forms) == (model.info, model.mixed_forms)
    assert loaded.source.info == model.source.info
    assert np.array_equal(loaded.tag(adaptation_corpus), model.tag(adaptation_corpus))
