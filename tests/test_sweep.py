"""Grids over sigma^2 and cut-off: one row a point, each as its tuning has it."""

import pytest

from workbench.experiments.tuning import Tuning, describe_point, sweep
from workbench.text.errors import InputError

COLUMNS = (
    "cutoff sigma2 new_features free_weights log_likelihood train_error_rate dev_error_rate "
    "converged seconds"
).split()


@pytest.fixture(scope="module")
def points(background, adaptation_corpus, few_sentences):
    texts = {"dev": few_sentences}
    return sweep(background, adaptation_corpus, texts, [1.0, 0.01, 10.0], [0, 2, None])


def test_the_columns_are_known(points):
    assert list(points.columns) == COLUMNS


def test_every_pair_is_a_row_sigma2_growing_within_a_cutoff(points):
    cutoffs = points["cutoff"].astype(object).where(points["cutoff"].notna(), None)
    grid = [(cutoff, sigma2) for cutoff in (0, 2, None) for sigma2 in (0.01, 1.0, 10.0)]
    assert list(zip(cutoffs, points["sigma2"], strict=True)) == grid


def test_cutoffs_stay_whole_numbers_beside_a_missing_one(points):
    assert str(points["cutoff"].dtype) == "Int64"


def test_a_higher_cutoff_adds_fewer_features(points):
    new = points.groupby("cutoff", dropna=False, sort=False)["new_features"].first().tolist()
    assert new[0] > new[1] > new[2] == 0


def test_likelihood_of_the_adaptation_data_grows_with_sigma2(points):
    for _, rows in points.groupby("cutoff", dropna=False):
        assert rows["log_likelihood"].is_monotonic_increasing
        assert (rows["log_likelihood"] < 0).all()


def test_errors_on_the_adaptation_data_fall_with_sigma2(points):
    for _, rows in points.groupby("cutoff", dropna=False):
        assert rows["train_error_rate"].is_monotonic_decreasing


def test_every_fit_converged(points):
    assert points["converged"].all()
    assert (points["seconds"] >= 0).all()


def test_an_error_rate_is_a_fraction_of_the_words(background, adaptation_corpus, few_sentences):
    tuning = Tuning(background, adaptation_corpus, {"dev": few_sentences})
    tuned = tuning.at(0.5)
    point = describe_point(tuning, tuned)
    assert point["dev_error_rate"] == tuned.wrong["dev"] / len(few_sentences)
    assert point["log_likelihood"] == tuned.fit.log_likelihood


def test_each_point_is_counted(background, adaptation_corpus):
    calls = []
    sweep(background, adaptation_corpus, {}, [1, 2], [0, None], lambda *each: calls.append(each))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(("sigma2", "cutoff"), [(0.0, 0), (-1.0, 0), (1.0, -1), (1.0, 0.5)])
def test_a_bad_point_is_refused(background, adaptation_corpus, sigma2, cutoff):
    with pytest.raises(InputError, match="is allowed"):
        sweep(background, adaptation_corpus, {}, [sigma2], [cutoff])
