"""The view Compare: methods join, results stay, and a superseded run stops."""

import csv
import io
import json

import pytest
import streamlit
from streamlit.testing.v1 import AppTest
from tiny_data import QUERY, write_data_sets

from workbench.charts.bench import draw_bench
from workbench.experiments.bench import Bench, summarize, to_csv
from workbench.experiments.compare import METHODS, Split, compare
from workbench.text import cache as text_cache
from workbench.views import compare as view

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Tiny data sets, and a place for trained backgrounds that is not the project's."""
    folder = tmp_path_factory.mktemp("data")
    write_data_sets(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_DATA", str(folder))
        patch.setenv("WORKBENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(text_cache, "DATA", folder / "none")
        streamlit.cache_data.clear()
        yield folder
    streamlit.cache_data.clear()


@pytest.fixture
def page(data):
    app = AppTest.from_file("../app.py", default_timeout=60)
    for name, value in (QUERY | {"view": "Compare"}).items():
        app.query_params[name] = value
    return app


def html_of(app):
    return "\n".join(element.proto.body for element in app.get("html"))


def methods_on(app):
    return app.dataframe[0].value["method"].tolist()


def test_the_default_methods_are_compared(page):
    page.run()
    assert not page.exception
    assert not page.error
    assert sorted(methods_on(page)) == sorted(["1-gram", "background", "target", "map", "weighted"])
    assert "The fewest errors has " in html_of(page)
    assert "measured on " in html_of(page)
    assert len(page.get("vega_lite_chart")) == 1


def test_the_best_comes_first(page):
    errors = page.run().dataframe[0].value["error"]
    assert errors.is_monotonic_increasing


def test_methods_join_and_leave(page):
    page.run()
    page.pills(key="methods").set_value(["background", "auxiliary"]).run()
    assert sorted(methods_on(page)) == ["auxiliary", "background"]


def test_no_method_is_a_hint_and_no_error(page):
    page.run()
    page.pills(key="methods").set_value([]).run()
    assert not page.error
    assert "Choose a method or more." in [caption.value for caption in page.caption]


def test_what_was_learned_is_not_learned_again(page, monkeypatch):
    page.run()
    monkeypatch.setattr(Bench, "_learn", lambda *_: pytest.fail("learned again"))
    page.run()
    assert not page.error


def test_settings_of_tune_alone_are_not_shown(page):
    page.run()
    keys = {control.key for control in page.segmented_control}
    assert "view" in keys
    assert not keys & {"cutoff", "part"}


def test_results_can_be_taken_away(page):
    page.run()
    labels = [button.proto.label for button in page.get("download_button")]
    assert labels == ["Comparison, CSV", "Comparison, JSON"]


# --- the bench ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def split(background_corpus, adaptation_corpus):
    return Split(background_corpus, adaptation_corpus, adaptation_corpus, OPTIONS)


@pytest.fixture(scope="module")
def bench(data, split, few_sentences):
    return Bench(split, few_sentences)


@pytest.fixture(scope="module")
def comparisons(bench):
    return list(bench.run(["1-gram", "background", "map"]))


def test_each_method_is_told_as_it_comes(comparisons):
    assert [len(comparison["models"]) for comparison in comparisons] == [1, 2, 3]


def test_the_last_one_is_what_compare_says(comparisons, split, few_sentences):
    expected = compare(split, few_sentences, ["1-gram", "background", "map"])
    told = comparisons[-1]
    assert told["paired"] == expected["paired"]
    for row, other in zip(told["models"], expected["models"], strict=True):
        assert row | {"fit_seconds": 0} == other | {"fit_seconds": 0}


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
    assert (empty["models"], empty["paired"], summarize(empty)) == ([], [], "")


def test_csv_holds_a_row_a_method(comparisons):
    rows = list(csv.DictReader(io.StringIO(to_csv(comparisons[-1]))))
    assert [row["name"] for row in rows] == ["1-gram", "background", "map"]
    for row, model in zip(rows, comparisons[-1]["models"], strict=True):
        assert float(row["error_rate"]) == model["error_rate"]
        assert [float(row["low"]), float(row["high"])] == model["error_interval"]
    assert rows[2]["hyper_parameters"].startswith("cutoff 0, sigma2 ")


def test_json_is_strict(comparisons):
    assert json.loads(json.dumps(comparisons[-1], allow_nan=False)) == comparisons[-1]


def row(name, error, from_background=None, to_best=None):
    return {
        "name": name, "error_rate": error, "error_interval": [error / 2, error * 2],
        "gain": {"from_background": from_background, "to_best": to_best},
    }  # fmt: skip


def test_a_gain_that_is_not_significant_is_called_so():
    told = summarize(
        {
            "models": [
                row("background", 0.03, None, "gain is significant"),
                row("map", 0.02, "gain is significant"),
                row("all", 0.021, "gain is significant", "gain is not significant"),
                row("pred", 0.029, "gain is not significant", "gain is significant"),
            ]
        }
    )
    assert told == (
        "The fewest errors has map: 2.00% of the test words. "
        "Its gain on the background is significant. Not significantly behind: all. "
        "No significant gain on the background: pred."
    )


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


def test_the_table_pairs_each_method_with_the_background(comparisons):
    rows = {r["method"]: r for r in view.table_of(comparisons[-1], comparisons[-1]["models"])}
    assert rows["background"]["p"] is None
    assert 0 <= rows["map"]["p"] <= 1
    assert "the best" in {r["best"] for r in rows.values()}
    assert set(rows) <= set(METHODS)
