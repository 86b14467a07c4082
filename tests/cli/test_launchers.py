"""The commands that start the page and the notebooks: what they hand on, and what they refuse."""

import os
import sys

import pytest

from workbench.cli.commands import launch

pytestmark = pytest.mark.usefixtures("outside")


@pytest.fixture
def started(monkeypatch):
    """The command lines that would have been started."""
    words = []
    monkeypatch.setattr(os, "execv", lambda _, command: words.append(command))
    monkeypatch.setattr(launch, "run_module", lambda *_, **__: words.append(sys.argv))
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setenv("PYTHONPATH", "before")
    return words


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """The folders of an installed package: what a wheel holds is not at the checkout's top."""
    share = tmp_path / "site-packages" / "workbench" / "share"
    (share / "notebooks").mkdir(parents=True)
    (share / "notebooks" / "01_tags.ipynb").write_text("new")
    monkeypatch.setattr(launch, "_SHARE", share)
    monkeypatch.setattr(launch, "_HOME", share)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def with_jupyterlab(monkeypatch):
    monkeypatch.setattr(launch, "find_spec", lambda module: module)


def test_app_hands_its_words_to_streamlit(run, started):
    assert run("app", "--server.port", "8600") == (0, "", "")
    (command,) = started
    assert command[:2] == ["streamlit", "run"]
    assert (launch._PACKAGE.parent / "app.py").samefile(command[2])
    assert command[3:] == ["--server.port", "8600"]


@pytest.mark.usefixtures("with_jupyterlab")
def test_what_is_started_finds_the_package_wherever_it_runs(run, started):
    run("notebooks")
    package = str(launch._PACKAGE.parent)
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [package, "before"]


@pytest.mark.usefixtures("with_jupyterlab")
def test_notebooks_of_a_checkout_are_opened_in_place(run, started):
    folder = str(launch._PACKAGE.parent / "notebooks")
    assert run("notebooks", "--no-browser") == (0, "", f"notebooks: {folder}\n")
    assert started[0][3:] == ["jupyterlab", folder, "--no-browser"]


@pytest.mark.usefixtures("with_jupyterlab")
def test_notebooks_of_an_installed_package_are_copied_once(run, started, installed):
    copy = installed / "workbench-notebooks"
    assert run("notebooks") == (0, "", f"notebooks: {copy}\n")
    (copy / "01_tags.ipynb").write_text("mine")
    run("notebooks")
    assert (copy / "01_tags.ipynb").read_text() == "mine"
    assert len(started) == 2


@pytest.mark.usefixtures("with_jupyterlab")
def test_a_folder_that_cannot_be_written_is_refused(run, started, installed):
    (installed / "file").write_text("")
    status, _, message = run("notebooks", "--folder", "file/inside")
    assert (status, started) == (1, [])
    assert message.startswith("workbench: file/inside: cannot be written (Not a directory)")


@pytest.mark.parametrize(("command", "module"), [("app", "streamlit"), ("notebooks", "jupyterlab")])
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    run, started, monkeypatch, command, module
):
    monkeypatch.setattr(launch, "find_spec", lambda _: None)
    status, printed, message = run(command)
    assert (status, printed, started) == (1, "", [])
    install = f"pip install 'capitalization-workbench[{command}]'"
    assert message == f"workbench: {command}: {module} is not installed; {install}\n"
