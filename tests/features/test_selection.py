"""Features: numbered, counted, cut off, united."""

import sys
from collections import Counter

import numpy as np
import oracles
import pytest

from workbench.features.events import pack_events
from workbench.features.firing import count_features, firing_matrix
from workbench.features.packing import pack_contexts
from workbench.features.predicates import names_of, number_by_template, pack_names
from workbench.features.selection import (
    Features,
    check_cutoff,
    select_features,
    select_with_firing,
    unite,
)
from workbench.features.templates import Template, find_templates, predicates_of
from workbench.text.casing import Tag
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

CA04 = find_templates("ca04")


@pytest.fixture(scope="module")
def events(background_corpus):
    return pack_events(background_corpus, CA04)


@pytest.fixture(scope="module")
def counted(background_corpus):
    return oracles.count_events(background_corpus, CA04)


@pytest.fixture(scope="module")
def united(background_corpus, adaptation_corpus):
    """Background features, adaptation features and their union."""
    background = select_features(pack_events(background_corpus, CA04), 3)
    new = select_features(pack_events(adaptation_corpus, CA04), 2)
    return background, new, unite(background, new)


@pytest.mark.parametrize("cutoff", [0, 1, 2, 3, 5, 12, 1000])
def test_the_features_are_those_of_a_loop(events, counted, cutoff):
    selected = oracles.feature_pairs(select_features(events, cutoff))
    assert set(selected) == oracles.select_features(counted, cutoff)
    assert len(selected) == len(set(selected))


def test_rows_that_commas_make_one_predicate_are_counted_together():
    corpus = Corpus.from_sentences([["a,b", "c"], ["a", "b,c"]])
    templates = find_templates(["previousword,currentword"])
    selected = oracles.feature_pairs(select_features(pack_events(corpus, templates), 2))
    assert selected == [("previousword,currentword=a,b,c", Tag.LOC)]


def test_names_take_a_quarter_of_the_memory_of_strings():
    names = [f"pair={i},{i}" for i in range(10_000)]
    (block,) = pack_names(names)
    packed = sys.getsizeof(block.text) + block.ends.nbytes
    assert packed < 0.25 * sum(map(sys.getsizeof, names))


def test_a_template_that_never_fires_has_no_feature():
    silent = Template("silent", (0,), 0, lambda word: None)
    events = pack_events(Corpus.from_sentences([["Rain"]]), [silent])
    assert len(select_features(events, 0)) == 0


def test_cutoff_one_keeps_what_cutoff_zero_keeps(events):
    assert select_features(events, 1).names() == select_features(events, 0).names()


def test_a_feature_may_be_dropped_while_its_predicate_stays_with_another(events):
    assert select_features(events, 3).exists.any(axis=1).all()
    exists, kept = select_features(events, 0), select_features(events, 3)
    assert [kept.name(n) for n in range(kept.n_predicates)] == kept.names()
    stays = [exists.names().index(name) for name in kept.names()]
    assert (exists.exists[stays] & ~kept.exists).any()


def test_features_are_as_many_as_their_cells_with_the_counts_of_a_loop(events, counted):
    features = select_features(events, 2)
    assert len(features) == np.count_nonzero(features.exists)
    features = select_features(events, 0)
    firing = firing_matrix(events, features.values, features.n_predicates)
    counts = count_features(events, firing)
    pairs = oracles.feature_pairs(features)
    assert dict(zip(pairs, counts[features.exists], strict=True)) == oracles.count_features(counted)


def test_each_context_fires_the_predicates_that_exist(events, adaptation_corpus):
    features = select_features(events, 2)
    contexts = pack_contexts(adaptation_corpus, CA04)
    matrix = firing_matrix(contexts, features.values, features.n_predicates)
    fired = [Counter() for _ in range(len(adaptation_corpus))]
    for i, rows in enumerate(contexts.rows):
        for row in rows:
            fired[i].update(features.names()[p] for p in matrix[[row]].indices)
    known = set(features.names())
    expected = [
        Counter(p for p in predicates if p in known)
        for predicates in _predicates_in_order(adaptation_corpus)
    ]
    assert fired == expected


@pytest.mark.parametrize("cutoff", [0, 2, 5])
def test_the_firing_found_while_selecting_is_that_of_the_features(events, cutoff):
    features, firing = select_with_firing(events, cutoff)
    plain = firing_matrix(events, features.values, features.n_predicates)
    rows = np.unique(events.rows)
    assert features.names() == select_features(events, cutoff).names()
    assert np.array_equal(firing[rows].toarray(), plain[rows].toarray())


@pytest.mark.parametrize("cutoff", [-1, 0.5, np.nan, np.inf, -np.inf, True, "few", None, [5]])
def test_a_cutoff_that_is_no_whole_number_is_refused(cutoff):
    with pytest.raises(InputError, match="0 or more"):
        check_cutoff(cutoff)


@pytest.mark.parametrize("cutoff", [0, 5, 5.0, np.int64(5), np.float64(5)])
def test_a_whole_number_is_a_cutoff(cutoff):
    assert check_cutoff(cutoff) == cutoff
    assert type(check_cutoff(cutoff)) is int


@pytest.mark.parametrize("cutoff", [0, 3, 10**6])
def test_names_make_the_same_numbers_again(events, cutoff):
    features = select_features(events, cutoff)
    again = number_by_template(pack_names(features.names()))
    assert again == {template: numbers for template, numbers in features.values.items() if numbers}


@pytest.mark.parametrize("value", ["a=b", "", "two\nlines", "\ud800", "名前", "a,b"])
def test_a_name_comes_back_as_it_was(value):
    names = ["suffix1=x", f"currentword={value}", "currentword=z", "suffix1=y"]
    blocks = pack_names(names)
    assert names_of(blocks) == names
    assert number_by_template(blocks)["currentword"] == {value: 1, "z": 2}


def test_the_union_has_the_features_of_both_and_leaves_the_background(united, background_corpus):
    background, new, union = united
    assert set(oracles.feature_pairs(union)) == {
        *oracles.feature_pairs(background),
        *oracles.feature_pairs(new),
    }
    background, _, union = united
    assert union.names()[: background.n_predicates] == background.names()
    names = united[2].names()
    assert len(set(names)) == len(names)
    background = united[0]
    assert np.array_equal(unite(background, background).exists, background.exists)
    fresh = select_features(pack_events(background_corpus, CA04), 3)
    assert background.names() == fresh.names()
    assert np.array_equal(background.exists, fresh.exists)


@pytest.mark.parametrize("side", [0, 1])
def test_the_union_with_nothing_is_itself(united, side):
    some, none = united[0], Features((), np.zeros((0, 5), bool))
    pair = (some, none) if side == 0 else (none, some)
    assert set(oracles.feature_pairs(unite(*pair))) == set(oracles.feature_pairs(some))


def _predicates_in_order(corpus):
    tags = [corpus.tag_names[tag] for tag in corpus.tags]
    for a, b in zip(corpus.starts, corpus.starts[1:], strict=False):
        words = [corpus.words[i] for i in corpus.word_ids[a:b]]
        for i in range(b - a):
            yield predicates_of(CA04, words, i, tags[max(a, a + i - 2) : a + i][::-1])


def test_no_predicate_of_an_unused_filler_is_a_feature(background_corpus):
    part = background_corpus.take(np.array([3]))
    names = select_features(pack_events(part, CA04), 0).names()
    assert set(names) == {
        predicate for _, predicates in oracles.count_events(part, CA04) for predicate in predicates
    }
