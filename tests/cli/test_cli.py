"""The command line as its users meet it: real processes, their output, errors and exit status."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time
from itertools import combinations
from pathlib import Path

import pytest
from command_texts import write_texts

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ("data", "train", "adapt", "evaluate", "recase", "compare", "sweep", "ablate", "tables")
RATES = (
    "error_rate", "error_rate_no_punctuation", "error_rate_not_initial", "surface_error_rate",
    "letters_error_rate",
)  # fmt: skip
LOWER = "apple said on monday that the fbi and president clinton met in new york .\n"


def workbench(*arguments, **options):
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "workbench", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, **options)


@pytest.fixture(scope="module")
def place(tmp_path_factory, background_corpus, adaptation_parts):
    """A folder with a background text, a domain in three parts, and models of them."""
    folder = tmp_path_factory.mktemp("cli")
    write_texts(folder, background_corpus, adaptation_parts)
    return folder


@pytest.fixture(scope="module")
def trained(place):
    """What the commands said that trained and adapted: news.1gram, news.model, talk.model."""
    news = place / "news.txt"
    return {
        "1gram": workbench("train", news, "-o", place / "news.1gram", "--model", "1gram"),
        "memm": workbench("train", news, "-o", place / "news.model", "--cutoff", "0"),
        "adapted": workbench(
            "adapt", place / "news.model", place / "talk", "-o", place / "talk.model",
            "--sigma2", "auto", "--dev", place / "talk",
        ),
    }  # fmt: skip


@pytest.fixture(scope="module")
def evaluated(place, trained):
    models = [place / name for name in ("news.1gram", "news.model", "talk.model")]
    return workbench("evaluate", *models, "--test", place / "talk", "--json")


def split_options(place):
    talk = place / "talk"
    texts = ("--background", place / "news.txt", "--adapt", talk, "--dev", talk, "--test", talk)
    return *texts, "--background-cutoff", "1"


def is_rate(value):
    return value is None or (isinstance(value, float) and 0 <= value <= 1)


def assert_one_line(run, *words):
    """One line on standard error that holds the words, exit status 1, no output."""
    message = run.stderr.decode()
    assert run.returncode == 1
    assert run.stdout == b""
    assert message.count("\n") == 1
    assert message.endswith("\n")
    assert [word for word in words if word not in message] == []


def test_training_and_adapting_tell_in_one_line_what_they_wrote(place, trained):
    for name in ("1gram", "memm"):
        run = trained[name]
        assert (run.returncode, run.stdout, run.stderr.count(b"\n")) == (0, b"", 1)
    message = trained["memm"].stderr.decode()
    assert message.startswith(f"{place / 'news.model'}: memm of 500 words, ")
    assert message.endswith(" features\n")
    message = trained["adapted"].stderr.decode()
    assert ", sigma2 " in message
    assert " errors in 60 words of dev)" in message
    names = {path.name for path in place.iterdir()}
    assert names == {"news.txt", "talk", "news.1gram", "news.model", "talk.model"}


def test_evaluate_prints_the_object_of_the_contract(evaluated):
    assert (evaluated.returncode, evaluated.stderr) == (0, b"")
    result = json.loads(evaluated.stdout)
    assert set(result) == {"words", "models", "paired"}
    assert result["words"] == 57
    names = ["news.1gram", "news.model", "talk.model"]
    assert [(row["name"], row["kind"]) for row in result["models"]] == [
        *zip(names, ("1gram", "memm", "memm"), strict=True)
    ]
    for row in result["models"]:
        assert set(row) == {"name", "kind", *RATES, "per_tag", "words", "wrong"}
        assert all(is_rate(row[rate]) for rate in RATES)
        assert list(row["per_tag"]) == ["LOC", "CAP", "MXC", "AUC", "PNC"]
        for scores in row["per_tag"].values():
            assert list(scores) == ["precision", "recall", "f1", "support"]
            assert all(is_rate(scores[name]) for name in ("precision", "recall", "f1"))
            assert isinstance(scores["support"], int)
    assert [(row["a"], row["b"]) for row in result["paired"]] == [*combinations(names, 2)]
    for row in result["paired"]:
        extra = {"relative_change", "interval", "misspelled"}
        assert set(row) == {"a", "b", "fixed", "broken", "p_value"} | extra
        assert isinstance(row["fixed"], int)
        assert 0 <= row["p_value"] <= 1


def test_recase_turns_standard_input_to_standard_output(place, trained):
    run = workbench("recase", place / "talk.model", input=LOWER.encode())
    assert run.stdout.decode().lower() == LOWER
    assert "Apple said on Monday" in run.stdout.decode()
    assert (run.returncode, run.stderr) == (0, b"")


def test_compare_prints_a_row_a_method(place):
    names = ["1-gram", "background", "map"]
    run = workbench("compare", *split_options(place), "--methods", ",".join(names), "--json")
    assert (run.returncode, run.stderr) == (0, b"")
    result = json.loads(run.stdout)
    assert [row["name"] for row in result["models"]] == names
    for row in result["models"]:
        assert {*RATES, "kind", "per_tag", "hyper_parameters", "fit_seconds"} <= set(row)
        assert row["fit_seconds"] >= 0
    assert result["models"][2]["hyper_parameters"]["sigma2"] > 0
    assert {("background", "1-gram"), ("background", "map")} <= {
        (pair["a"], pair["b"]) for pair in result["paired"]
    }


def test_sweep_prints_every_point_of_the_grid(place):
    run = workbench(
        "sweep", *split_options(place), "--sigma2", "1,0.1", "--cutoff", "0,none", "--json"
    )
    assert (run.returncode, run.stderr) == (0, b"")
    points = json.loads(run.stdout)["points"]
    grid = [(point["cutoff"], point["sigma2"]) for point in points]
    assert grid == [(0, 0.1), (0, 1.0), (None, 0.1), (None, 1.0)]
    assert isinstance(points[0]["cutoff"], int)
    assert all(is_rate(point["dev_error_rate"]) for point in points)


def tables_options(place):
    texts = ("--background", place / "news.txt", "--adapt", place / "talk")
    return "tables", *texts, "--background-cutoff", "1"


def test_tables_prints_the_papers_tables_as_json_or_writes_markdown(place, tmp_path):
    environment = {"WORKBENCH_CACHE": str(tmp_path)}
    run = workbench(*tables_options(place), "--only", "1,6", "--json", env=environment)
    assert (run.returncode, run.stderr) == (0, b"")
    message = json.loads(run.stdout)
    assert set(message) == {"material", "tables"}
    assert [table["name"] for table in message["tables"]] == ["1", "6"]
    for table in message["tables"]:
        assert table["rows"]
        assert table["sentence"].endswith(".")
    assert {row["tested_on"] for row in message["tables"][1]["rows"]} == {"talk"}
    output = tmp_path / "tables.md"
    more = ("--only", "2,3", "--amounts", "200,350", "-o", output)
    run = workbench(*tables_options(place), *more, env=environment)
    assert (run.returncode, run.stdout) == (0, b"")
    assert run.stderr.decode() == f"{output}: 2 tables\n"
    text = output.read_text()
    assert text.count("### Chelba & Acero (2004), table") == 2
    assert text.count("| MEMM ") == 6


def test_help_names_every_command_and_a_session():
    run = workbench("--help")
    assert run.returncode == 0
    assert [name for name in COMMANDS if f"    {name} " not in run.stdout.decode()] == []
    assert "a session" in run.stdout.decode()


def test_wrong_usage_and_mistakes_are_told_in_a_process_too(place):
    run = workbench()
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr.startswith(b"usage: python -m workbench")
    run = workbench("recase", place / "absent.model")
    assert_one_line(run, str(place / "absent.model"), "no such model file")


LONG = LOWER.encode() * 2000  # more than a pipe holds
UNWRITTEN = "workbench: standard output: cannot be written "


FULL = f"{UNWRITTEN}(No space left on device)\n"
UNBLOCK = f'{sys.executable} -c "import os; os.set_blocking(1, False)"; exec "$@"'
PIPED = 'set -o pipefail; "$@" | true'
BROKEN = {  # what a shell does to the outputs of a command; exit statuses; what is said
    'exec "$@" >/dev/full': ({1}, FULL),
    'ulimit -f 144; exec "$@" >out': ({1}, f"{UNWRITTEN}(File too large)\n"),  # 544 bytes fewer
    'exec "$@" >&-': ({1}, f"{UNWRITTEN}(it is closed)\n"),
    PIPED: ({128 + signal.SIGPIPE, 0}, ""),
    'exec "$@"': ({0}, "threshold: 0 of "),
    UNBLOCK: ({0}, "threshold: 0 of "),
    'exec "$@" 2>&-': ({0}, ""),
    'exec "$@" 2>/dev/full': ({0}, ""),
}


@pytest.mark.parametrize(
    ("shell", "unbuffered", "options"),
    [
        *((shell, "1", ()) for shell in BROKEN),
        *((shell, "", ("--jobs", "2")) for shell in (*list(BROKEN)[:2], PIPED, UNBLOCK)),
    ],
)
def test_all_of_a_result_is_written_or_one_line_says_why_not(
    place, trained, tmp_path, shell, unbuffered, options
):
    (tmp_path / "lower").write_bytes(LONG)
    words = "recase", place / "news.model", tmp_path / "lower", "--threshold", "0", *options
    with subprocess.Popen(
        ["bash", "-c", shell, "bash", sys.executable, "-m", "workbench", *words], cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONPATH": str(ROOT)},
    ) as process:  # fmt: skip
        while process.poll() is None and waiting(process.stdout) < 1 << 16:  # a slow reader
            time.sleep(0.01)
        written, message = process.communicate(timeout=60)
    statuses, said = BROKEN[shell]
    assert process.returncode in statuses
    assert message.decode().startswith(said)
    assert message.count(b"\n") <= 1
    assert written.lower() == (LONG if statuses == {0} else b"")


@pytest.mark.parametrize("words", [["--help"], ["evaluate", "news.1gram", "--test", "talk"]])
def test_lines_and_help_are_results(place, trained, words):
    command = ["bash", "-c", 'exec "$@" >/dev/full', "bash", sys.executable, "-m", "workbench"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run([*command, *words], cwd=place, env=env, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (1, FULL)


def waiting(pipe):
    """How many bytes nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_output_in_a_poor_encoding_is_still_output(tmp_path, place, trained):
    name = tmp_path / "né.model"
    name.write_bytes((place / "news.1gram").read_bytes())
    environment = {"PYTHONIOENCODING": "ascii"}
    run = workbench("evaluate", name, "--test", place / "talk", env=environment)
    assert (run.returncode, run.stderr) == (0, b"")
    assert b"n\\xe9.model" in run.stdout
