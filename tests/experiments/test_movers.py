"""The weights that moved most, and the words that each helped change."""

import numpy as np
import pytest

from workbench.evaluation.explanation import explain
from workbench.experiments.movers import describe_subset, find_subset, movers, name_firing
from workbench.text.errors import InputError


@pytest.fixture(params=["dev", "test"])
def snapshot(request, session):
    return session.at(1.0, part=request.param)


def test_weights_are_those_of_the_models_and_the_first_moved_furthest(session, snapshot):
    found = movers(session, snapshot, 200)
    assert set(found["new"]) == {True, False}
    for row in found.itertuples():
        for model, weight in (
            (session.background, row.background),
            (snapshot.tuned.model, row.adapted),
        ):
            template, value = row.predicate.split("=", 1)
            number = model.features.values.get(template, {}).get(value)
            tag = model.tag_names.index(row.tag)
            if number is None or not model.features.exists[number, tag]:
                assert row.new
                assert np.isnan(weight)
            else:
                assert weight == model.weights[number, tag]
        assert row.change == pytest.approx(row.adapted - np.nan_to_num(row.background))
    found = movers(session, snapshot, 15)
    model, old = snapshot.tuned.model, session.background
    before = np.zeros_like(model.weights)
    before[: len(old.weights)] = old.weights
    largest = np.sort(np.abs(model.weights - before).ravel())[::-1][:15]
    assert found["change"].abs().tolist() == pytest.approx(largest.tolist())
    assert len(found) == 15


def test_words_are_those_whose_explanation_has_the_feature(session, snapshot):
    """The other way round: of each word that changed, the predicates that fire."""
    n = snapshot.tuned.adaptation.problem.n_active
    found = movers(session, snapshot, n)
    diff = snapshot.diff[snapshot.diff["tag_before"] != snapshot.diff["tag_after"]]
    assert len(diff)
    corpus, expected = session.corpora[snapshot.part], {}
    for row in diff.itertuples():
        fires = set(explain(snapshot.tuned.model, corpus, row.position)["predicate"])
        for predicate in fires:
            expected.setdefault((predicate, row.tag_after, 1), []).append(row.position)
            expected.setdefault((predicate, row.tag_before, -1), []).append(row.position)
    assert any(found["positions"])
    for row in found[found["change"] != 0].itertuples():
        key = row.predicate, row.tag, np.sign(row.change)
        assert row.positions == expected.get(key, [])


def test_one_weight_is_found_by_its_name_however_far_it_moved(session, snapshot):
    n = snapshot.tuned.adaptation.problem.n_active
    found = movers(session, snapshot, n)
    for row in found.iloc[:: max(1, n // 20)].itertuples():
        (own,) = movers(session, snapshot, name=f"{row.predicate} > {row.tag}").itertuples()
        assert (own.predicate, own.tag, own.positions) == (row.predicate, row.tag, row.positions)
        assert own.change == row.change
    assert movers(session, snapshot, name="currentword=nowhere > CAP").empty
    assert movers(session, snapshot, name="nonsense").empty


def test_where_no_word_changed_no_weight_helped(session):
    snapshot = session.at(1e-9)
    assert not any(movers(session, snapshot)["positions"])


def test_the_words_of_a_feature_are_those_whose_explanation_has_it(session, snapshot):
    corpus, model = session.corpora[snapshot.part], snapshot.tuned.model
    fires = [set(explain(model, corpus, i)["predicate"]) for i in range(len(corpus))]
    subsets = {name: name_firing(snapshot, name) for name in sorted(set().union(*fires))}
    known = [name for name, subset in subsets.items() if subset]
    assert 100 < len(known) < len(subsets)  # some have no feature
    for name in known[::15]:
        there = [i for i, own in enumerate(fires) if name in own]
        assert find_subset(session, snapshot, subsets[name]).tolist() == there
    assert describe_subset("feature: prefix2=ha") == "with prefix ha-"


def test_of_a_feature_that_the_model_has_not_there_are_no_words(session):
    snapshot = session.at(1.0)
    assert name_firing(snapshot, "currentword=nowhere") == ""
    with pytest.raises(InputError, match="slice=feature: nowhere: this model has no such feature"):
        find_subset(session, snapshot, "feature: nowhere")
