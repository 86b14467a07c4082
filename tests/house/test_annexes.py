"""Each annex can be taken away: a copy of the package without it still does all the rest."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ANNEXES = sorted(path.parent.name for path in (ROOT / "workbench").glob("*/joins.py"))
# What is imported where it is asked for: every module, public name and section of the page.
ALL = """
import importlib, pkgutil, workbench
names = [found.name for found in pkgutil.walk_packages(workbench.__path__, "workbench.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
for name in workbench.__all__:
    getattr(workbench, name)
from workbench.settings import SETTINGS
from workbench.text.tasks import TaskName
from workbench.views.sections import sections_of
sections = [section for task in TaskName for section in sections_of(task)]
print(*names, *SETTINGS["section"].allowed)
assert {*sections} <= {*SETTINGS["section"].allowed}
"""
TEXT = "The Senate met in Rome .\nMr. Smith saw the Senate in Rome .\n" * 20


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package, whole, with what is compiled: to compile it anew takes a minute."""
    folder = tmp_path_factory.mktemp("house") / "workbench"
    unfinished = shutil.ignore_patterns("*.tmp.*", "*.pyc.*")  # others may be compiling
    shutil.copytree(ROOT / "workbench", folder, ignore=unfinished)
    return folder


def run(folder, *words, text="", program=("-m", "workbench")):
    command = [sys.executable, *program, *map(str, words)]
    done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("annex", ANNEXES)
def test_the_house_stands_without(copy, annex, tmp_path):
    away = copy.with_name(annex)
    (copy / annex).rename(away)
    try:
        home, model = copy.parent, tmp_path / "m.model"
        assert "recase" in run(home, "--help")
        assert f"--{annex}" not in run(home, "train", "--help")
        names = run(home, program=("-c", ALL)).split()
        assert not [name for name in names if name.startswith(f"workbench.{annex}")]
        assert ("choices" in names) == (annex != "candidates")  # a section of its own
        assert f"workbench.{min({*ANNEXES} - {annex})}.joins" in names
        (tmp_path / "text.txt").write_text(TEXT)
        run(home, "train", tmp_path / "text.txt", "-o", model, "--cutoff", "0")
        assert run(home, "recase", model, text="the senate met in rome .\n") == (
            "The Senate met in Rome .\n"
        )
    finally:
        away.rename(copy / annex)
