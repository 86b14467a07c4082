"""Results as lines of text: tables that line up, dashes for what is undefined."""

import pytest

from workbench.cli.result_text import (
    describe_data_sets,
    describe_report,
    describe_sweep,
    lay_out,
    per_cent,
)


def test_columns_line_up_and_the_undefined_is_a_dash():
    table = [["name", "words"], ["a", "1,000"], ["longer", "7"]]
    assert lay_out(table) == ["name    words", "a       1,000", "longer      7"]
    assert (per_cent(None), per_cent(0.01234), per_cent(0.5, "+.1f")) == ("-", "1.23", "+50.0")


def test_a_sweep_names_the_first_of_the_best_points():
    point = {
        "cutoff": 0, "sigma2": 0.1, "new_features": 5, "log_likelihood": -9.0,
        "dev_error_rate": 0.01, "test_error_rate": 0.02,
    }  # fmt: skip
    points = [point | {"dev_error_rate": 0.03}, point, point | {"cutoff": None, "sigma2": 3.0}]
    lines = describe_sweep(points, {"dev_error_rate": 0.05, "test_error_rate": 0.06})
    assert lines[1].split() == ["background", "-", "-", "-", "5.00", "6.00"]
    assert lines[4].split() == ["none", "3", "5", "-9.0", "1.00", "2.00"]
    assert lines[-1] == "Fewest errors on dev: cutoff 0, sigma2 0.1; dev 1.00 %, test 2.00 %."


def test_a_data_set_that_is_not_here_has_no_size():
    row = {"name": "a", "kind": "nltk", "here": False, "parts": ("train",), "bytes": None}
    lines = describe_data_sets([row | {"note": "a corpus"}], {"a": "not downloaded", "b": ""})
    assert lines[1].split() == ["a", "nltk", "no", "train", "-", "a", "corpus"]
    assert lines[3:5] == ["cannot be chosen  because", "a                 not downloaded"]
    assert not any(line.startswith("b") for line in lines)


@pytest.fixture
def row():
    scores = {"precision": 1.0, "recall": None, "f1": None, "support": 0}
    return {
        "name": "news", "kind": "memm", "error_rate": 0.0123, "error_rate_no_punctuation": 0.02,
        "error_rate_not_initial": None, "surface_error_rate": 0.0,
        "letters_error_rate": 0.0, "per_tag": {"MXC": scores},
    }  # fmt: skip


def test_a_report_shows_rates_in_per_cent_and_what_was_chosen(row):
    lines = describe_report({"words": 1200, "models": [row], "paired": []})
    assert lines[0] == "1,200 words"
    assert lines[3].split() == ["news", "memm", "1.23", "2.00", "-", "0.00", "0.00"]
    assert lines[-2:] == ["news     -", "words    0"]
    row |= {
        "hyper_parameters": {"sigma2": 1.5, "cutoff": 0}, "fit_seconds": 2.345,
        "error_interval": [0.01, 0.0146], "features": 1234, "estimated": {"auxiliary": -1.0},
        "gain": {"from_background": "gain is not significant", "to_best": None},
    }  # fmt: skip
    line = describe_report({"words": 1, "models": [row], "paired": []})[3]
    assert line.endswith("sigma2 1.5, cutoff 0, auxiliary -1")
    assert "1.00 to 1.46     1,234      2.3  gain is not significant" in line


@pytest.mark.parametrize(
    ("change", "interval", "shown"),
    [(-0.5, [-0.6, -0.4], "-50.0  -60.0 to -40.0"), (-0.8, [None, None], "-80.0  too few to tell")],
)
def test_a_pair_shows_change_and_interval(row, change, interval, shown):
    pair = {
        "a": "x", "b": "y", "fixed": 1200, "broken": 3, "p_value": 1e-9,
        "relative_change": change, "interval": interval,
    }  # fmt: skip
    line = describe_report({"words": 1, "models": [row], "paired": [pair]})[-1]
    assert line.split()[:4] == ["x", "y", "1,200", "3"]
    assert shown in line
    assert line.endswith("< 0.001")
    pair |= {"misspelled": 7}
    line, _, note = describe_report({"words": 1, "models": [row], "paired": [pair]})[-3:]
    assert line.split()[:5] == ["x", "y", "1,200", "3", "7"]
    assert note.startswith("Fixed and broken are tags, as McNemar's test counts them; misspelled")
