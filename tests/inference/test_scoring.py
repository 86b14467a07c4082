"""From weights to scores and back: the formula of ``workbench.inference.scores``, written out."""

import numpy as np
import pytest
from scipy import sparse

from workbench.features.packing import pack_contexts
from workbench.features.templates import find_templates
from workbench.inference.memm.scores import score_contexts
from workbench.inference.scores import RowScores, find_weights, score_rows
from workbench.text.errors import InputError


@pytest.fixture(params=[1, 2, 5], ids=lambda k: f"{k} tags")
def problem(request, rng):
    """Which of nine predicates each of seven rows fires, and which cells are features."""
    firing = sparse.random(7, 9, 0.4, "csr", random_state=rng, data_rvs=np.ones)
    return firing, rng.random((9, request.param)) < 0.6


def table_of(features, weights):
    table = np.zeros(features.shape)
    table[features] = weights
    return table


def test_scores_of_rows_are_sums_of_weights_less_the_first_tag_s(problem, rng):
    firing, features = problem
    weights = rng.normal(size=features.sum())
    rows = firing.toarray() @ table_of(features, weights)
    relative = rows[:, 1:] - rows[:, :1]
    assert RowScores(firing, features).of_rows(weights) == pytest.approx(relative)
    assert score_rows(firing, table_of(features, weights)) == pytest.approx(relative)


def test_sums_go_back_to_the_features_and_the_reference_tag_has_the_rest(problem, rng):
    firing, features = problem
    sums = rng.normal(size=(2, 7, features.shape[1]))
    expected = (firing.toarray().T @ sums.sum(axis=0))[features]
    assert RowScores(firing, features).gather_all(sums) == pytest.approx(expected)
    totals = firing.toarray().T @ sums.sum(axis=(0, 2))
    scores = RowScores(firing, features)
    found = scores.gather_rows(sums[:, :, 1:], totals)
    assert found == pytest.approx(scores.gather_all(sums))


def test_of_some_rows_only_the_weights_that_they_read_are_left(problem, rng):
    firing, features = problem
    rows = np.arange(7) < 3
    scores, active = RowScores(firing, features).restrict(rows)
    fired = firing.toarray()[rows].any(axis=0)
    assert np.array_equal(active, np.flatnonzero(fired[np.nonzero(features)[0]]))
    weights = rng.normal(size=features.sum())
    whole = RowScores(firing, features).of_rows(weights)
    assert (scores.n_rows, scores.n_predicates) == (3, fired.sum())
    assert scores.of_rows(weights[active]) == pytest.approx(whole[rows])


def test_another_number_of_weights_is_refused(problem):
    firing, features = problem
    with pytest.raises(InputError, match=f"exactly {features.sum()} are allowed"):
        RowScores(firing, features).of_rows(np.zeros(features.sum() + 1))


def test_contexts_taken_apart_have_the_scores_of_their_rows(few_sentences, rng):
    templates = find_templates(["currentword", "currentword,t-1", "t-1", "t-1,2"])
    contexts = pack_contexts(few_sentences, templates)
    table = rng.normal(size=(contexts.n_rows, 4))
    words, history = score_contexts(table, contexts)
    tags = few_sentences.tags
    for place in range(len(words)):
        start = few_sentences.starts[few_sentences.sentence_ids[place]]
        t1, t2 = (tags[place - d] if place - d >= start else 5 for d in (1, 2))
        expected = table[contexts.rows[place]].sum(axis=0)
        assert words[place, t1] + history[t1, t2] == pytest.approx(expected)


def test_weights_are_found_by_name(background):
    features, table = background.features, background.weights
    names = features.names()
    found = find_weights(features, table, [*names[:50], "currentword=no-such-word", "none=0"])
    assert np.array_equal(np.isnan(found[:50]), ~features.exists[:50])
    assert np.array_equal(np.nan_to_num(found[:50]), table[:50])
    assert np.isnan(found[50:]).all()
