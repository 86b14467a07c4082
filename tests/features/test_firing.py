"""Which predicates rows fire: computed plainly, and with a cache of words."""

import numpy as np
import pytest

from workbench.features import firing
from workbench.features.events import pack_events
from workbench.features.firing import ChosenFillers, FiringCache, firing_matrix
from workbench.features.packing import pack_contexts
from workbench.features.selection import select_features
from workbench.features.templates import find_templates, predicates_of
from workbench.text.corpus import Corpus


@pytest.fixture(params=["ca04", "extended", "ca04 +ngram3"])
def templates(request):
    return find_templates(request.param)


@pytest.fixture
def features(background_corpus, templates):
    return select_features(pack_events(background_corpus, templates), 2)


def dense(matrix):
    return matrix.toarray()


def test_a_row_fires_the_predicates_of_its_context(features, templates, adaptation_corpus):
    contexts = pack_contexts(adaptation_corpus, templates)
    fired = dense(firing_matrix(contexts, features.values, features.n_predicates))
    sentence = adaptation_corpus.take(np.array([0]))
    words = [sentence.words[i] for i in sentence.word_ids]
    names = [adaptation_corpus.tag_names[t] for t in sentence.tags]
    known = set(features.names())
    for i in range(len(words)):
        last = tuple(names[max(0, i - 2) : i][::-1])
        expected = known & set(predicates_of(templates, words, i, last))
        found = np.flatnonzero(fired[contexts.rows[i]].sum(axis=0))
        assert {features.names()[p] for p in found} == expected


def test_the_cache_and_chosen_fillers_fire_the_same(features, templates, adaptation_corpus):
    cache = FiringCache(features.values, features.n_predicates)
    commas = [[",", "The", ","], ["a,b", ",", "the"], [",", "said", "the", "a,b"]]
    texts = [adaptation_corpus, Corpus.from_sentences([["the", "Zyx", "fell"], ["the"], *commas])]
    for text in [*texts, *texts]:
        contexts = pack_contexts(text, templates)
        plain = firing_matrix(contexts, features.values, features.n_predicates)
        assert np.array_equal(dense(cache.matrix(contexts)), dense(plain))
    chosen = ChosenFillers(FiringCache(features.values, features.n_predicates))
    contexts = pack_contexts(adaptation_corpus, templates, chosen)
    plain = pack_contexts(adaptation_corpus, templates)
    all_fired = firing_matrix(plain, features.values, features.n_predicates)
    assert contexts.n_rows == chosen.matrix().shape[0] < plain.n_rows
    for own, rows in zip(contexts.rows.T, plain.rows.T, strict=True):
        assert np.array_equal(dense(chosen.matrix()[own]), dense(all_fired[rows]))


def test_a_word_is_looked_up_once(features, templates, adaptation_corpus, monkeypatch):
    cache, looked_up = FiringCache(features.values, features.n_predicates), []
    fire = firing.fire_slot

    def count(slot, read, *rest):
        if len(slot.offsets) == 1 and not slot.n_tags:
            looked_up.extend(read)
        return fire(slot, read, *rest)

    monkeypatch.setattr(firing, "fire_slot", count)
    contexts = pack_contexts(adaptation_corpus, templates)
    cache.matrix(contexts)
    assert looked_up
    looked_up.clear()
    cache.matrix(contexts)
    assert not looked_up


@pytest.mark.parametrize("templates", ["extended"], indirect=True)
def test_a_template_is_joined_only_after_as_many_rows_as_it_has_values(
    features, templates, background_corpus, monkeypatch
):
    joined = []
    monkeypatch.setattr(firing, "join_values", lambda template, _: joined.append(template.name))
    cache = FiringCache(features.values, features.n_predicates)
    cache.matrix(pack_contexts(Corpus.from_sentences([["the"]]), templates))
    assert "previousword,currentword" not in joined
    cache.matrix(pack_contexts(background_corpus, templates))
    assert "previousword,currentword" in joined


def test_the_cache_starts_afresh_when_it_is_full(
    features, templates, adaptation_corpus, monkeypatch
):
    monkeypatch.setattr(firing, "_MOST_WORDS", 3)
    cache = FiringCache(features.values, features.n_predicates)
    contexts = pack_contexts(adaptation_corpus, templates)
    plain = firing_matrix(contexts, features.values, features.n_predicates)
    for _ in range(2):
        assert np.array_equal(dense(cache.matrix(contexts)), dense(plain))
