"""What the command line shows: bars on terminals only, whole output."""

import io
import json

import pytest

from workbench.cli import console
from workbench.cli.console import Progress
from workbench.learning.solvers.fit import Step


class Stream(io.StringIO):
    """Standard error that is, or is not, a terminal."""

    def __init__(self, is_terminal):
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self):
        return self._is_terminal


def use_everything(progress):
    progress.built(1, 4, "numpy")
    progress.read(2, 3, 1234)
    progress.counted(3, 3)
    progress.step(Step(1, -10.0, 2.0, 1.0, 0.1))
    progress.fitting(Step(7, -10.0, 2.0, 1.0, 0.1))
    progress.tried(0.3, 1488)
    progress.began("map")
    assert list(progress.over(["a", "b"])) == ["a", "b"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_bar_is_drawn_on_a_terminal_and_gone_when_the_work_is_done(
    monkeypatch, capsys, is_terminal
):
    monkeypatch.setattr("sys.stderr", Stream(is_terminal))
    with Progress("training") as progress:
        use_everything(progress)
        shown = console.sys.stderr.getvalue()
    assert ("training: 0 steps" in shown) is is_terminal
    assert console.sys.stderr.getvalue().endswith("\r" if is_terminal else shown)
    assert capsys.readouterr().out + (shown if not is_terminal else "") == ""


def test_a_long_fit_shows_its_steps_before_it_is_counted(monkeypatch):
    monkeypatch.setattr("sys.stderr", Stream(True))
    with Progress("adapting", "values of sigma2") as progress:
        progress.counted(3, 25)
        progress.fitting(Step(7, -10.0, 2.0, 1.0, 0.1))
        last = console.sys.stderr.getvalue().rpartition("\r")[2]
    assert "3/25" in last
    assert "step 7" in last


def test_json_is_one_object_that_any_terminal_can_print_and_never_what_is_no_number(capsys):
    console.print_json({"name": "né\udcff", "rate": None})
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert json.loads(printed) == {"name": "né\udcff", "rate": None}
    with pytest.raises(ValueError, match="not JSON compliant"):
        console.print_json({"rate": float("nan")})


def test_lines_lose_no_letter_to_a_poor_encoding(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    console.print_lines(["né"])
    assert stream.buffer.getvalue() == b"n\\xe9\n"
