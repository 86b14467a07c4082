"""What holds for every command: wrong usage, bad options, surprises message in one line."""

import argparse
import warnings

import pytest

from workbench.cli.main import main
from workbench.text.errors import InputError

pytestmark = pytest.mark.usefixtures("outside")


def test_data_is_a_table_with_a_title(run):
    status, printed, message = run("data")
    assert (status, message) == (0, "")
    assert printed.splitlines()[0].split() == "name kind here parts size what it is".split()
    assert "streamlit-docs" in printed


# --- surprises ----------------------------------------------------------------------------


@pytest.fixture
def meet(monkeypatch, capfd):
    """Run a command that meets something; returns exit status and standard error."""

    def _meet(happening):
        parsed = argparse.Namespace(command="", find_run=lambda _: happening)
        monkeypatch.setattr("workbench.cli.main._parse", lambda _: parsed)
        return main([]), capfd.readouterr().err

    return _meet


def raising(error):
    def happening(_):
        raise error

    return happening


def test_a_surprise_is_told_without_a_traceback(meet):
    status, message = meet(raising(ZeroDivisionError("by zero")))
    assert status == 1
    assert message.startswith("workbench: ZeroDivisionError: by zero (python -X dev")
    assert message.count("\n") == 1


def test_a_message_of_two_lines_is_told_in_one(meet):
    assert meet(raising(InputError("a\nb"))) == (1, "workbench: a\\nb\n")


def test_an_interruption_is_told_in_one_line(meet):
    assert meet(raising(KeyboardInterrupt())) == (130, "workbench: stopped; nothing was written\n")


def test_a_warning_is_told_in_one_line(meet):
    def happening(_):
        warnings.simplefilter("always")
        warnings.warn("not converged after 5 steps", UserWarning, stacklevel=1)

    assert meet(happening) == (0, "workbench: warning: not converged after 5 steps\n")
