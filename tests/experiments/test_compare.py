"""Methods side by side: each tuned on development data, all scored on the same test data."""

import json

import pytest

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import Sources
from workbench.evaluation.report import report
from workbench.evaluation.significance import TOO_FEW, is_significant
from workbench.experiments import method_rows
from workbench.experiments.backgrounds import Background, split_of_model
from workbench.experiments.compare import (
    METHODS,
    Bench,
    Split,
    compare,
    find_left_out,
    find_methods,
)
from workbench.experiments.method_rows import learn, standing, summarize_comparison, verdict
from workbench.experiments.search import choose_sigma2
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}
NAMES = (
    "1-gram background target map all weighted pred linint augment auxiliary auxiliary-classes "
    "model-combination equal-weights mindiv-adapt-only map-two-variances 1-gram-adapted"
).split()


@pytest.fixture(scope="module")
def split(background_corpus, adaptation_parts):
    corpora = background_corpus, adaptation_parts["train"], adaptation_parts["dev"]
    return Split(*corpora, OPTIONS, begins=(20,))


@pytest.fixture(scope="module")
def held_out(adaptation_parts):
    return adaptation_parts["test"]


@pytest.fixture(scope="module")
def comparison(split, held_out):
    return compare(split, held_out)


@pytest.fixture(scope="module")
def rows(comparison):
    return {row["name"]: row for row in comparison["models"]}


def test_every_method_has_a_row_of_hyper_parameters_cost_and_errors_in_strict_json(
    comparison, rows
):
    assert [row["name"] for row in comparison["models"]] == list(METHODS)
    assert set(rows["background"]["hyper_parameters"]) == {"templates", "cutoff", "sigma2"}
    for name, row in rows.items():
        assert set(METHODS[name].axes) <= set(row["hyper_parameters"])
    assert all(row["fit_seconds"] >= 0 for row in rows.values())
    assert all(row["features"] > 0 for name, row in rows.items() if "1-gram" not in name)
    assert {row["tried"] > 0 for name, row in rows.items() if METHODS[name].axes} == {True}
    for row in rows.values():
        assert row["error_interval"] == [None, None]
        assert 0 < row["error_rate"] < 1
    assert all(row["error_rate"] < rows["1-gram"]["error_rate"] + 0.1 for row in rows.values())
    assert json.loads(json.dumps(comparison, allow_nan=False)) == comparison


def test_every_method_runs_with_the_extended_templates(split, held_out):
    corpora = split.background, split.adaptation, split.dev
    extended = Split(*corpora, OPTIONS | {"templates": "extended"})
    rows = compare(extended, held_out)["models"]
    assert all(0 < row["error_rate"] < 0.3 for row in rows)


def test_rows_are_those_of_the_report_and_the_test_data_choose_nothing(
    rows, split, held_out, few_sentences
):
    background = MEMM.fit(split.background, **OPTIONS)
    sigma2, _ = choose_sigma2(background, split.adaptation, split.dev)
    adapted = adapt(background, split.adaptation, sigma2)
    expected = report(held_out, [("background", background), ("map", adapted)])["models"]
    for row in expected:
        assert rows[row["name"]]["error_rate"] == row["error_rate"]
    assert rows["map"]["hyper_parameters"]["sigma2"] == sigma2
    for row in compare(split, few_sentences, ["map", "linint"])["models"]:
        assert row["hyper_parameters"] == rows[row["name"]]["hyper_parameters"]


def test_development_errors_are_the_fewest_that_were_tried(split, monkeypatch):
    seen = []

    def noting(*arguments):
        best, tried = search(*arguments)
        seen.append(min(tried.values()))
        return best, tried

    search = method_rows.search
    monkeypatch.setattr(method_rows, "search", noting)
    learned = learn(METHODS["target"], Sources(split), split.dev)
    wrong = learned.model.tag(split.dev) != split.dev.tags
    assert [learned.dev_wrong] == seen == [int(wrong.sum())]


def test_methods_come_in_the_order_asked_for_and_training_tells_its_steps(split, held_out):
    reported = []
    *_, last = Bench(split, held_out).run(["map", "1-gram"], reported.append)
    assert [row["name"] for row in last["models"]] == reported == ["map", "1-gram"]
    steps = []
    list(Bench(split, held_out).run(["background"], on_step=steps.append))
    assert [step.iteration for step in steps] == list(range(len(steps)))


@pytest.mark.parametrize("names", [["1-gram"], ["1-gram", "1-gram-adapted", "target"]])
def test_no_background_is_trained_for_methods_without_one(split, held_out, names):
    steps = []
    list(Bench(split, held_out).run(names, on_step=steps.append))
    assert not steps


def test_the_background_is_trained_once(split, held_out, monkeypatch):
    trained = []
    monkeypatch.setattr(MEMM, "fit", classmethod(_noting(MEMM.fit.__func__, trained)))
    compare(split, held_out, ["map", "background", "auxiliary"])
    assert trained == [split.background]


def _noting(fit, trained):
    def noted(cls, corpus, **options):
        trained.append(corpus)
        return fit(cls, corpus, **options)

    return noted


# --- a background that is a model ---------------------------------------------------------


NEEDING_TEXT = {"all", "weighted", "augment", "1-gram-adapted"}


@pytest.fixture(scope="module")
def trained(split):
    """The background's model and 1-gram, without their text."""
    model = MEMM.fit(split.background, **OPTIONS)
    return Background(model, Unigram.fit(split.background), None)


def test_a_model_stands_for_its_text_in_all_methods_that_do_not_read_the_text(
    trained, split, held_out, rows
):
    alone, (test,) = split_of_model(trained, split.adaptation, split.dev, held_out)
    assert alone.options == OPTIONS
    found = {row["name"]: row for row in compare(alone, test)["models"]}
    assert set(METHODS) - set(found) == NEEDING_TEXT | {"chain", "hierarchy"}
    for name, row in found.items():
        assert row["error_rate"] == rows[name]["error_rate"]
        assert row["hyper_parameters"] == rows[name]["hyper_parameters"]
    sources = Sources(alone)
    assert sources.background is trained.model
    assert sources.background_seconds == 0


def test_without_its_text_a_model_may_have_no_1gram(trained, split):
    alone, _ = split_of_model(trained._replace(unigram=None), split.adaptation, split.dev)
    left_out = find_left_out(MEMM, alone.background.task, alone.lacking)
    assert set(left_out) == NEEDING_TEXT | {"1-gram"}
    with pytest.raises(InputError, match="'1-gram' learns from the background's text, and a model"):
        Bench(alone, split.dev).find(["map", "1-gram"])


def test_text_that_a_model_has_learnt_allows_no_verdict(trained, split, held_out):
    alone, (test,) = split_of_model(trained, split.adaptation, held_out, split.background)
    result = compare(alone, test, ["background", "map"])
    (line,) = result["shared"]
    assert "learnt from (by its hash): no verdict" in line
    assert result["paired"] == []


# --- what is a gain -----------------------------------------------------------------------


def test_every_method_is_paired_with_background_and_best_and_says_what_its_gain_is_worth(
    comparison, rows
):
    pairs = {(pair["a"], pair["b"]) for pair in comparison["paired"]}
    best = min(rows, key=lambda name: rows[name]["error_rate"])
    assert {("background", name) for name in rows if name != "background"} <= pairs
    assert {(name, best) for name in rows if name != best} <= pairs
    says = {name: row["gain"]["from_background"] for name, row in rows.items()}
    assert says == dict.fromkeys(rows, TOO_FEW) | {"background": None}
    assert " over the background: too few to tell. Not " in summarize_comparison(comparison)
    assert {standing(row) for row in rows.values()} == {"the best", TOO_FEW}


PAIR = {"fixed": 300, "broken": 100, "p_value": 1e-9, "interval": [-0.3, -0.1]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "gain is significant"),
        ({"p_value": 0.2}, "gain is not significant"),
        ({"interval": [-0.3, 0.01]}, "gain is not significant"),
        ({"interval": [None, None]}, TOO_FEW),
        ({"fixed": 50, "interval": [0.1, 0.2]}, "loss is significant"),
        ({"fixed": 99, "p_value": 1.0}, "loss is not significant"),
    ],
)
def test_a_gain_needs_both_tests(change, said):
    assert verdict(PAIR | change) == said


def test_verdicts_are_corrected_for_their_number():
    pairs = {p: PAIR | {"p_value": p} for p in (0.001, 0.03, 0.04)}
    says = method_rows.judge_together(pairs, verdict)
    assert [p for p in pairs if is_significant(says[p])] == [0.001]


def test_a_test_text_without_case_is_refused(split):
    lower = Corpus.from_sentences([["no", "case", "here", "."]], "lower")
    with pytest.raises(InputError, match="lower: no capital letter"):
        compare(split, lower)


# --- names --------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [["all"], ("all",), tuple(METHODS)])
def test_all_by_itself_is_every_method(names):
    assert find_methods(names, several=True) == list(METHODS.values())


def test_all_is_without_methods_of_several_texts_and_a_method_is_taken_once():
    absent = set(METHODS) - {method.name for method in find_methods(["all"])}
    assert absent == {"chain", "hierarchy"}
    assert [method.name for method in find_methods(["map", "map"])] == ["map"]


def test_every_axis_goes_one_way_and_begins_on_itself():
    for method in METHODS.values():
        for axis in method.axes.values():
            rising = sorted(set(axis.values))
            assert list(axis.values) in (rising, rising[::-1])
            assert axis.start in axis.values


@pytest.mark.parametrize("names", [["map", "all"], ["all", "weighted"], ["all", "all"]])
def test_all_beside_other_names_is_data_combination(names):
    assert [method.name for method in find_methods(names)] == list(dict.fromkeys(names))


@pytest.mark.parametrize("name", ["magic", "", "MAP"])
def test_an_unknown_method_is_told_the_known_ones(name):
    with pytest.raises(InputError, match=f"method '{name}': known are 1-gram, 1-gram-adapted, b"):
        find_methods(["map", name])
