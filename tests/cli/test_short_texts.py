"""Little text is recased by loops in Python, to the same letters and probabilities."""

import gzip
import subprocess
import sys

import pytest

LINE = b"anna smith flew from new york to rome\n"
MUCH = LINE * 200
CODE = """
import sys
from workbench.cli.short_texts import recases_little
print(recases_little(sys.argv[1:]))
"""
RUN = """
import sys
from workbench.__main__ import run
assert run() == 0
print("numba" in sys.modules, file=sys.stderr)
"""


def ask(words, code=CODE, **source):
    """What a process prints that has a command line, on standard output and error."""
    command = [sys.executable, "-c", code, *map(str, words)]
    done = subprocess.run(command, capture_output=True, check=True, **source)
    return done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def files(tmp_path):
    """Files of little, of much, of much that is packed, and a folder."""
    (tmp_path / "little").write_bytes(LINE)
    (tmp_path / "much").write_bytes(MUCH)
    (tmp_path / "much.gz").write_bytes(gzip.compress(MUCH))
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "is_little"),
    [
        ("recase en little", True),
        ("recase much little", True),  # the first is the model
        ("recase en --json little -o new", True),
        ("recase en much", False),
        ("recase en little much", False),
        ("recase en much.gz", False),
        ("recase en folder", False),
        ("recase en https://example.org/text", False),
        ("evaluate en little", False),
        ("", False),
    ],
)
def test_little_is_what_all_files_hold_together(files, words, is_little):
    said, _ = ask(words.split(), cwd=files, stdin=subprocess.DEVNULL)
    assert said == f"{is_little}\n"


@pytest.mark.parametrize(("text", "is_little"), [("little", True), ("much", False)])
def test_standard_input_is_a_file_whose_size_counts(files, text, is_little):
    with (files / text).open("rb") as source:
        assert ask(["recase", "en"], stdin=source)[0] == f"{is_little}\n"


@pytest.mark.parametrize(("text", "is_little"), [("little", True), ("much", False)])
def test_a_pipe_whose_writer_has_ended_has_a_size(files, text, is_little):
    with subprocess.Popen(["cat", files / text], stdout=subprocess.PIPE) as writer:
        writer.wait()
        assert ask(["recase", "en"], stdin=writer.stdout)[0] == f"{is_little}\n"


def test_more_may_come_through_a_pipe_whose_writer_runs():
    with subprocess.Popen(["sleep", "60"], stdout=subprocess.PIPE) as writer:
        assert ask(["recase", "en"], stdin=writer.stdout)[0] == "False\n"
        writer.kill()


def test_both_ways_write_the_same_and_little_text_needs_no_numba(files):
    words = ["recase", "en", files / "little", "--json"]
    in_python = ask(words, RUN, stdin=subprocess.DEVNULL)
    assert in_python[1] == "False\n"
    (files / "much").write_bytes(MUCH)
    compiled = ask(["recase", "en", files / "much", "--json"], RUN, stdin=subprocess.DEVNULL)
    assert compiled[1] == "True\n"
    assert compiled[0] == in_python[0] * 200
