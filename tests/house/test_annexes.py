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
# Afterwards commands, each a line of words.
COMMANDS = """
import sys
from workbench.cli.main import main
for line in sys.argv[1:]:
    try:
        assert main(line.split()) == 0, line
    except SystemExit as ended:
        assert ended.code == 0, line
"""
TEXT = "The Senate met in Rome .\nMr. Smith saw the Senate in Rome .\n" * 20


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package, whole, with what is compiled: to compile it anew takes a minute."""
    folder = tmp_path_factory.mktemp("house") / "workbench"
    unfinished = shutil.ignore_patterns("*.tmp.*", "*.pyc.*")  # others may be compiling
    shutil.copytree(ROOT / "workbench", folder, ignore=unfinished)
    return folder


@pytest.mark.parametrize("annex", ANNEXES)
def test_the_house_stands_without(copy, annex, tmp_path):
    away = copy.with_name(annex)
    (copy / annex).rename(away)
    try:
        (tmp_path / "text.txt").write_text(TEXT)
        (tmp_path / "lower.txt").write_text("the senate met in rome .\n")
        lines = "--help", "train --help", f"train {tmp_path}/text.txt -o {tmp_path}/m --cutoff 0"
        lines += (f"recase {tmp_path}/m {tmp_path}/lower.txt",)
        done = subprocess.run(
            [sys.executable, "-c", ALL + COMMANDS, *lines], cwd=copy.parent, capture_output=True,
            text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        first, *printed = done.stdout.splitlines()
        names = first.split()
        assert not [name for name in names if name.startswith(f"workbench.{annex}")]
        assert ("choices" in names) == (annex != "candidates")  # a section of its own
        assert f"workbench.{min({*ANNEXES} - {annex})}.joins" in names
        assert any("    recase " in line for line in printed)
        assert not any(f"--{annex}" in line for line in printed)
        assert printed[-1] == "The Senate met in Rome ."
    finally:
        away.rename(copy / annex)
