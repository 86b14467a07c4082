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


def test_a_report_has_what_its_contract_says(three, corpus):
    assert set(three) == {"words", "models", "paired"}
    model_keys = {
        "name", "kind", "error_rate", "error_rate_no_punctuation", "error_rate_not_initial",
        "surface_error_rate", "per_tag",
    }  # fmt: skip
    assert all(model_keys <= set(row) for row in three["models"])
    assert all({"a", "b", "fixed", "broken", "p_value"} <= set(row) for row in three["paired"])
    per_tag = three["models"][0]["per_tag"]
    assert list(per_tag) == ["LOC", "CAP", "MXC", "AUC", "PNC"]
    assert all(set(row) == {"precision", "recall", "f1", "support"} for row in per_tag.values())
    assert three["words"] == 10
    assert [row["name"] for row in three["models"]] == ["loc", "cap", "gold"]
    expected = score(corpus, np.full(10, Tag.CAP, np.int8), {}).to_json()
    assert three["models"][1] == {"name": "cap", "kind": "always", **expected}
    pairs = [(row["a"], row["b"]) for row in three["paired"]]
    assert pairs == [("loc", "cap"), ("loc", "gold"), ("cap", "gold")]
    row = three["paired"][0]  # three LOC words turn wrong, Diane and On right
    assert (row["fixed"], row["broken"]) == (2, 3)
    row = three["paired"][1]
    assert (row["relative_change"], row["interval"]) == (-1.0, [None, None])
    assert json.loads(json.dumps(three, allow_nan=False)) == three


def test_a_change_from_no_error_is_null(corpus):
    row = report(corpus, [("gold", Gold()), ("loc", Always(Tag.LOC))])["paired"][0]
    assert (row["relative_change"], row["interval"]) == (None, [None, None])


def test_none_or_one_model_has_no_pair_and_kinds_are_told(corpus):
    assert report(corpus, [("loc", Always(Tag.LOC))])["paired"] == []
    assert report(corpus, []) == {"words": 10, "models": [], "paired": []}
    models = [("one", Unigram.fit(corpus)), ("two", MEMM.fit(corpus, cutoff=0))]
    assert [row["kind"] for row in report(corpus, models)["models"]] == ["1gram", "memm"]


@pytest.mark.parametrize(("forms", "n"), [({}, 1), ({"primetime": "PrimeTime"}, 0)])
def test_a_right_tag_with_a_wrong_spelling_is_counted_apart(corpus, forms, n):
    """Without its form PrimeTime is written Primetime: a tag that is fixed, and a wrong word."""
    gold = Gold()
    gold.mixed_forms = forms
    row = report(corpus, [("loc", Always(Tag.LOC)), ("gold", gold)])["paired"][0]
    assert (row["fixed"], row["broken"], row["misspelled"]) == (7, 0, n)
