"""The commands evaluate and recase: figures for people and programs, and text in its case."""

import gzip
import io
import json
import sys

import pytest
from command_texts import LOWER, save

from workbench.cli.main import main

pytestmark = pytest.mark.usefixtures("outside")


def test_evaluate_shows_per_cent(run, place):
    models = (place / "1gram", place / "news.model")
    status, printed, message = run("evaluate", *models, "--test", place / "news.txt")
    assert (status, message) == (0, "")
    assert "500 words" in printed
    assert "news.model  memm        0.00" in printed
    assert "fixed  broken" in printed


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


# --- recase -------------------------------------------------------------------------------

RUNNING = "\ufeffmr. bush's plane\tleft new york,  he said.\r\n\r\nit's \"late\" -- 5 p.m. (cnn)"


@pytest.mark.parametrize(
    "text",
    [
        LOWER,
        LOWER.upper(),
        RUNNING,
        "",
        " \t\r\n",
        "\ufeff",
        "\u00a0",
        "no final newline",
        "tabs\tand\x0bfeeds\x0c, e\u0301 ß ŉ İ ǆ\r\nold mac\rlines",
    ],
)
def test_recase_changes_nothing_but_the_case_of_letters(place, monkeypatch, capfdbinary, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["recase", str(place / "news.model")]) == 0
    output, message = capfdbinary.readouterr()
    assert output.decode().casefold() == text.casefold()
    assert len(output.decode()) == len(text)
    assert message == b""


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_recase_reads_a_file(run, place, tmp_path, name):
    data = LOWER.encode()
    path = save(tmp_path / name, gzip.compress(data) if name.endswith("gz") else data)
    printed = run("recase", place / "news.model", path)[1]
    assert printed == "Apple said on Monday that the fbi met in New York .\n"


def test_a_person_at_a_terminal_is_told_what_recase_waits_for(place, monkeypatch, capfd):
    class Terminal(io.TextIOWrapper):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"")))
    assert main(["recase", str(place / "1gram")]) == 0
    assert "Ctrl-D" in capfd.readouterr().err
