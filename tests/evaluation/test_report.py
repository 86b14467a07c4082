"""The report of ``evaluate --json``: its keys are a contract."""

import json

import numpy as np
import pytest

from workbench.evaluation.error_rates import score
from workbench.evaluation.report import report
from workbench.models.capitalizer import Capitalizer
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.casing import Tag
from workbench.text.corpus import Corpus

SENTENCES = [line.split() for line in ("Diane left ABC .", "On PrimeTime , diane left .")]


class Always(Capitalizer):
    """Gives every word one tag."""

    kind = "always"
    mixed_forms: dict = {}  # noqa: RUF012

    def __init__(self, tag):
        self._tag = tag

    def tag(self, corpus):
        return np.full(len(corpus), self._tag, np.int8)


class Gold(Always):
    """Gives every word its gold tag."""

    def __init__(self):
        super().__init__(None)

    def tag(self, corpus):
        return corpus.tags


@pytest.fixture(scope="module")
def corpus():
    return Corpus.from_sentences(SENTENCES)


@pytest.fixture(scope="module")
def three(corpus):
    models = ("loc", Always(Tag.LOC)), ("cap", Always(Tag.CAP)), ("gold", Gold())
    return report(corpus, models)


def test_the_keys_are_those_of_the_contract(three):
    assert set(three) == {"words", "models", "paired"}
    model_keys = {
        "name", "kind", "error_rate", "error_rate_no_punctuation", "error_rate_not_initial",
        "surface_error_rate", "per_tag",
    }  # fmt: skip
    assert all(model_keys <= set(row) for row in three["models"])
    assert all({"a", "b", "fixed", "broken", "p_value"} <= set(row) for row in three["paired"])


def test_every_tag_has_its_scores(three):
    per_tag = three["models"][0]["per_tag"]
    assert list(per_tag) == ["LOC", "CAP", "MXC", "AUC", "PNC"]
    assert all(set(row) == {"precision", "recall", "f1", "support"} for row in per_tag.values())


def test_words_are_those_of_the_corpus(three):
    assert three["words"] == 10


def test_models_come_in_the_given_order(three):
    assert [row["name"] for row in three["models"]] == ["loc", "cap", "gold"]


def test_scores_are_those_of_each_model(corpus, three):
    expected = score(corpus, np.full(10, Tag.CAP, np.int8), {}).to_json()
    assert three["models"][1] == {"name": "cap", "kind": "always", **expected}


def test_each_model_is_paired_with_every_later_one(three):
    pairs = [(row["a"], row["b"]) for row in three["paired"]]
    assert pairs == [("loc", "cap"), ("loc", "gold"), ("cap", "gold")]


def test_fixed_words_are_right_in_the_later_model_alone(three):
    row = three["paired"][0]  # three LOC words turn wrong, Diane and On right
    assert (row["fixed"], row["broken"]) == (2, 3)


def test_a_pair_tells_its_relative_change_and_interval(three):
    row = three["paired"][1]
    assert (row["relative_change"], row["interval"]) == (-1.0, [None, None])


def test_a_change_from_no_error_is_null(corpus):
    row = report(corpus, [("gold", Gold()), ("loc", Always(Tag.LOC))])["paired"][0]
    assert (row["relative_change"], row["interval"]) == (None, [None, None])


@pytest.mark.parametrize(("forms", "n"), [({}, 1), ({"primetime": "PrimeTime"}, 0)])
def test_a_right_tag_with_a_wrong_spelling_is_counted_apart(corpus, forms, n):
    """Without its form PrimeTime is written Primetime: a tag that is fixed, and a wrong word."""
    gold = Gold()
    gold.mixed_forms = forms
    row = report(corpus, [("loc", Always(Tag.LOC)), ("gold", gold)])["paired"][0]
    assert (row["fixed"], row["broken"], row["misspelled"]) == (7, 0, n)


def test_one_model_has_no_pair(corpus):
    assert report(corpus, [("loc", Always(Tag.LOC))])["paired"] == []


def test_no_model_makes_an_empty_report(corpus):
    assert report(corpus, []) == {"words": 10, "models": [], "paired": []}


def test_the_report_survives_strict_json(three):
    assert json.loads(json.dumps(three, allow_nan=False)) == three


def test_real_models_are_told_apart_by_kind(corpus):
    models = [("one", Unigram.fit(corpus)), ("two", MEMM.fit(corpus, cutoff=0))]
    assert [row["kind"] for row in report(corpus, models)["models"]] == ["1gram", "memm"]
