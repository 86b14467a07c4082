"""Charts: the right numbers in the tables, specifications that never change."""

import json

import pandas as pd
import pytest

from workbench import charts

CURVE = pd.DataFrame(
    {
        "cutoff": 0,
        "sigma2": [0.01, 1.0, 100.0],
        "new_features": 7,
        "free_weights": 9,
        "log_likelihood": [-90.0, -40.0, -10.0],
        "train_error_rate": [0.03, 0.01, 0.0],
        "dev_error_rate": [0.04, 0.02, 0.03],
        "test_error_rate": [0.05, 0.03, 0.04],
        "converged": True,
        "seconds": 0.1,
    }
)


def _row(name, wrong, interval=None):
    per_tag = {
        "LOC": {"recall": 0.9, "support": 50},
        "CAP": {"recall": 0.5, "support": 10},
        "PNC": {"recall": 1.0, "support": 40},
        "MXC": {"recall": None, "support": 0},
    }
    row = {"name": name, "error_rate": wrong / 100, "wrong": wrong, "per_tag": per_tag}
    return row | ({"versus": {"interval": interval}} if interval else {})


MODELS = [_row("1-gram", 8, [0.5, 1.5]), _row("background", 4), _row("adapted", 2, [-0.75, -0.25])]


def test_curve_has_a_line_a_text_and_a_rule_a_fixed_model():
    table = charts.curve_table(CURVE, MODELS, 1.0)
    lines = table[table["kind"] == "line"]
    assert lines["series"].unique().tolist() == ["adaptation text", "dev text"]
    assert lines["error"].tolist() == [0.03, 0.01, 0.0, 0.04, 0.02, 0.03]
    rules = table[table["kind"] == "rule"]
    assert rules["series"].tolist() == ["1-gram 8.00%", "background 4.00%"]


def test_test_text_has_a_line_only_when_asked_for():
    table = charts.curve_table(CURVE, MODELS, 1.0, part="test")
    assert "test text" in table["series"].tolist()


def test_present_and_best_are_marked_in_the_data():
    table = charts.curve_table(CURVE, MODELS, 100.0, gen=3)
    assert table.loc[table["current"], "sigma2"].unique().tolist() == [100.0]
    assert table.loc[table["best"], "sigma2"].tolist() == [1.0]
    assert set(table["gen"]) == {3}


def test_best_is_the_smallest_sigma2_with_the_fewest_errors():
    assert charts.best_sigma2(CURVE) == 1.0
    assert charts.best_sigma2(CURVE.assign(dev_error_rate=0.1)) == 0.01


def test_intervals_are_of_the_change_from_the_background():
    table = charts.error_table(MODELS).set_index("model")
    assert table.loc["adapted", ["low", "high"]].tolist() == pytest.approx([0.01, 0.03])
    assert table.loc["background", ["low", "high"]].isna().all()


def test_undefined_interval_is_no_interval():
    table = charts.error_table([*MODELS[:2], _row("adapted", 2, [None, None])])
    assert table["low"].isna().tolist() == [False, True, True]


def test_tags_without_errors_or_words_are_left_out():
    table = charts.tag_table(MODELS)
    assert table["tag"].unique().tolist() == ["LOC", "CAP"]
    assert table.loc[table["model"] == "adapted", "wrong"].tolist() == [5, 5]


@pytest.mark.parametrize("name", charts.FIGURES)
def test_specification_is_constant_and_without_data(name):
    first = json.dumps(charts.spec(name))
    assert first == json.dumps(charts.spec(name))
    assert "datasets" not in charts.spec(name)
    assert "data" not in charts.spec(name)


@pytest.mark.parametrize("name", charts.FIGURES)
def test_every_view_and_parameter_has_a_name_of_its_own(name):
    spec = charts.spec(name)
    assert spec["name"]
    names = [layer["name"] for layer in spec["layer"]]
    assert len(set(names)) == len(names)
    assert not [view for view in names if view.startswith("view_")]
    for param in spec.get("params", []):
        assert param["name"] in {"hover", charts.PICK}


@pytest.mark.parametrize("name", ["errors dev", "errors test", "likelihood"])
def test_click_gives_back_sigma2_and_the_generation(name):
    params = {param["name"]: param for param in charts.spec(name)["params"]}
    assert params[charts.PICK]["select"]["fields"] == ["sigma2", "gen"]
    assert params[charts.PICK]["select"]["on"] == "click"


def test_models_differ_by_shape_as_well_as_by_colour():
    scales = {}
    for layer in charts.spec("tags")["layer"]:
        for channel in ("color", "shape"):
            if "scale" in layer["encoding"].get(channel, {}):
                scales[channel] = layer["encoding"][channel]["scale"]["range"]
    assert len(set(scales["shape"])) == len(set(scales["color"])) == 3


def test_figures_for_a_notebook_hold_their_data():
    for figure in (
        *charts.draw_figure1(CURVE, MODELS, 1.0),
        charts.draw_errors(MODELS),
        charts.draw_errors_by_tag(MODELS),
    ):
        assert figure.to_dict()["datasets"]


def test_alternative_text_states_the_result():
    assert charts.describe_curve(CURVE, 1.0, "dev") == (
        "Errors against σ². At σ² = 1: 2.00% of the dev text and 1.00% of the adaptation text. "
        "Fewest errors on dev: 2.00% at σ² = 1."
    )
    assert charts.describe_models(MODELS).endswith("background 4.00%, adapted 2.00%.")
