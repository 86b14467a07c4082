"""The heat map: what its data say, and that no mark differs by colour alone."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from workbench.charts.heat_map import GRID_PICK, draw_heat_map, heat_map_table

POINTS = pd.DataFrame(
    {
        "cutoff": pd.array([0, 0, 5, 5, None, None], "Int64"),
        "sigma2": [0.1, 1.0] * 3,
        "error": [0.03, 0.0101, 0.02, 0.01, 0.04, np.nan],
        "best": [False, False, False, True, False, False],
        "near_best": [False, True, False, True, False, False],
    }
)


def layers_of(chart):
    return {layer["name"]: layer for layer in chart.to_dict()["layer"]}


def test_cells_have_signs_light_on_deep_ones_and_the_present_one_a_ring():
    table = heat_map_table(POINTS, 1.0, None, gen=4)
    assert table["cutoff"].tolist() == ["0", "0", "5", "5", "none", "none"]
    assert table["sign"].tolist() == ["", "●", "", "★", "", ""]
    assert table["current"].tolist() == [False] * 5 + [True]
    assert set(table["gen"]) == {4}
    table = heat_map_table(POINTS, 1.0, 0)
    assert table["is_deep"].tolist() == [False, True, True, True, False, False]


def test_nothing_known_is_an_empty_grid():
    empty = POINTS.assign(error=np.nan, best=False, near_best=False)
    table = heat_map_table(empty, 1.0, 0)
    assert set(table["sign"]) == {""}
    assert not table["is_deep"].any()
    draw_heat_map(empty, 1.0, 0).to_dict()


@pytest.mark.parametrize(("cutoff", "place"), [(0, 1), (5, 3), (None, 5)])
def test_the_present_cell_is_the_one_of_sigma2_and_cut_off(cutoff, place):
    assert np.flatnonzero(heat_map_table(POINTS, 1.0, cutoff)["current"]).tolist() == [place]


def test_a_click_gives_sigma2_cut_off_and_generation():
    (param,) = draw_heat_map(POINTS, 1.0, 0).to_dict()["params"]
    assert param["name"] == GRID_PICK
    assert param["select"]["fields"] == ["sigma2", "cutoff", "gen"]


def test_every_layer_has_a_name_and_all_cells_are_there():
    chart = draw_heat_map(POINTS, 1.0, 0)
    assert list(layers_of(chart)) == [
        "cells",
        "near_best",
        "inside_signs",
        "present_halo",
        "present",
    ]
    (data,) = chart.to_dict()["datasets"].values()
    assert len(data) == 6
    assert data[5]["shown"] is None


def test_type_is_13_pixels_at_least():
    text = json.dumps(draw_heat_map(POINTS, 1.0, 0).to_dict())
    sizes = [int(size) for size in re.findall(r'[fF]ontSize": (\d+)', text)]
    assert len(sizes) > 4
    assert min(sizes) >= 13


def test_the_specification_does_not_depend_on_the_present_point():
    first, second = (draw_heat_map(POINTS, *at).to_dict() for at in ((1.0, 0, 0), (0.1, None, 1)))
    for chart in (first, second):
        del chart["datasets"], chart["data"]
        assert "data" not in chart["layer"][0]
    assert json.dumps(first) == json.dumps(second)
