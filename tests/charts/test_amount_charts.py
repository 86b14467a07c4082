"""The charts of amounts and of coverage: what their data and specifications say."""

import json
import math
import re

import pandas as pd
import pytest

from workbench.charts.amount_chart import amount_table, draw_amounts
from workbench.charts.coverage_chart import coverage_table, describe_coverage, draw_coverage
from workbench.experiments.amounts import Crossover

CURVES = pd.DataFrame(
    {
        "method": ["background", "map", "target", "map", "target"],
        "n_sentences": [0, 2, 2, 5863, 5863],
        "error": [0.02, 0.019, 0.2, 0.012, 0.011],
        "low": [0.02, 0.018, 0.1, 0.012, 0.011],
        "high": [0.02, 0.02, 0.3, 0.012, 0.011],
        "n_words": [0.0, 45, 45, 101_516, 101_516],
        "n_seeds": [1, 3, 3, 1, 1],
    }
)
FOUND = [
    Crossover("map", "target", 5000.0, 0.0125, "map is ahead of target up to 5,000 sentences"),
    Crossover("background", "map", 3.0, 0.02, "map is ahead of the background from 3 sentences on"),
    Crossover("background", "target", math.nan, math.nan, "no crossing"),
]
COVERAGE = pd.DataFrame(
    {
        "threshold": [0.0, 0.9, 1.0],
        "n": [200, 150, 0],
        "coverage": [1.0, 0.75, 0.0],
        "error": [0.02, 0.01, math.nan],
        "caught": [0.0, 0.625, 1.0],
    }
)


def layers_of(chart):
    return {layer["name"]: layer for layer in chart.to_dict()["layer"]}


def test_points_rules_and_crossovers_are_rows_and_the_amount_0_has_no_mark():
    table = amount_table(CURVES, FOUND, 2)
    assert table["kind"].tolist() == ["background", *["curve"] * 4, *["crossover"] * 2, "amount"]
    crossings = table[table["kind"] == "crossover"]
    assert crossings["letter"].tolist() == ["A", "B"]
    assert crossings["n_sentences"].tolist() == [5000, 3]
    assert "amount" not in amount_table(CURVES, FOUND, 0)["kind"].tolist()


def test_coverage_has_no_point_without_a_word_and_one_present():
    table = coverage_table(COVERAGE, 0.9)
    assert table["current"].tolist() == [False, True]


def test_the_chart_tells_lines_apart_names_crossovers_and_scales_to_its_errors():
    x = layers_of(draw_amounts(CURVES, FOUND))["points"]["encoding"]["x"]
    assert x["axis"]["title"][1:] == [f"A: {FOUND[0].text}", f"B: {FOUND[1].text}", "no crossing"]
    layers = layers_of(draw_amounts(CURVES, FOUND, 2))
    for layer, channel in (("lines", "strokeDash"), ("points", "shape"), ("points", "color")):
        values = layers[layer]["encoding"][channel]["scale"]["range"]
        assert len({json.dumps(value) for value in values}) == 3
    encoding = layers_of(draw_amounts(CURVES))["spread"]["encoding"]
    assert (encoding["y"]["field"], encoding["y2"]["field"]) == ("low", "high")
    assert encoding["x"]["scale"]["type"] == encoding["y"]["scale"]["type"] == "log"
    chart = draw_amounts(CURVES.assign(low=0.0))
    assert layers_of(chart)["lines"]["encoding"]["y"]["scale"]["type"] == "linear"
    assert "crossovers" in layers_of(draw_amounts(CURVES, FOUND))
    assert "crossovers" not in layers_of(draw_amounts(CURVES, FOUND[2:]))


def test_errors_far_above_the_background_are_cut_off_which_the_title_says():
    y = layers_of(draw_amounts(CURVES))["lines"]["encoding"]["y"]
    assert y["scale"]["domain"] == pytest.approx([0.01, 0.026])  # from 0.011, a tick below
    assert y["axis"]["values"] == pytest.approx([0.01, 0.015, 0.02])
    cut = "those far above the background's are cut off"
    assert cut in json.dumps(draw_amounts(CURVES).to_dict()["title"])
    near = CURVES.assign(error=CURVES["error"].clip(upper=0.025), high=0.025, low=0.01)
    scale = layers_of(draw_amounts(near))["lines"]["encoding"]["y"]["scale"]
    assert scale["domain"] == pytest.approx([0.01, 0.025])
    assert cut not in json.dumps(draw_amounts(near).to_dict()["title"])


def test_a_threshold_is_told_with_what_it_costs():
    assert describe_coverage(COVERAGE, 0.9) == (
        "The model is sure of 75.0 % of the dev words (p > 0.9); 1.00 % of these are wrong. "
        "The other 25.0 % hold 62 % of all errors."
    )
    assert describe_coverage(COVERAGE, 1.0) == "No dev word has p > 1."


@pytest.mark.parametrize("chart", [draw_amounts(CURVES, FOUND, 2), draw_coverage(COVERAGE, 0.9)])
def test_names_are_unique_and_type_is_13_pixels_at_least(chart):
    drawn = chart.to_dict()
    names = [layer["name"] for layer in drawn["layer"]]
    assert len(set(names)) == len(names)
    sizes = [int(size) for size in re.findall(r'[fF]ontSize": (\d+)', json.dumps(drawn))]
    assert min(sizes) >= 13
