"""Methods side by side: each tuned on development data, all scored on the same test data."""

import json

import numpy as np
import pytest

from workbench.adaptation.map import adapt
from workbench.evaluation.report import report
from workbench.experiments.compare import METHODS, Split, compare, find_methods
from workbench.experiments.line_search import choose_sigma2
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}


@pytest.fixture(scope="module")
def split(background_corpus, adaptation_corpus):
    train, dev = (adaptation_corpus.take(np.arange(first, 26, 3)) for first in (0, 1))
    return Split(background_corpus, train, dev, OPTIONS)


@pytest.fixture(scope="module")
def held_out(adaptation_corpus):
    return adaptation_corpus.take(np.arange(2, 26, 3))


@pytest.fixture(scope="module")
def comparison(split, held_out):
    return compare(split, held_out)


def test_every_method_has_its_row(comparison):
    assert [row["name"] for row in comparison["models"]] == list(METHODS)


def test_every_row_tells_hyper_parameters_and_seconds(comparison):
    assert [set(row["hyper_parameters"]) for row in comparison["models"]] == [
        set(), {"templates", "cutoff", "sigma2"}, {"cutoff", "sigma2"},
    ]  # fmt: skip
    assert all(row["fit_seconds"] >= 0 for row in comparison["models"])


def test_rows_are_those_of_the_report(comparison, split, held_out):
    background = MEMM.fit(split.background, **OPTIONS)
    sigma2, _ = choose_sigma2(background, split.adaptation, split.dev)
    adapted = adapt(background, split.adaptation, sigma2)
    expected = report(held_out, [("background", background), ("map", adapted)])
    rates = [row["error_rate"] for row in comparison["models"][1:]]
    assert rates == [row["error_rate"] for row in expected["models"]]
    assert comparison["models"][2]["hyper_parameters"]["sigma2"] == sigma2


def test_the_test_data_choose_nothing(comparison, split, few_sentences):
    other = compare(split, few_sentences, ["map"])["models"][0]
    assert other["hyper_parameters"] == comparison["models"][2]["hyper_parameters"]


def test_a_comparison_survives_strict_json(comparison):
    assert json.loads(json.dumps(comparison, allow_nan=False)) == comparison


def test_methods_come_in_the_order_asked_for(split, held_out):
    told = []
    rows = compare(split, held_out, ["map", "1-gram"], told.append)["models"]
    assert [row["name"] for row in rows] == told == ["map", "1-gram"]


def test_training_tells_its_steps(split, held_out):
    steps = []
    compare(split, held_out, ["background"], on_step=steps.append)
    assert [step.iteration for step in steps] == list(range(len(steps)))


def test_test_data_without_case_are_refused(split):
    lower = Corpus.from_sentences([["no", "case", "here", "."]], "lower")
    with pytest.raises(InputError, match="lower: no capital letter"):
        compare(split, lower)


@pytest.mark.parametrize("names", [["all"], ["1-gram", "all"], tuple(METHODS)])
def test_all_is_every_method(names):
    assert find_methods(names) == list(METHODS.values())


def test_a_method_named_twice_is_taken_once():
    assert [method.name for method in find_methods(["map", "map"])] == ["map"]


@pytest.mark.parametrize("name", ["magic", "", "MAP"])
def test_an_unknown_method_is_told_the_known_ones(name):
    with pytest.raises(InputError, match=f"method '{name}': known are 1-gram, background, map"):
        find_methods(["map", name])


def test_every_method_says_what_it_is():
    assert all(method.note for method in METHODS.values())
