"""The command evaluate: figures for people and programs."""

import json

import pytest
from command_texts import save

pytestmark = pytest.mark.usefixtures("outside")


def test_evaluate_shows_per_cent(run, place):
    models = (place / "1gram", place / "news.model")
    status, printed, message = run("evaluate", *models, "--test", place / "news.txt")
    assert (status, message) == (0, "")
    assert "500 words" in printed
    assert "news.model  memm        0.00" in printed
    assert "fixed  broken" in run("evaluate", *models, "--test", place / "talk")[1]


def test_evaluate_of_one_model_has_no_pairs(run, place):
    result = json.loads(run("evaluate", place / "1gram", "--test", place / "talk", "--json")[1])
    assert (len(result["models"]), result["paired"]) == (1, [])


def test_what_is_undefined_is_null(run, place, tmp_path):
    text = save(tmp_path / "t.txt", "He left Boston .\n")
    result = json.loads(run("evaluate", place / "1gram", "--test", text, "--json")[1])
    assert result["models"][0]["per_tag"]["MXC"]["recall"] is None


def test_models_of_one_name_are_told_apart_by_their_folders(run, place, output):
    output = output.with_name("1gram")
    output.write_bytes((place / "1gram").read_bytes())
    result = json.loads(
        run("evaluate", output, place / "1gram", "--test", place / "talk", "--json")[1]
    )
    assert [row["name"] for row in result["models"]] == [str(output), str(place / "1gram")]
