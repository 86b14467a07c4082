"""The command recase: streams of any bytes, several files, several processes, live lines."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_texts import LOWER, save, standard_input

from workbench.cli.main import main

pytestmark = pytest.mark.usefixtures("outside")
ROOT = Path(__file__).resolve().parents[2]
UPPER = "Apple said on Monday that the fbi met in New York .\n"
RUNNING = "\ufeffmr. bush's plane\tleft new york,  he said.\r\n\r\nit's \"late\" -- 5 p.m. (cnn)"
ODD = b"apple\r\n\tthe  fed \x00 said\nbad \xff\xfe bytes in new york\nno end \xc3"


@pytest.fixture
def recase(place, tmp_path, capfdbinary):
    """Runs the command with some bytes as standard input; returns status, output, message."""

    def run(data, *options):
        with standard_input(save(tmp_path / "stdin", data)):
            status = main(["recase", str(place / "news.model"), *map(str, options)])
        output, message = capfdbinary.readouterr()
        return status, output, message.decode()

    return run


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
@pytest.mark.parametrize("options", [(), ("--unbuffered",)])
def test_recase_changes_nothing_but_the_case_of_letters(recase, text, options):
    status, output, message = recase(text.encode(), *options)
    assert (status, message) == (0, "")
    assert output.decode().casefold() == text.casefold()
    assert len(output.decode()) == len(text)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_recase_reads_a_file(run, place, tmp_path, name):
    data = LOWER.encode()
    path = save(tmp_path / name, gzip.compress(data) if name.endswith("gz") else data)
    assert run("recase", place / "news.model", path)[1] == UPPER


def test_recase_reads_several_files_and_standard_input_between(recase, tmp_path):
    first = save(tmp_path / "a", b"in new york")
    last = save(tmp_path / "b.gz", gzip.compress(LOWER.encode()) + gzip.compress(b"the fbi"))
    status, output, _ = recase(b"\nin new york\n", first, "-", last)
    assert status == 0
    assert output == b"In New York\nIn New York\n" + UPPER.encode() + b"The fbi"


def test_odd_bytes_pass_and_are_counted(recase):
    status, output, message = recase(ODD)
    assert (status, output.lower()) == (0, ODD)
    assert b"Apple\r\n\tThe  FED" in output
    assert message == (
        "standard input: 4 bytes are no UTF-8 text, the first in line 2: unchanged\n"
    )


def test_texts_may_stand_after_options(run, place, tmp_path):
    text = save(tmp_path / "a", LOWER)
    words = ("recase", place / "news.model", "--layout", "running", text, "--strict", text)
    assert run(*words)[1] == 2 * UPPER


def test_the_output_file_has_what_would_be_printed(run, place, tmp_path):
    text, output = save(tmp_path / "a", LOWER.encode()), tmp_path / "out"
    assert run("recase", place / "news.model", text, "-o", output)[:2] == (0, "")
    assert output.read_text() == UPPER


def test_a_mistake_leaves_the_output_file_as_it_was_and_no_text_is_overwritten(
    refuse, place, tmp_path
):
    text, output = save(tmp_path / "a", ODD), save(tmp_path / "old", b"old")
    message = refuse("recase", place / "news.model", text, "-o", output, "--strict")
    assert "byte 0x00 in line 2 is no UTF-8 text" in message
    assert Path(output).read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "old", "out"]
    text = save(tmp_path / "a", LOWER.encode())
    assert "to be read itself" in refuse("recase", place / "news.model", text, "-o", text)


def test_a_person_at_a_terminal_is_told_what_recase_waits_for(place, monkeypatch, capfd):
    class Terminal(io.TextIOWrapper):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"")))
    assert main(["recase", str(place / "1gram")]) == 0
    assert "Ctrl-D" in capfd.readouterr().err


def test_wrapped_text_is_pointed_out(recase):
    text = (
        b"the fbi met in new york. it said on monday that apple\nmet president clinton in new "
        b"york. the opec said that\noil prices fell after the meeting. the fbi said so to\n"
        b"reporters in new york. oil prices rose on monday and\n"
    )
    assert "--layout wrapped" in recase(text)[2]
    assert b"\nMet president" in recase(text)[1]
    assert recase(text, "--layout", "wrapped")[2] == ""
    assert b"\nmet " in recase(text, "--layout", "wrapped")[1]


# --- processes of their own ---------------------------------------------------------------


def start(place, *options, stdin=subprocess.PIPE, **streams):
    command = [sys.executable, "-m", "workbench", "recase", str(place / "news.model"), *options]
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, cwd=ROOT, **streams)


@pytest.mark.parametrize("blocks", [True, False])
def test_unbuffered_answers_a_line_before_the_next_is_sent(place, blocks):
    read, written = os.pipe()
    os.set_blocking(read, blocks)
    with start(place, "--unbuffered", stdin=read) as process:
        os.close(read)
        for _ in range(3):
            os.write(written, LOWER.encode())
            assert process.stdout.readline() == UPPER.encode()
        os.close(written)


def test_several_jobs_say_the_same_as_one(place):
    text = (LOWER * 40 + RUNNING[1:]).encode() * 500  # more than one block
    outputs = []
    for options in ((), ("--jobs", "2")):
        with start(place, *options) as process:
            outputs.append(process.communicate(text)[0])
        assert process.returncode == 0
    assert outputs[0].lower() == text.lower()
    assert outputs[0] == outputs[1]


def test_jobs_end_with_their_reader(place, tmp_path):
    text = save(tmp_path / "long.txt", LOWER * 100_000)
    with start(place, "--jobs", "2", str(text), stderr=subprocess.PIPE) as process:
        process.stdout.read(100)
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert workers
    assert not [pid for pid in workers if os.path.exists(f"/proc/{pid}")]
