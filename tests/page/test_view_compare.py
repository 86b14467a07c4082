"""The view Compare: methods join, results stay, and a superseded run stops."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
import streamlit as st
from pages import html_of, make_page

from workbench.charts.bars import draw_bench
from workbench.experiments import compare as compare_module
from workbench.experiments.compare import METHODS, Bench, Split, compare
from workbench.experiments.method_rows import summarize_comparison, to_csv
from workbench.views import cache
from workbench.views import compare as view
from workbench.views.controls import may_test
from workbench.views.typography import draw_table

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}


@pytest.fixture
def page(data):
    return make_page(view="Compare")


def methods_on(app):
    return app.dataframe[0].value["method"].tolist()


def test_the_default_methods_are_compared_best_first_and_can_be_taken_away(page):
    page.run()
    assert not page.exception
    assert not page.error
    assert sorted(methods_on(page)) == sorted(["1-gram", "background", "target", "map", "weighted"])
    assert " makes the fewest errors: " in html_of(page)
    assert "measured on " in html_of(page)
    assert len(page.get("vega_lite_chart")) == 1
    errors = page.run().dataframe[0].value["error"]
    assert errors.is_monotonic_increasing
    page.run()
    keys = {control.key for control in page.segmented_control}
    assert "view" in keys
    assert "choice of part" not in keys  # it is of Tune alone
    page.run()
    labels = [button.proto.label for button in page.get("download_button")]
    assert labels == ["Comparison, CSV"]


def test_nothing_is_measured_on_test_before_it_is_asked_for(page, monkeypatch):
    monkeypatch.setattr("workbench.views.controls.may_test", may_test)
    monkeypatch.setattr(view, "_run", lambda *_: pytest.fail("measured unasked"))
    page.run()
    assert not page.error
    (button,) = (b for b in page.button if b.label == "Measure on the test text")
    monkeypatch.undo()
    monkeypatch.setattr("workbench.views.controls.may_test", may_test)
    button.click().run()
    assert "map" in methods_on(page)
    page.segmented_control(key="view").set_value("Papers").run()
    assert not [b for b in page.button if b.label == "Measure on the test text"]
    page.multiselect[0].set_value(["altair-docs"]).run()  # a test text that nobody asked about
    assert [b for b in page.button if b.label == "Measure on the test text"]
    assert not page.dataframe
    page.pills(key="table").set_value("CA04 figure 1").run()  # of dev alone
    assert not [b for b in page.button if b.label == "Measure on the test text"]
    assert page.dataframe


def test_methods_join_and_leave_even_all_and_are_not_learned_again(page, monkeypatch):
    page.run()
    page.pills(key="methods").set_value(["background", "auxiliary"]).run()
    assert sorted(methods_on(page)) == ["auxiliary", "background"]
    page.run()
    page.pills(key="methods").set_value([]).run()
    assert not page.error
    assert "Choose at least one method." in [caption.value for caption in page.caption]
    page.run()
    monkeypatch.setattr(compare_module, "measure", lambda *_: pytest.fail("learned again"))
    page.run()
    assert not page.error


def test_a_text_that_changes_on_disk_is_read_afresh(page, data, monkeypatch):
    def measured():
        return re.search(r"measured on (\d+) words", html_of(page.run()))[1]

    monkeypatch.setattr(cache, "_FRESH", -1.0)  # look at the files each time
    test = data / "tiny-broadcast" / "test.txt"
    before, text = measured(), test.read_text()
    try:
        test.write_text(text + "Now , to London .\n")
        assert int(measured()) == int(before) + 5
    finally:
        test.write_text(text)
    assert measured() == before


def test_methods_are_compared_with_the_templates_of_the_link(page):
    page.query_params["templates"] = "currentword t-1"
    page.query_params["methods"] = "background"
    page.run()
    assert page.text_input(key="templates").value == "currentword t-1"
    assert "templates currentword t-1" in page.dataframe[0].value["chosen"].tolist()[0]


@pytest.mark.parametrize("written", ["colour", ""])
def test_templates_that_are_none_are_shown_in_place(page, written):
    page.run()
    page.text_input(key="templates").set_value(written).run()
    assert not page.exception
    assert len(page.error) == 1
    assert page.error[0].value.startswith("templates")


# --- the bench ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def split(background_corpus, adaptation_corpus):
    as_one = replace(adaptation_corpus, starts=adaptation_corpus.starts[[0, -1]])
    return Split(background_corpus, adaptation_corpus, as_one, OPTIONS)


@pytest.fixture(scope="module")
def bench(data, split, in_domain):
    return Bench(split, in_domain)


@pytest.fixture(scope="module")
def comparisons(bench):
    return list(bench.run(["1-gram", "background", "map"]))


def test_each_method_is_told_as_it_comes_and_the_last_is_what_compare_says(
    comparisons, split, in_domain
):
    assert [len(comparison["models"]) for comparison in comparisons] == [1, 2, 3]
    expected = compare(split, in_domain, ["1-gram", "background", "map"])
    last = comparisons[-1]
    assert last["paired"] == expected["paired"]
    for row, other in zip(last["models"], expected["models"], strict=True):
        assert row | {"fit_seconds": 0} == other | {"fit_seconds": 0}
    first, _, last = comparisons
    said = summarize_comparison(first, 3)
    assert said.startswith("After 1 of 3 methods: 1-gram makes the fewest errors so far, ")
    assert "significant" not in said
    assert summarize_comparison(last, 3) == summarize_comparison(last)


def test_csv_json_and_table_hold_a_row_a_method(comparisons):
    assert json.loads(json.dumps(comparisons[-1], allow_nan=False)) == comparisons[-1]
    rows = list(csv.DictReader(io.StringIO(to_csv(comparisons[-1]))))
    assert [row["name"] for row in rows] == ["1-gram", "background", "map"]
    for row, model in zip(rows, comparisons[-1]["models"], strict=True):
        assert float(row["error_rate"]) == model["error_rate"]
        assert (row["low"], row["high"], model["error_interval"]) == ("", "", [None, None])
    assert rows[2]["hyper_parameters"].startswith("cutoff 0, sigma2 ")
    rows = {r["method"]: r for r in view.table_of(comparisons[-1], comparisons[-1]["models"])}
    assert rows["background"]["p"] is None
    assert re.fullmatch(r"< 0\.001|[01]\.\d{3}", rows["map"]["p"])
    assert "the best" in {r["best"] for r in rows.values()}
    assert set(rows) <= set(METHODS)


def test_a_run_can_be_stopped_at_any_try(bench):
    class Stop(BaseException):
        pass

    tries = []

    def stop(values):
        tries.append(values)
        if len(tries) == 3:
            raise Stop

    with pytest.raises(Stop):
        list(bench.run(["background", "target"], on_try=stop))
    assert bench.missing(["background", "target"]) == ["target"]
    assert [row["name"] for row in bench.comparison(["background", "target"])["models"]] == [
        "background"
    ]


def test_a_comparison_without_a_method_is_empty(bench):
    empty = bench.comparison(["weighted"])
    assert (empty["models"], empty["paired"], summarize_comparison(empty)) == ([], [], "")


def test_columns_that_tell_nothing_are_hidden(monkeypatch):
    rows = [{"a": 1, "b": 2, "c": None, "d": 5}, {"a": 2, "b": 2, "c": None, "d": 5}]
    shown = []
    monkeypatch.setattr(st, "dataframe", lambda rows, column_order, **_: shown.extend(column_order))
    draw_table(rows, dict.fromkeys("dcba"), ("c", "d"), "")
    assert shown == ["d", "a"]


def test_the_chart_has_a_mark_a_method_and_tells_kinds_apart():
    rows = [row("background", 0.03), row("map", 0.02, "gain is significant")]
    spec = draw_bench(rows).to_dict()
    (values,) = spec["datasets"].values()
    assert [value["method"] for value in values] == ["map", "background"]
    shape = next(
        layer["encoding"]["shape"] for layer in spec["layer"] if "shape" in layer["encoding"]
    )
    assert shape["scale"]["domain"] == ["fewer errors", "the background itself"]
    assert len(set(shape["scale"]["range"])) == 2


def row(name, error, from_background=None, to_best=None):
    return {
        "name": name, "error_rate": error, "error_interval": [error / 2, error * 2],
        "gain": {"from_background": from_background, "to_best": to_best},
    }  # fmt: skip


def test_a_gain_that_is_not_significant_is_called_so():
    pair = {"a": "background", "b": "map", "fixed": 9}
    sentence = summarize_comparison(
        {
            "models": [
                row("background", 0.03, None, "gain is significant"),
                row("map", 0.02, "gain is significant"),
                row("all", 0.021, "gain is significant", "gain is not significant"),
                row("pred", 0.029, "gain is not significant", "gain is significant"),
            ],
            "paired": [pair | {"relative_change": -1 / 3, "interval": [-0.4, -0.2]}],
        }
    )
    assert sentence == (
        "map makes the fewest errors: 2.00% of the test words. "
        "Its gain over the background is significant: -33% (95 %: -40% to -20%). "
        "Not significantly worse: all. "
        "No significant difference from the background: pred."
    )


def test_columns_in_which_all_rows_are_equal_are_left_out(page):
    page.query_params["methods"] = ["background"]  # one row: nothing tells it apart
    page.run()
    assert list(page.dataframe[0].proto.column_order) == ["method", "error"]
